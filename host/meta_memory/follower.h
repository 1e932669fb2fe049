// A robot that drives along waypoints through a voxel world, in simulation.
//
// Meta-Memory (Mao et al.), section V.C: the waypoints of the shortest path are handed to a robot's
// local planner (NeuPan on an AgileX Scout Mini), which this stands in for: it steers, but it does
// not go round what it meets.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "host/meta_memory/waypoints.h"
#include "host/world/world.h"

namespace sightline::host {

/// A unicycle (it turns and drives ahead, never sideways) in an upright cylinder. At each step it
/// turns towards the next waypoint by max_turn_rad_s at most, and drives at speed_m_s times the
/// cosine of the angle that is left, not at all beyond a right angle; its height is that of the
/// line from the waypoint before to the next.
struct FollowerOptions {
  double speed_m_s = 1.4;
  double max_turn_rad_s = 1.5;
  double step_s = 0.05;
  double reached_m = 0.1;  ///< a waypoint this near (over the ground) has been reached
  double robot_radius_m = 0.3;
  double robot_height_m = 0.5;
  double clearance_m = 0.1;  ///< of the cylinder's lower end above the waypoints
  bool unknown_blocks = true;
  bool stops_at_collision = true;        ///< false: it passes through, and all is reported
  std::optional<double> start_yaw_rad;   ///< absent: towards the second waypoint
  std::optional<double> longest_time_s;  ///< absent: until it arrives or stops
};

enum class FollowerStatus : std::uint8_t { kArrived, kStopped, kTimeUp };

/// A voxel that the robot's cylinder shared more with than its surface.
struct Collision {
  std::array<std::int64_t, 3> voxel{};
  bool is_unknown = false;  ///< nobody knows whether anything is there
  double time_s = 0;        ///< when it was first hit
  kernels::Vec3 robot_m;    ///< where the robot was then
};

struct FollowerPose {
  double time_s = 0;
  kernels::Vec3 position_m;
  double yaw_rad = 0;
};

struct FollowerReport {
  FollowerStatus status = FollowerStatus::kArrived;
  double time_s = 0;
  double driven_m = 0;                ///< over the ground and up or down
  double left_m = 0;                  ///< along the waypoints, over the ground; 0 on arrival
  std::vector<Collision> collisions;  ///< each voxel once, by time, then x fastest
  std::int64_t num_outside = 0;       ///< poses at which the cylinder reached out of the grid
  std::vector<FollowerPose> poses;    ///< of each step, the start's first
};

/// Drives from the first waypoint to the last. No time of day, no draws: the same report each time.
/// Throws InputError for a world without a grid or in which z does not point up, no waypoints, an
/// option out of its range, and steps longer than the robot's radius, which could jump over things.
FollowerReport follow(const World& world, const std::vector<Waypoint>& waypoints,
                      const FollowerOptions& options = {});

}  // namespace sightline::host
