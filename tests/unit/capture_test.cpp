// Memories placed by walking and looking, what they are bound to, and from where they are asked
// for.
#include "host/sweep/capture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <tuple>
#include <vector>

#include "host/sweep/bind.h"
#include "host/sweep/make_queries.h"
#include "host/sweep/placed.h"
#include "host/world/walk.h"
#include "support/errors.h"
#include "support/memory_files.h"

namespace sightline::tests {
namespace {

using host::BoundTo;
using host::CaptureSettings;
using host::ConfigValue;
using host::MemorySet;
using host::VoxelState;
using kernels::Vec3;

/// Cells of 0.5 m whose centres are (0.5 i, 2 + 0.5 j, 0.5 k): the grid-to-world convention of What
/// Spatial Memory Must Store (2026), section 3. 24 x 10 x 24 cells: walls around, a floor and a
/// wall across at i = 12 with a door at k = 4 .. 7.
host::World rooms(bool has_door = true) {
  host::GridGeometry geometry;
  geometry.dims = {24, 10, 24};
  geometry.origin_m = {-0.25, 1.75, -0.25};
  geometry.voxel_m = {0.5, 0.5, 0.5};
  host::World world;
  world.name = "rooms";
  world.grid.emplace(geometry);
  host::OccupancyGrid& grid = *world.grid;
  grid.set_box({0, 0, 0}, {24, 10, 24}, VoxelState::kOccupied);
  grid.set_box({1, 1, 1}, {23, 10, 23}, VoxelState::kFree);
  grid.set_box({12, 1, 1}, {13, 10, 23}, VoxelState::kOccupied);
  if (has_door) grid.set_box({12, 1, 4}, {13, 10, 8}, VoxelState::kFree);
  world.bounds_m = {{-0.25, 1.75, -0.25}, {11.75, 6.75, 11.75}};
  return world;
}

ConfigValue yaml(const std::string& text) { return ConfigValue::parse_yaml(text, "s.yaml"); }

std::tuple<double, double, double> key_of(Vec3 p) { return {p.x, p.y, p.z}; }

class Capture : public testing::Test {
 protected:
  std::vector<Vec3> walk(const host::World& world, std::uint64_t seed = 1) {
    return host::walk_free_space(
        host::parse_walk(yaml("{height_m: 1.6, floor_m: 2.25, step_m: 0.5}")), world, seed,
        device_);
  }
  MemorySet captured(const host::World& world, const std::string& settings,
                     std::int64_t count = 200, std::uint64_t seed = 1) {
    MemorySet set;
    set.table = some_memories(count);
    host::capture(host::parse_capture(yaml(settings)), world, seed, device_, &set.table);
    return set;
  }

  host::Device device_{host::DeviceChoice::kCpu};
};

constexpr const char* kWandered =
    "{walk: {height_m: 1.6, floor_m: 2.25, step_m: 0.5}, range_m: 20, at: hit_cell}";

TEST_F(Capture, AWalkComesByEveryPointItCanReachOnce) {
  const std::vector<Vec3> stops = walk(rooms());
  std::set<std::tuple<double, double, double>> places;
  for (const Vec3& stop : stops) places.insert(key_of(stop));
  EXPECT_EQ(places.size(), stops.size());
  // 22 x 22 cells inside the walls, less a wall of 22 and plus its door of 4.
  EXPECT_EQ(stops.size(), 22u * 22u - 22u + 4u);
  for (const Vec3& stop : stops) EXPECT_DOUBLE_EQ(stop.y, 3.85);
}

TEST_F(Capture, AWalkGoesThroughNoWall) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const std::vector<Vec3> stops = walk(rooms(false), seed);
    const bool is_west = stops[0].x < 6;
    EXPECT_EQ(stops.size(), (is_west ? 11u : 10u) * 22u) << seed;
    for (const Vec3& stop : stops) EXPECT_EQ(stop.x < 6, is_west) << seed;
  }
}

TEST_F(Capture, WalksThroughOneSpaceAreThoseThroughItsWorld) {
  const host::World world = rooms(false);
  const host::FreeSpace space(host::parse_walk(yaml("{height_m: 1.6, floor_m: 2.25, step_m: 0.5}")),
                              world, device_);
  const auto keys_of = [](const std::vector<Vec3>& stops) {
    std::vector<std::tuple<double, double, double>> keys;
    for (const Vec3& stop : stops) keys.push_back(key_of(stop));
    return keys;
  };
  std::vector<std::uint64_t> west, east;  // seeds of walks of 242 stops, and of 220
  for (std::uint64_t seed = 1; seed <= 16; ++seed) {
    const std::vector<Vec3> stops = walk(world, seed);
    EXPECT_EQ(keys_of(space.walk(seed)), keys_of(stops)) << seed;
    (stops[0].x < 6 ? west : east).push_back(seed);
  }
  ASSERT_GE(west.size(), 2u);
  ASSERT_GE(east.size(), 1u);
  EXPECT_EQ(keys_of(space.longest_walk({east[0], west[1], west[0]})),
            keys_of(walk(world, west[1])));
  EXPECT_TRUE(space.longest_walk({}).empty());
}

/// Voxels of ground in a column of hill().
std::int64_t ground_of(std::int64_t i, bool falls) {
  const std::int64_t from_foot = falls ? 23 - i : i;
  return 1 + from_foot / 4 + (from_foot >= 18 ? 4 : 0);
}

/// Steps of 0.5 m up to the east, and after three quarters of the way a cliff of 2 m; or, if it
/// falls, the same from the east to the west.
host::World hill(bool falls) {
  host::GridGeometry geometry;
  geometry.dims = {24, 24, 4};
  geometry.voxel_m = {0.5, 0.5, 0.5};
  host::World world;
  world.name = "hill";
  world.grid.emplace(geometry);
  for (std::int64_t i = 0; i < 24; ++i) {
    world.grid->set_box({i, 0, 0}, {i + 1, ground_of(i, falls), 4}, VoxelState::kOccupied);
  }
  world.bounds_m = {{0, 0, 0}, {12, 12, 2}};
  return world;
}

TEST_F(Capture, AWalkOnGroundClimbsStepsAndNoCliff) {
  for (const bool falls : {false, true}) {
    const auto stops_of = [&](const char* settings) {
      return host::walk_free_space(host::parse_walk(yaml(settings)), hill(falls), 2, device_);
    };
    const std::vector<Vec3> stops = stops_of("{height_m: 1.5, floor_m: ground, step_m: 0.5}");
    const auto is_low = [&](const Vec3& stop) { return falls ? stop.x > 3 : stop.x < 9; };
    EXPECT_EQ(stops.size(), (is_low(stops[0]) ? 18u : 6u) * 4u);
    for (const Vec3& stop : stops) {
      EXPECT_EQ(is_low(stop), is_low(stops[0]));
      const auto i = static_cast<std::int64_t>(stop.x / 0.5);
      EXPECT_EQ(stop.y, 0.5 * static_cast<double>(ground_of(i, falls)) + 1.5);
    }
    EXPECT_EQ(stops_of("{height_m: 1.5, floor_m: ground, climb_m: 3, step_m: 0.5}").size(), 96u);
  }
}

TEST_F(Capture, AWalkDependsOnItsSeed) {
  const auto first = walk(rooms(), 1), again = walk(rooms(), 1), other = walk(rooms(), 2);
  const auto equal = [](const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](Vec3 p, Vec3 q) { return key_of(p) == key_of(q); });
  };
  EXPECT_TRUE(equal(first, again));
  EXPECT_FALSE(equal(first, other));
}

TEST_F(Capture, BindsToTheCentreOfAnOccupiedCellInSight) {
  const host::World world = rooms();
  const MemorySet set = captured(world, kWandered);
  host::RayBatch rays;
  for (std::size_t i = 0; i < set.table.anchor_m.size(); ++i) {
    const Vec3 anchor = set.table.anchor_m[i];
    // x = 0.5 gx, y = 2 + 0.5 gy, z = 0.5 gz for a whole cell g, which is solid.
    const double gx = anchor.x / 0.5, gy = (anchor.y - 2) / 0.5, gz = anchor.z / 0.5;
    EXPECT_TRUE(gx == std::floor(gx) && gy == std::floor(gy) && gz == std::floor(gz));
    EXPECT_EQ(world.grid->at(static_cast<std::int64_t>(gx), static_cast<std::int64_t>(gy),
                             static_cast<std::int64_t>(gz)),
              VoxelState::kOccupied);
    rays.observers.push_back(set.table.observer_m[i]);
    rays.targets.push_back(anchor);
    EXPECT_EQ(set.table.has_observer[i], 1);
  }
  // The heading that is kept leads to the anchor: no look that met nothing is left behind.
  for (std::size_t i = 0; i < rays.targets.size(); ++i) {
    const Vec3 d = kernels::minus(rays.targets[i], rays.observers[i]);
    const double yaw_deg = set.table.observer_yaw_deg[i] * 3.14159265358979323846 / 180;
    const double level = std::hypot(d.x, d.z);
    if (level < 2) continue;
    // Yaw 0 is +z in this frame; a cell's half diagonal off the gaze at most.
    const double off = std::fabs(d.x * std::cos(yaw_deg) - d.z * std::sin(yaw_deg));
    EXPECT_LE(off, 0.5 * std::sqrt(0.5) + 1e-9) << i;
  }
}

TEST_F(Capture, StrewsMemoriesOverTheWholeWalk) {
  const MemorySet set = captured(rooms(), kWandered, 466);
  std::set<std::tuple<double, double, double>> stops;
  for (const Vec3& p : set.table.observer_m) stops.insert(key_of(p));
  EXPECT_EQ(stops.size(), 466u);  // as many as the walk has
}

TEST_F(Capture, RefusesWhatCannotBe) {
  EXPECT_NE(input_error_of([&] {
              host::parse_capture(yaml("{walk: {}, random_free: {}}"));
            }).find("second place to look from"),
            std::string::npos);
  EXPECT_NE(
      input_error_of([&] { host::parse_capture(yaml("{walk: {step_m: 0}}")); }).find("step_m"),
      std::string::npos);
  EXPECT_NE(input_error_of([&] { host::parse_capture(yaml("{walk: {}, at: corner}")); }).find("at"),
            std::string::npos);
  EXPECT_NE(input_error_of([&] {
              captured(rooms(),
                       "{walk: {height_m: 1.6, floor_m: 2.25}, range_m: 0.01, at: hit_cell}");
            }).find("none meets anything within range_m"),
            std::string::npos);
  EXPECT_NE(input_error_of([&] {
              captured(rooms(), "{walk: {floor_m: 40}}");
            }).find("no point of the walk is free"),
            std::string::npos);
  EXPECT_NE(
      input_error_of([&] { captured(rooms(), "{walk: {step_m: 1.0e-4}}"); }).find("raise step_m"),
      std::string::npos);
}

TEST_F(Capture, BindsToTheObserverOnRequestAndKeepsWhereTheThingsAre) {
  const MemorySet right = captured(rooms(), kWandered);
  MemorySet wrong = captured(rooms(), kWandered);
  host::bind(BoundTo::kObserver, "", 1, &wrong);
  for (std::size_t i = 0; i < right.table.anchor_m.size(); ++i) {
    EXPECT_EQ(key_of(wrong.table.anchor_m[i]), key_of(right.table.observer_m[i]));
    EXPECT_EQ(key_of(wrong.subject_m[i]), key_of(right.table.anchor_m[i]));
  }
  MemorySet nobody;
  nobody.table = some_memories(3);
  EXPECT_NE(input_error_of([&] {
              host::bind(BoundTo::kObserver, "s.yaml:1", 1, &nobody);
            }).find("has no observer"),
            std::string::npos);
}

TEST_F(Capture, ShufflesAnchorsAmongTheMemories) {
  MemorySet set;
  set.table = some_memories(50);
  const std::vector<Vec3> before = set.table.anchor_m;
  host::bind(BoundTo::kShuffled, "", 1, &set);
  std::multiset<double> had, has;
  int stayed = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_EQ(key_of(set.subject_m[i]), key_of(before[i]));
    had.insert(before[i].x);
    has.insert(set.table.anchor_m[i].x);
    stayed += before[i].x == set.table.anchor_m[i].x;
  }
  EXPECT_EQ(had, has);
  EXPECT_LT(stayed, 10);
}

class Placed : public testing::Test {
 protected:
  static host::MemoryTable placed(const std::string& settings, std::int64_t count,
                                  std::uint64_t seed = 1) {
    host::MemoryTable table = some_memories(count);
    host::place(host::parse_placed(yaml(settings)), rooms(), seed, &table);
    return table;
  }
};

TEST_F(Placed, MemoriesAreAtTheirPointsAndSeenFromOnePlace) {
  const host::MemoryTable table =
      placed("{from: [1, 3, 1], at: {list: [[2, 3, 4], [5, 6, 7]]}}", 2);
  EXPECT_EQ(key_of(table.anchor_m[0]), key_of({2, 3, 4}));
  EXPECT_EQ(key_of(table.anchor_m[1]), key_of({5, 6, 7}));
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(key_of(table.observer_m[i]), key_of({1, 3, 1}));
    EXPECT_EQ(table.has_observer[i], 1);
  }
}

TEST_F(Placed, DrawnPointsDependOnTheSeed) {
  constexpr const char* kDrawn =
      "{from: [1, 3, 1], at: {uniform: {count: 9, x: [1, 9], y: [3, 4], z: [1, 9]}}}";
  const host::MemoryTable first = placed(kDrawn, 9), again = placed(kDrawn, 9),
                          other = placed(kDrawn, 9, 2);
  for (std::size_t i = 0; i < 9; ++i) {
    EXPECT_EQ(key_of(first.anchor_m[i]), key_of(again.anchor_m[i]));
    EXPECT_NE(key_of(first.anchor_m[i]), key_of(other.anchor_m[i]));
  }
}

TEST_F(Placed, RefusesWhatCannotBe) {
  const auto error = [&](const std::string& settings) {
    return input_error_of([&] { placed(settings, 3); });
  };
  EXPECT_NE(error("{from: [1, 3, 1], at: {list: [[2, 3, 4]]}}").find("1 points to 3 memories"),
            std::string::npos);
  EXPECT_NE(error("{from: [1, 3, 1], at: {file: points.csv}}").find("list the points"),
            std::string::npos);
  EXPECT_NE(error("{at: {list: [[2, 3, 4]]}}").find("from"), std::string::npos);
  EXPECT_NE(error("{from: [1, 3], at: {list: [[2, 3, 4]]}}").find("from"), std::string::npos);
}

class Standpoints : public testing::Test {
 protected:
  host::QueryTable asked(const std::string& queries, const MemorySet& set) {
    host::WorldSpecs worlds;
    return host::make_queries(
        host::parse_recall_experiment(yaml("memories: {calibrated: {}}\nqueries: " + queries +
                                           "\narms: {a: {recall: {weights: {spatial: 1}}}}\n"),
                                      worlds),
        set, nullptr);
  }
  static double distance_m(Vec3 a, Vec3 b) {
    const Vec3 d = kernels::minus(a, b);
    return std::sqrt(kernels::dot(d, d));
  }
  static MemorySet corpus() {
    host::MemoryContext context;
    context.seed = 3;
    return host::make_memories(host::parse_memory_spec(yaml("calibrated: {}")), context);
  }
};

TEST_F(Standpoints, RandomOffsetsFillLengthsUpToTheDiagonalAndAllDirections) {
  const MemorySet set = corpus();
  const host::QueryTable queries = asked("{offset_m: random, draws: 50}", set);
  ASSERT_EQ(queries.size(), 6000);
  const double diagonal_m = std::sqrt(15 * 15 + 3 * 3 + 15 * 15.0);
  double sum = 0, most = 0, up = 0;
  for (std::size_t i = 0; i < queries.target.size(); ++i) {
    const Vec3 thing = set.table.anchor_m[static_cast<std::size_t>(queries.target[i])];
    const double length_m = distance_m(queries.centre_m[i], thing);
    EXPECT_GT(length_m, 0);
    EXPECT_LE(length_m, diagonal_m * (1 + 1e-12));
    sum += length_m;
    most = std::max(most, length_m);
    up += (queries.centre_m[i].y - thing.y) / length_m;
  }
  // Five standard errors of uniform lengths, and of heights of a uniform direction (sd 1/sqrt 3).
  EXPECT_NEAR(sum / 6000, diagonal_m / 2, 5 * diagonal_m / std::sqrt(12.0 * 6000));
  EXPECT_GT(most, 0.99 * diagonal_m);
  EXPECT_NEAR(up / 6000, 0, 5 / std::sqrt(3.0 * 6000));
}

TEST_F(Standpoints, AreAroundTheThingAndNotAroundTheAnchor) {
  MemorySet set = corpus();
  host::bind(BoundTo::kShuffled, "", 1, &set);
  const host::QueryTable queries = asked("{offset_m: 2}", set);
  for (std::size_t i = 0; i < queries.target.size(); ++i) {
    const auto row = static_cast<std::size_t>(queries.target[i]);
    EXPECT_NEAR(distance_m(queries.centre_m[i], set.subject_m[row]), 2, 1e-9);
  }
}

TEST_F(Standpoints, MayBeOnePlaceForAll) {
  for (const Vec3& centre : asked("{from: [1, 2, 3]}", corpus()).centre_m) {
    EXPECT_EQ(key_of(centre), key_of({1, 2, 3}));
  }
  const std::string error =
      input_error_of([&] { asked("{from: [1, 2, 3], offset_m: 2}", corpus()); });
  EXPECT_NE(error.find("offset_m, random_free or from"), std::string::npos) << error;
}

TEST_F(Standpoints, SayWhichWordsThereAre) {
  const MemorySet set = corpus();
  const std::string error = input_error_of([&] { asked("{offset_m: nowhere}", set); });
  EXPECT_NE(error.find("random"), std::string::npos) << error;
}

}  // namespace
}  // namespace sightline::tests
