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
  double min_cos = -1;        ///< cones: inside iff cos(angle) >= min_cos
  double tan_horizontal = 1;  ///< frustum: |right| <= tan_horizontal * forward
  double tan_vertical = 1;    ///< frustum: |up| <= tan_vertical * forward
  double near_m = 0;          ///< inside iff near_m <= distance <= far_m
  double far_m = INFINITY;
};

SL_HD inline double dot(Vec3 a, Vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
SL_HD inline Vec3 minus(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }

/// A target at the observer's own position has no direction: it is inside every cone.
SL_HD inline bool in_field_of_view(const FieldOfView& fov, const Pose& pose, Vec3 target) {
  Vec3 d = minus(target, pose.position);
  const double distance = std::sqrt(dot(d, d));
  if (!(distance >= fov.near_m && distance <= fov.far_m)) return false;
  if (fov.kind == FieldOfViewKind::kFrustum) {
    const double ahead = dot(d, pose.forward);
    return std::fabs(dot(d, pose.right)) <= fov.tan_horizontal * ahead &&
           std::fabs(dot(d, pose.up)) <= fov.tan_vertical * ahead;
  }
  Vec3 axis = pose.forward;
  if (fov.kind == FieldOfViewKind::kYawCone) {
    const double height = dot(d, pose.world_up);
    d = minus(d, {height * pose.world_up.x, height * pose.world_up.y, height * pose.world_up.z});
    axis = pose.level_forward;
  }
  const double length = std::sqrt(dot(d, d));
  return length == 0 || dot(d, axis) / length >= fov.min_cos;
}

}  // namespace sightline::kernels
