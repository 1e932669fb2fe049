#include "host/sweep/ask.h"

namespace sightline::host {

using kernels::SampleCounts;
using kernels::Visibility;

std::vector<std::vector<Visibility>> see_steps(const World& world, const RayBatch& rays,
                                               const SightSettings& question,
                                               const std::vector<double>& steps_m, Device& device) {
  if (question.is_march()) {
    return line_of_sight_steps(world, rays, question.query, steps_m, device);
  }
  return {line_of_sight(world, rays, question.query, 0, device)};
}

std::vector<std::vector<SampleCounts>> count_samples(const World& world, const RayBatch& rays,
                                                     const SightSettings& question,
                                                     const std::vector<double>& steps_m,
                                                     Device& device) {
  const AreaTarget& area = question.area->area;
  if (question.is_march()) {
    return visible_samples_steps(world, rays, area, question.query, steps_m, device);
  }
  return {visible_samples(world, rays, area, question.query, 0, device)};
}

std::vector<SampleCounts> see_pixels(const World& world, const RaySet& rays,
                                     const ViewSettings& view, Device& device) {
  return covered_pixels(world, poses_of(rays, world.frame), rays.batch, view.box_m,
                        make_camera(view.camera), view.query, device);
}

}  // namespace sightline::host
