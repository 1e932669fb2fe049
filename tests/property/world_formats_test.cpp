// Every format of the registry: what is written is read back, voxel by voxel and place by place;
// what a format cannot hold is told.
#include "host/world/formats.h"

#include <gtest/gtest.h>

#include <cmath>

#include "host/world/load.h"
#include "host/world/nanovdb_world.h"
#include "host/world/reframe.h"
#include "support/grids.h"
#include "support/places.h"
#include "support/run_program.h"
#include "support/worlds.h"

namespace sightline {
namespace {

using host::Frame;
using host::GridGeometry;
using host::OccupancyGrid;
using host::Placement;
using host::Source;
using host::VoxelState;
using host::WorldFormat;
using tests::TemporaryFolder;
using tests::WorldKind;

constexpr std::uint64_t kSeed = 11;

/// A world that every format can hold: cubes on multiples of their size.
OccupancyGrid example(WorldKind kind, const oracle::Index3& dims, bool with_unknown, Frame frame) {
  tests::Random random(kSeed);
  GridGeometry geometry;
  geometry.voxel_m = {0.08, 0.08, 0.08};
  geometry.origin_m = {-3 * 0.08, 17 * 0.08, 0};
  geometry.frame = frame;
  OccupancyGrid grid =
      tests::placed(tests::to_grid(tests::make_world(kind, dims, with_unknown, random)), geometry);
  // Something at both ends: a file without a size would end there.
  grid.set(0, 0, 0, VoxelState::kOccupied);
  grid.set(dims[0] - 1, dims[1] - 1, dims[2] - 1, VoxelState::kOccupied);
  return grid;
}

bool is_writable(const WorldFormat& format) {
  return format.write && (format.extension != ".nvdb" || host::has_nanovdb());
}

/// What the file does not say.
Placement placement_of(const WorldFormat& format, const GridGeometry& geometry) {
  const auto is_open = [](Source source) {
    return source == Source::kPlacement || source == Source::kRequired;
  };
  Placement placement;
  if (is_open(format.voxel_m)) placement.voxel_m = geometry.voxel_m;
  if (is_open(format.origin_m)) placement.origin_m = geometry.origin_m;
  if (is_open(format.frame)) placement.frame = geometry.frame;
  return placement;
}

OccupancyGrid written_and_read(const WorldFormat& format, const OccupancyGrid& grid) {
  const TemporaryFolder folder;
  const std::string path = folder / ("w" + format.extension);
  format.write(grid, path);
  return format.read(path, placement_of(format, grid.geometry()));
}

TEST(WorldFormats, KeepVoxelsAndPlace) {
  for (const WorldFormat& format : host::world_formats()) {
    if (!is_writable(format)) continue;
    for (const WorldKind kind : tests::kAllWorldKinds) {
      for (const bool with_unknown : {false, true}) {
        SCOPED_TRACE(format.extension + " " + name_of(kind) + (with_unknown ? " unknown" : ""));
        const OccupancyGrid grid = example(kind, {70, 25, 18}, with_unknown, Frame::kMapZUp);
        const OccupancyGrid read = written_and_read(format, grid);
        tests::expect_same_grid(read, format.keeps_unknown ? grid : tests::without_unknown(grid));
      }
    }
  }
}

TEST(WorldFormats, KeepGridsOfAnySize) {
  for (const WorldFormat& format : host::world_formats()) {
    if (!is_writable(format)) continue;
    for (const oracle::Index3& dims :
         {oracle::Index3{1, 1, 1}, {2, 1, 300}, {300, 3, 1}, {64, 64, 64}, {65, 1, 17}}) {
      SCOPED_TRACE(format.extension + " " + std::to_string(dims[0]));
      const OccupancyGrid grid = example(WorldKind::kDense, dims, false, Frame::kMapZUp);
      tests::expect_same_grid(written_and_read(format, grid), grid);
    }
  }
}

TEST(WorldFormats, TurnAWorldWithYUpOrKeepIt) {
  for (const WorldFormat& format : host::world_formats()) {
    if (!is_writable(format)) continue;
    SCOPED_TRACE(format.extension);
    const OccupancyGrid grid = example(WorldKind::kRooms, {20, 30, 25}, false, Frame::kSceneYUp);
    const OccupancyGrid read = host::in_frame(written_and_read(format, grid), Frame::kSceneYUp);
    EXPECT_TRUE(tests::same_voxels(read, grid));
    constexpr double kRounding_m = 1e-12;  // an origin that was turned twice
    for (int axis = 0; axis < 3; ++axis) {
      EXPECT_NEAR(read.geometry().origin_m[axis], grid.geometry().origin_m[axis], kRounding_m);
    }
  }
}

TEST(WorldFormats, SayWhatTheyLose) {
  const TemporaryFolder folder;
  host::World world;
  world.grid = example(WorldKind::kRooms, {20, 30, 25}, true, Frame::kSceneYUp);
  const auto lost = [&](const std::string& name) {
    std::string text;
    for (const std::string& loss : host::save_world(world, folder / name)) text += loss + "\n";
    return text;
  };
  EXPECT_EQ(lost("w.slw"), "");
  EXPECT_NE(lost("w.npy").find("--voxel 0.08 0.08 0.08"), std::string::npos) << lost("w.npy");
  EXPECT_NE(lost("w.npy").find("--origin -0.24"), std::string::npos) << lost("w.npy");
  EXPECT_NE(lost("w.binvox").find("unknown voxels are written as free"), std::string::npos);
  EXPECT_NE(lost("w.bt").find("written turned"), std::string::npos);
  world.grid = example(WorldKind::kRooms, {20, 30, 25}, false, Frame::kMapZUp);
  EXPECT_EQ(lost("w.bt"), "");
  EXPECT_NE(lost("w.npy").find("--frame z_up"), std::string::npos);
  EXPECT_NE(lost("w.binvox").find("--frame z_up"), std::string::npos);
  world.grid->set_box({0, 0, 0}, {1, 30, 25}, VoxelState::kUnknown);
  EXPECT_NE(lost("w.bt").find("unknown voxels at the sides"), std::string::npos);
}

TEST(WorldFormats, TellSizesOfVoxelsAsTheFileHasItsAxes) {
  GridGeometry geometry;
  geometry.dims = {2, 3, 4};
  geometry.voxel_m = {1, 0.1, 0.5};
  for (const auto& [frame, sizes] : {std::pair{Frame::kSceneYUp, "--voxel 0.5 1 0.1"},
                                     std::pair{Frame::kMapZUp, "--voxel 1 0.1 0.5"}}) {
    geometry.frame = frame;
    std::string told;
    for (const std::string& loss :
         host::losses(*host::find_format("w.vox"), OccupancyGrid(geometry))) {
      told += loss + "\n";
    }
    EXPECT_NE(told.find(sizes), std::string::npos) << told;
  }
}

TEST(WorldFormats, AreListedInTheReadme) {
  const std::string readme = tests::read_text(tests::source_file("README.md"));
  for (const WorldFormat& format : host::world_formats()) {
    EXPECT_NE(readme.find("| `" + format.extension + "` |"), std::string::npos) << format.extension;
  }
}

TEST(Frames, TurnForthAndBackAndKeepWhatIsUpAndAhead) {
  GridGeometry geometry;
  geometry.dims = {2, 3, 4};
  geometry.origin_m = {10, 20, 30};
  geometry.voxel_m = {1, 2, 4};
  OccupancyGrid scene(geometry);
  scene.set(0, 2, 3, VoxelState::kOccupied);  // left, on top, far ahead
  const OccupancyGrid map = host::in_frame(scene, Frame::kMapZUp);
  EXPECT_EQ(map.geometry().dims, (std::array<std::int64_t, 3>{4, 2, 3}));
  EXPECT_EQ(map.geometry().voxel_m, (std::array<double, 3>{4, 1, 2}));
  EXPECT_EQ(map.geometry().origin_m, (std::array<double, 3>{30, -12, 20}));
  EXPECT_EQ(map.count().occupied, 1);
  EXPECT_EQ(map.at(3, 1, 2), VoxelState::kOccupied);  // far ahead, left, on top
  tests::expect_same_grid(host::in_frame(map, Frame::kSceneYUp), scene);
}

}  // namespace
}  // namespace sightline
