// A cognitive map as JSON, for programs and language models, and as a picture (SVG), for people.
#pragma once

#include <string>

#include "host/meta_memory/memory_integration.h"

namespace sightline::host {

/// One object, all places [x, y, z] in metres:
///
///     frame        in words
///     relation, target, k, on_foot    as asked; k: of relation "kth", 0 the last, else null
///     direction    {name, axis_deg, half_deg} of the sector asked for, or null
///     start, end   {name, pos, node, snap} of the references: the node that each stands at and how
///                  far from it, or null
///     waypoints    [{node, pos, s}] of the route, s from its start; length of all of it
///     candidates   [{instance, pos, is_thing, entries, prob, s_along, d_path, d_euclid, d_walk,
///                  u_between, d_perp, bearing_deg, sector, los}]: the number that `selected`
///                  names; is_thing false: pos is where it is seen from; distances along the route,
///                  to it, to the reference straight and on foot; share of and distance to the line
///                  between references; bearing, and is it in the sector; is the line to it free
///     selected     an instance or null, status, relax_level (integrate())
///
/// Numbers that were not measured are null. Indented by `indent` spaces; -1: one line.
std::string cognitive_map_json(const CognitiveMap& map, int indent = -1);

/// The map's nodes and edges (grey), the sector of a direction (yellow), the route (blue),
/// landmarks (green), candidates and the answer (red), +y up, with a scale; whole, or what lies
/// around them. Circles have the class node, candidate, answer or landmark.
std::string cognitive_map_svg(const CognitiveMap& map, const TopologicalMap& topology);

}  // namespace sightline::host
