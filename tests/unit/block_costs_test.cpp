// What blocks cost next to each other, by which they are dealt to shards and ranks.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "host/sweep/experiment.h"
#include "support/sweep_plans.h"

namespace sightline::tests {
namespace {

/// Of the blocks of a sweep, in order of their first configurations.
std::vector<double> costs_of(const std::string& sweep) {
  std::vector<double> costs;
  for (const host::Block& block : host::plan_blocks(plan_of(sweep))) costs.push_back(block.cost);
  return costs;
}

TEST(BlockCosts, OfRecallGrowWithMemoriesQueriesAndConfigurations) {
  const auto sweep = [](const std::string& axes) {
    return "memories: {uniform: {count: 1000}}\n"
           "queries: {targets: {random: 10}, offset_m: 3}\n"
           "arms: {vector: {recall: {weights: {relevance: 1}}}}\naxes: " +
           axes;
  };
  const std::vector<double> memories =
      costs_of(sweep("{memories.uniform.count: [200, 100000], seed: [1, 2]}"));
  ASSERT_EQ(memories.size(), 4u);
  EXPECT_EQ(memories[0], memories[1]);
  EXPECT_GE(memories[2], 400 * memories[0]);
  const std::vector<double> queries =
      costs_of(sweep("{queries.targets.random: [1, 60], recall.k: [1, 2, 3]}"));
  ASSERT_EQ(queries.size(), 2u);
  EXPECT_GT(queries[1], queries[0]);
  EXPECT_LE(queries[1], 60 * queries[0]);
  EXPECT_GT(costs_of(sweep("{recall.k: [1, 2, 3]}")).at(0), costs_of(sweep("{seed: [1]}")).at(0));
}

TEST(BlockCosts, OfSightGrowWithThePointsOfTargetsAndThePixelsOfViews) {
  const std::string rays =
      "world: {scene: clutter}\n"
      "observers: {random_free: {count: 2, height_m: 1.6}, heading: random}\n"
      "targets: {random_free: {count: 2, height_m: 1}}\n";
  const std::vector<double> points =
      costs_of(rays +
               "arms: {sees: {predict: visible}}\n"
               "oracle: {method: hdda, target: {box_m: 0.5, samples: 1}}\n"
               "axes: {oracle.target.samples: [1, 8]}\n");
  ASSERT_EQ(points.size(), 2u);
  EXPECT_EQ(points[1], 512 * points[0]);
  const std::vector<double> pixels =
      costs_of(rays +
               "oracle: {method: hdda}\nview: {box_m: 1, width: 64, height: 48}\n"
               "arms: {sees: {predict: rendered_view}}\n"
               "axes: {view.width: [64, 640], seed: [1, 2]}\nzip: [[view.width, seed]]\n");
  ASSERT_EQ(pixels.size(), 2u);
  EXPECT_GT(pixels[1], 5 * pixels[0]);
}

}  // namespace
}  // namespace sightline::tests
