// From settings to rays: generate points, filter them, pair them up.
#pragma once

#include "host/device.h"
#include "host/sweep/ray_set.h"
#include "host/sweep/settings.h"
#include "host/world/world.h"

namespace sightline::host {

/// The rays of a configuration through its world. The device serves targets that an oracle selects.
/// Throws InputError for unreadable files, indices out of range, and filters that leave nothing.
RaySet make_rays(const ExperimentSettings& experiment, const World& world, Device& device);

/// Number of rays before filters: what a plan announces. Reads point files, builds nothing.
/// Throws InputError if it does not fit 63 bits.
std::int64_t planned_rays(const ExperimentSettings& experiment);

}  // namespace sightline::host
