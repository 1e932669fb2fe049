// One recall as settings: what `recall` of a sweep file says, without what only a sweep has.
#pragma once

#include "host/config/value.h"
#include "host/memory/recall.h"
#include "host/world/load.h"

namespace sightline::host {

/// Reads {weights, normalise, proximity, recency, staleness, gate, penalty, k, verify}, each as
/// recall_settings.h has it. `world`: null where there is none. Throws InputError, also for a gate
/// or a verification that needs a world.
RecallRequest parse_recall_request(const ConfigValue& recall, const WorldSpec* world);

}  // namespace sightline::host
