#include "host/world/world.h"

#include <algorithm>
#include <cmath>

#include "host/config/number_text.h"
#include "host/error.h"
#include "host/world/turn.h"
#include "host/world/vec3.h"

namespace sightline::host {
namespace {

using kernels::Vec3;

Vec3 combine(double a, Vec3 u, double b, Vec3 v) {
  return {a * u.x + b * v.x, a * u.y + b * v.y, a * u.z + b * v.z};
}

}  // namespace

World at_version(const World& world, std::int64_t version) {
  World chosen = world;
  if (world.versions) {
    chosen.grid = world.versions->grid(version);
  } else if (version != 0) {
    throw InputError("version " + std::to_string(version) + " does not exist; world " + world.name +
                     " was never edited and has version 0 only");
  }
  return chosen;
}

VersionedGrid& start_versions(World& world) {
  if (!world.versions) {
    if (!world.grid) throw InputError("world " + world.name + ": has no voxels to edit");
    world.versions = std::make_shared<VersionedGrid>(*world.grid);
    world.grid = world.versions->grid(0);
  }
  return *world.versions;
}

bool holds(const Bounds& box, const Vec3& p) {
  return p.x >= box.min.x && p.x <= box.max.x && p.y >= box.min.y && p.y <= box.max.y &&
         p.z >= box.min.z && p.z <= box.max.z;
}

Bounds bounds_of(const GridGeometry& geometry) {
  Bounds bounds;
  for (int axis = 0; axis < 3; ++axis) {
    component(bounds.min, axis) = geometry.origin_m[axis];
    component(bounds.max, axis) =
        geometry.origin_m[axis] + static_cast<double>(geometry.dims[axis]) * geometry.voxel_m[axis];
  }
  return bounds;
}

Bounds extent_of(const World& world) {
  return world.grid ? bounds_of(world.grid->geometry()) : world.bounds_m;
}

std::int64_t num_outside(const World& world, const std::vector<Vec3>& points) {
  const auto in_grid = [&](const Vec3& point) {
    const GridGeometry& g = world.grid->geometry();
    bool inside = true;
    for (int axis = 0; axis < 3; ++axis) {
      const double voxel = (component(point, axis) - g.origin_m[axis]) / g.voxel_m[axis];
      inside = inside && voxel >= 0 && voxel < static_cast<double>(g.dims[axis]);
    }
    return inside;
  };
  const Vec3 extent = kernels::minus(world.bounds_m.max, world.bounds_m.min);
  if (!world.grid && !(extent.x > 0 && extent.y > 0 && extent.z > 0)) return 0;
  return std::count_if(points.begin(), points.end(), [&](const Vec3& p) {
    return !(world.grid ? in_grid(p) : holds(world.bounds_m, p));
  });
}

FrameAxes frame_axes(Frame frame) {
  if (frame == Frame::kMapZUp) return {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, 2};
  return {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}, 1};
}

kernels::Pose make_pose(Frame frame, Vec3 position_m, double yaw_rad, double pitch_rad) {
  if (!std::isfinite(yaw_rad) || !std::isfinite(pitch_rad)) {
    throw InputError("pose: its yaw and pitch must be finite angles");
  }
  const FrameAxes axes = frame_axes(frame);
  const Turn yaw = exact_turn(yaw_rad);
  const Turn pitch = exact_turn(pitch_rad);
  const Vec3 level = combine(yaw.cos, axes.yaw_0, yaw.sin, axes.yaw_90);
  // Where yaw grows: clockwise seen from above in the left-handed scene, counterclockwise in a map.
  const Vec3 sideways = combine(yaw.cos, axes.yaw_90, -yaw.sin, axes.yaw_0);
  const double right_sign = frame == Frame::kMapZUp ? -1 : 1;

  kernels::Pose pose;
  pose.position = position_m;
  pose.forward = combine(pitch.cos, level, pitch.sin, axes.up);
  pose.right = combine(right_sign, sideways, 0, axes.up);
  pose.up = combine(pitch.cos, axes.up, -pitch.sin, level);
  pose.level_forward = level;
  pose.world_up = axes.up;
  return pose;
}

kernels::Pose make_pose_deg(Frame frame, Vec3 position_m, double yaw_deg, double pitch_deg) {
  constexpr double kRadiansPerDegree = kPi / 180;
  const auto check = [](const char* angle, double deg, double most_deg) {
    if (std::fabs(deg) <= most_deg) return;
    throw InputError(std::string(angle) + " " + short_text(deg) + ": must be from " +
                     short_text(-most_deg) + " to " + short_text(most_deg) + " degrees");
  };
  check("yaw", yaw_deg, kMaxYaw_deg);
  check("pitch", pitch_deg, kMaxPitch_deg);
  // Exact, and one number for all yaws that are whole turns apart, but for 180 and -180, of which
  // make_pose makes one.
  const double yaw_of_one_turn_deg = std::remainder(yaw_deg, 360);
  return make_pose(frame, position_m, yaw_of_one_turn_deg * kRadiansPerDegree,
                   pitch_deg * kRadiansPerDegree);
}

}  // namespace sightline::host
