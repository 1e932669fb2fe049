#include "host/meta_memory/osm_campus.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "host/config/number_text.h"
#include "host/error.h"
#include "host/meta_memory/tsv_table.h"
#include "host/world/binary_file.h"
#include "host/world/text_scan.h"

namespace sightline::host {
namespace {

std::vector<CampusPlace> read_places(const std::string& path) {
  enum Column : std::size_t { kType, kId, kKind, kName, kX, kY, kTags };
  TsvTable table(path, {"osm_type", "osm_id", "class", "name", "x_m", "y_m", "tags"});
  const std::ptrdiff_t layer = table.place_of("layer");
  std::vector<CampusPlace> places;
  while (table.next_row()) {
    CampusPlace place;
    if (layer >= 0) place.layer = table.field(layer);
    place.osm_type = table.text(kType);
    place.osm_id = table.integer(kId);
    place.kind = table.text(kKind);
    place.name = table.text(kName);
    place.tags = table.text(kTags);
    place.position_m = {table.number(kX), table.number(kY), 0};
    places.push_back(std::move(place));
  }
  return places;
}

/// "x,y x,y ..."
BuildingRing read_ring(const TsvTable& table, const std::string& text) {
  BuildingRing ring;
  std::string_view rest = text;
  for (std::string_view corner = next_word(rest); !corner.empty(); corner = next_word(rest)) {
    const std::size_t comma = corner.find(',');
    double x = 0, y = 0;
    if (comma == std::string_view::npos || !parse_number(corner.substr(0, comma), x) ||
        !parse_number(corner.substr(comma + 1), y) || !std::isfinite(x) || !std::isfinite(y)) {
      table.fail("ring_xy_m has the corner '" + std::string(corner) + "'; write it as x,y");
    }
    ring.push_back({x, y});
  }
  const bool is_closed = ring.size() > 1 && ring.front() == ring.back();
  if (ring.size() - (is_closed ? 1 : 0) < 3) {
    table.fail("ring_xy_m has fewer than three corners");
  }
  return ring;
}

struct WalkNodes {
  std::vector<std::int64_t> osm_id;
  std::vector<kernels::Vec3> position_m;
  std::unordered_map<std::int64_t, std::int32_t> row_of;
};

WalkNodes read_walk_nodes(const std::string& path) {
  enum Column : std::size_t { kId, kX, kY };
  TsvTable table(path, {"osm_node_id", "x_m", "y_m"});
  WalkNodes nodes;
  while (table.next_row()) {
    const std::int64_t id = table.integer(kId);
    if (!nodes.row_of.emplace(id, static_cast<std::int32_t>(nodes.osm_id.size())).second) {
      table.fail("node " + std::to_string(id) + " comes twice");
    }
    nodes.osm_id.push_back(id);
    nodes.position_m.push_back({table.number(kX), table.number(kY), 0});
  }
  return nodes;
}

bool is_walked(const std::string& highway, const std::string& foot) {
  if (foot == "no" || foot == "private") return false;
  if (foot == "yes" || foot == "designated" || foot == "permissive") return true;
  const std::vector<std::string>& walked = walked_highways();
  return std::find(walked.begin(), walked.end(), highway) != walked.end();
}

using NodePair = std::pair<std::int32_t, std::int32_t>;

/// The edges of one way, as rows of the nodes.
void read_way(const TsvTable& table, const std::string& node_ids, const WalkNodes& nodes,
              std::vector<NodePair>* edges) {
  std::string_view rest = node_ids;
  std::int32_t last = -1;
  for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest)) {
    std::int64_t id = 0;
    if (!parse_number(word, id)) {
      table.fail("node_ids has '" + std::string(word) + "', which is no id");
    }
    const auto found = nodes.row_of.find(id);
    if (found == nodes.row_of.end()) {
      table.fail("the way goes by node " + std::to_string(id) + ", which walk_nodes.tsv has not");
    }
    if (found->second == last) {
      table.fail("the way goes from node " + std::to_string(id) + " to itself");
    }
    if (last >= 0) edges->push_back({last, found->second});
    last = found->second;
  }
}

void read_footways(const std::string& ways_path, const std::string& nodes_path, OsmCampus* campus) {
  enum Column : std::size_t { kHighway, kFoot, kNodes };
  const WalkNodes nodes = read_walk_nodes(nodes_path);
  TsvTable table(ways_path, {"highway", "foot", "node_ids"});
  std::vector<NodePair> edges;
  while (table.next_row()) {
    if (!is_walked(table.text(kHighway), table.text(kFoot))) continue;
    read_way(table, table.text(kNodes), nodes, &edges);
    ++campus->num_ways;
  }
  std::vector<std::int32_t> node_of_row(nodes.osm_id.size(), -1);
  for (const auto& [a, b] : edges) {
    node_of_row[static_cast<std::size_t>(a)] = node_of_row[static_cast<std::size_t>(b)] = 0;
  }
  std::vector<kernels::Vec3> positions_m;
  for (std::size_t row = 0; row < node_of_row.size(); ++row) {
    if (node_of_row[row] < 0) continue;
    node_of_row[row] = static_cast<std::int32_t>(positions_m.size());
    positions_m.push_back(nodes.position_m[row]);
    campus->osm_node.push_back(nodes.osm_id[row]);
  }
  for (auto& [a, b] : edges) {
    a = node_of_row[static_cast<std::size_t>(a)];
    b = node_of_row[static_cast<std::size_t>(b)];
  }
  campus->footways = topological_map_of(std::move(positions_m), edges);
}

}  // namespace

CampusOrigin read_campus_origin(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw InputError(path + ": cannot be opened");
  struct Line {
    const char* begin;  ///< of "lon0 -87.67" or "x_m=(lon-lon0)*82653.909"
    double value = 0;
    bool is_there = false;
  };
  Line lines[] = {{"lon0 "}, {"lat0 "}, {"x_m=(lon-lon0)*"}, {"y_m=(lat-lat0)*"}};
  std::string text;
  for (std::int64_t number = 1; std::getline(file, text); ++number) {
    if (!text.empty() && text.back() == '\r') text.pop_back();
    for (Line& line : lines) {
      const std::string_view begin = line.begin;
      if (text.compare(0, begin.size(), begin) != 0) continue;
      line.is_there = parse_number(std::string_view(text).substr(begin.size()), line.value) &&
                      std::isfinite(line.value);
      if (!line.is_there) {
        throw InputError(path + ":" + std::to_string(number) + ": no number after '" +
                         std::string(begin) + "'");
      }
    }
  }
  for (const Line& line : lines) {
    if (!line.is_there) {
      throw InputError(path + ": has no line that begins with '" + line.begin + "'");
    }
  }
  for (const Line& line : {lines[2], lines[3]}) {
    if (!(line.value > 0)) {
      throw InputError(path + ": a degree is not longer than 0 m after '" + line.begin + "'");
    }
  }
  return {lines[0].value, lines[1].value, lines[2].value, lines[3].value};
}

CampusOrigin campus_origin_at(double lat_deg, double lon_deg) {
  constexpr double kMostLat_deg = 85, kMostLon_deg = 180, kDegree = 3.14159265358979323846 / 180;
  if (!(std::fabs(lat_deg) <= kMostLat_deg) || !(std::fabs(lon_deg) <= kMostLon_deg)) {
    throw InputError(short_text(lat_deg) + "," + short_text(lon_deg) +
                     ": is no latitude within 85 degrees of the equator and longitude within 180");
  }
  constexpr double kEquator_m = 111320, kMeridian_m = 110574;  // of a degree, as the tables have it
  return {lon_deg, lat_deg, kEquator_m * std::cos(lat_deg * kDegree), kMeridian_m};
}

std::vector<BuildingRing> OsmCampus::rings() const {
  std::vector<BuildingRing> rings;
  for (const CampusBuilding& building : buildings) rings.push_back(building.ring_m);
  return rings;
}

const std::vector<std::string>& walked_highways() {
  static const std::vector<std::string> walked{
      "footway", "path",          "pedestrian", "steps",   "cycleway",   "bridleway",
      "track",   "living_street", "corridor",   "service", "residential"};
  return walked;
}

std::vector<CampusBuilding> read_campus_buildings(const std::string& path) {
  enum Column : std::size_t { kName, kKind, kLevels, kHeight, kRing };
  TsvTable table(path, {"name", "building", "levels", "height", "ring_xy_m"});
  // Campuses of other sources call it osm_id.
  const std::ptrdiff_t way = table.place_of("osm_way_id"), other = table.place_of("osm_id");
  const std::ptrdiff_t id = way >= 0 ? way : other;
  if (id < 0) table.fail("column 'osm_way_id' (or 'osm_id') is missing");
  std::vector<CampusBuilding> buildings;
  while (table.next_row()) {
    CampusBuilding building;
    if (!parse_number(table.field(id), building.osm_id)) {
      table.fail("'" + table.field(id) + "' is no id of OpenStreetMap");
    }
    building.name = table.text(kName);
    building.kind = table.text(kKind);
    building.levels = table.text(kLevels);
    building.height = table.text(kHeight);
    building.ring_m = read_ring(table, table.text(kRing));
    buildings.push_back(std::move(building));
  }
  return buildings;
}

std::vector<BuildingRing> read_building_rings(const std::string& path) {
  TsvTable table(path, {"ring_xy_m"});
  std::vector<BuildingRing> rings;
  while (table.next_row()) rings.push_back(read_ring(table, table.text(0)));
  return rings;
}

OsmCampus read_osm_campus(const std::string& folder) {
  OsmCampus campus;
  campus.origin = read_campus_origin(folder + "/origin.txt");
  campus.places = read_places(folder + "/pois.tsv");
  campus.buildings = read_campus_buildings(folder + "/buildings.tsv");
  const std::string ways = folder + "/walk_ways.tsv", nodes = folder + "/walk_nodes.tsv";
  const bool has_ways = is_there(ways), has_nodes = is_there(nodes);
  if (has_ways != has_nodes) {
    throw InputError((has_ways ? nodes : ways) + ": is missing beside " +
                     (has_ways ? ways : nodes));
  }
  if (has_ways) {
    read_footways(ways, nodes, &campus);
  } else {
    campus.footways = topological_map_of({}, {});
  }
  return campus;
}

}  // namespace sightline::host
