// Clusters by complete linkage against a plain merge of everything, the forest they make, and the
// way down it.
#include "index/routing.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "support/search.h"

namespace sightline::tests {
namespace {

using index::build_forest;
using index::complete_linkage;
using index::Forest;
using index::ForestNode;
using index::ForestOptions;
using index::Point;

constexpr std::uint64_t kSeed = 20240908;

std::vector<Point> places(std::int64_t num, std::uint64_t seed, bool on_lattice) {
  Random random(seed);
  std::vector<Point> points;
  for (std::int64_t i = 0; i < num; ++i) {
    Point point{random.uniform(0, 60), 0, random.uniform(0, 60)};
    if (on_lattice) point = {std::round(point[0] / 6) * 6, 0, std::round(point[2] / 6) * 6};
    points.push_back(point);
  }
  return points;
}

double distance(const Point& a, const Point& b) {
  return std::sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                   (a[2] - b[2]) * (a[2] - b[2]));
}

/// Merges the two clusters of least (farthest distance, first members) until none is below the
/// threshold; all distances are taken again each time.
std::vector<std::int64_t> plain_linkage(const std::vector<Point>& points, double threshold) {
  std::vector<std::vector<std::size_t>> clusters;  // in the order of their first members
  for (std::size_t i = 0; i < points.size(); ++i) clusters.push_back({i});
  for (;;) {
    double least = threshold;
    std::size_t a = 0, b = 0;
    for (std::size_t i = 0; i < clusters.size(); ++i) {
      for (std::size_t j = i + 1; j < clusters.size(); ++j) {
        double farthest = 0;
        for (const std::size_t p : clusters[i]) {
          for (const std::size_t q : clusters[j]) {
            farthest = std::max(farthest, distance(points[p], points[q]));
          }
        }
        if (farthest < least) {
          least = farthest;
          a = i;
          b = j;
        }
      }
    }
    if (a == b) break;
    clusters[a].insert(clusters[a].end(), clusters[b].begin(), clusters[b].end());
    clusters.erase(clusters.begin() + static_cast<std::ptrdiff_t>(b));
  }
  std::vector<std::int64_t> labels(points.size());
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    for (const std::size_t p : clusters[i]) labels[p] = static_cast<std::int64_t>(i);
  }
  return labels;
}

TEST(CompleteLinkage, MergesAsAPlainOneDoes) {
  for (std::uint64_t seed = kSeed; seed < kSeed + 6; ++seed) {
    for (const bool on_lattice : {false, true}) {  // on a lattice nearly all distances are tied
      const std::vector<Point> points = places(60, seed, on_lattice);
      for (const double threshold : {0.5, 6.0, 10.0, 25.0, 100.0}) {
        ASSERT_EQ(complete_linkage(points, threshold), plain_linkage(points, threshold))
            << "seed " << seed << ", threshold " << threshold;
      }
    }
  }
  EXPECT_TRUE(complete_linkage({}, 1).empty());
}

/// Every node is where it must be: children point back, leaves are complete, positions are means.
void expect_sound(const Forest& forest, const std::vector<Point>& points) {
  std::multiset<std::int64_t> rooted;
  for (const std::int64_t root : forest.roots) {
    const ForestNode& node = forest.nodes[static_cast<std::size_t>(root)];
    EXPECT_EQ(node.parent, -1);
    rooted.insert(node.leaves.begin(), node.leaves.end());
  }
  EXPECT_EQ(rooted.size(), points.size());
  EXPECT_EQ(std::set<std::int64_t>(rooted.begin(), rooted.end()).size(), points.size());
  for (std::size_t i = 0; i < forest.nodes.size(); ++i) {
    const ForestNode& node = forest.nodes[i];
    if (node.level == 0) {
      EXPECT_EQ(node.position_m, points[i]);
      continue;
    }
    std::set<std::int64_t> below;
    for (const std::int64_t child : node.children) {
      const ForestNode& lower = forest.nodes[static_cast<std::size_t>(child)];
      EXPECT_EQ(lower.parent, static_cast<std::int64_t>(i));
      EXPECT_EQ(lower.level, node.level - 1);
      below.insert(lower.leaves.begin(), lower.leaves.end());
    }
    EXPECT_EQ(below, std::set<std::int64_t>(node.leaves.begin(), node.leaves.end()));
    double x = 0;
    for (const std::int64_t leaf : node.leaves) x += points[static_cast<std::size_t>(leaf)][0];
    EXPECT_EQ(node.position_m[0], x / static_cast<double>(node.leaves.size()));
  }
}

TEST(Forest, HoldsEveryPlaceOnceOnEachLevel) {
  for (const std::int64_t num : {0, 1, 2, 40, 150}) {
    const std::vector<Point> points = places(num, kSeed, false);
    const Forest forest = build_forest(points, ForestOptions{});
    expect_sound(forest, points);
    EXPECT_LT(forest.roots.size(), num > 2 ? points.size() : 3);
  }
}

TEST(Forest, LetsASingleJoinAClusterNearby) {
  // Two pairs, a place 9 m beyond the one pair's centre that no pair takes, and one far away.
  const std::vector<Point> points{{0, 0, 0},  {4, 0, 0},  {11, 0, 0},
                                  {30, 0, 0}, {34, 0, 0}, {90, 0, 0}};
  ForestOptions options;
  options.thresholds_m = {10};
  const Forest forest = build_forest(points, options);
  ASSERT_EQ(forest.roots.size(), 3u);
  EXPECT_EQ(forest.nodes[6].leaves, (std::vector<std::int64_t>{0, 1, 2}));
  EXPECT_EQ(forest.nodes[7].leaves, (std::vector<std::int64_t>{3, 4}));
  EXPECT_EQ(forest.nodes[8].leaves, (std::vector<std::int64_t>{5}));
  EXPECT_EQ(forest.nodes[6].position_m, (Point{5, 0, 0}));
}

TEST(Descend, FollowsTheBestOfEachLevel) {
  const std::vector<Point> points = places(120, kSeed, false);
  const Forest forest = build_forest(points, ForestOptions{});
  const Point goal = points[77];
  const auto nearness = [&](std::int64_t node) {
    return -distance(forest.nodes[static_cast<std::size_t>(node)].position_m, goal);
  };
  // The plain way down: the best root, then the best child.
  const auto best_of = [&](const std::vector<std::int64_t>& nodes) {
    std::int64_t best = nodes[0];
    for (const std::int64_t node : nodes) best = nearness(node) > nearness(best) ? node : best;
    return best;
  };
  std::int64_t node = best_of(forest.roots);
  while (forest.nodes[static_cast<std::size_t>(node)].level > 0) {
    node = best_of(forest.nodes[static_cast<std::size_t>(node)].children);
  }
  EXPECT_EQ(descend(forest, nearness), (std::vector<std::int64_t>{node}));
  // With every path kept nothing is missed.
  const std::vector<std::int64_t> all = descend(forest, nearness, 120);
  EXPECT_EQ(all.size(), 120u);
  EXPECT_EQ(all[0], 77);
  EXPECT_TRUE(descend(Forest{}, nearness).empty());
  // Equal scores: the lower node.
  EXPECT_EQ(descend(build_forest({{5, 0, 0}, {0, 0, 0}}, {}), [](std::int64_t) { return 1.0; }),
            (std::vector<std::int64_t>{0}));
}

TEST(Routing, RefusesWhatItCannotCluster) {
  const double nan = std::nan("");
  EXPECT_TRUE(says(bad_input_of([&] { complete_linkage({{0, nan, 0}}, 1); }), "point 0"));
  EXPECT_TRUE(says(bad_input_of([&] { complete_linkage({{0, 0, 0}}, 0); }), "threshold"));
  EXPECT_TRUE(says(bad_input_of([&] { complete_linkage(std::vector<Point>(8193), 1); }), "8193"));
  ForestOptions options;
  options.thresholds_m = {10, 10};
  EXPECT_TRUE(says(bad_input_of([&] { build_forest({}, options); }), "of level 2"));
  const Forest forest = build_forest({{0, 0, 0}}, {});
  EXPECT_TRUE(
      says(bad_input_of([&] { descend(forest, [&](std::int64_t) { return nan; }); }), "NaN"));
  EXPECT_TRUE(says(bad_input_of([&] {
                     descend(
                         forest, [](std::int64_t) { return 1.0; }, 0);
                   }),
                   "k 0"));
}

}  // namespace
}  // namespace sightline::tests
