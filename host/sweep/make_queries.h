// From settings to queries: which memories are asked for, from where, and where the asker looks.
#pragma once

#include "host/memory/gate.h"
#include "host/sweep/recall_settings.h"
#include "host/world/world.h"

namespace sightline::host {

/// The queries of a configuration, target by target, `draws` each. `world` may be null where the
/// settings need none. Draws are counter-based, keyed by seed, memory and draw. Throws InputError,
/// at the place of the setting: more targets than memories can be asked for, no free space.
QueryTable make_queries(const RecallExperiment& experiment, const MemorySet& memories,
                        const World* world);

}  // namespace sightline::host
