// Which entries become nodes, and which nodes are joined.
#include "host/meta_memory/topological_map.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "host/error.h"
#include "support/errors.h"
#include "support/maps.h"

namespace sightline::tests {
namespace {

using host::DrivenPlace;
using host::TopologicalMap;
using host::TopologicalMapOptions;
using kernels::Vec3;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kPi = 3.14159265358979323846;

/// Entries of one sequence, 3 s apart.
std::vector<DrivenPlace> driven(const std::vector<Vec3>& places, std::uint16_t sequence = 0) {
  std::vector<DrivenPlace> entries;
  for (const Vec3& place : places) {
    entries.push_back({sequence, 3.0 * static_cast<double>(entries.size()), place, kNaN});
  }
  return entries;
}

/// No edges but driven ones.
TopologicalMapOptions only_driven() {
  TopologicalMapOptions options;
  options.num_nearest = 0;
  return options;
}

using Edges = std::vector<NodePair>;
using Nodes = std::vector<std::int32_t>;

TEST(TopologicalMap, EntriesLessThanAStepFromTheLastKeptOneAreLeftOut) {
  // Steps add up: 0.6 m is near to 0, and so is nothing at exactly 1.
  const TopologicalMap map = host::make_topological_map(
      driven({{0, 0, 0}, {0.6, 0, 0}, {1, 0, 0}, {1.9, 0, 0}, {2.2, 0, 0}, {2.3, 0, 0}}),
      only_driven());
  EXPECT_EQ(map.node_of_entry, (Nodes{0, 0, 1, 1, 2, 3}));  // the last one is kept
  EXPECT_EQ(map.position_m[2].x, 2.2);
  EXPECT_EQ(edges_of(map), (Edges{{0, 1}, {1, 2}, {2, 3}}));
}

TEST(TopologicalMap, ATurnOnTheSpotIsKept) {
  std::vector<DrivenPlace> entries = driven(std::vector<Vec3>(6, Vec3{0, 0, 0}));
  const double yaw_deg[] = {170, -165, 160, -160, kNaN, 0};  // 25 degrees on, back, 30 on
  for (std::size_t i = 0; i < entries.size(); ++i) entries[i].yaw_rad = yaw_deg[i] * kPi / 180;
  TopologicalMapOptions options = only_driven();
  options.min_turn_deg = 29.9;
  EXPECT_EQ(host::make_topological_map(entries, options).node_of_entry, (Nodes{0, 0, 0, 1, 1, 2}));
  options.min_turn_deg = 31;
  EXPECT_EQ(host::make_topological_map(entries, options).node_of_entry, (Nodes{0, 0, 0, 0, 0, 1}));
}

TEST(TopologicalMap, DrivenEdgesEndAtLongStepsAndLongTimes) {
  std::vector<DrivenPlace> entries =
      driven({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {7, 0, 0}, {12.1, 0, 0}, {13, 9, 0}, {14, 9, 0}});
  entries[6].time_s = entries[5].time_s + 9.1;
  // Steps 1, 1, 5, 5.1, 9.04, 1: median 3, so 9 m are the most; time: 9 s.
  const TopologicalMap map = host::make_topological_map(entries, only_driven());
  EXPECT_EQ(edges_of(map), (Edges{{0, 1}, {1, 2}, {2, 3}, {3, 4}}));
  entries[6].time_s = entries[5].time_s + 9;
  EXPECT_EQ(edges_of(host::make_topological_map(entries, only_driven())).size(), 5u);
}

TEST(TopologicalMap, DrivenEdgesNeedNoSight) {
  TopologicalMapOptions options;
  options.is_free = [](const std::vector<Vec3>& from, const std::vector<Vec3>&) {
    return std::vector<std::uint8_t>(from.size(), 0);
  };
  EXPECT_EQ(
      edges_of(host::make_topological_map(driven({{0, 0, 0}, {2, 0, 0}, {4, 0, 0}}), options)),
      (Edges{{0, 1}, {1, 2}}));
}

TEST(TopologicalMap, SequencesAreJoinedWhereTheyAreNearAndLevel) {
  std::vector<DrivenPlace> entries = driven({{0, 0, 0}, {4, 0, 0}});
  for (const DrivenPlace& entry : driven({{0, 3, 0}, {4, 2, 1.1}, {4, 2.9, 0}}, 1)) {
    entries.push_back(entry);
  }
  // Nodes 2, 3, 4; 3 lies too high for 1, and 2 at just 3 m of 0.
  EXPECT_EQ(edges_of(host::make_topological_map(entries, {})),
            (Edges{{0, 1}, {0, 2}, {1, 4}, {2, 3}, {3, 4}}));
}

TEST(TopologicalMap, ReachGrowsWithTheStepWhereItSees) {
  std::vector<DrivenPlace> entries = driven({{0, 0, 0}, {4, 0, 0}, {8, 0, 0}});
  for (const DrivenPlace& entry : driven({{0, 9.9, 0}, {4, 10.1, 0}, {8, 9.9, 0}}, 1)) {
    entries.push_back(entry);
  }
  EXPECT_EQ(num_components(host::make_topological_map(entries, {})), 2);
  TopologicalMapOptions options;
  std::size_t num_asked = 0;
  options.is_free = [&](const std::vector<Vec3>& from, const std::vector<Vec3>& to) {
    std::vector<std::uint8_t> free;
    for (std::size_t i = 0; i < from.size(); ++i) free.push_back(from[i].x == to[i].x ? 1 : 0);
    num_asked += free.size();
    return free;
  };
  // Median step 4.0 and a bit: 10 m and a bit of reach, less than the middle pair would need.
  const TopologicalMap map = host::make_topological_map(entries, options);
  EXPECT_EQ(edges_of(map), (Edges{{0, 1}, {0, 3}, {1, 2}, {2, 5}, {3, 4}, {4, 5}}));
  EXPECT_EQ(num_asked, 8u);  // both rows' 3 pairs and the 2 across within 10.006 m
  options.reach_m = 9;
  EXPECT_EQ(num_components(host::make_topological_map(entries, options)), 2);
}

TEST(TopologicalMap, OnlyTheNearestAreCandidates) {
  std::vector<DrivenPlace> entries;
  for (int i = 0; i < 6; ++i) {  // sequences of one entry each: nobody drove from one to another
    entries.push_back({static_cast<std::uint16_t>(i), 0, {2.0 * i, 0, 0}, kNaN});
  }
  TopologicalMapOptions options;
  options.num_nearest = 1;
  // Each to the nearest; of two equally near ones to the lower.
  EXPECT_EQ(edges_of(host::make_topological_map(entries, options)).size(), 5u);
  entries[5].position_m = {4, 0, 1.5};  // the nearest to 2, too high for an edge
  EXPECT_EQ(edges_of(host::make_topological_map(entries, options)),
            (Edges{{0, 1}, {1, 2}, {2, 3}, {3, 4}}));
}

/// All pairs, sorted: what the tree finds.
TEST(TopologicalMap, SeenEdgesAreThoseOfAScan) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    Random random(seed);
    std::vector<DrivenPlace> entries;
    for (int i = 0; i < 120; ++i) {
      entries.push_back({static_cast<std::uint16_t>(i),
                         0,
                         {double(random.integer(0, 8)), double(random.integer(0, 8)),
                          double(random.integer(0, 2))},
                         kNaN});
    }
    Edges expected;
    for (std::int32_t a = 0; a < 120; ++a) {
      std::vector<std::pair<double, std::int32_t>> near;
      for (std::int32_t b = 0; b < 120; ++b) {
        const Vec3 d =
            kernels::minus(entries[std::size_t(b)].position_m, entries[std::size_t(a)].position_m);
        const double squared = kernels::dot(d, d);
        if (a != b && squared <= 9 && std::fabs(d.z) <= 1) near.push_back({squared, b});
      }
      std::sort(near.begin(), near.end());
      if (near.size() > 8) near.resize(8);
      for (const auto& [squared, b] : near) expected.push_back({std::min(a, b), std::max(a, b)});
    }
    std::sort(expected.begin(), expected.end());
    expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
    EXPECT_EQ(edges_of(host::make_topological_map(entries, {})), expected) << seed;
  }
}

TEST(TopologicalMap, EdgesOfAMapOfGivenNodes) {
  const TopologicalMap map =
      host::topological_map_of({{0, 0, 0}, {3, 4, 0}, {3, 4, 12}}, {{1, 0}, {0, 1}, {1, 2}});
  EXPECT_EQ(edges_of(map), (Edges{{0, 1}, {1, 2}}));
  EXPECT_EQ(map.length_m, (std::vector<double>{5, 5, 12, 12}));
  EXPECT_TRUE(map.node_of_entry.empty());
  EXPECT_EQ(input_error_of([] {
              host::topological_map_of({{0, 0, 0}}, {{0, 0}});
            }),
            "topological map: edge 0 joins node 0 with itself");
  EXPECT_EQ(input_error_of([] {
              host::topological_map_of({{0, 0, 0}}, {{0, 1}});
            }),
            "topological map: edge 0 names node 1; there are 1");
  EXPECT_EQ(input_error_of([] {
              host::topological_map_of({{0, kNaN, 0}}, {});
            }),
            "topological map: node 0 is not at a finite place");
}

TEST(TopologicalMap, NoEntriesAreAnEmptyMap) {
  const TopologicalMap map = host::make_topological_map({}, {});
  EXPECT_EQ(map.num_nodes(), 0);
  EXPECT_EQ(host::snap(map, {0, 0, 0}).node, -1);
  EXPECT_EQ(host::snap_all(map, {{0, 0, 0}})[0].node, -1);
}

TEST(TopologicalMap, BadEntriesAndOptionsAreNamed) {
  std::vector<DrivenPlace> entries = driven({{0, 0, 0}, {1, 0, 0}});
  entries[1].time_s = -1;
  EXPECT_EQ(input_error_of([&] { host::make_topological_map(entries, {}); }),
            "topological map: entry 1 was made before entry 0 of its sequence; sort the entries of "
            "a sequence by time");
  entries[1].position_m.y = kNaN;
  EXPECT_EQ(input_error_of([&] { host::make_topological_map(entries, {}); }),
            "topological map: entry 1 has a place or time that is not finite");
  TopologicalMapOptions options;
  options.reach_m = -2;
  EXPECT_EQ(input_error_of([&] { host::make_topological_map({}, options); }),
            "topological map: reach_m is -2; must be finite and at least 0");
  TopologicalMapOptions silent;
  silent.is_free = [](const auto&, const auto&) { return std::vector<std::uint8_t>(); };
  EXPECT_EQ(input_error_of([&] {
              host::make_topological_map(driven({{0, 0, 0}, {1, 0, 0}}), silent);
            }),
            "topological map: is_free gave 0 answers to 1 pairs");
}

TEST(Snap, ToTheNearestLevelNodeAndOfTwoTheLower) {
  const TopologicalMap map =
      host::topological_map_of({{0, 0, 0}, {4, 0, 0}, {2, 0, 1.6}, {2, 0, 30}}, {});
  EXPECT_EQ(host::snap(map, {2, 0, 0}).node, 0);  // 2 lies too high
  EXPECT_EQ(host::snap(map, {2, 0, 0.1}).node, 2);
  EXPECT_EQ(host::snap(map, {2.5, 0, 0}).node, 1);
  EXPECT_EQ(host::snap(map, {2, 0, 10}).node, -1);
  EXPECT_FALSE(host::snap(map, {2, 0, 10}).is_on_map);
  EXPECT_TRUE(host::snap(map, {19, 0, 0}).is_on_map);
  EXPECT_FALSE(host::snap(map, {19.01, 0, 0}).is_on_map);
  EXPECT_EQ(host::snap(map, {19.01, 0, 0}).node, 1);
  EXPECT_EQ(host::snap(map, {4, 3, 0}).distance_m, 3);
  EXPECT_EQ(input_error_of([&] {
              host::snap(map, {kNaN, 0, 0});
            }),
            "a place to find on the map is not finite");
}

TEST(Snap, ManyAtOnceAsOneByOne) {
  Random random(5);
  std::vector<Vec3> nodes, places;
  for (int i = 0; i < 300; ++i) {  // floors 3 m apart, so that most near nodes are on others
    nodes.push_back({double(random.integer(0, 5)), double(random.integer(0, 5)),
                     3.0 * double(random.integer(0, 9))});
    places.push_back({random.uniform(-20, 25), random.uniform(0, 5), random.uniform(-3, 30)});
  }
  nodes.push_back({3, 3, 100});
  places.push_back({3, 30, 100});
  const TopologicalMap map = host::topological_map_of(nodes, {});
  const std::vector<host::Snapped> snapped = host::snap_all(map, places);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const host::Snapped one = host::snap(map, places[i]);
    EXPECT_EQ(snapped[i].node, one.node) << i;
    EXPECT_EQ(snapped[i].distance_m, one.distance_m);
    EXPECT_EQ(snapped[i].is_on_map, one.is_on_map);
  }
}

}  // namespace
}  // namespace sightline::tests
