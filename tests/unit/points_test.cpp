// Point generators: where they put points, and that a point depends on nothing but its index.
#include "host/sweep/points.h"
#include "host/world/floor.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <fstream>

#include "support/errors.h"
#include "support/run_program.h"

namespace sightline {
namespace {

using namespace host;
using kernels::Vec3;

PointSpec spec_of(const std::string& yaml) {
  return parse_point_spec(ConfigValue::parse_yaml(yaml, "points.yaml"));
}

bool same(Vec3 a, Vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

/// A map of 20 x 20 x 10 voxels of 0.5 m, z up: floor in layers 0 and 1, a ceiling, a closed room's
/// walls in between; unknown beyond x = 8 m.
World make_map() {
  GridGeometry geometry;
  geometry.dims = {20, 20, 10};
  geometry.origin_m = {-1, -2, -3};
  geometry.voxel_m = {0.5, 0.5, 0.5};
  geometry.frame = Frame::kMapZUp;
  OccupancyGrid grid = OccupancyGrid::unknown(geometry);
  grid.set_box({0, 0, 0}, {16, 20, 10}, VoxelState::kFree);
  grid.set_box({0, 0, 0}, {16, 20, 2}, VoxelState::kOccupied);
  grid.set_box({3, 0, 0}, {4, 20, 10}, VoxelState::kOccupied);
  World world;
  world.name = "map";
  world.frame = Frame::kMapZUp;
  world.bounds_m = {{-1, -2, -3}, {9, 8, 2}};
  world.grid = std::move(grid);
  return world;
}

PointContext context_of(const World& world) {
  PointContext context;
  context.world = &world;
  context.seed = 7;
  context.stream = 1;
  return context;
}

TEST(Lattice, RunsZFastestAndIncludesItsStops) {
  const PointSet set = generate_points(
      spec_of("lattice: {x: {start: 3, stop: 4, step: 1}, y: 1.5, z: {start: 0, stop: 0.3, "
              "step: 0.1}}"),
      {});
  ASSERT_EQ(set.points_m.size(), 8u);
  EXPECT_TRUE(same(set.points_m[0], {3, 1.5, 0}));
  EXPECT_TRUE(same(set.points_m[1], {3, 1.5, 0.1}));
  EXPECT_TRUE(same(set.points_m[4], {4, 1.5, 0}));
  EXPECT_TRUE(same(set.points_m[7], {4, 1.5, 3 * 0.1}));
}

TEST(Splitmix64, GivesTheReferenceSequence) {
  // State 1234567 = 100 x 12345 + 67: first words of Vigna's reference program.
  constexpr std::uint64_t kWords[3] = {6457827717110365317u, 3203168211198807973u,
                                       9817491932198370423u};
  PointContext context;
  context.seed = 12345;
  const PointSet set = generate_points(
      spec_of("splitmix64: {stream: 67, count: 1, x: [0, 1], y: [0, 1], z: [0, 1]}"), context);
  EXPECT_EQ(set.points_m[0].x, static_cast<double>(kWords[0] >> 11) * 0x1p-53);
  EXPECT_EQ(set.points_m[0].y, static_cast<double>(kWords[1] >> 11) * 0x1p-53);
  EXPECT_EQ(set.points_m[0].z, static_cast<double>(kWords[2] >> 11) * 0x1p-53);
}

TEST(EndlessGenerators, DrawThePointsOfAnIndexHoweverTheyAreBatched) {
  const World map = make_map();
  for (const char* yaml : {"uniform: {count: 9, x: [0, 1], y: [2, 3], z: [4, 5]}",
                           "splitmix64: {stream: 2, count: 9, x: [0, 1], y: [2, 3], z: [4, 5]}",
                           "random_free: {count: 9, height_m: 1}"}) {
    const PointSpec spec = spec_of(yaml);
    const PointContext context = context_of(map);
    ASSERT_TRUE(is_endless(spec)) << yaml;
    const std::vector<Vec3> whole = generate_points(spec, context).points_m;
    ASSERT_EQ(whole.size(), 9u) << yaml;
    const std::vector<Vec3> part = draw_points(spec, context, 4, 3);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_TRUE(same(whole[4 + i], part[i])) << yaml;
    EXPECT_FALSE(same(whole[0], whole[1])) << yaml;
  }
}

TEST(Uniform, DiffersBetweenStreamsSeedsAndPartsOfAUnion) {
  const char* uniform = "uniform: {count: 2, x: [0, 1], y: [0, 1], z: [0, 1]}";
  PointContext context;
  context.seed = 1;
  const Vec3 first = generate_points(spec_of(uniform), context).points_m[0];
  context.stream = 1;
  EXPECT_FALSE(same(first, generate_points(spec_of(uniform), context).points_m[0]));
  context.stream = 0;
  context.seed = 2;
  EXPECT_FALSE(same(first, generate_points(spec_of(uniform), context).points_m[0]));
  const std::string both = std::string("union: [{") + uniform + "}, {" + uniform + "}]";
  const PointSet set = generate_points(spec_of(both), context);
  ASSERT_EQ(set.points_m.size(), 4u);
  EXPECT_FALSE(same(set.points_m[0], set.points_m[2]));
}

TEST(Uniform, UsesItsOwnSeedIfItHasOne) {
  const PointSpec spec = spec_of("uniform: {count: 1, x: [0, 1], y: [0, 1], z: [0, 1], seed: 5}");
  PointContext one, two;
  one.seed = 1;
  two.seed = 2;
  EXPECT_TRUE(same(generate_points(spec, one).points_m[0], generate_points(spec, two).points_m[0]));
}

TEST(MapFloor, IsTheTopOfTheFullestLowLayer) {
  World map = make_map();
  map.grid->set(5, 5, 0, VoxelState::kFree);  // layer 1 is fuller now: its top is 2 x 0.5 m up
  EXPECT_EQ(map_floor_m(map), -3 + 2 * 0.5);
}

TEST(RandomFree, StandsInFreeVoxelsAtItsHeightAboveTheFloor) {
  World map = make_map();
  map.grid->set(5, 5, 0, VoxelState::kFree);
  const PointSet set =
      generate_points(spec_of("random_free: {count: 500, up_range_m: [0.5, 1]}"), context_of(map));
  bool left = false, right = false;
  for (const Vec3 p : set.points_m) {
    EXPECT_GE(p.z, -2 + 0.5);
    EXPECT_LE(p.z, -2 + 1);
    const auto voxel = [](double at, double origin) {
      return static_cast<std::int64_t>(std::floor((at - origin) / 0.5));
    };
    EXPECT_EQ(map.grid->at(voxel(p.x, -1), voxel(p.y, -2), voxel(p.z, -3)), VoxelState::kFree);
    left |= p.x < 0.5;
    right |= p.x > 1;
  }
  EXPECT_TRUE(left && right);
}

TEST(RandomFree, KeepsItsClearance) {
  const World map = make_map();
  const PointSet set = generate_points(
      spec_of("random_free: {count: 500, height_m: 1, clearance_m: 0.4}"), context_of(map));
  for (const Vec3 p : set.points_m) {
    EXPECT_TRUE(p.x <= 0.5 - 0.4 || p.x >= 1 + 0.4) << p.x;  // the wall fills [0.5, 1)
    EXPECT_GE(p.x, -1 + 0.4);                                // the map's own edge
    EXPECT_LE(p.x, 7 - 0.4);                                 // unknown space
  }
}

TEST(RandomFree, StaysNearThePointOfItsIndex) {
  const World map = make_map();
  const std::vector<Vec3> around(200, Vec3{4, 3, 0});
  PointContext context = context_of(map);
  context.around = &around;
  const PointSet set =
      generate_points(spec_of("random_free: {count: 200, height_m: 1, within_m: 2}"), context);
  double farthest = 0;
  for (const Vec3 p : set.points_m) farthest = std::max(farthest, std::hypot(p.x - 4, p.y - 3));
  EXPECT_LE(farthest, 2);
  EXPECT_GT(farthest, 1.5);
}

TEST(RandomFree, SaysWhereItFoundNoFreePosition) {
  const World map = make_map();
  const std::string message = tests::input_error_of(
      [&] { generate_points(spec_of("random_free: {count: 1, height_m: 50}"), context_of(map)); });
  EXPECT_NE(message.find("map has no free position"), std::string::npos) << message;
  EXPECT_NE(message.find("floor_m"), std::string::npos) << message;
}

class PoseFile : public testing::Test {
 protected:
  std::string write(const std::string& text) {
    const std::string path = folder_ / "poses.csv";
    std::ofstream(path) << text;
    return path;
  }
  PointSet read(const std::string& text) {
    return generate_points(spec_of("file: " + write(text)), {});
  }

 private:
  tests::TemporaryFolder folder_;
};

TEST_F(PoseFile, ReadsColumnsByName) {
  const PointSet set = read("yaw_deg, z, y, x, pitch_deg\n90, 3, 2, 1, -5\r\n\n0,6,5,4,0\n");
  ASSERT_EQ(set.points_m.size(), 2u);
  EXPECT_TRUE(same(set.points_m[0], {1, 2, 3}));
  EXPECT_TRUE(same(set.points_m[1], {4, 5, 6}));
  EXPECT_EQ(set.yaw_deg, (std::vector<double>{90, 0}));
  EXPECT_EQ(set.pitch_deg, (std::vector<double>{-5, 0}));
}

TEST_F(PoseFile, HasNoHeadingsWithoutTheirColumns) {
  EXPECT_TRUE(read("x,y,z\n1,2,3\n").yaw_deg.empty());
}

TEST_F(PoseFile, NamesTheLineOfAFault) {
  const auto fault = [&](const std::string& text) {
    return tests::input_error_of([&] { read(text); });
  };
  EXPECT_NE(fault("x,y,z\n1,2,3\n1,2\n").find(":3: has 2 fields"), std::string::npos);
  EXPECT_NE(fault("x,y,z\n1,two,3\n").find(":2: y is 'two'"), std::string::npos);
  EXPECT_NE(fault("x,y,z\n1,nan,3\n").find(":2: y is 'nan'"), std::string::npos);
  EXPECT_NE(fault("x,y,height\n1,2,3\n").find(":1: unknown column 'height'"), std::string::npos);
  EXPECT_NE(fault("x,y\n1,2\n").find("column 'z' is missing"), std::string::npos);
  EXPECT_NE(fault("x,y,z,yaw_deg\n1,2,3,4\n").find("both or neither"), std::string::npos);
  EXPECT_NE(fault("x,y,z\n").find("holds no pose"), std::string::npos);
  EXPECT_NE(fault("").find("is empty"), std::string::npos);
}

}  // namespace
}  // namespace sightline
