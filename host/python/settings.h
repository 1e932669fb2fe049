// Keyword arguments as the settings of a sweep file: the same keys, values and messages.
#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <vector>

#include "host/config/value.h"

namespace sightline::python {

/// The map of the keyword arguments; messages about it say that they were given to `function`.
/// Throws InputError for a value that no sweep file can hold.
host::ConfigValue settings_of(const pybind11::kwargs& arguments, const std::string& function);
/// Likewise, of a dict.
host::ConfigValue settings_of(const pybind11::dict& given, const std::string& function);

/// Throws InputError if settings of a sight, after parse_sight(), have a step that nothing takes.
void refuse_idle_step(const host::ConfigValue& sight);

/// "KEY=VALUE" of each item of a dict, or the texts of a list, as `sightline sweep -s` takes them.
std::vector<std::string> overrides_of(const pybind11::object& given);

/// Of a text or a pathlib.Path; `what` it is, for messages.
std::string path_of(const pybind11::object& given, const char* what);

}  // namespace sightline::python
