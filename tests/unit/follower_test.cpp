// A robot along waypoints, with and without something in its way.
#include "host/meta_memory/follower.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "host/truth/campus_voxels.h"
#include "support/errors.h"
#include "support/worlds.h"

namespace sightline::tests {
namespace {

using host::FollowerOptions;
using host::FollowerReport;
using host::FollowerStatus;
using host::Waypoint;
using host::World;

constexpr double kPi = 3.14159265358979323846;

/// 12 m x 12 m x 2 m of free voxels of 0.2 m over a floor one voxel thick.
DenseWorld empty_room() {
  DenseWorld room({60, 60, 10});
  room.set_box({0, 0, 0}, {60, 60, 1}, oracle::State::kOccupied);
  return room;
}

World world_of(const DenseWorld& dense) {
  oracle::Frame frame;
  frame.voxel_m = {0.2, 0.2, 0.2};
  World world = to_engine(dense, frame);
  world.frame = host::Frame::kMapZUp;
  return world;
}

std::vector<Waypoint> way(const std::vector<kernels::Vec3>& places) {
  std::vector<Waypoint> waypoints;
  for (const kernels::Vec3& place : places) waypoints.push_back({0, place, 0});
  return waypoints;
}

/// Along x, then y, on the floor's surface.
std::vector<Waypoint> corner() { return way({{2, 2, 0.2}, {8, 2, 0.2}, {8, 9, 0.2}}); }

TEST(Follower, ArrivesAlongAFreeWay) {
  const FollowerOptions options;
  const FollowerReport report = follow(world_of(empty_room()), corner(), options);
  EXPECT_EQ(report.status, FollowerStatus::kArrived);
  EXPECT_TRUE(report.collisions.empty());
  EXPECT_EQ(report.num_outside, 0);
  EXPECT_EQ(report.left_m, 0);
  const host::FollowerPose& end = report.poses.back();
  EXPECT_LE(std::hypot(end.position_m.x - 8, end.position_m.y - 9), options.reached_m);
  EXPECT_EQ(end.time_s, report.time_s);
  // 13 m less what counts as reached at both corners, and an arc rather than a corner.
  EXPECT_NEAR(report.driven_m, 13, 0.3);
  EXPECT_GE(report.time_s, report.driven_m / options.speed_m_s - options.step_s);
  // A quarter turn takes a second, and what is driven meanwhile is slower.
  EXPECT_LE(report.time_s, 13 / options.speed_m_s + kPi / 2 / options.max_turn_rad_s + 1);
}

TEST(Follower, NeverFasterThanItMay) {
  FollowerOptions options;
  options.start_yaw_rad = -3;  // nearly backwards
  const FollowerReport report = follow(world_of(empty_room()), corner(), options);
  EXPECT_EQ(report.status, FollowerStatus::kArrived);
  constexpr double kRounding = 1e-9;
  double driven_m = 0;
  for (std::size_t i = 1; i < report.poses.size(); ++i) {
    const auto &a = report.poses[i - 1], &b = report.poses[i];
    const double step_m =
        std::hypot(b.position_m.x - a.position_m.x, b.position_m.y - a.position_m.y);
    const double turn_rad = std::fabs(std::remainder(b.yaw_rad - a.yaw_rad, 2 * kPi));
    EXPECT_LE(step_m, options.speed_m_s * options.step_s + kRounding);
    EXPECT_LE(turn_rad, options.max_turn_rad_s * options.step_s + kRounding);
    if (step_m > kRounding) {  // ahead, never sideways
      const double heading =
          std::atan2(b.position_m.y - a.position_m.y, b.position_m.x - a.position_m.x);
      EXPECT_NEAR(std::remainder(heading - b.yaw_rad, 2 * kPi), 0, 1e-6);
    }
    driven_m += step_m;
  }
  EXPECT_NEAR(driven_m, report.driven_m, kRounding);
  EXPECT_EQ(report.poses[1].position_m.x, 2);  // turns before it drives
}

TEST(Follower, AThingInTheWayStopsIt) {
  DenseWorld room = empty_room();
  room.set_box({28, 8, 1}, {30, 12, 4}, oracle::State::kOccupied);  // from x = 5.6 m
  const World world = world_of(room);
  const FollowerReport report = follow(world, corner());
  EXPECT_EQ(report.status, FollowerStatus::kStopped);
  ASSERT_FALSE(report.collisions.empty());
  const FollowerOptions options;
  const double x = report.poses.back().position_m.x;
  EXPECT_GT(x, 5.6 - options.robot_radius_m);
  EXPECT_LE(x, 5.6 - options.robot_radius_m + options.speed_m_s * options.step_s);
  EXPECT_NEAR(report.left_m, 8 - x + 7, 1e-9);
  for (const host::Collision& hit : report.collisions) {
    EXPECT_EQ(hit.voxel[0], 28);
    EXPECT_FALSE(hit.is_unknown);
    EXPECT_EQ(hit.time_s, report.time_s);
  }
}

/// A way that was free yesterday: since, something was put on it.
TEST(Follower, AThingThatWasMovedOntoTheWayStopsIt) {
  host::Campus campus;
  campus.paths.nodes_m = {{0, 0, 0}, {20, 0, 0}};
  campus.paths.edges = {{0, 1}};
  host::CampusObject crate;
  crate.is_large = true;  // a cube of 1 m
  crate.position_m = {10, 3, 0};
  campus.objects.push_back(crate);
  const auto waypoints = way({{0, 0, 0}, {20, 0, 0}});
  const FollowerReport yesterday = follow(campus_world(campus, {}, {}), waypoints);
  EXPECT_EQ(yesterday.status, FollowerStatus::kArrived);
  EXPECT_TRUE(yesterday.collisions.empty());
  campus.objects[0].position_m = {10, 0, 0};
  const World today = campus_world(campus, {}, {});
  const FollowerReport report = follow(today, waypoints);
  EXPECT_EQ(report.status, FollowerStatus::kStopped);
  ASSERT_FALSE(report.collisions.empty());
  const FollowerOptions options;
  const double x = report.poses.back().position_m.x;
  EXPECT_GT(x, 9.5 - options.robot_radius_m);
  EXPECT_LE(x, 9.5 - options.robot_radius_m + options.speed_m_s * options.step_s);
  for (const host::Collision& hit : report.collisions) {
    EXPECT_EQ(today.grid->at(hit.voxel[0], hit.voxel[1], hit.voxel[2]),
              host::VoxelState::kOccupied);
  }
  // Taken away again, it is in nobody's way.
  EXPECT_EQ(follow(campus_world(campus, {0}, {}), waypoints).status, FollowerStatus::kArrived);
}

TEST(Follower, PassingThroughReportsEachVoxelOnce) {
  DenseWorld room = empty_room();
  room.set_box({28, 8, 1}, {30, 12, 4}, oracle::State::kOccupied);
  FollowerOptions options;
  options.stops_at_collision = false;
  const FollowerReport report = follow(world_of(room), corner(), options);
  EXPECT_EQ(report.status, FollowerStatus::kArrived);
  std::set<std::array<std::int64_t, 3>> voxels;
  for (const host::Collision& hit : report.collisions) voxels.insert(hit.voxel);
  EXPECT_EQ(voxels.size(), report.collisions.size());
  // y 1.7 to 2.3 m lies in voxels 8 to 11; z 0.3 to 0.8 m in 1 to 3: all of the thing.
  EXPECT_EQ(voxels.size(), 2u * 4u * 3u);
}

TEST(Follower, ThingsBesideAboveAndBelowAreNotHit) {
  DenseWorld room = empty_room();
  room.set_box({28, 12, 1}, {30, 14, 10}, oracle::State::kOccupied);  // y from 2.4 m
  room.set_box({20, 0, 4}, {24, 30, 10}, oracle::State::kOccupied);   // z from 0.8 m
  EXPECT_TRUE(follow(world_of(room), corner()).collisions.empty());
  FollowerOptions wide;
  wide.robot_radius_m = 0.45;
  EXPECT_FALSE(follow(world_of(room), corner(), wide).collisions.empty());
  FollowerOptions tall;
  tall.robot_height_m = 0.75;
  EXPECT_FALSE(follow(world_of(room), corner(), tall).collisions.empty());
  FollowerOptions low;
  low.clearance_m = -0.1;  // its lower end in the floor
  EXPECT_EQ(follow(world_of(room), corner(), low).time_s, 0);
}

TEST(Follower, ACylinderIsRound) {
  DenseWorld room = empty_room();
  // The voxel's corner lies 0.28 m off along each axis: in the square around the disc, not in that.
  room.set({8, 8, 2}, oracle::State::kOccupied);  // x, y 1.6 to 1.8 m
  const auto stand = way({{2.08, 2.08, 0.2}});
  EXPECT_TRUE(follow(world_of(room), stand).collisions.empty());
  FollowerOptions options;
  options.robot_radius_m = 0.4;
  EXPECT_EQ(follow(world_of(room), stand, options).collisions.size(), 1u);
}

TEST(Follower, UnknownSpaceCountsUnlessTold) {
  DenseWorld room = empty_room();
  room.set_box({28, 8, 1}, {30, 12, 4}, oracle::State::kUnknown);
  const World world = world_of(room);
  const FollowerReport report = follow(world, corner());
  EXPECT_EQ(report.status, FollowerStatus::kStopped);
  EXPECT_TRUE(report.collisions[0].is_unknown);
  FollowerOptions options;
  options.unknown_blocks = false;
  EXPECT_EQ(follow(world, corner(), options).status, FollowerStatus::kArrived);
}

TEST(Follower, HeightFollowsTheWaypoints) {
  const DenseWorld air({60, 60, 40});
  const FollowerReport report = follow(world_of(air), way({{2, 2, 1}, {8, 2, 5}}));
  EXPECT_EQ(report.status, FollowerStatus::kArrived);
  for (const host::FollowerPose& pose : report.poses) {
    EXPECT_NEAR(pose.position_m.z, 1 + (pose.position_m.x - 2) * 4 / 6, 1e-9);
  }
  EXPECT_NEAR(report.driven_m, std::hypot(6, 4), 0.15);  // reached_m off
}

TEST(Follower, OutOfTheGridIsCounted) {
  FollowerOptions options;
  options.longest_time_s = 20;
  const FollowerReport report =
      follow(world_of(empty_room()), way({{2, 2, 0.2}, {-2, 2, 0.2}, {1e300, 2, 0.2}}), options);
  EXPECT_EQ(report.status, FollowerStatus::kTimeUp);
  EXPECT_GT(report.num_outside, 0);
  EXPECT_LE(report.time_s, 20);
}

TEST(Follower, TheSameReportEachTime) {
  const World world = world_of(empty_room());
  const FollowerReport a = follow(world, corner()), b = follow(world, corner());
  ASSERT_EQ(a.poses.size(), b.poses.size());
  for (std::size_t i = 0; i < a.poses.size(); ++i) {
    EXPECT_EQ(a.poses[i].position_m.x, b.poses[i].position_m.x);
    EXPECT_EQ(a.poses[i].yaw_rad, b.poses[i].yaw_rad);
  }
}

TEST(Follower, BadOptionsAreNamed) {
  World world = world_of(empty_room());
  world.name = "room";
  FollowerOptions options;
  options.step_s = 0.5;
  EXPECT_EQ(input_error_of([&] { follow(world, corner(), options); }),
            "follower: a step of 0.7 m is longer than robot_radius_m, 0.3; lower step_s");
  options.step_s = 0;
  EXPECT_EQ(input_error_of([&] { follow(world, corner(), options); }),
            "follower: step_s is 0; must be finite and above 0");
  EXPECT_EQ(input_error_of([&] { follow(world, {}); }),
            "follower: no waypoints; there is no way to drive");
  world.frame = host::Frame::kSceneYUp;
  EXPECT_EQ(input_error_of([&] { follow(world, corner()); }),
            "world room: a robot needs a voxel grid in which z points up to drive in");
}

}  // namespace
}  // namespace sightline::tests
