#include "host/studies/battery_sight.h"

#include <algorithm>

namespace sightline::host {
namespace {

std::vector<int> seen_by_cone(const BatteryArm& arm, const Looks& looks, Device& device) {
  kernels::FieldOfView cone;
  cone.kind = kernels::FieldOfViewKind::kYawCone;
  cone.min_cos = arm.min_cos;
  const auto inside = in_field_of_view(looks.poses, looks.rays, {cone}, device).front();
  return {inside.begin(), inside.end()};
}

std::vector<int> seen_along_rays(const BatteryArm& arm, const Looks& looks, const World& world,
                                 Device& device) {
  std::vector<int> seen;
  for (const kernels::Visibility one :
       line_of_sight(world, looks.rays, arm.sight.query, arm.sight.step_m, device)) {
    seen.push_back(one == kernels::Visibility::kVisible ? kYes : kNo);
  }
  return seen;
}

std::vector<int> seen_in_pictures(const BatteryArm& arm, const Looks& looks, const World& world,
                                  Device& device) {
  std::vector<int> seen;
  for (const kernels::SampleCounts& counts :
       covered_pixels(world, looks.poses, looks.rays, arm.box_m, make_camera(arm.camera),
                      arm.sight.query, device)) {
    const bool visible = judge_pixels(counts, arm.min_pixels) == kernels::Visibility::kVisible;
    seen.push_back(visible ? kYes : kNo);
  }
  return seen;
}

}  // namespace

std::vector<int> perceive(const BatteryArm& arm, const Looks& looks, const World& world,
                          Device& device) {
  if (arm.answer == BatteryAnswer::kRenderedView) {
    return seen_in_pictures(arm, looks, world, device);
  }
  if (arm.answer == BatteryAnswer::kGeometry) return seen_along_rays(arm, looks, world, device);
  std::vector<int> seen = seen_by_cone(arm, looks, device);
  if (arm.answer == BatteryAnswer::kCone) return seen;
  const std::vector<int> clear = seen_along_rays(arm, looks, world, device);
  for (std::size_t i = 0; i < seen.size(); ++i) seen[i] = std::min(seen[i], clear[i]);
  return seen;
}

}  // namespace sightline::host
