// A walk over a campus and what one sees on it: poses and sightings, never what is said of them.
#pragma once

#include <cstdint>
#include <vector>

#include "host/truth/campus.h"

namespace sightline::host {

struct WalkPose {
  double time_s = 0;
  kernels::Vec3 position_m;
  double yaw_rad = 0;  ///< counter-clockwise from +x, along the motion
};

/// A pose sees an object.
struct PlaceSighting {
  std::int32_t pose = 0;
  std::uint32_t object = 0;
};

struct CampusWalk {
  std::vector<WalkPose> poses;
  std::vector<PlaceSighting> sightings;  ///< by pose, then by object
};

struct CampusWalkSettings {
  double duration_s = 678;  ///< 11.3 minutes: 227 poses
  double period_s = 3;
  double speed_m_s = 1.4;
  double range_m = 9;      ///< how far a thing is seen, well under the 15 m of a right answer
  double front_deg = 200;  ///< of four frames side by side
  int num_tries = 64;      ///< walks that are drawn, of which one is walked
};

/// A random walk along the paths from a random node of the largest connected part: at each node any
/// way but back, back only at a dead end. Of num_tries such walks the one that sees most landmarks,
/// the first of equals: a walk across a campus is a walk past its landmarks. The same arguments
/// give the same bits. Throws InputError for settings that cannot be or a campus without paths.
CampusWalk walk_campus(const Campus& campus, const CampusWalkSettings& settings,
                       std::uint64_t seed);

/// What is seen on a way that was given. A pose sees the objects whose distance is at most range_m,
/// whose bearing differs from its yaw by at most half of front_deg, and to which the line is free.
CampusWalk walk_of(const Campus& campus, std::vector<WalkPose> poses,
                   const CampusWalkSettings& settings);

/// Poses of a way that was driven, for walk_of(): each looks at the next, the last where the one
/// before it looks; who stands still looks where they looked before. [n] times, ascending, and
/// positions. Throws InputError for other numbers of each or times that go back.
std::vector<WalkPose> driven_poses(const std::vector<double>& times_s,
                                   const std::vector<kernels::Vec3>& positions_m);

}  // namespace sightline::host
