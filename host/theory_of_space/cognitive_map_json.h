// Maps as agents write them: Theory of Space (ToS), B.3 (Figure 10).
//
//     {"agent": {"position": [3, 5], "facing": "north"}, "lamp": {"position": [0, 3]}}
//
// A local map has the facings "+x", "-x", "+y" and "-y", y being ahead.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "host/theory_of_space/spatial_map.h"

namespace sightline::host::tos {

/// The map of an answer: its last JSON object, the words around it being no matter. Names are those
/// of `scene`'s items and "agent"; others are dropped. What has no position of two numbers is
/// dropped too; numbers are rounded. A facing that is none of the four words is north; without one
/// a thing has none. None: the answer holds no map.
std::optional<SpatialMap> parse_global_map(std::string_view answer, const Scene& scene);

/// The same of a local map; `heading` is the agent's, which turns its facings into those of the
/// world. It has no agent.
std::optional<SpatialMap> parse_local_map(std::string_view answer, const Scene& scene,
                                          Heading heading);

/// The text of a map, as an agent would write it.
std::string map_text(const SpatialMap& map);
/// The same of a local map; `heading` is the agent's.
std::string local_map_text(const SpatialMap& map, Heading heading);

}  // namespace sightline::host::tos
