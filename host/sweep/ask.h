// The questions of judges, asked of the engine.
#pragma once

#include <vector>

#include "host/sweep/judge.h"
#include "host/sweep/ray_set.h"

namespace sightline::host {

/// Line of sight to targets that are points, at every step; exact methods have one, 0. Returns
/// [num_steps][num_rays].
std::vector<std::vector<kernels::Visibility>> see_steps(const World& world, const RayBatch& rays,
                                                        const SightSettings& question,
                                                        const std::vector<double>& steps_m,
                                                        Device& device);

/// The same for targets with an extent.
std::vector<std::vector<kernels::SampleCounts>> count_samples(const World& world,
                                                              const RayBatch& rays,
                                                              const SightSettings& question,
                                                              const std::vector<double>& steps_m,
                                                              Device& device);

/// Pixels of the observers' views that the targets cover. Returns [num_rays]. The set must have
/// headings.
std::vector<kernels::SampleCounts> see_pixels(const World& world, const RaySet& rays,
                                              const ViewSettings& view, Device& device);

}  // namespace sightline::host
