// Keyword arguments as the settings of a sweep file: the same keys, values and messages.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

#include "host/config/value.h"

namespace sightline::python {

/// The map of the keyword arguments; messages about it say that they were given to `function`.
/// Throws InputError for a value that no sweep file can hold.
host::ConfigValue settings_of(const pybind11::kwargs& arguments, const std::string& function);

}  // namespace sightline::python
