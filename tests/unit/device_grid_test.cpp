// What is sent to a GPU: a later version sends what it appended, another grid everything.
#include "host/device_grid.h"

#include <gtest/gtest.h>

#include "host/world/versioned_grid.h"

namespace sightline::tests {
namespace {

using host::GridOnGpu;
using host::HostGrid;
using host::UploadPlan;

/// Words [0, num_words) of a block, with a root table of `num_root_words` unless it is 0.
HostGrid block(std::uint64_t id, std::size_t num_words, std::uint64_t version = 0,
               std::size_t num_root_words = 0) {
  return {{}, num_words, id, version, num_root_words};
}

UploadPlan send(GridOnGpu& gpu, const HostGrid& grid) {
  const UploadPlan plan = gpu.plan(grid);
  gpu.begin(plan);
  gpu.finish(grid, plan);
  return plan;
}

TEST(GridUpload, SendsAGridOnce) {
  GridOnGpu gpu;
  const UploadPlan first = send(gpu, block(7, 1000));
  EXPECT_EQ(first.first, 0u);
  EXPECT_EQ(first.count, 1000u);
  EXPECT_EQ(first.capacity, 1000u);
  EXPECT_FALSE(first.keep_contents);
  EXPECT_EQ(send(gpu, block(7, 1000)).bytes(), 0u);
  EXPECT_EQ(gpu.bytes_sent(), 8000);
}

TEST(GridUpload, SendsTheAppendedPartOfALaterVersion) {
  GridOnGpu gpu;
  send(gpu, block(7, 1000, 0, 4));
  const UploadPlan later = send(gpu, block(7, 1100, 1, 4));
  EXPECT_EQ(later.first, 1000u);
  EXPECT_EQ(later.count, 100u);
  EXPECT_EQ(later.count_roots, 4u);
  EXPECT_TRUE(later.keep_contents);
  EXPECT_GT(later.capacity, 1100u);  // the next version needs no larger buffer
  EXPECT_EQ(send(gpu, block(7, 1200, 2, 4)).capacity, later.capacity);
}

TEST(GridUpload, SendsOnlyTheRootsOfAnEarlierVersion) {
  GridOnGpu gpu;
  send(gpu, block(7, 1100, 1, 4));
  const UploadPlan earlier = send(gpu, block(7, 1000, 0, 4));
  EXPECT_EQ(earlier.count, 0u);
  EXPECT_EQ(earlier.bytes(), 4 * 8u);
  // What lies beyond the earlier version is still there.
  EXPECT_EQ(send(gpu, block(7, 1100, 1, 4)).bytes(), 4 * 8u);
  EXPECT_EQ(send(gpu, block(7, 1100, 1, 4)).bytes(), 0u);
}

TEST(GridUpload, SendsAnotherBlockWhole) {
  GridOnGpu gpu;
  send(gpu, block(7, 1000, 3, 4));
  const UploadPlan other = send(gpu, block(8, 400, 3, 4));
  EXPECT_EQ(other.first, 0u);
  EXPECT_EQ(other.count, 400u);
  EXPECT_EQ(other.count_roots, 4u);
  EXPECT_FALSE(other.keep_contents);
  EXPECT_EQ(other.capacity, 1000u);  // the buffer stays
  EXPECT_EQ(send(gpu, block(7, 1000, 3, 4)).count, 1000u);
}

TEST(GridUpload, TrustsNothingAfterAnUploadThatFailed) {
  GridOnGpu gpu;
  send(gpu, block(7, 1000, 0, 4));
  const HostGrid later = block(7, 1100, 1, 4);
  gpu.begin(gpu.plan(later));  // and it never finishes
  const UploadPlan again = gpu.plan(later);
  EXPECT_EQ(again.count, 1100u);
  EXPECT_EQ(again.count_roots, 4u);
  EXPECT_FALSE(again.keep_contents);
  EXPECT_EQ(gpu.bytes_sent(), 8 * 1004);
}

TEST(GridUpload, SendsForAnEditWhatTheVersionAppended) {
  host::GridGeometry geometry;
  geometry.dims = {128, 64, 64};
  host::VersionedGrid versions{host::OccupancyGrid(geometry)};
  versions.edit({host::edit_voxel(1, 2, 3, host::VoxelState::kOccupied)});
  GridOnGpu gpu;
  send(gpu, versions.grid(0).host_grid());
  const UploadPlan plan = send(gpu, versions.grid(1).host_grid());
  EXPECT_EQ(plan.count, kernels::kBrickWords + kernels::kNodeWords);
  EXPECT_EQ(plan.count_roots, 1u);  // two regions of four bytes
  host::OccupancyGrid copy = versions.grid(1);
  copy.set(0, 0, 0, host::VoxelState::kOccupied);  // a block of its own
  EXPECT_EQ(send(gpu, copy.host_grid()).first, 0u);
}

}  // namespace
}  // namespace sightline::tests
