// Memory integration: landmarks, candidates and the topological map become a cognitive map, from
// which the answer to a question about far-apart places is read.
//
// Meta-Memory (Mao et al.), section III.B.3, equation (3): COG-MAP = MI(PATH, LM-POS, Q), "through
// predefined rule-based programs"; these are the rules. Frame: x east, y north, z up, metres.
// Bearings and what lies between are measured on the ground, all else in space.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "host/meta_memory/query.h"
#include "host/meta_memory/topological_map.h"

namespace sightline::host {

/// A place that a question names, found.
struct Landmark {
  std::string name;
  kernels::Vec3 position_m;
};

/// One thing of the class asked for, as far as it is known: what several entries saw of it.
struct Candidate {
  kernels::Vec3 position_m;           ///< of the thing, or where it was seen from
  std::vector<std::int64_t> entries;  ///< rows that saw it; the first is the best view
  bool is_thing = true;               ///< false: position_m is that of a view of it
  double probability = 0;
  double similarity = 0;  ///< to what was asked, of the caption most like it

  // Filled in by integrate(); NaN where the relation does not ask.
  double along_m = 0;                ///< of the nearest point of the route: from its start
  double off_route_m = 0;            ///< to that point
  double straight_m = 0;             ///< to the reference
  double walk_m = 0;                 ///< to the reference, on the map; infinity: there is no way
  double between = 0;                ///< u in [0, 1] from the first reference to the second
  double off_line_m = 0;             ///< to the line between them
  double bearing_deg = 0;            ///< from the reference: 0 north, 90 east
  std::optional<bool> is_in_sector;  ///< of the direction asked for
  std::optional<bool> is_visible;
};

enum class MapStatus : std::uint8_t {
  kFound,
  kNotFound,     ///< no candidate stands in the relation
  kOffGraph,     ///< a landmark is more than kMaxSnap_m from the map; the straight line is the way
  kDisconnected  ///< no way between the landmarks, or on foot to any candidate: the same
};
const char* name_of(MapStatus status);

struct IntegrationRules {
  double route_reach_m = 8;     ///< a thing is on a route within this
  double route_margin_m = 5;    ///< and not within this of its ends
  double between_share = 0.25;  ///< between A and B: within this share of |AB| of the line ...
  double between_least_m = 5;   ///< ... or within this, if that is more
  double visible_range_m = 30;
  double sector_half_deg = 45, diagonal_half_deg = 22.5;
  double eye_height_m = 1.5;
};

/// Are the lines between pairs of places free? [num_pairs]
using SightTest = std::function<std::vector<std::uint8_t>(const std::vector<kernels::Vec3>&,
                                                          const std::vector<kernels::Vec3>&)>;

struct RoutePoint {
  std::int32_t node = -1;  ///< -1: of no node, an end of a straight line
  kernels::Vec3 position_m;
  double along_m = 0;
};

struct CognitiveMap {
  GlobalQuery question;
  std::vector<Landmark> landmarks;  ///< as question.references
  std::vector<Snapped> snapped;     ///< of each
  std::vector<RoutePoint> route;    ///< kRoute, kKth
  double route_length_m = 0;
  double sector_half_deg = 0;   ///< kDirection: of the sector, before it is loosened
  double north_offset_rad = 0;  ///< by which north lies counter-clockwise of +y
  std::vector<Candidate> candidates;
  std::int64_t selected = -1;  ///< of `candidates`
  MapStatus status = MapStatus::kNotFound;
  int relax_level = 0;  ///< 0: by the rule; else how far it was loosened (integrate)
};

/// Selects the candidate that stands in the relation; ties go to the higher probability, then to
/// the lower index. Who finds none under its rule is loosened as told by relax_level:
///   route      1: the nearest to the route, however far
///   direction  1: any on that side of the reference, by however little, and none square to it;
///              2: any
///   visible    1: the nearest within range, as nobody knows what stands in the way
/// A k-th that there is not, nothing between or nothing visible is not found. `is_free` answers for
/// kVisible, at eye height; empty: nothing is known to, and is_visible stays empty. On foot,
/// candidates that stand by one node of the map are as near. Who finds no way on foot to any takes
/// the nearest as the crow flies; the status says so.
CognitiveMap integrate(const GlobalQuery& question, const std::vector<Landmark>& landmarks,
                       std::vector<Candidate> candidates, const TopologicalMap& map,
                       const SightTest& is_free, const IntegrationRules& rules,
                       double north_offset_rad = 0);

/// The route between two landmarks, and its status: kFound, kOffGraph or kDisconnected.
MapStatus route_between(const Landmark& start, const Landmark& end, const TopologicalMap& map,
                        CognitiveMap* cognitive_map);

/// Degrees clockwise from north of the middle of a direction: 0, 45, ..., 315.
double bearing_of(Cardinal direction);

}  // namespace sightline::host
