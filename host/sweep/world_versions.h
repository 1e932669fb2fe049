// Names of a world's versions, of which two may be one.
#pragma once

#include <functional>
#include <optional>

#include "host/sweep/plan.h"
#include "host/world/load.h"

namespace sightline::host {

/// Throws InputError, at a value of an axis, on two configurations that are one once their worlds
/// are known: `latest` is a version with a number, which only the file tells, so that the plan
/// takes the two for different ones. `world_of` reads the world of a configuration, if it has one.
void check_worlds_differ(
    const SweepPlan& plan,
    const std::function<std::optional<WorldSpec>(const ConfigValue& settings)>& world_of);

}  // namespace sightline::host
