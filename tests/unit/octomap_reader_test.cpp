// OctoMap maps against the numbers of a real one, and against OctoMap's own library.
#include "host/world/octomap_reader.h"

#include <gtest/gtest.h>
#include <octomap/ColorOcTree.h>
#include <octomap/OcTree.h>

#include "support/random.h"
#include "support/reference_data.h"
#include "support/run_program.h"

namespace sightline {
namespace {

using host::OccupancyGrid;
using host::VoxelState;
using tests::TemporaryFolder;

constexpr const char* kBuilding = "octomap_geb079/geb079.bt";

TEST(OctomapBuilding, HasItsKnownVoxels) {
  SIGHTLINE_REQUIRE_REFERENCE_DATA(kBuilding);
  const OccupancyGrid grid = host::read_octomap(tests::reference_data(kBuilding));
  EXPECT_EQ(grid.geometry().dims, (std::array<std::int64_t, 3>{487, 187, 39}));
  EXPECT_EQ(grid.geometry().voxel_m, (std::array<double, 3>{0.08, 0.08, 0.08}));
  EXPECT_EQ(grid.geometry().frame, host::Frame::kMapZUp);
  const OccupancyGrid::Counts counts = grid.count();
  EXPECT_EQ(counts.occupied, 185673);
  EXPECT_EQ(counts.free, 950759);
  EXPECT_EQ(counts.unknown, 487 * 187 * 39 - 185673 - 950759);
}

/// Every voxel of the grid against the library's answer for its centre; and none outside.
template <typename Tree>
void expect_same(const OccupancyGrid& grid, const Tree& tree) {
  const host::GridGeometry& geometry = grid.geometry();
  std::int64_t known = 0;
  for (std::int64_t i = 0; i < geometry.dims[0]; ++i) {
    for (std::int64_t j = 0; j < geometry.dims[1]; ++j) {
      for (std::int64_t k = 0; k < geometry.dims[2]; ++k) {
        const auto center = [&](std::int64_t index, int axis) {
          return geometry.origin_m[axis] +
                 (static_cast<double>(index) + 0.5) * geometry.voxel_m[axis];
        };
        const auto* node = tree.search(center(i, 0), center(j, 1), center(k, 2));
        VoxelState expected = VoxelState::kUnknown;
        if (node) {
          ++known;
          expected = tree.isNodeOccupied(node) ? VoxelState::kOccupied : VoxelState::kFree;
        }
        ASSERT_EQ(grid.at(i, j, k), expected) << i << ' ' << j << ' ' << k;
      }
    }
  }
  std::int64_t in_tree = 0;
  for (auto leaf = tree.begin_leafs(); leaf != tree.end_leafs(); ++leaf) {
    const std::int64_t width = std::int64_t{1} << (16 - leaf.getDepth());
    in_tree += width * width * width;
  }
  EXPECT_EQ(known, in_tree);
}

TEST(OctomapBuilding, AgreesWithTheLibraryVoxelByVoxel) {
  SIGHTLINE_REQUIRE_REFERENCE_DATA(kBuilding);
  octomap::OcTree tree(tests::reference_data(kBuilding));
  expect_same(host::read_octomap(tests::reference_data(kBuilding)), tree);
}

/// Scattered voxels, and a block of free ones that prunes to larger leaves.
template <typename Tree>
void fill(Tree& tree, std::uint64_t seed) {
  tests::Random random(seed);
  for (int i = 0; i < 400; ++i) {
    const octomap::point3d p(static_cast<float>(random.uniform(-2, 2)),
                             static_cast<float>(random.uniform(-1, 3)),
                             static_cast<float>(random.uniform(-2, 1)));
    tree.updateNode(p, random.chance(0.5));
  }
  for (int i = 0; i < 16; ++i) {
    for (int j = 0; j < 16; ++j) {
      for (int k = 0; k < 16; ++k) {
        tree.updateNode(octomap::OcTreeKey(static_cast<octomap::key_type>(32768 + i),
                                           static_cast<octomap::key_type>(32768 + j),
                                           static_cast<octomap::key_type>(32768 + k)),
                        false);
      }
    }
  }
  tree.updateInnerOccupancy();
  tree.prune();
}

template <typename Tree>
void expect_round_trip(std::uint64_t seed) {
  SCOPED_TRACE(seed);
  Tree tree(0.1);
  fill(tree, seed);
  const TemporaryFolder folder;
  ASSERT_TRUE(tree.write(folder / "map.ot"));
  expect_same(host::read_octomap(folder / "map.ot"), tree);
  ASSERT_TRUE(tree.writeBinaryConst(folder / "map.bt"));
  Tree binary(0.1);  // its own occupancies are clamped
  ASSERT_TRUE(binary.readBinary(folder / "map.bt"));
  expect_same(host::read_octomap(folder / "map.bt"), binary);
}

TEST(OctomapFile, OfBothFormatsAgreesWithTheLibrary) {
  for (const std::uint64_t seed : {1, 2, 3}) expect_round_trip<octomap::OcTree>(seed);
}

TEST(OctomapFile, MayHoldColours) { expect_round_trip<octomap::ColorOcTree>(4); }

TEST(OctomapFile, ExpandsPrunedLeavesIntoBoxes) {
  octomap::OcTree tree(0.5);
  for (int c = 0; c < 8; ++c) {
    tree.updateNode(octomap::OcTreeKey(static_cast<octomap::key_type>(32768 + (c & 1)),
                                       static_cast<octomap::key_type>(32768 + ((c >> 1) & 1)),
                                       static_cast<octomap::key_type>(32768 + (c >> 2))),
                    true);
  }
  tree.updateNode(octomap::OcTreeKey(32767, 32768, 32768), false);
  tree.prune();
  ASSERT_EQ(tree.getNumLeafNodes(), 2u);
  const TemporaryFolder folder;
  ASSERT_TRUE(tree.writeBinaryConst(folder / "map.bt"));
  const OccupancyGrid grid = host::read_octomap(folder / "map.bt");
  EXPECT_EQ(grid.geometry().dims, (std::array<std::int64_t, 3>{3, 2, 2}));
  EXPECT_EQ(grid.geometry().origin_m, (std::array<double, 3>{-0.5, 0, 0}));
  EXPECT_EQ(grid.count().occupied, 8);
  EXPECT_EQ(grid.count().free, 1);
  EXPECT_EQ(grid.count().unknown, 3);
  EXPECT_EQ(grid.at(0, 0, 0), VoxelState::kFree);
}

TEST(OctomapFile, IsReadInSilence) {
  const TemporaryFolder folder;
  octomap::OcTree tree(0.1);
  fill(tree, 9);
  ASSERT_TRUE(tree.writeBinaryConst(folder / "map.bt"));
  testing::internal::CaptureStderr();
  testing::internal::CaptureStdout();
  host::read_octomap(folder / "map.bt");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

}  // namespace
}  // namespace sightline
