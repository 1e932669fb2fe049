// Maps of rooms as drawings within a page: the true one, and one that somebody believes in.
#pragma once

#include <cstdint>
#include <string>

#include "host/theory_of_space/spatial_map.h"

namespace sightline::host::report {

/// An <svg> element of a map over the rooms of the scene, north up: things as discs with their
/// names and a mark where they face, doors as squares, the agent as an arrow. What a map says
/// beyond the walls is drawn as far out as a few cells. `strong` are the items, a bit each, that
/// are drawn in full; the others are faint.
std::string map_drawing(const tos::Scene& scene, const tos::SpatialMap& map, std::uint64_t strong,
                        const std::string& description);

}  // namespace sightline::host::report
