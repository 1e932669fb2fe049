// A cognitive map as JSON, for programs and language models, and as a picture (SVG), for people.
#pragma once

#include <string>

#include "host/meta_memory/memory_integration.h"

namespace sightline::host {

/// One object: frame, relation, landmarks (name, position, node, snap_m), route (waypoints with
/// node, position and along_m; length_m), direction where one is asked for, candidates with what
/// the relation measured, selected, status and relax_level. Numbers that were not measured are
/// null. Indented by `indent` spaces; -1: one line.
std::string cognitive_map_json(const CognitiveMap& map, int indent = -1);

/// The map's nodes (grey), the route (blue), landmarks, candidates and the answer (red), north up,
/// with a scale; whole, or what lies around them.
std::string cognitive_map_svg(const CognitiveMap& map, const TopologicalMap& topology);

}  // namespace sightline::host
