#include "host/meta_memory/follower.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "host/error.h"
#include "host/world/text_scan.h"

namespace sightline::host {
namespace {

using kernels::Vec3;
using Voxel = std::array<std::int64_t, 3>;

constexpr double kPi = 3.14159265358979323846;

double over_ground_m(const Vec3& a, const Vec3& b) { return std::hypot(b.x - a.x, b.y - a.y); }

double yaw_towards(const Vec3& from, const Vec3& to) {
  return std::atan2(to.y - from.y, to.x - from.x);
}

void check(const World& world, const std::vector<Waypoint>& waypoints,
           const FollowerOptions& options) {
  if (!world.grid || world.frame != Frame::kMapZUp) {
    throw InputError("world " + world.name +
                     ": a robot needs a voxel grid in which z points up to drive in");
  }
  if (waypoints.empty()) throw InputError("follower: no waypoints; there is no way to drive");
  for (const Waypoint& waypoint : waypoints) {
    const Vec3& p = waypoint.position_m;
    if (std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z)) continue;
    throw InputError("follower: a waypoint is not at a finite place");
  }
  const auto positive = [](const char* name, double value) {
    if (std::isfinite(value) && value > 0) return;
    throw InputError(std::string("follower: ") + name + " is " + exact_text(value) +
                     "; must be finite and above 0");
  };
  positive("speed_m_s", options.speed_m_s);
  positive("max_turn_rad_s", options.max_turn_rad_s);
  positive("step_s", options.step_s);
  positive("reached_m", options.reached_m);
  positive("robot_radius_m", options.robot_radius_m);
  positive("robot_height_m", options.robot_height_m);
  positive("longest_time_s", options.longest_time_s.value_or(1));
  if (!std::isfinite(options.clearance_m) || !std::isfinite(options.start_yaw_rad.value_or(0))) {
    throw InputError("follower: clearance_m or start_yaw_rad is not finite");
  }
  if (options.speed_m_s * options.step_s > options.robot_radius_m) {
    throw InputError("follower: a step of " + exact_text(options.speed_m_s * options.step_s) +
                     " m is longer than robot_radius_m, " + exact_text(options.robot_radius_m) +
                     "; lower step_s");
  }
}

/// The voxels of a grid along one axis that overlap (low, high), open: [first, last].
struct Reach {
  std::int64_t first = 0, last = -1;
  bool is_outside = false;
};

Reach voxels_over(const GridGeometry& grid, std::size_t axis, double low_m, double high_m) {
  const double low = (low_m - grid.origin_m[axis]) / grid.voxel_m[axis];
  const double high = (high_m - grid.origin_m[axis]) / grid.voxel_m[axis];
  const auto num_voxels = static_cast<double>(grid.dims[axis]);
  // Clipped before they become integers, which far-off places would not fit in.
  return {static_cast<std::int64_t>(std::clamp(std::floor(low), 0.0, num_voxels)),
          static_cast<std::int64_t>(std::clamp(std::ceil(high) - 1, -1.0, num_voxels - 1)),
          low < 0 || high > num_voxels};
}

/// From a place to the nearest of a voxel's extent along one axis.
double off_axis_m(const GridGeometry& grid, std::size_t axis, std::int64_t voxel, double place_m) {
  const double low_m = grid.origin_m[axis] + static_cast<double>(voxel) * grid.voxel_m[axis];
  return std::max({low_m - place_m, place_m - (low_m + grid.voxel_m[axis]), 0.0});
}

class Drive {
 public:
  Drive(const World& world, const std::vector<Waypoint>& waypoints, const FollowerOptions& options)
      : grid_(*world.grid), waypoints_(waypoints), options_(options) {
    place_m_ = waypoints.front().position_m;
    const Vec3& ahead_m = waypoints[std::min<std::size_t>(1, waypoints.size() - 1)].position_m;
    yaw_rad_ = options.start_yaw_rad.value_or(yaw_towards(place_m_, ahead_m));
  }

  FollowerReport run() {
    stand();
    for (std::int64_t step = 1; next_ < waypoints_.size(); ++step) {
      if (options_.stops_at_collision && !report_.collisions.empty()) {
        return finished(FollowerStatus::kStopped);
      }
      // Not summed up: no rounding gathers.
      const double time_s = static_cast<double>(step) * options_.step_s;
      if (options_.longest_time_s && time_s > *options_.longest_time_s) {
        return finished(FollowerStatus::kTimeUp);
      }
      report_.time_s = time_s;
      go();
      stand();
    }
    const bool stopped = options_.stops_at_collision && !report_.collisions.empty();
    return finished(stopped ? FollowerStatus::kStopped : FollowerStatus::kArrived);
  }

 private:
  const Vec3& target_m() const { return waypoints_[next_].position_m; }

  /// One step of the unicycle.
  void go() {
    const double most_rad = options_.max_turn_rad_s * options_.step_s;
    const double off_rad = std::remainder(yaw_towards(place_m_, target_m()) - yaw_rad_, 2 * kPi);
    const double turn_rad = std::clamp(off_rad, -most_rad, most_rad);
    yaw_rad_ = std::remainder(yaw_rad_ + turn_rad, 2 * kPi);
    const double ahead = std::max(0.0, std::cos(off_rad - turn_rad));
    const double step_m =
        std::min(options_.speed_m_s * ahead * options_.step_s, over_ground_m(place_m_, target_m()));
    const Vec3 before_m = place_m_;
    place_m_.x += step_m * std::cos(yaw_rad_);
    place_m_.y += step_m * std::sin(yaw_rad_);
    place_m_.z = height_m();
    const double rise_m = place_m_.z - before_m.z;
    report_.driven_m += std::sqrt(step_m * step_m + rise_m * rise_m);
  }

  /// That of the line from the waypoint before, as far along it as the robot has come nearer to its
  /// end.
  double height_m() const {
    const Vec3& from = waypoints_[next_ - 1].position_m;
    const double way_m = over_ground_m(from, target_m());
    const double left_m = over_ground_m(place_m_, target_m());
    if (way_m <= 0 || left_m >= way_m) return from.z;
    return target_m().z + (left_m / way_m) * (from.z - target_m().z);
  }

  /// Notes where the robot is, what it hits there and what it has reached.
  void stand() {
    report_.poses.push_back({report_.time_s, place_m_, yaw_rad_});
    note_collisions();
    while (next_ < waypoints_.size() && over_ground_m(place_m_, target_m()) <= options_.reached_m) {
      ++next_;
    }
  }

  void note_collisions() {
    const GridGeometry& grid = grid_.geometry();
    const double r = options_.robot_radius_m, base_m = place_m_.z + options_.clearance_m;
    const Reach x = voxels_over(grid, 0, place_m_.x - r, place_m_.x + r);
    const Reach y = voxels_over(grid, 1, place_m_.y - r, place_m_.y + r);
    const Reach z = voxels_over(grid, 2, base_m, base_m + options_.robot_height_m);
    if (x.is_outside || y.is_outside || z.is_outside) ++report_.num_outside;
    for (std::int64_t k = z.first; k <= z.last; ++k) {
      for (std::int64_t j = y.first; j <= y.last; ++j) {
        const double off_y_m = off_axis_m(grid, 1, j, place_m_.y);
        for (std::int64_t i = x.first; i <= x.last; ++i) {
          const double off_x_m = off_axis_m(grid, 0, i, place_m_.x);
          if (off_x_m * off_x_m + off_y_m * off_y_m < r * r) note_voxel({i, j, k});
        }
      }
    }
  }

  void note_voxel(const Voxel& voxel) {
    const VoxelState state = grid_.at(voxel[0], voxel[1], voxel[2]);
    const bool is_unknown = state == VoxelState::kUnknown;
    if (state == VoxelState::kFree || (is_unknown && !options_.unknown_blocks)) return;
    if (!hit_.insert(voxel).second) return;
    report_.collisions.push_back({voxel, is_unknown, report_.time_s, place_m_});
  }

  FollowerReport finished(FollowerStatus status) {
    report_.status = status;
    if (next_ < waypoints_.size()) {
      report_.left_m = over_ground_m(place_m_, target_m());
      for (std::size_t i = next_ + 1; i < waypoints_.size(); ++i) {
        report_.left_m += over_ground_m(waypoints_[i - 1].position_m, waypoints_[i].position_m);
      }
    }
    return std::move(report_);
  }

  const OccupancyGrid& grid_;
  const std::vector<Waypoint>& waypoints_;
  const FollowerOptions& options_;
  FollowerReport report_;
  std::set<Voxel> hit_;
  Vec3 place_m_;
  double yaw_rad_ = 0;
  std::size_t next_ = 1;  ///< waypoint
};

}  // namespace

FollowerReport follow(const World& world, const std::vector<Waypoint>& waypoints,
                      const FollowerOptions& options) {
  check(world, waypoints, options);
  return Drive(world, waypoints, options).run();
}

}  // namespace sightline::host
