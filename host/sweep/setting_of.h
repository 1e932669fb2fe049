// One setting of one configuration of a run.
#pragma once

#include <string>

#include "host/config/value.h"
#include "host/sweep/store.h"

namespace sightline::host {

/// The setting of a dotted key in the configuration of a row: of an axis at or above it, else of
/// the file. nullptr: it has none.
const ConfigValue* setting_of(const RunData& run, const RunData::Row& row, const std::string& key);

}  // namespace sightline::host
