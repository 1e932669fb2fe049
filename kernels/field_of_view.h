// Field of view: does a posed observer's cone or frustum hold the target? Walls play no part.
//
// What Spatial Memory Must Store (2026), section 4: yaw-only cone with normal [sin yaw, 0, cos
// yaw]. Angles become cosines and tangents on the host, so that device and host compute only + - *
// / sqrt.
#pragma once

#include <cmath>
#include <cstdint>

#include "kernels/hd.h"
#include "kernels/types.h"

namespace sightline::kernels {

enum class FieldOfViewKind : std::uint8_t {
  kYawCone,  ///< angle in the horizontal plane only: height does not count
  kCone,     ///< angle between the forward axis and the direction to the target
  kFrustum   ///< horizontal and vertical half-angles, like a camera
};

/// Where an observer stands and looks. Orthonormal axes, world frame.
struct Pose {
  Vec3 position;  ///< metres
  Vec3 forward, right, up;
  Vec3 level_forward;  ///< unit, horizontal: the yaw alone, whatever the pitch
  Vec3 world_up;       ///< unit: the world's up axis
};

/// One field of view; several are tested in one pass over the rays.
struct FieldOfView {
  FieldOfViewKind kind = FieldOfViewKind::kCone;
  double min_cos = -1;        ///< cones: inside iff cos(angle) >= min_cos; -1 holds everything
  double tan_horizontal = 1;  ///< frustum: |right| <= tan_horizontal * forward
  double tan_vertical = 1;    ///< frustum: |up| <= tan_vertical * forward
  double near_m = 0;          ///< inside iff near_m <= distance <= far_m
  double far_m = INFINITY;
};

SL_HD inline double dot(Vec3 a, Vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
SL_HD inline Vec3 minus(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }

/// What fields of view ask of a ray. Each kind reads other axes of the pose, and only those.
struct AskedOfBearing {
  bool yaw_cone = false, cone = false, frustum = false;

  SL_HD void add(FieldOfViewKind kind) {
    yaw_cone = yaw_cone || kind == FieldOfViewKind::kYawCone;
    cone = cone || kind == FieldOfViewKind::kCone;
    frustum = frustum || kind == FieldOfViewKind::kFrustum;
  }
};

/// Where a target is, seen from a pose: found once for all fields of view of the ray.
struct Bearing {
  double distance_m;
  double yaw_cos, cos;      ///< of the angle to the axis; infinite at the observer's own position
  double ahead, right, up;  ///< along the axes of the pose, metres
};

/// cos of the angle of `d` to `axis`. What has no direction is inside every cone. Straight behind,
/// rounding may leave the quotient below -1: a cone of 180 degrees holds that too.
SL_HD inline double cos_to_axis(Vec3 d, Vec3 axis) {
  const double length = std::sqrt(dot(d, d));
  if (length == 0) return INFINITY;
  const double cosine = dot(d, axis) / length;
  return cosine < -1 ? -1 : cosine;
}

/// What is not asked is left at 0.
SL_HD inline Bearing bearing_of(const Pose& pose, Vec3 target, AskedOfBearing asked) {
  const Vec3 d = minus(target, pose.position);
  Bearing bearing{};
  bearing.distance_m = std::sqrt(dot(d, d));
  if (asked.yaw_cone) {
    const double height = dot(d, pose.world_up);
    const Vec3 level =
        minus(d, {height * pose.world_up.x, height * pose.world_up.y, height * pose.world_up.z});
    bearing.yaw_cos = cos_to_axis(level, pose.level_forward);
  }
  if (asked.cone) bearing.cos = cos_to_axis(d, pose.forward);
  if (asked.frustum) {
    bearing.ahead = dot(d, pose.forward);
    bearing.right = dot(d, pose.right);
    bearing.up = dot(d, pose.up);
  }
  return bearing;
}

/// `bearing` with what fov.kind asks.
SL_HD inline bool is_inside(const FieldOfView& fov, const Bearing& bearing) {
  if (!(bearing.distance_m >= fov.near_m && bearing.distance_m <= fov.far_m)) return false;
  if (fov.kind == FieldOfViewKind::kFrustum) {
    return std::fabs(bearing.right) <= fov.tan_horizontal * bearing.ahead &&
           std::fabs(bearing.up) <= fov.tan_vertical * bearing.ahead;
  }
  const bool level = fov.kind == FieldOfViewKind::kYawCone;
  return (level ? bearing.yaw_cos : bearing.cos) >= fov.min_cos;
}

SL_HD inline bool in_field_of_view(const FieldOfView& fov, const Pose& pose, Vec3 target) {
  AskedOfBearing asked;
  asked.add(fov.kind);
  return is_inside(fov, bearing_of(pose, target, asked));
}

}  // namespace sightline::kernels
