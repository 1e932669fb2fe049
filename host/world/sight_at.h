// Then and now: line of sight where each ray is asked of a version of its own.
#pragma once

#include <cstdint>
#include <vector>

#include "host/world/visibility.h"

namespace sightline::host {

/// Line of sight for every ray in the world as it was at version versions[ray]: [num_rays] in,
/// [num_rays] out, each answer that of line_of_sight on at_version(world, versions[ray]). All
/// versions lie in one block, which a GPU is sent once. step_m is for the marches only. Throws
/// InputError with the row on a version that does not exist, and as line_of_sight does.
std::vector<kernels::Visibility> line_of_sight_at(const World& world, const RayBatch& rays,
                                                  const std::vector<std::int64_t>& versions,
                                                  const VisibilityQuery& query, double step_m,
                                                  Device& device);

}  // namespace sightline::host
