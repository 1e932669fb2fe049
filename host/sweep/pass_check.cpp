#include "host/sweep/pass_check.h"

#include <algorithm>

#include "host/config/place.h"
#include "host/error.h"

namespace sightline::host {
namespace {

using kernels::Vec3;

/// Points without a ray between them: a batch that is checked, and then asks nothing.
RayBatch no_rays(std::vector<Vec3> observers, std::vector<Vec3> targets) {
  RayBatch batch;
  batch.shape = kernels::RayShape::kPairs;
  batch.observers = std::move(observers);
  batch.targets = std::move(targets);
  return batch;
}

/// The two corners of the box around all points, targets with their extent. Every bound on points
/// holds for all of them if it holds for these, and the longest ray is bounded by the box.
RayBatch corners_of(const RayBatch& rays, const std::optional<AreaSettings>& area) {
  Vec3 low = rays.observers.front(), high = low;
  for (const std::vector<Vec3>* points : {&rays.observers, &rays.targets}) {
    for (const Vec3& p : *points) {
      low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
  }
  if (area) {
    const auto [x, y, z] = area->area.size_m;
    low = {low.x - x / 2, low.y - y / 2, low.z - z / 2};
    high = {high.x + x / 2, high.y + y / 2, high.z + z / 2};
  }
  return no_rays({low}, {high});
}

/// Finds the row of the point that a pass cannot take, at observers or at targets.
void find_bad_point(const World& world, const RaySet& rays, const SettingPlaces& places,
                    const SightSettings& pass, double step_m, Device& device) {
  const std::vector<Vec3>&observers = rays.batch.observers, &targets = rays.batch.targets;
  at_place(places.observers, [&] {
    line_of_sight(world, no_rays(observers, observers), pass.query, step_m, device);
  });
  at_place(places.targets, [&] {
    line_of_sight(world, no_rays({observers.front()}, targets), pass.query, step_m, device);
  });
}

}  // namespace

void check_passes(const World& world, const RaySet& rays, const SettingPlaces& places,
                  const std::vector<SightSettings>& passes, Device& device) {
  constexpr double kAnyStep_m = 1e300;  // passes every check on steps
  for (const SightSettings& pass : passes) {
    const RayBatch corners = corners_of(rays.batch, pass.area);
    const double harmless_m = pass.is_march() ? kAnyStep_m : 0;
    try {
      line_of_sight(world, corners, pass.query, harmless_m, device);
    } catch (const InputError&) {
      find_bad_point(world, rays, places, pass, harmless_m, device);
      throw;
    }
    at_place(pass.step_place,
             [&] { line_of_sight(world, corners, pass.query, pass.step_m, device); });
  }
}

void check_views(const World& world, const RaySet& rays, const SettingPlaces& places,
                 const std::vector<ViewSettings>& views, Device& device) {
  if (views.empty()) return;
  const std::vector<kernels::Pose> poses = poses_of(rays, world.frame);
  const RayBatch nothing = no_rays({}, {});
  for (const ViewSettings& view : views) {
    at_place(places.observers, [&] {
      covered_pixels(world, poses, nothing, view.box_m, make_camera(view.camera), view.query,
                     device);
    });
  }
}

}  // namespace sightline::host
