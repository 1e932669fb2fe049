// MagicaVoxel files: models, and where the scene puts them.
#include "host/world/vox.h"

#include <gtest/gtest.h>

#include "host/world/vox_scene.h"
#include "support/grids.h"
#include "support/run_program.h"
#include "support/vox_bytes.h"

namespace sightline {
namespace {

using host::OccupancyGrid;
using host::VoxelState;
using namespace tests;  // the vox_... makers

using Index3 = std::array<std::int64_t, 3>;

OccupancyGrid read(const std::string& bytes, const host::Placement& placement = {}) {
  const TemporaryFolder folder;
  write_text(folder / "w.vox", bytes);
  return host::read_vox(folder / "w.vox", placement);
}

/// The occupied voxels in the file's space.
std::vector<Index3> occupied(const OccupancyGrid& grid) {
  std::vector<Index3> voxels;
  const Index3 corner = host::vox_corner(grid.geometry());
  const Index3& dims = grid.geometry().dims;
  for (std::int64_t i = 0; i < dims[0]; ++i) {
    for (std::int64_t j = 0; j < dims[1]; ++j) {
      for (std::int64_t k = 0; k < dims[2]; ++k) {
        if (grid.at(i, j, k) == VoxelState::kOccupied) {
          voxels.push_back({corner[0] + i, corner[1] + j, corner[2] + k});
        }
      }
    }
  }
  return voxels;
}

TEST(VoxFile, WithoutASceneHasItsLowCornerAt0) {
  const OccupancyGrid grid = read(vox_file(vox_model({5, 4, 3}, {4, 3, 2, 0, 1, 0})));
  EXPECT_EQ(grid.geometry().dims, (Index3{5, 4, 3}));
  EXPECT_EQ(grid.geometry().origin_m, (std::array<double, 3>{0, 0, 0}));
  EXPECT_EQ(grid.geometry().frame, host::Frame::kMapZUp);
  EXPECT_EQ(occupied(grid), (std::vector<Index3>{{0, 1, 0}, {4, 3, 2}}));
}

TEST(VoxFile, IsScaledAndMovedByThePlacement) {
  host::Placement placement;
  placement.voxel_m = {0.5, 0.5, 0.25};
  const std::string scene =
      vox_model({3, 3, 3}, {0, 0, 0}) + vox_transform(0, 1, "", "11 1 1") + vox_shape(1, 0);
  EXPECT_EQ(read(vox_file(scene), placement).geometry().origin_m, (std::array<double, 3>{5, 0, 0}));
  placement.origin_m = {7, 8, 9};
  EXPECT_EQ(read(vox_file(scene), placement).geometry().origin_m, (std::array<double, 3>{7, 8, 9}));
}

TEST(VoxFile, PlacesEveryShowingOfAModel) {
  // A model of 3 x 1 x 1 has its pivot on voxel 1: moved by 10, voxel 0 lies at 9.
  const std::string scene = vox_model({3, 1, 1}, {0, 0, 0}) + vox_model({2, 2, 2}, {1, 1, 1}) +
                            vox_transform(0, 1, "", "") + vox_group(1, {2, 4, 6}) +
                            vox_transform(2, 3, "", "10 0 0") + vox_shape(3, 0) +
                            vox_transform(4, 5, "", "20 0 -5") + vox_shape(5, 0) +
                            vox_transform(6, 7, "", "0 2 0") + vox_shape(7, 1);
  EXPECT_EQ(occupied(read(vox_file(scene))),
            (std::vector<Index3>{{0, 2, 0}, {9, 0, 0}, {19, 0, -5}}));
}

TEST(VoxFile, TurnsModelsAboutTheirPivot) {
  // The example of the format's description: rows (0 1 0), (0 0 -1), (-1 0 0).
  const std::string turned = std::to_string((1 << 0) | (2 << 2) | (1 << 5) | (1 << 6));
  const std::string model = vox_model({4, 3, 2}, {3, 0, 1, 0, 2, 0});
  const std::string scene = model + vox_transform(0, 1, turned, "") + vox_shape(1, 0);
  // Centres from the pivot (2, 1, 1): (1.5, -0.5, 0.5) and (-1.5, 1.5, -0.5). Turned: (y, -z, -x).
  EXPECT_EQ(occupied(read(vox_file(scene))), (std::vector<Index3>{{-1, -1, -2}, {1, 0, 1}}));
}

TEST(VoxFile, TurnsAGroupWithAllThatIsInIt) {
  // A quarter turn about z, (x, y, z) to (-y, x, z), around a model moved by 5 along x.
  const std::string quarter = std::to_string((1 << 0) | (0 << 2) | (1 << 4));
  const std::string scene = vox_model({1, 1, 1}, {0, 0, 0}) +
                            vox_transform(0, 1, quarter, "0 0 7") + vox_group(1, {2}) +
                            vox_transform(2, 3, "", "5 0 0") + vox_shape(3, 0);
  EXPECT_EQ(occupied(read(vox_file(scene))), (std::vector<Index3>{{-1, 5, 7}}));
}

TEST(VoxTransforms, ChainAsTheirPartsDo) {
  const Index3 size{4, 3, 2};
  host::VoxTransform inner, outer;
  inner.from = {1, 2, 0};
  inner.sign = {1, -1, -1};
  inner.move = {3, -4, 5};
  outer.from = {2, 1, 0};
  outer.sign = {-1, 1, 1};
  outer.move = {10, 20, 30};
  const Index3 whole{0, 0, 0};  // a space of size 0 has its pivot at 0
  for (std::int64_t x = 0; x < 4; ++x) {
    const Index3 p{x, 2, 1};
    EXPECT_EQ(host::after(outer, inner).voxel(p, size), outer.voxel(inner.voxel(p, size), whole));
  }
}

TEST(VoxFile, LargerThanAModelIsWrittenAsSeveral) {
  host::GridGeometry geometry;
  geometry.dims = {520, 30, 257};
  geometry.frame = host::Frame::kMapZUp;
  geometry.origin_m = {-100, 4, 1000};
  OccupancyGrid grid(geometry);
  grid.set_box({250, 3, 254}, {262, 30, 257}, VoxelState::kOccupied);
  const TemporaryFolder folder;
  host::write_vox(grid, folder / "w.vox");
  expect_same_grid(host::read_vox(folder / "w.vox", {}), grid);
}

TEST(VoxFile, OfAnEmptyWorldKeepsItsSize) {
  host::GridGeometry geometry;
  geometry.dims = {300, 5, 600};
  geometry.frame = host::Frame::kMapZUp;
  const OccupancyGrid grid(geometry);
  const TemporaryFolder folder;
  host::write_vox(grid, folder / "w.vox");
  expect_same_grid(host::read_vox(folder / "w.vox", {}), grid);
}

}  // namespace
}  // namespace sightline
