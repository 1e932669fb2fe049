// The top level of a sweep file, and which of its keys a sweep may vary.
#pragma once

#include <string>

#include "host/config/value.h"

namespace sightline::host {

/// Throws InputError on a top-level key that no sweep file has, naming the nearest, and on a name
/// or a description that is none.
void check_top_level(const ConfigValue& sweep);

/// Throws InputError, pointing at the key of `place`, unless `key` is a well-formed dotted key
/// whose first part is a top-level key: what an override may set.
void check_override_key(const std::string& key, const ConfigValue& place);

/// The same, and the first part must be a setting of a configuration: what an axis may set.
void check_axis_key(const std::string& key, const ConfigValue& place);

/// Is `key` inside `outer`, or the same? "world.scene.seed" is inside "world.scene".
bool is_within(const std::string& key, const std::string& outer);

/// "; to try each ..." for a list in a place for one value, which is likely meant as an axis; empty
/// where no axis has such a key. `settings`: of the configuration, to find the key.
std::string axis_hint(const ListForOne& fault, const ConfigValue& settings);

/// Parses a configuration's settings; what is said of such a list gets the hint.
template <typename Parse>
auto hinting_at_axes(const ConfigValue& settings, const Parse& parse) {
  try {
    return parse(settings);
  } catch (const ListForOne& fault) {
    throw InputError(fault.what() + axis_hint(fault, settings));
  }
}

/// Removes what tells configurations apart for people only, or makes many of them: what is left is
/// the settings that decide a configuration's answers.
void erase_names(ConfigValue* settings);
/// Removes `axes`, `zip`, `exclude` and `replicates`.
void erase_axes(ConfigValue* sweep);

}  // namespace sightline::host
