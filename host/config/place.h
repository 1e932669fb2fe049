// Faults that only the data show (a world, points, memories), told at the place of the setting.
#pragma once

#include <string>

#include "host/error.h"

namespace sightline::host {

/// Runs `work`; an InputError out of it goes on with `place` in front ("file:line:column: key", as
/// ConfigValue::where() has it). An empty place adds nothing.
template <typename Work>
decltype(auto) at_place(const std::string& place, const Work& work) {
  try {
    return work();
  } catch (const InputError& error) {
    if (place.empty()) throw;
    throw InputError(place + ": " + error.what());
  }
}

/// Throws an InputError at a place.
[[noreturn]] inline void fail_at(const std::string& place, const std::string& message) {
  throw InputError(place.empty() ? message : place + ": " + message);
}

}  // namespace sightline::host
