// What quantised features change: Hit@5 of every mix of a lattice of weights, against scores in
// double that round nothing. The shape of wave E's simplex: 120 memories, 600 queries, 10,626
// mixes.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "host/sweep/make_queries.h"
#include "host/sweep/plan.h"
#include "host/sweep/recall_piece.h"
#include "host/sweep/sweep_memories.h"
#include "support/places.h"

namespace sightline::tests {
namespace {

using host::kNumScoreParts;

constexpr int kSteps = 20;  // weights are multiples of 1 / kSteps
constexpr std::int64_t kHitsAmong = 5;
constexpr double kMostChanged = 0.001;  // of queries times mixes

using Parts = std::array<double, kNumScoreParts>;

std::vector<Parts> lattice() {
  std::vector<Parts> mixes;
  for (int a = 0; a <= kSteps; ++a) {
    for (int b = 0; a + b <= kSteps; ++b) {
      for (int c = 0; a + b + c <= kSteps; ++c) {
        for (int d = 0; a + b + c + d <= kSteps; ++d) {
          const int e = kSteps - a - b - c - d;
          mixes.push_back({a / 20., b / 20., c / 20., d / 20., e / 20.});
        }
      }
    }
  }
  return mixes;
}

/// The parts of every memory's score for a query, not rounded: linear distance over 100 m, a
/// half-life of 14 days, importance and staleness as the memories have them.
std::vector<Parts> parts_of(const host::MemoryTable& memories, const host::QueryTable& queries,
                            std::size_t query, double scale_m) {
  constexpr double kHalfLife_s = 14 * 24 * 3600.0;
  std::vector<Parts> parts;
  const auto width = static_cast<std::size_t>(memories.width);
  for (std::size_t m = 0; m < static_cast<std::size_t>(memories.size()); ++m) {
    double cosine = 0;
    for (std::size_t i = 0; i < width; ++i) {
      cosine += static_cast<double>(queries.embeddings[query * width + i]) *
                static_cast<double>(memories.embeddings[m * width + i]);
    }
    const kernels::Vec3 a = queries.centre_m[query], b = memories.anchor_m[m];
    const double distance_m = std::hypot(a.x - b.x, a.y - b.y, a.z - b.z);
    const double age_s = std::max(0.0, queries.now_s[query] - memories.time_s[m]);
    parts.push_back({cosine, std::max(0.0, 1 - distance_m / scale_m),
                     std::exp2(-age_s / kHalfLife_s), memories.importance[m],
                     memories.staleness[m]});
  }
  return parts;
}

double score_of(const Parts& weights, const Parts& parts) {
  double score = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) score += weights[i] * parts[i];
  return score;
}

bool hits(const Parts& weights, const std::vector<Parts>& memories, std::size_t target) {
  const double reached = score_of(weights, memories[target]);
  std::int64_t better = 0;
  for (std::size_t m = 0; m < memories.size(); ++m) {
    const double score = score_of(weights, memories[m]);
    better += score > reached || (score == reached && m < target);
  }
  return better < kHitsAmong;
}

class Quantisation : public testing::TestWithParam<std::string> {};

TEST_P(Quantisation, ChangesHitsOfFewerThanOneInAThousand) {
  constexpr double kScale_m = 100;
  const host::SweepPlan plan =
      host::SweepPlan::load(source_file("configs/wave_e_simplex.yaml"),
                            {"queries.offset_m=" + GetParam(), "recall.proximity.scale_m=100"});
  host::WorldSpecs worlds;
  const host::RecallExperiment experiment = host::parse_recall_experiment(plan.settings(0), worlds);
  host::Device device(host::DeviceChoice::kCpu);
  const host::MemorySet memories =
      host::make_sweep_memories(experiment.memories, nullptr, experiment.seed, device);
  const host::QueryTable queries = host::make_queries(experiment, memories, nullptr);
  ASSERT_EQ(memories.table.size(), 120);
  ASSERT_EQ(queries.size(), 600);

  const std::vector<Parts> weights = lattice();
  ASSERT_EQ(weights.size(), 10626u);
  std::vector<host::RecallMix> mixes;
  for (const Parts& one : weights) mixes.push_back({one, true, {}});
  host::RecallMemories columns;
  columns.num_memories = memories.table.size();
  columns.width = memories.table.width;
  columns.embeddings = memories.table.embeddings.data();
  columns.anchors_m = memories.table.anchor_m.data();
  columns.time_s = memories.table.time_s.data();
  host::RecallBatch batch(device, columns);
  host::DenseIndexes indexes;
  const host::GateContext context{memories.table, queries, nullptr, device, indexes};
  host::RecallPiece piece(context, &batch);
  host::PreparationCost cost;
  const auto ranks =
      batch.target_ranks(piece.mixes_of(experiment.arms[0].judge, mixes, &cost), queries.target);

  std::int64_t changed = 0, hit = 0;
  for (std::size_t q = 0; q < 600; ++q) {
    const std::vector<Parts> parts = parts_of(memories.table, queries, q, kScale_m);
    const auto target = static_cast<std::size_t>(queries.target[q]);
    for (std::size_t mix = 0; mix < weights.size(); ++mix) {
      const bool exact = hits(weights[mix], parts, target);
      const bool quantised = ranks[q * weights.size() + mix] < kHitsAmong;
      hit += exact;
      changed += exact != quantised;
    }
  }
  const auto asked = static_cast<std::int64_t>(600 * weights.size());
  RecordProperty("hits_changed", static_cast<int>(changed));
  EXPECT_LE(static_cast<double>(changed), kMostChanged * static_cast<double>(asked));
  EXPECT_GT(hit, asked / 100);  // there is something to change
  EXPECT_LT(hit, asked - asked / 100);
}

INSTANTIATE_TEST_SUITE_P(Offset, Quantisation, testing::Values("1", "far"));

}  // namespace
}  // namespace sightline::tests
