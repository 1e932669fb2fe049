// OctoMap maps that Sightline wrote, read by OctoMap's own library and programs.
#include "host/world/octomap_writer.h"

#include <gtest/gtest.h>
#include <octomap/OcTree.h>

#include <filesystem>

#include "host/world/octomap_reader.h"
#include "support/errors.h"
#include "support/grids.h"
#include "support/reference_data.h"
#include "support/run_program.h"
#include "support/worlds.h"

namespace sightline {
namespace {

using host::GridGeometry;
using host::OccupancyGrid;
using host::VoxelState;
using tests::input_error_of;
using tests::TemporaryFolder;

GridGeometry map_geometry(std::int64_t x, std::int64_t y, std::int64_t z) {
  GridGeometry geometry;
  geometry.dims = {x, y, z};
  geometry.voxel_m = {0.25, 0.25, 0.25};
  geometry.frame = host::Frame::kMapZUp;
  return geometry;
}

OccupancyGrid example() {
  tests::Random random(7);
  GridGeometry geometry = map_geometry(0, 0, 0);
  geometry.origin_m = {-2.5, 1, 0.25};
  return tests::placed(
      tests::to_grid(tests::make_world(tests::WorldKind::kBlocks4, {33, 24, 18}, true, random)),
      geometry);
}

TEST(OctomapWriter, IsReadByTheLibraryVoxelByVoxel) {
  const TemporaryFolder folder;
  const OccupancyGrid grid = example();
  host::write_octomap(grid, folder / "w.bt");
  octomap::OcTree tree(1.0);
  ASSERT_TRUE(tree.readBinary(folder / "w.bt"));
  EXPECT_EQ(tree.getResolution(), 0.25);
  const GridGeometry& geometry = grid.geometry();
  for (std::int64_t i = -2; i < geometry.dims[0] + 2; ++i) {
    for (std::int64_t j = 0; j < geometry.dims[1]; ++j) {
      for (std::int64_t k = 0; k < geometry.dims[2]; ++k) {
        const auto centre = [&](std::int64_t index, int axis) {
          return geometry.origin_m[axis] + (static_cast<double>(index) + 0.5) * 0.25;
        };
        const octomap::OcTreeNode* node = tree.search(centre(i, 0), centre(j, 1), centre(k, 2));
        VoxelState state = VoxelState::kUnknown;
        if (node) state = tree.isNodeOccupied(node) ? VoxelState::kOccupied : VoxelState::kFree;
        const bool inside = i >= 0 && i < geometry.dims[0];
        ASSERT_EQ(state, inside ? grid.at(i, j, k) : VoxelState::kUnknown)
            << i << ' ' << j << ' ' << k;
      }
    }
  }
}

TEST(OctomapWriter, PrunesAsTheLibraryDoes) {
  const TemporaryFolder folder;
  host::write_octomap(example(), folder / "w.bt");
  octomap::OcTree tree(1.0);
  ASSERT_TRUE(tree.readBinary(folder / "w.bt"));
  const std::size_t num_nodes = tree.size();
  tree.prune();
  EXPECT_EQ(tree.size(), num_nodes);
}

TEST(OctomapWriter, WritesTheScannedBuildingAsItWasRead) {
  constexpr const char* kBuilding = "octomap_geb079/geb079.bt";
  SIGHTLINE_REQUIRE_REFERENCE_DATA(kBuilding);
  const OccupancyGrid grid = host::read_octomap(tests::reference_data(kBuilding));
  const TemporaryFolder folder;
  host::write_octomap(grid, folder / "w.bt");
  tests::expect_same_grid(host::read_octomap(folder / "w.bt"), grid);
}

TEST(OctomapWriter, IsReadByOctomapsPrograms) {
  if (!std::filesystem::exists("/usr/bin/convert_octree")) {
    GTEST_SKIP() << "convert_octree and bt2vrml are not installed (Debian: octomap-tools)";
  }
  const TemporaryFolder folder;
  const OccupancyGrid grid = example();
  host::write_octomap(grid, folder / "w.bt");
  const auto converted =
      tests::run_program({"/usr/bin/convert_octree", folder / "w.bt", folder / "w.ot"});
  EXPECT_EQ(converted.exit_code, 0) << converted.out << converted.err;
  const OccupancyGrid full = host::read_octomap(folder / "w.ot");
  EXPECT_EQ(full.count().occupied, grid.count().occupied);
  EXPECT_EQ(full.count().free, grid.count().free);
  const auto drawn = tests::run_program({"/usr/bin/bt2vrml", folder / "w.bt"});
  EXPECT_EQ(drawn.exit_code, 0) << drawn.out << drawn.err;
  EXPECT_GT(std::filesystem::file_size(folder / "w.bt.wrl"), 0u);
}

TEST(OctomapWriter, RefusesWhatAnOctreeCannotHold) {
  const TemporaryFolder folder;
  const auto refusal = [&](const GridGeometry& geometry) {
    OccupancyGrid grid(geometry);
    const std::string message = input_error_of([&] { host::write_octomap(grid, folder / "w.bt"); });
    EXPECT_EQ(message.rfind(folder / "w.bt", 0), 0u) << message;
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
    return message;
  };
  GridGeometry geometry = map_geometry(4, 4, 4);
  geometry.voxel_m[2] = 0.5;
  EXPECT_NE(refusal(geometry).find("0.25 x 0.25 x 0.5 m"), std::string::npos);
  geometry = map_geometry(4, 4, 4);
  geometry.origin_m[1] = 0.1;
  EXPECT_NE(refusal(geometry).find("origin 0.1 m is 0.4 voxels"), std::string::npos);
  geometry.origin_m[1] = -0.25 * 32769;
  EXPECT_NE(refusal(geometry).find("2^15 voxels from 0"), std::string::npos);
  geometry.origin_m[1] = 0.25 * 32765;
  EXPECT_NE(refusal(geometry).find("2^15 voxels from 0"), std::string::npos);
}

TEST(OctomapWriter, RefusesAWorldOfNothingKnown) {
  const TemporaryFolder folder;
  const OccupancyGrid grid = OccupancyGrid::unknown(map_geometry(4, 4, 4));
  EXPECT_NE(input_error_of([&] {
              host::write_octomap(grid, folder / "w.bt");
            }).find("all voxels are unknown"),
            std::string::npos);
}

}  // namespace
}  // namespace sightline
