// The top level of a sweep file, and which of its keys a sweep may vary.
#pragma once

#include <string>

#include "host/config/value.h"

namespace sightline::host {

/// Throws InputError on a top-level key that no sweep file has, naming the nearest.
void check_top_level(const ConfigValue& sweep);

/// Throws InputError, pointing at the key of `place`, unless `key` is a well-formed dotted key
/// whose first part is a top-level key: what an override may set.
void check_override_key(const std::string& key, const ConfigValue& place);

/// The same, and the first part must be a setting of a configuration: what an axis may set.
void check_axis_key(const std::string& key, const ConfigValue& place);

/// Is `key` inside `outer`, or the same? "world.scene.seed" is inside "world.scene".
bool is_within(const std::string& key, const std::string& outer);

/// Removes what tells configurations apart for people only, or makes many of them: what is left is
/// the settings that decide a configuration's answers.
void erase_names(ConfigValue* settings);
/// Removes `axes`, `zip`, `exclude` and `replicates`.
void erase_axes(ConfigValue* sweep);

}  // namespace sightline::host
