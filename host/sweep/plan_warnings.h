// What a sweep file says of values that no axis has: without effect, and so worth telling.
#pragma once

#include <string>
#include <vector>

#include "host/config/value.h"
#include "host/sweep/axes.h"

namespace sightline::host {

/// Of claims whose `where` names values that no configuration has, which are not tested: one
/// sentence, or none. `base`: the settings that no axis changes.
std::vector<std::string> warnings_of_claims(const ConfigValue& claims, const ConfigValue& base,
                                            const std::vector<AxisGroup>& groups);

/// Of each of `report.gains.columns` that misspells a value of the axis `report.lines`: what it
/// calls that value is printed nowhere. `report`: as parse_gains() takes it.
std::vector<std::string> warnings_of_columns(const ConfigValue& report,
                                             const std::vector<AxisGroup>& groups);

/// The same of `report.apart`, a list of values whose trials are no part of an arm's sum. Throws
/// InputError unless it is a list of texts.
std::vector<std::string> warnings_of_apart(const ConfigValue& report,
                                           const std::vector<AxisGroup>& groups);

/// The same of `report.curves`, which get a panel each; and if there is none of them.
std::vector<std::string> warnings_of_curves(const ConfigValue& report,
                                            const std::vector<AxisGroup>& groups);

/// Of each axis over the step of a march in a sweep where nothing marches: its values change no
/// answer. `sweep`: the whole file, axes included.
std::vector<std::string> warnings_of_steps(const ConfigValue& sweep,
                                           const std::vector<AxisGroup>& groups);

}  // namespace sightline::host
