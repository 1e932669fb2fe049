// The worlds that a study's settings list by name, and the one that it asks about.
#pragma once

#include "host/config/value.h"

namespace sightline::host {

/// The entry of `worlds` that `world` names. Throws InputError, at `world`, if there is none.
const ConfigValue& chosen_world(const ConfigValue& study);

}  // namespace sightline::host
