// Recall on a GPU whose memory is too small for all queries at once: fewer at a time, the answers
// of the CPU, each counted once, and one warning. On a GPU in host memory, which does as it is
// told.
#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "host/error.h"
#include "host/memory/recall.h"
#include "host/studies/cue_corpora.h"
#include "host/studies/gate_pool.h"
#include "host/sweep/make_queries.h"
#include "host/sweep/recall_evaluation.h"
#include "parity/gpu_in_host.h"
#include "support/worlds.h"

namespace sightline::tests {
namespace {

using host::MemorySet;
using host::QueryTable;
using host::RecallAnswers;
using host::RecallExperiment;
using kernels::Vec3;

class RecallMemory : public testing::Test {
 protected:
  void SetUp() override {
    gpu_in_host().mend();
    gpu_.set_on_warning([this](const std::string& text) { warnings_.push_back(text); });
  }
  void TearDown() override { gpu_in_host().mend(); }

  void expect_refused_with_one_warning() {
    EXPECT_GT(gpu_in_host().num_refusals, 0);
    ASSERT_EQ(warnings_.size(), 1u);
    EXPECT_NE(warnings_[0].find("smaller pieces"), std::string::npos) << warnings_[0];
  }

  std::vector<std::string> warnings_;
  host::Device cpu_{host::DeviceChoice::kCpu, 1};
  host::Device gpu_{host::DeviceChoice::kCuda, 1};
};

// Recall arms of a sweep.

constexpr const char* kSweep = R"(
memories: {calibrated: {activities: 3, per_activity: 40, dimensions: 32}}
queries: {offset_m: 2, direction: sphere, draws: 2}
recall:
  proximity: {form: linear, scale_m: 40}
  recency: {form: half_life, scale_days: 14}
arms:
  vector: {recall: {weights: {relevance: 1}}}
  mix: {recall: {k: 3, weights: [0.4, 0.3, 0.1, 0.15, 0.05]}}
  near: {recall: {gate: {any: [{radius_m: 5}, {nearest: 9}]}, weights: {relevance: 1}}}
  outside_costs: {recall: {gate: {radius_m: 5}, penalty: 0.25, weights: [0.5, 0.5, 0, 0, 0]}}
  scaled: {recall: {weights: [0.5, 0.5, 0, 0, 0], standardise: z_score}}
  judged: {recall: {k: 4, weights: {relevance: 1}, verify: {radius_m: 9}, truth: {radius_m: 6}}}
baseline: vector
)";

class SweepMemory : public RecallMemory {
 protected:
  SweepMemory() {
    host::WorldSpecs worlds;
    experiment_ =
        parse_recall_experiment(host::ConfigValue::parse_yaml(kSweep, "sweep.yaml"), worlds);
    host::MemoryContext context;
    context.seed = experiment_.seed;
    memories_ = make_memories(experiment_.memories.spec, context);
    queries_ = make_queries(experiment_, memories_, nullptr);
  }

  static std::vector<std::int64_t> counts_of(const RecallAnswers& a) {
    return {a.num_queries,
            a.hits,
            a.num_gated,
            a.reciprocal_rank_sum,
            a.gain_sum,
            a.only_arm_hit,
            a.only_baseline_hit,
            a.num_recalled,
            a.recalled_visible,
            a.recalled_hidden,
            a.recalled_false_visible};
  }

  /// Counts of all arms.
  std::vector<std::vector<std::int64_t>> counts_on(host::Device& device) const {
    host::RecallEvaluation evaluation;
    const host::RecallArm& baseline = experiment_.arms[experiment_.baseline];
    std::vector<std::size_t> comparisons;
    for (const host::RecallArm& arm : experiment_.arms) {
      comparisons.push_back(evaluation.add_comparison(evaluation.add_judge(arm.judge), arm.k,
                                                      evaluation.add_judge(baseline.judge),
                                                      baseline.k, arm.verify));
    }
    host::DenseIndexes indexes(device);
    evaluation.run(memories_.table, queries_, nullptr, device, indexes);
    std::vector<std::vector<std::int64_t>> counts;
    for (const std::size_t comparison : comparisons) {
      counts.push_back(counts_of(evaluation.answers(comparison)));
    }
    return counts;
  }

  RecallExperiment experiment_;
  MemorySet memories_;
  QueryTable queries_;
};

TEST_F(SweepMemory, OfAnyShortnessLeavesTheCountsAsTheyAre) {
  const auto expected = counts_on(cpu_);
  EXPECT_EQ(counts_on(gpu_), expected);
  EXPECT_TRUE(warnings_.empty());
  // A piece is refused early in it, late in it, and by what comes after its ranks.
  for (std::size_t bytes = 60'000; bytes < 1'000'000; bytes += bytes / 8) {
    gpu_in_host().leave(bytes);
    EXPECT_EQ(counts_on(gpu_), expected) << bytes << " bytes";
  }
  expect_refused_with_one_warning();
  EXPECT_EQ(gpu_in_host().used_bytes, 0u);
}

TEST_F(SweepMemory, IsNotOverrunWhereTheGpuSaysHowLittleIsFree) {
  gpu_in_host().leave(400'000);
  gpu_in_host().claimed_bytes = 400'000;
  EXPECT_EQ(counts_on(gpu_), counts_on(cpu_));
  EXPECT_EQ(gpu_in_host().num_refusals, 0);
  EXPECT_TRUE(warnings_.empty());
}

TEST_F(SweepMemory, TooSmallForOneQueryIsAnError) {
  gpu_in_host().leave(25'000);  // the memories alone fit
  EXPECT_THROW(counts_on(gpu_), host::GpuOutOfMemory);
  gpu_in_host().mend();
  EXPECT_EQ(counts_on(gpu_), counts_on(cpu_)) << "and it goes on afterwards";
}

// Recall, with lines of sight on the same GPU.

struct Asked {
  host::World world;
  MemorySet memories;
  QueryTable queries;
  host::RecallRequest request;
};

Asked ask_through_a_wall() {
  Asked asked;
  DenseWorld dense({40, 10, 40});
  dense.set_box({18, 0, 0}, {19, 10, 33}, oracle::State::kOccupied);
  asked.world = to_engine(dense);
  host::CalibratedMemories calibrated;
  calibrated.activities = 4;
  calibrated.per_activity = 40;
  calibrated.dimensions = 32;
  std::vector<Vec3> anchors;
  for (std::size_t m = 0; m < 160; ++m) {
    const double x = static_cast<double>(m % 13), z = static_cast<double>(m % 17);
    anchors.push_back({1.5 + 3 * x, 2.5, 1.5 + 2 * z});
  }
  host::MemoryContext context;
  context.anchors_m = &anchors;
  asked.memories = host::make_memories({calibrated, {}, ""}, context);
  const host::MemoryTable& table = asked.memories.table;
  asked.queries.width = table.width;
  const std::vector<float>& told = asked.memories.query_embeddings;
  for (std::size_t q = 0; q < 96; ++q) {
    const auto row = told.begin() + static_cast<std::ptrdiff_t>(q % 4) * table.width;
    asked.queries.embeddings.insert(asked.queries.embeddings.end(), row, row + table.width);
    asked.queries.centre_m.push_back({2.5 + static_cast<double>(q % 31), 3.5, 20.5});
    asked.queries.now_s.push_back(0);
  }
  asked.request.gate = host::Gate{host::SightGate{}};
  asked.request.penalty = 0.2;
  asked.request.verify = host::SightGate{};
  return asked;
}

/// All that is told of what is recalled.
auto recalled_on(host::Device& device, const Asked& asked) {
  std::vector<std::tuple<std::size_t, std::int64_t, double, bool, kernels::Visibility>> told;
  const auto answers =
      recall(asked.memories.table, asked.queries, asked.request, &asked.world, device);
  for (std::size_t q = 0; q < answers.size(); ++q) {
    for (const host::Recalled& one : answers[q]) {
      told.emplace_back(q, one.row, one.score, one.in_gate, one.sight.value());
    }
  }
  return told;
}

TEST_F(RecallMemory, OfAnyShortnessLeavesTheRecalledAsTheyAre) {
  const Asked asked = ask_through_a_wall();
  const auto expected = recalled_on(cpu_, asked);
  EXPECT_EQ(recalled_on(gpu_, asked), expected);
  EXPECT_TRUE(warnings_.empty());
  for (std::size_t bytes = 100'000; bytes < 600'000; bytes += bytes / 4) {
    gpu_in_host().leave(bytes);
    EXPECT_EQ(recalled_on(gpu_, asked), expected) << bytes << " bytes";
  }
  expect_refused_with_one_warning();
}

TEST_F(RecallMemory, TakesWhatBatchesOfRaysHaveKept) {
  Asked asked = ask_through_a_wall();
  asked.request.gate.reset();
  asked.request.penalty.reset();
  const auto expected = recalled_on(cpu_, asked);
  host::RayBatch rays;
  rays.observers.assign(100'000, {2.5, 3.5, 20.5});
  rays.targets.assign(100'000, {30.5, 3.5, 20.5});
  line_of_sight(asked.world, rays, {}, 0, gpu_);
  ASSERT_GT(gpu_in_host().used_bytes, 1'000'000u);
  gpu_in_host().leave(10'000);
  EXPECT_EQ(recalled_on(gpu_, asked), expected);
  EXPECT_GT(gpu_in_host().num_refusals, 0);
  EXPECT_TRUE(warnings_.empty()) << "all were asked at once";
}

// Studies.

TEST_F(RecallMemory, OfAnyShortnessLeavesCorporaOfCuesAsTheyAre) {
  host::CueSettings settings;
  settings.memories.activities = 3;
  settings.memories.per_activity = 10;
  settings.memories.dimensions = 32;
  settings.alike = 30;
  settings.regimes = {{"place", 0.2, 4.0, {}}, {"moment", 0, {}, 3.0}, {"both", 0.1, 3.0, 2.0}};
  const std::vector<std::int32_t> mixes{16, 0, 0, 4, 0, 5, 5, 5, 5, 0, 0, 10, 10, 0, 0};
  const auto asked_on = [&](host::Device& device) {
    return host::ask_corpus(settings, mixes, 77, 0, device);
  };
  const host::AskedCorpus expected = asked_on(cpu_);
  for (std::size_t bytes = 12'000; bytes < 80'000; bytes += bytes / 8) {
    gpu_in_host().leave(bytes);
    const host::AskedCorpus asked = asked_on(gpu_);
    EXPECT_EQ(asked.hit_bits, expected.hit_bits) << bytes << " bytes";
    EXPECT_EQ(asked.hits, expected.hits) << bytes << " bytes";
    EXPECT_EQ(asked.statistics, expected.statistics) << bytes << " bytes";
  }
  expect_refused_with_one_warning();
}

class PoolMemory : public RecallMemory {
 protected:
  PoolMemory() {
    DenseWorld dense({40, 10, 40});
    dense.set_box({18, 0, 0}, {19, 10, 33}, oracle::State::kOccupied);
    world_ = to_engine(dense);
    settings_.activities = 4;
    settings_.per_activity = 20;
    host::Surroundings surroundings;
    for (int i = 0; i < 80; ++i) {
      const Vec3 at{1.5 + 3 * (i % 13), 2.5, 1.5 + 2 * (i % 17)};
      surroundings.things.push_back({at, {at.x, 3.5, 20.5}});
      questions_.push_back({(i * 7) % 80, {2.5 + i % 31, 3.5, 20.5}, 5.0 * i});
    }
    memories_ = remember_things(surroundings, settings_);
    gates_ = {test_of(host::GateTest::Kind::kRadius), test_of(host::GateTest::Kind::kInSight),
              test_of(host::GateTest::Kind::kAlike), test_of(host::GateTest::Kind::kSameRegion)};
    rankings_ = {{}, {0, {}, 1, 0}, {1, {}, 1, 0.5}, {1, 0.3, 1, 0}, {2, {}, 0, 1}, {3, 0.1, 1, 0}};
  }

  static host::RecallGate test_of(host::GateTest::Kind kind) {
    host::RecallGate gate;
    gate.test.kind = kind;
    gate.test.radius_m = 9;
    gate.test.count = 12;
    gate.test.key = std::to_string(static_cast<int>(kind));
    return gate;
  }

  host::GatePool asked_on(host::Device& device) const {
    return ask_pool(host::Regime{}, world_, memories_, host::Anchors::kSubject, questions_, gates_,
                    rankings_, settings_, device);
  }

  host::World world_;
  host::GatePoolSettings settings_;
  host::GateMemories memories_;
  std::vector<host::RegimeQuestion> questions_;
  std::vector<host::RecallGate> gates_;
  std::vector<host::GateRanking> rankings_;
};

TEST_F(PoolMemory, OfAnyShortnessLeavesPoolsOfGatesAsTheyAre) {
  const host::GatePool expected = asked_on(cpu_);
  for (std::size_t bytes = 200'000; bytes < 800'000; bytes += bytes / 8) {
    gpu_in_host().leave(bytes);
    const host::GatePool pool = asked_on(gpu_);
    EXPECT_EQ(pool.num_questions, expected.num_questions) << bytes << " bytes";
    EXPECT_EQ(pool.hit, expected.hit) << bytes << " bytes";
    EXPECT_EQ(pool.dropped, expected.dropped) << bytes << " bytes";
    EXPECT_EQ(pool.candidates, expected.candidates) << bytes << " bytes";
    EXPECT_EQ(pool.alike, expected.alike) << bytes << " bytes";
    EXPECT_EQ(pool.alike_kept, expected.alike_kept) << bytes << " bytes";
  }
  expect_refused_with_one_warning();
}

}  // namespace
}  // namespace sightline::tests
