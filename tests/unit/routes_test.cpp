// Shortest ways over topological maps: their length and which of several.
#include <gtest/gtest.h>

#include <algorithm>

#include "host/meta_memory/topological_map.h"
#include "support/errors.h"
#include "support/maps.h"

namespace sightline::tests {
namespace {

using host::Route;
using host::TopologicalMap;
using kernels::Vec3;

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

/// An edge's length, or infinity.
double edge_m(const TopologicalMap& map, std::int32_t from, std::int32_t to) {
  for (auto e = map.first_edge[at(from)]; e < map.first_edge[at(from) + 1]; ++e) {
    if (map.neighbour[at(e)] == to) return map.length_m[at(e)];
  }
  return kNoWay;
}

double length_of(const TopologicalMap& map, const std::vector<std::int32_t>& nodes) {
  double sum = 0;
  for (std::size_t i = 1; i < nodes.size(); ++i) sum += edge_m(map, nodes[i - 1], nodes[i]);
  return sum;
}

/// Is each step of a route back to the smallest node that is nearer and on a shortest way?
bool is_canonical(const TopologicalMap& map, const Route& route,
                  const std::vector<double>& distance) {
  for (std::size_t i = route.nodes.size(); i-- > 1;) {
    const std::int32_t v = route.nodes[i];
    for (std::int32_t p = 0; p < map.num_nodes(); ++p) {
      const double before = distance[at(p)];
      if (!(before < distance[at(v)] && before + edge_m(map, p, v) == distance[at(v)])) continue;
      if (p != route.nodes[i - 1]) return false;
      break;
    }
  }
  return true;
}

void expect_same(const Route& a, const Route& b) {
  EXPECT_EQ(a.nodes, b.nodes);
  EXPECT_EQ(a.length_m, b.length_m);
}

/// A square with two equal ways from 0 to 3, by 1 and by 2.
TopologicalMap square() {
  return host::topological_map_of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}},
                                  {{0, 1}, {0, 2}, {1, 3}, {2, 3}});
}

TEST(Routes, OfTwoEqualWaysTheOneBySmallerNodes) {
  EXPECT_EQ(host::shortest_route(square(), 0, 3).nodes, (std::vector<std::int32_t>{0, 1, 3}));
  EXPECT_EQ(host::shortest_route(square(), 3, 0).nodes, (std::vector<std::int32_t>{3, 1, 0}));
  EXPECT_EQ(host::shortest_route(square(), 0, 3).length_m, 2);
}

TEST(Routes, WalkedBackFromTheEndNotForwardsFromTheStart) {
  // From 0 to 5 by 1 and 4, or by 2 and 3: back from the end, 3 comes before 4.
  const TopologicalMap map =
      host::topological_map_of({{0, 0, 0}, {1, 1, 0}, {1, -1, 0}, {2, -1, 0}, {2, 1, 0}, {3, 0, 0}},
                               {{0, 1}, {1, 4}, {4, 5}, {0, 2}, {2, 3}, {3, 5}});
  EXPECT_EQ(host::shortest_route(map, 0, 5).nodes, (std::vector<std::int32_t>{0, 2, 3, 5}));
  expect_same(host::shortest_route(map, 0, 5), host::shortest_route_astar(map, 0, 5));
}

TEST(Routes, StayingIsAWayOfNoLength) {
  const Route route = host::shortest_route(square(), 2, 2);
  EXPECT_EQ(route.nodes, std::vector<std::int32_t>{2});
  EXPECT_EQ(route.length_m, 0);
}

TEST(Routes, NoWayIsAnEmptyRoute) {
  const TopologicalMap map =
      host::topological_map_of({{0, 0, 0}, {1, 0, 0}, {5, 0, 0}, {6, 0, 0}}, {{0, 1}, {2, 3}});
  EXPECT_TRUE(host::shortest_route(map, 0, 3).nodes.empty());
  EXPECT_TRUE(host::shortest_route_astar(map, 0, 3).nodes.empty());
  EXPECT_TRUE(host::shortest_routes(map, {{0, 3}})[0].nodes.empty());
  EXPECT_EQ(host::distances_from(map, 0), (std::vector<double>{0, 1, kNoWay, kNoWay}));
  EXPECT_EQ(host::components_of(map), (std::vector<std::int32_t>{0, 0, 2, 2}));
}

TEST(Routes, PlacesThatCoincideArePassedInTheirOrder) {
  // 1, 2 and 3 lie on one spot; 3 alone is joined to the end.
  const TopologicalMap map =
      host::topological_map_of({{0, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {2, 0, 0}},
                               {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {1, 3}});
  expect_same(host::shortest_route(map, 0, 4), host::shortest_route_astar(map, 0, 4));
  EXPECT_EQ(host::shortest_route(map, 0, 4).nodes, (std::vector<std::int32_t>{0, 1, 3, 4}));
  EXPECT_EQ(host::shortest_route(map, 2, 3).nodes, (std::vector<std::int32_t>{2, 3}));
  EXPECT_EQ(host::shortest_route(map, 4, 0).nodes, (std::vector<std::int32_t>{4, 3, 1, 0}));
}

TEST(Routes, AnUnknownNodeIsNamed) {
  const std::string expected = "route: there is no node 4; the map has 4";
  EXPECT_EQ(input_error_of([] { host::shortest_route(square(), 0, 4); }), expected);
  EXPECT_EQ(input_error_of([] { host::shortest_routes(square(), {{0, 1}, {4, 0}}); }), expected);
  EXPECT_EQ(input_error_of([] { host::distances_from(square(), 4); }), expected);
  EXPECT_EQ(input_error_of([] { host::shortest_route_astar(square(), -1, 0); }),
            "route: there is no node -1; the map has 4");
}

TEST(Routes, AMapWithoutNodes) {
  const TopologicalMap map = host::topological_map_of({}, {});
  EXPECT_TRUE(host::components_of(map).empty());
  EXPECT_TRUE(host::shortest_routes(map, {}).empty());
}

/// Dijkstra and A* against Floyd and Warshall, on maps where many ways are equally long.
class SmallMaps : public testing::TestWithParam<int> {};

TEST_P(SmallMaps, AgreeWithFloydAndWarshall) {
  Random random(static_cast<std::uint64_t>(GetParam()));
  const std::int64_t n = random.integer(2, 60);
  const TopologicalMap map = random_lattice_map(n, random.integer(1, 8), 3.0 / double(n), random);
  std::vector<std::vector<double>> table(at(n), std::vector<double>(at(n), kNoWay));
  for (std::int32_t a = 0; a < n; ++a) {
    for (std::int32_t b = 0; b < n; ++b) table[at(a)][at(b)] = a == b ? 0 : edge_m(map, a, b);
  }
  for (std::size_t k = 0; k < at(n); ++k) {
    for (std::size_t a = 0; a < at(n); ++a) {
      for (std::size_t b = 0; b < at(n); ++b) {
        table[a][b] = std::min(table[a][b], table[a][k] + table[k][b]);
      }
    }
  }
  constexpr double kSums = 1e-12;  // sums of at most 60 lengths of at most 12 m, in another order
  for (std::int32_t a = 0; a < n; ++a) {
    const std::vector<double> plain = plain_distances(map, a);
    EXPECT_EQ(host::distances_from(map, a), plain);
    for (std::int32_t b = 0; b < n; ++b) {
      const Route route = host::shortest_route(map, a, b);
      expect_same(route, host::shortest_route_astar(map, a, b));
      ASSERT_EQ(route.nodes.empty(), table[at(a)][at(b)] == kNoWay) << a << " to " << b;
      if (route.nodes.empty()) continue;
      EXPECT_NEAR(route.length_m, table[at(a)][at(b)], kSums);
      EXPECT_EQ(route.length_m, plain[at(b)]);
      EXPECT_EQ(route.length_m, length_of(map, route.nodes));
      EXPECT_EQ(route.nodes.front(), a);
      EXPECT_EQ(route.nodes.back(), b);
      EXPECT_TRUE(is_canonical(map, route, plain)) << a << " to " << b;
    }
  }
}

TEST_P(SmallMaps, ManyAtOnceOnAnyNumberOfThreads) {
  Random random(static_cast<std::uint64_t>(GetParam()) + 1000);
  const TopologicalMap map = random_lattice_map(60, 6, 0.05, random);
  std::vector<NodePair> pairs;
  for (int i = 0; i < 500; ++i) {
    pairs.push_back({static_cast<std::int32_t>(random.integer(0, 59)),
                     static_cast<std::int32_t>(random.integer(0, 59))});
  }
  for (const int threads : {0, 1, 2, 5}) {
    const std::vector<Route> routes = host::shortest_routes(map, pairs, threads);
    ASSERT_EQ(routes.size(), pairs.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      expect_same(routes[i], host::shortest_route(map, pairs[i].first, pairs[i].second));
    }
  }
}

/// Lengths of whole metres are the same bits from a moved or turned map; ids stay, so do routes.
TEST_P(SmallMaps, TurningAndMovingChangesNoRoute) {
  Random random(static_cast<std::uint64_t>(GetParam()) + 2000);
  const TopologicalMap map = random_lattice_map(40, 6, 0.08, random);
  std::vector<Vec3> places = map.position_m;
  for (Vec3& p : places) p = {-p.y + 1000, p.x - 512, p.z + 3};
  const TopologicalMap turned = host::topological_map_of(places, edges_of(map));
  for (std::int32_t b = 0; b < 40; ++b) {
    expect_same(host::shortest_route_astar(map, 0, b), host::shortest_route_astar(turned, 0, b));
  }
}

/// Other ids may choose another of equally long ways, never a longer one.
TEST_P(SmallMaps, OtherIdsChangeNoLength) {
  Random random(static_cast<std::uint64_t>(GetParam()) + 3000);
  const TopologicalMap map = random_lattice_map(40, 6, 0.08, random);
  std::vector<std::int32_t> new_id(40);
  for (std::int32_t i = 0; i < 40; ++i) new_id[at(i)] = i;
  for (std::int64_t i = 39; i > 0; --i) std::swap(new_id[at(i)], new_id[at(random.integer(0, i))]);
  std::vector<Vec3> nodes(40);
  std::vector<NodePair> edges;
  for (std::int32_t v = 0; v < 40; ++v) nodes[at(new_id[at(v)])] = map.position_m[at(v)];
  for (const auto& [a, b] : edges_of(map)) edges.push_back({new_id[at(a)], new_id[at(b)]});
  const TopologicalMap other = host::topological_map_of(nodes, edges);
  for (std::int32_t b = 0; b < 40; ++b) {
    EXPECT_EQ(host::shortest_route(map, 0, b).length_m,
              host::shortest_route(other, new_id[0], new_id[at(b)]).length_m);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, SmallMaps, testing::Range(0, 12));

}  // namespace
}  // namespace sightline::tests
