// The map that a belief amounts to: each thing in the middle of where it may be.
#pragma once

#include "host/theory_of_space/explorer.h"
#include "host/theory_of_space/revising_belief.h"
#include "host/theory_of_space/spatial_map.h"

namespace sightline::host::tos {

/// Things that were seen, and the agent where it stands on `node` with that heading.
SpatialMap believed_map(const RevisingBelief& belief, const Briefing& briefing, int node,
                        Heading heading);

}  // namespace sightline::host::tos
