// Routes as lists and as GeoJSON.
#include "host/meta_memory/waypoints.h"
#include "host/config/json_text.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/errors.h"

namespace sightline::tests {
namespace {

using nlohmann::json;

host::TopologicalMap l_shape() {
  return host::topological_map_of({{0, 0, 1}, {3, 4, 1}, {3, 4, 3}, {9, 9, 9}}, {{0, 1}, {1, 2}});
}

TEST(Waypoints, DistanceAddsUpAlongTheRoute) {
  const host::TopologicalMap map = l_shape();
  const host::Route route = host::shortest_route(map, 2, 0);
  const std::vector<host::Waypoint> waypoints = host::waypoints_of(map, route);
  ASSERT_EQ(waypoints.size(), 3u);
  EXPECT_EQ(waypoints[0].node, 2);
  EXPECT_EQ(waypoints[0].s_m, 0);
  EXPECT_EQ(waypoints[1].s_m, 2);
  EXPECT_EQ(waypoints[2].s_m, 7);
  EXPECT_EQ(waypoints[2].s_m, route.length_m);
  EXPECT_EQ(waypoints[1].position_m.y, 4);
}

TEST(Waypoints, AsJson) {
  const host::TopologicalMap map = l_shape();
  EXPECT_EQ(host::waypoints_json(host::waypoints_of(map, host::shortest_route(map, 0, 1))),
            R"({"length_m":5.0,"waypoints":[{"node":0,"position_m":[0.0,0.0,1.0],"s_m":0.0},)"
            R"({"node":1,"position_m":[3.0,4.0,1.0],"s_m":5.0}]})");
  EXPECT_EQ(host::waypoints_json({}), R"({"length_m":0.0,"waypoints":[]})");
}

TEST(Waypoints, AsCsv) {
  const host::TopologicalMap map = l_shape();
  EXPECT_EQ(host::waypoints_csv(host::waypoints_of(map, host::shortest_route(map, 0, 1))),
            "node,x,y,z,s_m\n0,0,0,1,0\n1,3,4,1,5\n");
  EXPECT_EQ(host::waypoints_csv({}), "node,x,y,z,s_m\n");
}

TEST(Waypoints, AsGeoJsonInDegreesLongitudeFirst) {
  const host::TopologicalMap map = l_shape();
  const host::CampusOrigin origin{-87.5, 42, 80000, 100000};
  const json feature = host::parse_json<json>(
      host::waypoints_geojson(host::waypoints_of(map, host::shortest_route(map, 0, 1)), origin));
  EXPECT_EQ(feature["type"], "Feature");
  EXPECT_EQ(feature["geometry"]["type"], "LineString");
  EXPECT_EQ(feature["geometry"]["coordinates"],
            host::parse_json<json>("[[-87.5, 42.0], [-87.4999625, 42.00004]]"));
  EXPECT_EQ(feature["properties"], host::parse_json<json>(R"({"length_m": 5.0, "nodes": [0, 1],
                                                   "s_m": [0.0, 5.0]})"));
  EXPECT_FALSE(feature.contains("local_frame"));
}

TEST(Waypoints, WithoutAnOriginGeoJsonSaysThatItIsInMetres) {
  const host::TopologicalMap map = l_shape();
  const json feature = host::parse_json<json>(host::waypoints_geojson(
      host::waypoints_of(map, host::shortest_route(map, 0, 1)), std::nullopt));
  EXPECT_EQ(feature["geometry"]["coordinates"],
            host::parse_json<json>("[[0.0, 0.0, 1.0], [3.0, 4.0, 1.0]]"));
  EXPECT_EQ(feature["local_frame"], "metres: x east, y north, z up; not longitude and latitude");
}

TEST(Waypoints, ALineStringHasTwoPlacesAtLeast) {
  const host::TopologicalMap map = l_shape();
  const auto geometry_to = [&](std::int32_t end) {
    const auto waypoints = host::waypoints_of(map, host::shortest_route(map, 0, end));
    return host::parse_json<json>(host::waypoints_geojson(waypoints, std::nullopt))["geometry"];
  };
  EXPECT_EQ(geometry_to(0),
            host::parse_json<json>(R"({"type": "Point", "coordinates": [0.0, 0.0, 1.0]})"));
  EXPECT_TRUE(geometry_to(3).is_null());  // no way there
}

TEST(Waypoints, ARouteOfAnotherMapIsNamed) {
  const host::TopologicalMap map = l_shape();
  EXPECT_EQ(
      input_error_of([&] {
        host::waypoints_of(map, {{0, 2}, 1});
      }),
      "waypoints: the map has no edge from node 0 to 2; a route is one of the map that it was "
      "found on");
  EXPECT_EQ(input_error_of([&] {
              host::waypoints_of(map, {{7}, 0});
            }),
            "waypoints: the map has no node 7");
}

}  // namespace
}  // namespace sightline::tests
