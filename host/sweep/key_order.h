// The order of keys in a sweep file, where it counts: axes number the configurations, the first arm
// is the baseline that none is named for, and parts of a study draw one after another.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "host/config/value.h"

namespace sightline::host {

/// Of "axes", "arms" and "study", as far as the sweep has them: their keys as they stand, dotted,
/// with those inside; of arms their names alone. Canonical JSON, which sorts keys, does not tell.
using KeyOrder = std::map<std::string, std::vector<std::string>>;
KeyOrder key_order(const ConfigValue& sweep);

}  // namespace sightline::host
