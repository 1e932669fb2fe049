// A check before the run: is a target that is known to be hidden reported hidden?
//
// What Spatial Memory Must Store (2026), section 6.9: a line of sight that asks of the wrong place
// says "visible" everywhere and looks like a result; so no run begins before a positive control.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "host/device.h"
#include "host/sweep/judge.h"
#include "host/sweep/ray_set.h"

namespace sightline::host {

/// `preflight: {hidden: [[x, y, z], ...]}`: points, metres, that the first observer cannot see.
struct PreflightSettings {
  std::vector<kernels::Vec3> hidden;
  std::string place;  ///< of the setting, for messages
};
/// Throws InputError.
PreflightSettings parse_preflight(const ConfigValue& preflight);

/// Whom a preflight asks.
using NamedJudges = std::vector<std::pair<std::string, Judge>>;

/// Throws InputError, at the setting's place, naming the judge and the point, if a judge that looks
/// along rays calls one of the points anything but hidden. `rays` holds the first observer.
void check_preflight(const PreflightSettings& preflight, const NamedJudges& judges,
                     const World& world, const RaySet& rays, Device& device);

}  // namespace sightline::host
