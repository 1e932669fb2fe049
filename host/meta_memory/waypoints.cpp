#include "host/meta_memory/waypoints.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "host/config/json_text.h"
#include "host/error.h"

namespace sightline::host {
namespace {

using Json = nlohmann::ordered_json;

double edge_length_m(const TopologicalMap& map, std::int32_t from, std::int32_t to) {
  if (from >= 0 && from < map.num_nodes()) {
    const auto begin = map.neighbour.begin();
    const auto first = begin + map.first_edge[static_cast<std::size_t>(from)];
    const auto last = begin + map.first_edge[static_cast<std::size_t>(from) + 1];
    const auto found = std::lower_bound(first, last, to);
    if (found != last && *found == to) {
      return map.length_m[static_cast<std::size_t>(found - begin)];
    }
  }
  throw InputError("waypoints: the map has no edge from node " + std::to_string(from) + " to " +
                   std::to_string(to) + "; a route is one of the map that it was found on");
}

double length_m(const std::vector<Waypoint>& waypoints) {
  return waypoints.empty() ? 0 : waypoints.back().s_m;
}

Json coordinates_of(const Waypoint& waypoint, const std::optional<CampusOrigin>& origin) {
  const kernels::Vec3& p = waypoint.position_m;
  if (!origin) return Json::array({p.x, p.y, p.z});
  return Json::array({origin->lon_of(p.x), origin->lat_of(p.y)});
}

}  // namespace

std::vector<Waypoint> waypoints_of(const TopologicalMap& map, const Route& route) {
  std::vector<Waypoint> waypoints;
  double s_m = 0;
  for (std::size_t i = 0; i < route.nodes.size(); ++i) {
    const std::int32_t node = route.nodes[i];
    if (i > 0) s_m += edge_length_m(map, route.nodes[i - 1], node);
    if (node < 0 || node >= map.num_nodes()) {
      throw InputError("waypoints: the map has no node " + std::to_string(node));
    }
    waypoints.push_back({node, map.position_m[static_cast<std::size_t>(node)], s_m});
  }
  return waypoints;
}

std::string waypoints_json(const std::vector<Waypoint>& waypoints) {
  Json list = Json::array();
  for (const Waypoint& waypoint : waypoints) {
    const kernels::Vec3& p = waypoint.position_m;
    list.push_back({{"node", waypoint.node},
                    {"position_m", Json::array({p.x, p.y, p.z})},
                    {"s_m", waypoint.s_m}});
  }
  return json_text(Json{{"length_m", length_m(waypoints)}, {"waypoints", list}});
}

std::string waypoints_csv(const std::vector<Waypoint>& waypoints) {
  std::string text = "node,x,y,z,s_m\n";
  for (const Waypoint& waypoint : waypoints) {
    const kernels::Vec3& p = waypoint.position_m;
    text += fmt::format("{},{},{},{},{}\n", waypoint.node, p.x, p.y, p.z, waypoint.s_m);
  }
  return text;
}

std::string waypoints_geojson(const std::vector<Waypoint>& waypoints,
                              const std::optional<CampusOrigin>& origin) {
  Json line = Json::array(), nodes = Json::array(), along_m = Json::array();
  for (const Waypoint& waypoint : waypoints) {
    line.push_back(coordinates_of(waypoint, origin));
    nodes.push_back(waypoint.node);
    along_m.push_back(waypoint.s_m);
  }
  Json feature;
  feature["type"] = "Feature";
  feature["geometry"] = nullptr;
  if (line.size() == 1) feature["geometry"] = {{"type", "Point"}, {"coordinates", line[0]}};
  if (line.size() > 1) feature["geometry"] = {{"type", "LineString"}, {"coordinates", line}};
  feature["properties"] = {{"length_m", length_m(waypoints)}, {"nodes", nodes}, {"s_m", along_m}};
  if (!origin) feature["local_frame"] = "metres: x east, y north, z up; not longitude and latitude";
  return json_text(feature);
}

}  // namespace sightline::host
