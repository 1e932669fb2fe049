// Can these questions be asked of these rays? Told before the first ray is judged.
#pragma once

#include <vector>

#include "host/device.h"
#include "host/sweep/judge.h"
#include "host/sweep/ray_set.h"
#include "host/sweep/settings.h"
#include "host/world/world.h"

namespace sightline::host {

/// Throws InputError at the place of the setting at fault: a step too small for the rays' lengths,
/// a point too far from the grid. Judges no ray. `passes` are as in Block.
void check_passes(const World& world, const RaySet& rays, const SettingPlaces& places,
                  const std::vector<SightSettings>& passes, Device& device);
/// The same of views.
void check_views(const World& world, const RaySet& rays, const SettingPlaces& places,
                 const std::vector<ViewSettings>& views, Device& device);

}  // namespace sightline::host
