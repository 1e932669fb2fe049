// A route as a robot or a map reads it: places to go to one after the other.
//
// Meta-Memory (Mao et al.), sections III.B.3 and V.C: waypoints along the shortest path.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/meta_memory/osm_campus.h"
#include "host/meta_memory/topological_map.h"

namespace sightline::host {

struct Waypoint {
  std::int32_t node = -1;
  kernels::Vec3 position_m;
  double s_m = 0;  ///< along the route, from its start
};

/// One for each node of a route over this map; none where there is no way. Throws InputError for a
/// route along an edge that the map has not.
std::vector<Waypoint> waypoints_of(const TopologicalMap& map, const Route& route);

/// {"length_m": ..., "waypoints": [{"node", "position_m": [x, y, z], "s_m"}, ...]}, one line.
std::string waypoints_json(const std::vector<Waypoint>& waypoints);

/// The header node,x,y,z,s_m and a line for each, metres; node -1: of no node.
std::string waypoints_csv(const std::vector<Waypoint>& waypoints);

/// One Feature of RFC 7946: a LineString (a Point for one waypoint, a null geometry for none), its
/// properties {"length_m", "nodes", "s_m"}. With an origin in degrees, longitude first; heights are
/// left out, as z is not one above the ellipsoid. Without one in local metres [x, y, z], which RFC
/// 7946 does not know, and the Feature says so in the foreign member "local_frame".
std::string waypoints_geojson(const std::vector<Waypoint>& waypoints,
                              const std::optional<CampusOrigin>& origin);

}  // namespace sightline::host
