// Campuses of OpenStreetMap as tables, small ones made here and the real ones.
#include "host/meta_memory/osm_campus.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "host/meta_memory/tsv_table.h"
#include "host/world/binary_file.h"
#include "support/errors.h"
#include "support/maps.h"
#include "support/reference_data.h"

namespace sightline::tests {
namespace {

using host::OsmCampus;

/// A folder with the files of a small campus, which a test may replace.
class CampusFolder {
 public:
  CampusFolder() {
    path_ = testing::TempDir() + "campus_" +
            testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::remove_all(path_);
    host::make_folder(path_);
    write("origin.txt", "lon0 -87.5\nlat0 42\nx_m=(lon-lon0)*80000\ny_m=(lat-lat0)*100000\n");
    write("pois.tsv",
          "osm_type\tosm_id\tclass\tname\tlon\tlat\tx_m\ty_m\ttags\n"
          "node\t7\tamenity=cafe\tBlue Door\t-87.5\t42\t0\t-2.5\twheelchair=yes\n");
    write("buildings.tsv",
          "osm_way_id\tname\tbuilding\tlevels\theight\tring_xy_m\n"
          "9\tOld Hall\tuniversity\t\t\t0,0 4,0 4,4 0,0\n");
    write("walk_nodes.tsv",
          "osm_node_id\tlon\tlat\tx_m\ty_m\n"
          "11\t0\t0\t0\t0\n12\t0\t0\t3\t4\n13\t0\t0\t3\t9\n14\t0\t0\t90\t9\n");
    write("walk_ways.tsv",
          "osm_way_id\thighway\tname\tfoot\tnode_ids\n"
          "1\tfootway\t\t\t11 12\n2\tprimary\t\tyes\t13 12\n"
          "3\tprimary\t\t\t13 14\n4\tfootway\t\tno\t12 14\n");
  }
  void write(const std::string& name, const std::string& text) const {
    host::write_file(path_ + "/" + name, text);
  }
  void remove(const std::string& name) const { std::filesystem::remove(path_ + "/" + name); }
  const std::string& path() const { return path_; }
  /// The message that reading it ends with, without the folder.
  std::string fault() const {
    std::string message = input_error_of([&] { host::read_osm_campus(path_); });
    for (std::size_t at; (at = message.find(path_ + "/")) != std::string::npos;) {
      message.erase(at, path_.size() + 1);
    }
    return message;
  }

 private:
  std::string path_;
};

TEST(OsmCampus, ReadsPlacesBuildingsAndWalkedWays) {
  const OsmCampus campus = host::read_osm_campus(CampusFolder().path());
  ASSERT_EQ(campus.places.size(), 1u);
  EXPECT_EQ(campus.places[0].kind, "amenity=cafe");
  EXPECT_EQ(campus.places[0].name, "Blue Door");
  EXPECT_EQ(campus.places[0].position_m.y, -2.5);
  ASSERT_EQ(campus.buildings.size(), 1u);
  EXPECT_EQ(campus.buildings[0].osm_id, 9);
  EXPECT_EQ(campus.rings()[0].size(), 4u);
  EXPECT_EQ(campus.num_ways, 2);
  EXPECT_EQ(campus.osm_node, (std::vector<std::int64_t>{11, 12, 13}));
  EXPECT_EQ(edges_of(campus.footways), (std::vector<NodePair>{{0, 1}, {1, 2}}));
  EXPECT_EQ(campus.footways.length_m, (std::vector<double>{5, 5, 5, 5}));
  EXPECT_EQ(campus.origin.lon_of(40), -87.4995);
  EXPECT_EQ(campus.origin.lat_of(-50), 41.9995);
}

TEST(OsmCampus, OutlinesAloneNeedOneColumn) {
  const CampusFolder folder;
  const auto read = [&](const std::string& table) {
    folder.write("rings.tsv", table);
    return host::read_building_rings(folder.path() + "/rings.tsv");
  };
  const auto rings = read("note\tring_xy_m\n\t0,0 1,0 1,1\nold\t5,5 6,5 6,6 5,6 5,5\n");
  ASSERT_EQ(rings.size(), 2u);
  EXPECT_EQ(rings[0], (host::BuildingRing{{0, 0}, {1, 0}, {1, 1}}));
  EXPECT_EQ(rings[1].size(), 5u);
  EXPECT_TRUE(read("ring_xy_m\n").empty());
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "rings.tsv:1: column 'ring_xy_m' is missing",
                      input_error_of([&] { read("ring\n0,0 1,0 1,1\n"); }));
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "rings.tsv:3: ring_xy_m has fewer than three corners",
                      input_error_of([&] { read("ring_xy_m\n0,0 1,0 1,1\n0,0 1,0\n"); }));
}

TEST(OsmCampus, WaysMayBeAbsentButNotAlone) {
  const CampusFolder folder;
  folder.remove("walk_ways.tsv");
  EXPECT_EQ(folder.fault(), "walk_ways.tsv: is missing beside walk_nodes.tsv");
  folder.remove("walk_nodes.tsv");
  EXPECT_EQ(host::read_osm_campus(folder.path()).footways.num_nodes(), 0);
}

TEST(OsmCampus, FaultsNameFileAndLine) {
  const std::map<std::string, std::pair<std::string, std::string>> faults{
      {"walk_ways.tsv:2: the way goes by node 99, which walk_nodes.tsv has not",
       {"walk_ways.tsv", "highway\tfoot\tnode_ids\nfootway\t\t11 99\n"}},
      {"walk_ways.tsv:3: the way goes from node 11 to itself",
       {"walk_ways.tsv", "highway\tfoot\tnode_ids\n\npath\t\t11 11\n"}},
      {"walk_ways.tsv:2: node_ids has '1x', which is no id",
       {"walk_ways.tsv", "highway\tfoot\tnode_ids\npath\t\t1x\n"}},
      {"walk_nodes.tsv:3: node 11 comes twice",
       {"walk_nodes.tsv", "osm_node_id\tx_m\ty_m\n11\t0\t0\n11\t0\t0\n"}},
      {"walk_nodes.tsv:2: x_m is 'nan', not a finite number",
       {"walk_nodes.tsv", "osm_node_id\tx_m\ty_m\n11\tnan\t0\n"}},
      {"walk_nodes.tsv:1: column 'y_m' is missing", {"walk_nodes.tsv", "osm_node_id\tx_m\n"}},
      {"buildings.tsv:2: ring_xy_m has fewer than three corners",
       {"buildings.tsv",
        "osm_id\tname\tbuilding\tlevels\theight\tring_xy_m\n1\t\t\t\t\t0,0 1,1 0,0\n"}},
      {"buildings.tsv:2: ring_xy_m has the corner '0;0'; write it as x,y",
       {"buildings.tsv", "osm_id\tname\tbuilding\tlevels\theight\tring_xy_m\n1\t\t\t\t\t0;0\n"}},
      {"buildings.tsv:2: has 2 fields; the header has 6",
       {"buildings.tsv", "osm_id\tname\tbuilding\tlevels\theight\tring_xy_m\n1\t\n"}},
      {"buildings.tsv:1: column 'osm_way_id' (or 'osm_id') is missing",
       {"buildings.tsv", "name\tbuilding\tlevels\theight\tring_xy_m\n"}},
      {"pois.tsv:0: is empty; needs a header line", {"pois.tsv", ""}},
      {"pois.tsv:2: osm_id is '7.5', not a whole number",
       {"pois.tsv", "osm_type\tosm_id\tclass\tname\tx_m\ty_m\ttags\nnode\t7.5\t\t\t0\t0\t\n"}},
      {"origin.txt:1: no number after 'lon0 '", {"origin.txt", "lon0 east\n"}},
      {"origin.txt: has no line that begins with 'lat0 '", {"origin.txt", "lon0 5\n"}}};
  for (const auto& [message, file] : faults) {
    const CampusFolder folder;
    folder.write(file.first, file.second);
    EXPECT_EQ(folder.fault(), message);
  }
}

/// Dijkstra by a set of (distance, node), and lengths from positions: nothing of the map's.
std::vector<double> independent_distances(const OsmCampus& campus, std::int32_t start) {
  const auto& map = campus.footways;
  std::vector<std::vector<std::int32_t>> next(static_cast<std::size_t>(map.num_nodes()));
  for (const auto& [a, b] : edges_of(map)) {
    next[static_cast<std::size_t>(a)].push_back(b);
    next[static_cast<std::size_t>(b)].push_back(a);
  }
  std::vector<double> distance(next.size(), kNoWay);
  std::set<std::pair<double, std::int32_t>> open{{0, start}};
  distance[static_cast<std::size_t>(start)] = 0;
  while (!open.empty()) {
    const std::int32_t v = open.begin()->second;
    open.erase(open.begin());
    const auto& p = map.position_m[static_cast<std::size_t>(v)];
    for (const std::int32_t u : next[static_cast<std::size_t>(v)]) {
      const auto& q = map.position_m[static_cast<std::size_t>(u)];
      const double by_v = distance[static_cast<std::size_t>(v)] + std::hypot(p.x - q.x, p.y - q.y);
      double& there = distance[static_cast<std::size_t>(u)];
      if (!(by_v < there)) continue;
      open.erase({there, u});
      there = by_v;
      open.insert({there, u});
    }
  }
  return distance;
}

/// Counted by a script of its own from the tables.
struct KnownCampus {
  const char* name;
  std::size_t num_places, num_buildings;
  std::int64_t num_ways, num_nodes, num_edges, num_components, largest;
};

class RealCampus : public testing::TestWithParam<KnownCampus> {};

TEST_P(RealCampus, ComponentsAndRoutesAgainstAnIndependentDijkstra) {
  const KnownCampus& known = GetParam();
  const std::string folder = std::string("osm_campus/") + known.name;
  SIGHTLINE_REQUIRE_REFERENCE_DATA(folder + "/pois.tsv");
  const OsmCampus campus = host::read_osm_campus(reference_data(folder));
  const host::TopologicalMap& map = campus.footways;
  EXPECT_EQ(campus.places.size(), known.num_places);
  EXPECT_EQ(campus.buildings.size(), known.num_buildings);
  EXPECT_EQ(campus.num_ways, known.num_ways);
  EXPECT_EQ(map.num_nodes(), known.num_nodes);
  EXPECT_EQ(edges_of(map).size(), static_cast<std::size_t>(known.num_edges));
  EXPECT_EQ(num_components(map), known.num_components);
  std::map<std::int32_t, std::int64_t> size_of;
  for (const std::int32_t lowest : host::components_of(map)) ++size_of[lowest];
  EXPECT_EQ(static_cast<std::int64_t>(size_of.size()), known.num_components);
  std::int64_t largest = 0;
  for (const auto& [lowest, size] : size_of) largest = std::max(largest, size);
  EXPECT_EQ(largest, known.largest);

  constexpr double kSums = 1e-8;  // hypot rounds otherwise; a thousand edges of a kilometre or two
  Random random(1);
  for (int i = 0; i < 8 && map.num_nodes() > 0; ++i) {
    const auto start = static_cast<std::int32_t>(random.integer(0, map.num_nodes() - 1));
    const std::vector<double> expected = independent_distances(campus, start);
    std::vector<NodePair> pairs;
    for (std::int32_t end = 0; end < map.num_nodes(); end += 7) pairs.push_back({start, end});
    const std::vector<host::Route> routes = host::shortest_routes(map, pairs);
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      const double far = expected[static_cast<std::size_t>(pairs[k].second)];
      ASSERT_EQ(routes[k].nodes.empty(), far == kNoWay);
      if (far == kNoWay) continue;
      EXPECT_NEAR(routes[k].length_m, far, kSums);
      if (k % 16 != 0) continue;
      const host::Route plain = host::shortest_route(map, start, pairs[k].second);
      EXPECT_EQ(plain.nodes, routes[k].nodes);
      EXPECT_EQ(plain.length_m, routes[k].length_m);
    }
  }
}

TEST_P(RealCampus, AnOriginByDegreesIsThatOfTheFile) {
  const std::string file = std::string("osm_campus/") + GetParam().name + "/origin.txt";
  SIGHTLINE_REQUIRE_REFERENCE_DATA(file);
  const host::CampusOrigin told = host::read_campus_origin(reference_data(file));
  const host::CampusOrigin made = host::campus_origin_at(told.lat_deg, told.lon_deg);
  constexpr double kRounded_m = 1e-3;  // of three decimals
  EXPECT_NEAR(made.m_per_lon_deg, told.m_per_lon_deg, kRounded_m);
  EXPECT_EQ(made.m_per_lat_deg, told.m_per_lat_deg);
  EXPECT_EQ(made.lon_deg, told.lon_deg);
}

/// The tables' degrees and metres agree by the origin: x_m and y_m are rounded to centimetres.
TEST_P(RealCampus, DegreesAndMetresAgree) {
  const std::string folder = std::string("osm_campus/") + GetParam().name;
  SIGHTLINE_REQUIRE_REFERENCE_DATA(folder + "/pois.tsv");
  const OsmCampus campus = host::read_osm_campus(reference_data(folder));
  host::TsvTable table(reference_data(folder + "/pois.tsv"), {"lon", "lat", "x_m", "y_m"});
  constexpr double kHalfCentimetre_deg = 0.011 / 80000;  // and degrees to 1e-7, of 1.1 cm
  while (table.next_row()) {
    EXPECT_NEAR(campus.origin.lon_of(table.number(2)), table.number(0), kHalfCentimetre_deg);
    EXPECT_NEAR(campus.origin.lat_of(table.number(3)), table.number(1), kHalfCentimetre_deg);
  }
}

INSTANTIATE_TEST_SUITE_P(Reference, RealCampus,
                         testing::Values(KnownCampus{"northwestern", 560, 465, 990, 3999, 4631, 13,
                                                     3823},
                                         KnownCampus{"uce_quito", 150, 78, 119, 611, 629, 8, 455},
                                         KnownCampus{"ucsc", 1003, 489, 0, 0, 0, 0, 0}),
                         [](const auto& campus) { return std::string(campus.param.name); });

/// Real runs of a robot (CODa), each a map of its own: nobody knows what is free, so reach is 3 m.
/// Counted by a script of its own from the tables.
struct KnownRun {
  const char* sequence;
  std::int64_t num_nodes, num_components;
};

class RealRun : public testing::TestWithParam<KnownRun> {};

TEST_P(RealRun, ADrivenMapHangsTogether) {
  const std::string file = std::string("navqa_coda/traj_seq") + GetParam().sequence + ".tsv";
  SIGHTLINE_REQUIRE_REFERENCE_DATA(file);
  host::TsvTable table(reference_data(file), {"t_mean", "x", "y", "z"});
  std::vector<host::DrivenPlace> entries;
  while (table.next_row()) {
    entries.push_back(
        {0, table.number(0), {table.number(1), table.number(2), table.number(3)}, std::nan("")});
  }
  const host::TopologicalMap map = host::make_topological_map(entries, {});
  EXPECT_EQ(map.num_nodes(), GetParam().num_nodes);
  EXPECT_EQ(num_components(map), GetParam().num_components);
  const host::Route route =
      host::shortest_route(map, 0, static_cast<std::int32_t>(map.num_nodes()) - 1);
  EXPECT_EQ(route.nodes.empty(), host::components_of(map).back() != 0);
}

INSTANTIATE_TEST_SUITE_P(Coda, RealRun,
                         testing::Values(KnownRun{"00", 228, 1}, KnownRun{"03", 369, 1},
                                         KnownRun{"04", 221, 1}, KnownRun{"06", 405, 1},
                                         KnownRun{"16", 497, 1}, KnownRun{"21", 578, 1},
                                         KnownRun{"22", 420, 1}),
                         [](const auto& run) { return std::string("seq") + run.param.sequence; });

}  // namespace
}  // namespace sightline::tests
