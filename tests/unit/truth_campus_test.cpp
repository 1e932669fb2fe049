// Campuses, walks over them and what is seen, by other formulas.
#include "host/truth/campus.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>

#include "host/truth/campus_walk.h"
#include "host/truth/place_sight.h"
#include "support/campuses.h"
#include "support/errors.h"

namespace sightline::tests {
namespace {

using host::Campus;
using host::CampusObject;
using host::CampusWalk;
using kernels::Vec3;

constexpr double kRounding_m = 1e-9;  // of sums of a thousand metres in double
constexpr double kPi = 3.14159265358979323846;

/// Is a call refused with these words?
template <class Call>
testing::AssertionResult refuses(const Call& call, const std::string& words) {
  const std::string error = input_error_of(call);
  if (error.find(words) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << error;
}

/// Nodes that can be reached from node 0, by spreading until nothing changes.
std::size_t reached_from_first(const host::WalkGraph& paths) {
  std::set<std::int32_t> reached{0};
  for (std::size_t before = 0; before != reached.size();) {
    before = reached.size();
    for (const auto& [a, b] : paths.edges) {
      if (reached.count(a) + reached.count(b) == 1) reached.insert({a, b});
    }
  }
  return reached.size();
}

/// Does a line pass through an upright box? By its extent on each axis and the box's corners'
/// sides.
bool crosses_box(const Vec3& a, const Vec3& b, const host::WallRing& box) {
  const double west = box[0][0], south = box[0][1], east = box[2][0], north = box[2][1];
  if (std::max(a.x, b.x) < west || std::min(a.x, b.x) > east) return false;
  if (std::max(a.y, b.y) < south || std::min(a.y, b.y) > north) return false;
  int left = 0, right = 0;
  for (const auto& [x, y] : box) {
    ((b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x) > 0 ? left : right) += 1;
  }
  return left > 0 && right > 0;
}

TEST(TruthCampus, GridIsConnectedAndHasItsShareOfPaths) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Campus campus = host::make_grid_campus(grid_settings(), seed);
    EXPECT_EQ(campus.paths.nodes_m.size(), 81U);
    EXPECT_EQ(campus.paths.edges.size(), 104U);  // 72 % of 2 x 9 x 8
    EXPECT_EQ(reached_from_first(campus.paths), 81U);
    EXPECT_EQ(campus.rings.size(), 64U);
    for (const auto& [a, b] : campus.paths.edges) {
      EXPECT_NEAR(
          apart_m(campus.paths.nodes_m[std::size_t(a)], campus.paths.nodes_m[std::size_t(b)]), 35,
          kRounding_m);
    }
  }
}

TEST(TruthCampus, ThingsStandBesidePathsOutsideBuildingsApart) {
  const auto settings = grid_settings();
  const Campus campus = host::make_grid_campus(settings, 3);
  const host::PlaceSight sight(campus.rings);
  std::map<std::uint16_t, std::vector<Vec3>> of_class;
  std::set<std::string> names;
  int landmarks = 0;
  for (std::size_t i = 0; i < campus.objects.size(); ++i) {
    const CampusObject& object = campus.objects[i];
    EXPECT_EQ(object.id, i);
    EXPECT_FALSE(sight.is_inside(object.position_m));
    double least = HUGE_VAL;
    for (const Vec3& node : campus.paths.nodes_m) {
      least = std::min(
          {least, std::abs(object.position_m.x - node.x), std::abs(object.position_m.y - node.y)});
    }
    EXPECT_LE(least, settings.planting.farthest_side_m);  // from a line of the grid
    if (object.is_landmark) {
      ++landmarks;
      names.insert(object.name);
      continue;
    }
    EXPECT_LT(object.class_id, 40);
    EXPECT_EQ(object.attributes & (object.attributes - 1), 0U) << "more than one colour";
    for (const Vec3& other : of_class[object.class_id]) {
      EXPECT_GE(apart_m(other, object.position_m), settings.planting.apart_m);
    }
    of_class[object.class_id].push_back(object.position_m);
  }
  EXPECT_EQ(landmarks, 10);
  EXPECT_EQ(names.size(), 10U);
  // 104 paths of two rooms with 2 to 5 things each; a crowded one may lose some.
  EXPECT_GE(campus.objects.size(), 208U * 2);
  EXPECT_LE(campus.objects.size(), 208U * 5 + 10);
}

TEST(TruthCampus, AWalkGoesAlongPathsAtItsSpeed) {
  const Campus campus = host::make_grid_campus(grid_settings(), 5);
  const CampusWalk walk = host::walk_campus(campus, {}, 5);
  ASSERT_EQ(walk.poses.size(), 227U);
  for (std::size_t i = 0; i < walk.poses.size(); ++i) {
    const auto& pose = walk.poses[i];
    EXPECT_EQ(pose.time_s, 3.0 * double(i));
    double off = HUGE_VAL;
    for (const auto& [a, b] : campus.paths.edges) {
      const Vec3 from = campus.paths.nodes_m[std::size_t(a)];
      const Vec3 to = campus.paths.nodes_m[std::size_t(b)];
      off = std::min(
          off, apart_m(from, pose.position_m) + apart_m(pose.position_m, to) - apart_m(from, to));
    }
    EXPECT_NEAR(off, 0, kRounding_m) << "pose " << i << " is beside the paths";
    if (i == 0) continue;
    const auto& last = walk.poses[i - 1];
    const double step = apart_m(last.position_m, pose.position_m);
    EXPECT_LE(step, 4.2 + kRounding_m);
    if (step < 4.2 - kRounding_m) continue;  // around a corner
    EXPECT_NEAR(std::cos(last.yaw_rad) * step, pose.position_m.x - last.position_m.x, kRounding_m);
    EXPECT_NEAR(std::sin(last.yaw_rad) * step, pose.position_m.y - last.position_m.y, kRounding_m);
  }
}

TEST(TruthCampus, SightingsEqualBruteForce) {
  const Campus campus = host::make_grid_campus(grid_settings(), 6);
  const CampusWalk walk = host::walk_campus(campus, {}, 6);
  std::vector<std::pair<std::int32_t, std::uint32_t>> expected, seen;
  for (std::size_t i = 0; i < walk.poses.size(); ++i) {
    const auto& pose = walk.poses[i];
    for (const CampusObject& object : campus.objects) {
      const double dx = object.position_m.x - pose.position_m.x;
      const double dy = object.position_m.y - pose.position_m.y;
      const double range = std::hypot(dx, dy);
      const double ahead = (dx * std::cos(pose.yaw_rad) + dy * std::sin(pose.yaw_rad)) / range;
      const bool is_walled = std::any_of(
          campus.rings.begin(), campus.rings.end(),
          [&](const auto& ring) { return crosses_box(pose.position_m, object.position_m, ring); });
      if (range <= 9 && ahead >= std::cos(100 * kPi / 180) && !is_walled) {
        expected.emplace_back(std::int32_t(i), object.id);
      }
    }
  }
  for (const auto& sighting : walk.sightings) seen.emplace_back(sighting.pose, sighting.object);
  EXPECT_EQ(seen, expected);
  EXPECT_GT(seen.size(), 227U) << "more than one at a pose";
}

TEST(TruthCampus, OfManyWalksTheOneThatSeesMostLandmarks) {
  const auto landmarks_of = [](const Campus& campus, const CampusWalk& walk) {
    std::set<std::uint32_t> seen;
    for (const auto& sighting : walk.sightings) {
      if (campus.objects[sighting.object].is_landmark) seen.insert(sighting.object);
    }
    return seen.size();
  };
  host::CampusWalkSettings one_try;
  one_try.num_tries = 1;
  std::size_t few = 0, many = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Campus campus = host::make_grid_campus(grid_settings(), seed);
    const auto with_one = landmarks_of(campus, host::walk_campus(campus, one_try, seed));
    const auto with_all = landmarks_of(campus, host::walk_campus(campus, {}, seed));
    EXPECT_GE(with_all, with_one);
    few += with_one;
    many += with_all;
  }
  EXPECT_GT(many, few);
}

TEST(TruthCampus, SightEndsAtWalls) {
  const host::PlaceSight sight({{{0, 0}, {10, 0}, {10, 10}, {0, 10}, {0, 0}}});
  EXPECT_FALSE(sight.is_free({-5, 5, 0}, {15, 5, 0}));
  EXPECT_TRUE(sight.is_free({-5, 11, 0}, {15, 11, 0}));
  EXPECT_FALSE(sight.is_free({-5, 5, 0}, {5, 5, 0})) << "into the building";
  EXPECT_TRUE(sight.is_free({2, 2, 0}, {8, 8, 0})) << "within it";
  EXPECT_FALSE(sight.is_free({-5, 5, 0}, {5, -5, 0})) << "touches a corner";
  EXPECT_EQ(sight.first_wall({-5, 5, 0}, {15, 5, 0}), 0.25);
  EXPECT_TRUE(sight.is_inside({1, 9, 0}));
  EXPECT_FALSE(sight.is_inside({-1, 9, 0}));
  EXPECT_FALSE(sight.is_inside({1, 10.5, 0}));
}

TEST(TruthCampus, PlacesOfAMapStandBeforeTheirDoors) {
  host::WalkGraph paths;
  for (int i = 0; i <= 40; ++i) paths.nodes_m.push_back({5.0 * i, 0, 0});  // pieces of 5 m
  for (int i = 0; i < 40; ++i) paths.edges.push_back({i, i + 1});
  const std::vector<host::WallRing> rings{{{40, 4}, {60, 4}, {60, 24}, {40, 24}}};
  const Campus campus =
      host::make_map_campus(paths, {{100, "inside", {50, 14, 0}}, {101, "free", {80, 3, 0}}}, rings,
                            grid_settings().planting, 1);
  ASSERT_GT(campus.objects.size(), 20U) << "rooms go on over bends: 11 of 2 to 5 things";
  EXPECT_EQ(campus.objects[0].name, "inside");
  EXPECT_EQ(campus.objects[0].position_m.x, 50);
  EXPECT_NEAR(campus.objects[0].position_m.y, 3.5, kRounding_m);
  EXPECT_EQ(campus.objects[1].position_m.y, 3);
  EXPECT_TRUE(campus.objects[1].is_landmark);
  EXPECT_TRUE(
      refuses([&] { host::make_map_campus({}, {}, {}, grid_settings().planting, 1); }, "path"));
  paths.edges.push_back({3, 99});
  EXPECT_TRUE(refuses([&] { host::make_map_campus(paths, {}, {}, grid_settings().planting, 1); },
                      "edge 40"));
}

TEST(TruthCampus, ThingsAlongADrivenWayKeepItsHeight) {
  std::vector<Vec3> way;
  for (int i = 0; i < 200; ++i) way.push_back({2.0 * i, 10 * std::sin(0.05 * i), 0.01 * i});
  const Campus campus = host::make_driven_campus(way, grid_settings().planting, 4);
  EXPECT_TRUE(campus.rings.empty());
  int landmarks = 0;
  for (const CampusObject& object : campus.objects) {
    landmarks += object.is_landmark ? 1 : 0;
    double least = HUGE_VAL, rise = 0;
    for (const Vec3& at : way) {
      const double off = std::hypot(at.x - object.position_m.x, at.y - object.position_m.y);
      if (off < least) rise = std::abs(at.z - object.position_m.z);
      least = std::min(least, off);
    }
    EXPECT_LT(least, 8);
    EXPECT_LT(rise, 0.1);
  }
  EXPECT_EQ(landmarks, 10);
  EXPECT_TRUE(refuses(
      [&] {
        host::make_driven_campus({{0, 0, 0}}, grid_settings().planting, 4);
      },
      "two"));
}

TEST(TruthCampus, WhoDrivesLooksAhead) {
  const std::vector<Vec3> way{{0, 0, 0}, {2, 0, 0}, {2, 0, 0}, {2, 2, 1}};
  const auto poses = host::driven_poses({0, 3, 6, 9}, way);
  ASSERT_EQ(poses.size(), 4U);
  EXPECT_EQ(poses[0].yaw_rad, 0);
  EXPECT_EQ(poses[1].yaw_rad, 0) << "stands";
  EXPECT_DOUBLE_EQ(poses[2].yaw_rad, kPi / 2);
  EXPECT_DOUBLE_EQ(poses[3].yaw_rad, kPi / 2) << "the last";
  EXPECT_EQ(poses[3].time_s, 9);
  EXPECT_EQ(poses[3].position_m.z, 1);
  EXPECT_TRUE(refuses([&] { host::driven_poses({0, 3}, way); }, "2 times for 4 positions"));
  EXPECT_TRUE(refuses([&] { host::driven_poses({0, 3, 2, 9}, way); }, "time 2"));
}

TEST(TruthCampus, SettingsThatCannotBeAreNamed) {
  auto settings = grid_settings();
  settings.planting.things.resize(5);
  EXPECT_TRUE(refuses([&] { host::make_grid_campus(settings, 1); }, "5 classes"));
  settings = grid_settings();
  settings.planting.colours.clear();
  EXPECT_TRUE(refuses([&] { host::make_grid_campus(settings, 1); }, "colour"));
  settings = grid_settings();
  settings.building_inset_m = 20;
  EXPECT_TRUE(refuses([&] { host::make_grid_campus(settings, 1); }, "building_inset_m"));
  settings = grid_settings();
  settings.nodes_per_side = 3;
  EXPECT_TRUE(refuses([&] { host::make_grid_campus(settings, 1); }, "10 landmarks"));
  host::CampusWalkSettings walk;
  walk.speed_m_s = 0;
  const Campus campus = host::make_grid_campus(grid_settings(), 1);
  EXPECT_TRUE(refuses([&] { host::walk_campus(campus, walk, 1); }, "speed"));
  EXPECT_TRUE(refuses([&] { host::walk_campus({}, {}, 1); }, "paths"));
}

}  // namespace
}  // namespace sightline::tests
