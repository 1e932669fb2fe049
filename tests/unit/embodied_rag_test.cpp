// Embodied-RAG's forest: its clustering against the greedy definition, its levels, its two
// searches.
#include "host/meta_memory/embodied_rag.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "host/random.h"

namespace sightline::host {
namespace {

using kernels::Vec3;

double distance(const Vec3& a, const Vec3& b) {
  const Vec3 apart = kernels::minus(a, b);
  return std::sqrt(kernels::dot(apart, apart));
}

/// By the definition: the two clusters whose farthest members are nearest are merged, again and
/// again.
std::vector<std::vector<std::int32_t>> greedy(const std::vector<Vec3>& points, double threshold_m) {
  std::vector<std::vector<std::int32_t>> clusters;
  for (std::size_t i = 0; i < points.size(); ++i)
    clusters.push_back({static_cast<std::int32_t>(i)});
  const auto farthest = [&](const auto& a, const auto& b) {
    double most = 0;
    for (const std::int32_t i : a) {
      for (const std::int32_t j : b) {
        most = std::max(most, distance(points[static_cast<std::size_t>(i)],
                                       points[static_cast<std::size_t>(j)]));
      }
    }
    return most;
  };
  for (;;) {
    double least = threshold_m;
    std::size_t a = 0, b = 0;
    for (std::size_t i = 0; i < clusters.size(); ++i) {
      for (std::size_t j = i + 1; j < clusters.size(); ++j) {
        const double apart = farthest(clusters[i], clusters[j]);
        if (apart < least) least = apart, a = i, b = j;
      }
    }
    if (b == 0) break;
    clusters[a].insert(clusters[a].end(), clusters[b].begin(), clusters[b].end());
    clusters.erase(clusters.begin() + static_cast<std::ptrdiff_t>(b));
  }
  for (auto& cluster : clusters) std::sort(cluster.begin(), cluster.end());
  std::sort(clusters.begin(), clusters.end());
  return clusters;
}

std::vector<Vec3> random_points(std::uint64_t seed, std::size_t count, double side_m) {
  std::vector<Vec3> points;
  for (std::size_t i = 0; i < count; ++i) {
    RandomItem random(seed, 0x666f72657374, i);
    const double x = side_m * random.uniform(), y = side_m * random.uniform();
    points.push_back({x, y, random.uniform()});
  }
  return points;
}

TEST(CompleteLinkage, IsTheGreedyOne) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const std::vector<Vec3> points = random_points(seed, 30, 40);
    for (const double threshold_m : {2.0, 7.0, 15.0, 100.0}) {
      EXPECT_EQ(complete_linkage(points, threshold_m), greedy(points, threshold_m))
          << seed << " " << threshold_m;
    }
  }
}

TEST(CompleteLinkage, MergesBelowTheThresholdNotAtIt) {
  const std::vector<Vec3> points{{0, 0, 0}, {10, 0, 0}};
  EXPECT_EQ(complete_linkage(points, 10).size(), 2U);
  EXPECT_EQ(complete_linkage(points, 10.01).size(), 1U);
  EXPECT_TRUE(complete_linkage({}, 1).empty());
}

std::vector<std::string> texts_of(std::size_t count) {
  return std::vector<std::string>(count, "a corridor");
}

TEST(SemanticForest, EveryLeafIsUnderOneNodeOfEachLevel) {
  const std::vector<Vec3> points = random_points(3, 200, 120);
  const SemanticForest forest = build_forest(points, texts_of(points.size()), {});
  const std::vector<std::int64_t> counts = forest.level_counts();
  EXPECT_EQ(counts[0], 200);
  for (std::size_t level = 1; level < counts.size(); ++level) {
    EXPECT_LE(counts[level], counts[level - 1]);
    std::vector<int> seen(points.size(), 0);
    for (const ForestNode& node : forest.nodes) {
      if (node.level != static_cast<std::int32_t>(level)) continue;
      for (const std::int32_t leaf : node.leaves) ++seen[static_cast<std::size_t>(leaf)];
    }
    EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), 200) << level;
  }
}

TEST(SemanticForest, AParentLiesAtTheMeanOfItsLeaves) {
  const SemanticForest forest =
      build_forest({{0, 0, 0}, {2, 0, 0}, {4, 0, 0}, {100, 0, 0}}, texts_of(4), {});
  const ForestNode& first = forest.nodes[4];
  EXPECT_EQ(first.leaves, (std::vector<std::int32_t>{0, 1, 2}));
  EXPECT_DOUBLE_EQ(first.position_m.x, 2);
  EXPECT_EQ(forest.nodes[3].parent, 5) << "too far from any centre: a cluster of its own";
}

TEST(SemanticForest, ASingletonJoinsTheNearestCentreWithinTheThreshold) {
  // 9.5 and 10.5 m from two that are one cluster: too far for complete linkage at 10 m, not for
  // their centre.
  const SemanticForest forest = build_forest({{0, 0, 0}, {1, 0, 0}, {10.5, 0, 0}}, texts_of(3), {});
  EXPECT_EQ(forest.nodes[2].parent, forest.nodes[0].parent);
}

TEST(SemanticForest, DescendsToTheLeafThatIsAskedFor) {
  const std::vector<Vec3> points{{0, 0, 0}, {3, 0, 0}, {200, 0, 0}, {203, 0, 0}};
  const std::vector<std::string> texts{"a red mug", "a desk", "a vending machine",
                                       "a bicycle rack"};
  const SemanticForest forest = build_forest(points, texts, {});
  EXPECT_EQ(descend(forest, "where is the vending machine", {0.1, 0, 0.8, 0.1}), 2);
  EXPECT_EQ(descend(forest, "where is the red mug", {0.7, 0.2, 0, 0}), 0);
  // It never looks back: a branch that its summary hides is lost.
  EXPECT_EQ(descend(forest, "where is the red mug", {0.2, 0.1, 0.9, 0}), 0);
}

TEST(SemanticForest, TheMostSimilarNodeIsAboveSixTenths) {
  const std::vector<Vec3> points{{0, 0, 0}, {3, 0, 0}, {200, 0, 0}};
  const SemanticForest forest =
      build_forest(points, {"a red mug", "a desk", "a vending machine"}, {});
  EXPECT_EQ(most_similar_node(forest, "bicycle", {0.59, 0.1, 0.6}), -1);
  EXPECT_EQ(most_similar_node(forest, "bicycle", {0.59, 0.1, 0.61}), 2);
}

/// Two mugs and two desks, far apart: under each pair a chain of five nodes with its words.
SemanticForest mugs_and_desks() {
  const SemanticForest forest = build_forest({{0, 0, 0}, {2, 0, 0}, {500, 0, 0}, {505, 0, 0}},
                                             {"a red mug", "a red mug", "a desk", "a desk"}, {});
  EXPECT_EQ(forest.level_counts(), (std::vector<std::int64_t>{4, 2, 2, 2, 2, 2}));
  return forest;
}

TEST(SemanticForest, EveryAncestorThatIsLikeTheQuestionRaisesANodeByAFifth) {
  const SemanticForest forest = mugs_and_desks();
  // The five nodes above the first mug are the question itself: 0.9 by 1.2 to the fifth is most.
  const std::vector<double> alike{0.9, 0.1, 0.95, 0.1};
  EXPECT_EQ(most_similar_node(forest, "a red mug", alike, 4), 0);
  EXPECT_EQ(most_similar_node(forest, "a red mug", alike, 3), 4) << "it is the seventh of all";
  // 2.24 is less than 2.3; what lies near on other levels is no neighbour, else it would be more.
  EXPECT_EQ(most_similar_node(forest, "a red mug", {0.9, 0.1, 2.3, 0.1}, 5), 2);
}

TEST(SemanticForest, NeighboursRaiseANodeByAFifthOfTheirMean) {
  const std::vector<double> alike{0.7, 0.65, 0.72, 0.71};
  // 0.7 (1 + 0.2 * 0.65) is more than 0.72, whose like is 5 m off.
  EXPECT_EQ(most_similar_node(mugs_and_desks(), "bicycle", alike, 5), 0);
  const auto with_height = [&](double z) {
    const SemanticForest forest = build_forest({{0, 0, 0}, {2, 0, 0}, {500, 0, 0}, {501, 0, z}},
                                               {"a red mug", "a red mug", "a desk", "a desk"}, {});
    return most_similar_node(forest, "bicycle", alike, 5);
  };
  EXPECT_EQ(with_height(0.9), 2);
  EXPECT_EQ(with_height(1), 0) << "on another floor";
}

TEST(SemanticForest, OfNothingIsEmpty) {
  const SemanticForest forest = build_forest({}, {}, {});
  EXPECT_EQ(descend(forest, "a mug", {}), -1);
  EXPECT_EQ(most_similar_node(forest, "a mug", {}), -1);
}

}  // namespace
}  // namespace sightline::host
