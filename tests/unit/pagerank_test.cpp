// Personalised PageRank against the linear system it solves.
#include "index/pagerank.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "support/search.h"

namespace sightline::tests {
namespace {

using index::PageRank;
using index::PageRankGraph;
using index::PageRankOptions;
using index::WeightedEdge;

constexpr std::uint64_t kSeed = 20240907;
constexpr double kTolerance = 1e-9;  // of a share: ten times the iteration's own

/// Solves (I - d A) p = (1 - d) r by Gaussian elimination, A column-normalised, columns of nodes
/// without edges equal to r.
std::vector<double> solve(std::size_t num, const std::vector<WeightedEdge>& edges,
                          const std::vector<double>& r, double d) {
  std::vector<std::vector<double>> a(num, std::vector<double>(num, 0));
  for (const WeightedEdge& edge : edges) {
    const auto i = static_cast<std::size_t>(edge.a), j = static_cast<std::size_t>(edge.b);
    a[i][j] += edge.weight;
    if (i != j) a[j][i] += edge.weight;
  }
  std::vector<std::vector<double>> system(num, std::vector<double>(num + 1, 0));
  for (std::size_t j = 0; j < num; ++j) {
    double column = 0;
    for (std::size_t i = 0; i < num; ++i) column += a[i][j];
    for (std::size_t i = 0; i < num; ++i) {
      const double share = column > 0 ? a[i][j] / column : r[i];
      system[i][j] = (i == j ? 1 : 0) - d * share;
    }
    system[j][num] = (1 - d) * r[j];
  }
  for (std::size_t pivot = 0; pivot < num; ++pivot) {  // diagonally dominant: no exchange of rows
    for (std::size_t i = 0; i < num; ++i) {
      if (i == pivot) continue;
      const double factor = system[i][pivot] / system[pivot][pivot];
      for (std::size_t j = pivot; j <= num; ++j) system[i][j] -= factor * system[pivot][j];
    }
  }
  std::vector<double> p;
  for (std::size_t i = 0; i < num; ++i) p.push_back(system[i][num] / system[i][i]);
  return p;
}

TEST(PageRankOfAGraph, SolvesItsEquation) {
  for (std::uint64_t seed = kSeed; seed < kSeed + 10; ++seed) {
    Random random(seed);
    constexpr std::int64_t kNodes = 25;
    std::vector<WeightedEdge> edges;  // few: some nodes have none; loops and repeats occur
    for (int i = 0; i < 20; ++i) {
      edges.push_back(
          {random.integer(0, kNodes - 1), random.integer(0, kNodes - 1), random.uniform(0, 3)});
    }
    edges.push_back(edges[0]);
    std::vector<double> reset(kNodes, 0);
    for (int i = 0; i < 4; ++i) reset[static_cast<std::size_t>(random.integer(0, 24))] += 2;
    const double sum = std::accumulate(reset.begin(), reset.end(), 0.0);
    std::vector<double> r;
    for (const double value : reset) r.push_back(value / sum);
    for (const double damping : {0.0, 0.5, 0.85}) {
      PageRankOptions options;
      options.damping = damping;
      const PageRank rank = PageRankGraph(kNodes, edges).rank(reset, options);
      EXPECT_TRUE(rank.converged) << "seed " << seed;
      EXPECT_NEAR(std::accumulate(rank.p.begin(), rank.p.end(), 0.0), 1, kTolerance);
      const std::vector<double> expected = solve(kNodes, edges, r, damping);
      for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_NEAR(rank.p[i], expected[i], kTolerance) << "seed " << seed << ", node " << i;
      }
    }
  }
}

TEST(PageRankOfAGraph, DoesNotDependOnTheOrderOfItsEdges) {
  std::vector<WeightedEdge> edges{{0, 1, 0.3}, {1, 2, 0.7}, {2, 0, 0.1}, {1, 0, 0.9}};
  const PageRank a = PageRankGraph(4, edges).rank({1, 0, 0, 1});
  std::reverse(edges.begin(), edges.end());
  const PageRank b = PageRankGraph(4, edges).rank({1, 0, 0, 1});
  EXPECT_EQ(a.p, b.p);
}

TEST(PageRankOfAGraph, TellsWhereItStopped) {
  PageRankOptions options;
  options.max_steps = 2;
  const PageRank rank = PageRankGraph(3, {{0, 1, 1}, {1, 2, 1}}).rank({1, 0, 0}, options);
  EXPECT_FALSE(rank.converged);
  EXPECT_EQ(rank.num_steps, 2);
  EXPECT_GT(rank.change, options.tolerance);
}

TEST(PageRankOfAGraph, RefusesWhatIsNoGraphOrReset) {
  const auto graph = [](const WeightedEdge& edge) {
    return bad_input_of([&] { PageRankGraph(3, {{0, 1, 1}, edge}); });
  };
  EXPECT_TRUE(says(graph({0, 3, 1}), "edge 1 names node 3"));
  EXPECT_TRUE(says(graph({0, 1, -1}), "edge 1 weighs"));
  EXPECT_TRUE(says(graph({0, 1, std::nan("")}), "edge 1 weighs"));
  const PageRankGraph good(3, {{0, 1, 1}});
  EXPECT_TRUE(says(bad_input_of([&] { good.rank({1, 1}); }), "reset of 2 nodes"));
  EXPECT_TRUE(says(bad_input_of([&] { good.rank({1, -1, 1}); }), "node 1"));
  EXPECT_TRUE(says(bad_input_of([&] { good.rank({0, 0, 0}); }), "sums to 0"));
  PageRankOptions options;
  options.damping = 1;
  EXPECT_TRUE(says(bad_input_of([&] { good.rank({1, 0, 0}, options); }), "damping"));
}

}  // namespace
}  // namespace sightline::tests
