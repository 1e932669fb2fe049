// Values of axes that a sweep file gives by a rule: see axes.h. Each throws InputError, at the
// place in the file, for a rule that makes no sense or too many points.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/config/value.h"

namespace sightline::host {

std::vector<ConfigValue> range_values(const ConfigValue& range);
/// Between `start` and `stop`, both exact, without errors of rounding (number_text.h).
std::vector<ConfigValue> linspace_values(const ConfigValue& space);
std::vector<ConfigValue> logspace_values(const ConfigValue& space);
/// Draws of the stream that the axis' key names, from the axis' own seed or else `default_seed`.
std::vector<ConfigValue> random_values(const std::string& key, const ConfigValue& random,
                                       std::uint64_t default_seed);

}  // namespace sightline::host
