// Does what was right stay right? Theory of Space (ToS), section 5 and A.3, as the release has it.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "host/theory_of_space/spatial_map.h"

namespace sightline::host::tos {

/// Means over the things that both maps have, from 0 to 1; none: there was no such thing.
/// Update: of those in view at the later turn; stability: of all others.
struct MapStability {
  std::optional<double> position_update, facing_update;
  std::optional<double> position_stability, facing_stability;
};

/// Compares the maps of two turns. A position is stable if its error did not grow. A facing is if
/// it became right, or stayed what it was; what was right and is no longer, or wrong and is wrong
/// in another way, is not. `visible` names what is in view at the later turn.
MapStability map_stability(const SpatialMap& truth, const SpatialMap& earlier,
                           const SpatialMap& later, const std::set<std::string>& visible);

}  // namespace sightline::host::tos
