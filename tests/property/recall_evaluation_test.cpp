// Recall arms against a plain ranking in double: sorted, counted and compared one by one.
#include "host/sweep/recall_evaluation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "host/memory/memory_spec.h"
#include "host/sweep/make_queries.h"
#include "host/sweep/recall_settings.h"
#include "support/errors.h"

namespace sightline {
namespace {

using namespace host;

constexpr const char* kSweep = R"(
memories: {calibrated: {activities: 3, per_activity: 12, dimensions: 32}}
queries: {offset_m: 2, direction: sphere, draws: 2}
recall:
  proximity: {form: linear, scale_m: 40}
  recency: {form: half_life, scale_days: 14}
arms:
  vector: {recall: {weights: {relevance: 1}}}
  mix: {recall: {k: 3, weights: [0.4, 0.3, 0.1, 0.15, 0.05]}}
  negative: {recall: {weights: [0.6, -0.2, 0, 0.3, 0], normalise: false}}
  irrational: {recall: {weights: [0.57721566, 0.31415927, 0.1, 0, 0]}}
  near: {recall: {gate: {radius_m: 5}, weights: {relevance: 1}}}
  outside_costs: {recall: {gate: {radius_m: 5}, penalty: 0.25, weights: [0.5, 0.5, 0, 0, 0]}}
  none_left: {recall: {gate: {radius_m: 0}, weights: {relevance: 1}}}
  judged: {recall: {k: 4, weights: {relevance: 1}, verify: {radius_m: 9}, truth: {radius_m: 6}}}
  judged_near: {recall: {k: 7, gate: {radius_m: 5}, verify: {radius_m: 4}, truth: {not: {radius_m: 4.5}}}}
baseline: vector
)";

struct Made {
  RecallExperiment experiment;
  MemorySet memories;
  QueryTable queries;
};

Made make(const std::string& yaml) {
  WorldSpecs worlds;
  Made made;
  made.experiment = parse_recall_experiment(ConfigValue::parse_yaml(yaml, "sweep.yaml"), worlds);
  MemoryContext context;
  context.seed = made.experiment.seed;
  made.memories = make_memories(made.experiment.memories.spec, context);
  made.queries = make_queries(made.experiment, made.memories, nullptr);
  return made;
}

/// The score of a memory, in double, from what the settings say.
double score_of(const Made& made, const RecallJudge& judge, std::size_t q, std::size_t m) {
  const MemoryTable& t = made.memories.table;
  const auto width = static_cast<std::size_t>(t.width);
  double cosine = 0;
  for (std::size_t k = 0; k < width; ++k) {
    cosine += double{made.queries.embeddings[q * width + k]} * t.embeddings[m * width + k];
  }
  const kernels::Vec3 a = t.anchor_m[m], c = made.queries.centre_m[q];
  const double d = std::hypot(a.x - c.x, a.y - c.y, a.z - c.z);
  const double age_days = (made.queries.now_s[q] - t.time_s[m]) / 86400;
  const double parts[] = {cosine, std::max(0.0, 1 - d / 40), std::exp2(-age_days / 14),
                          t.importance[m], t.staleness[m]};
  const auto& w = judge.blend.weights;
  const double sum = std::accumulate(w.begin(), w.end(), 0.0);
  double score = 0;
  for (std::size_t part = 0; part < w.size(); ++part) score += w[part] * parts[part];
  if (judge.blend.normalised) score /= sum;
  if (judge.penalty && d > 5) score -= *judge.penalty;
  return score;
}

bool is_kept(const Made& made, const RecallArm& arm, std::size_t q, std::size_t m) {
  if (!arm.judge.gate || arm.judge.penalty) return true;
  const kernels::Vec3 a = made.memories.table.anchor_m[m], c = made.queries.centre_m[q];
  return std::hypot(a.x - c.x, a.y - c.y, a.z - c.z) <= (arm.name == "none_left" ? 0 : 5);
}

/// Rank of each query's target; -1 where the gate drops it. Scores closer than quantising can tell
/// apart are told of in `doubtful`.
std::vector<int> ranks_of(const Made& made, const RecallArm& arm, int* doubtful) {
  constexpr double kQuantum = 1e-5;  // a sum of five features of 18 bits is this close
  std::vector<int> ranks;
  for (std::size_t q = 0; q < made.queries.target.size(); ++q) {
    const auto target = static_cast<std::size_t>(made.queries.target[q]);
    if (!is_kept(made, arm, q, target)) {
      ranks.push_back(-1);
      continue;
    }
    const double own = score_of(made, arm.judge, q, target);
    int rank = 0;
    for (std::size_t m = 0; m < made.memories.table.id.size(); ++m) {
      if (m == target || !is_kept(made, arm, q, m)) continue;
      const double other = score_of(made, arm.judge, q, m);
      if (std::fabs(other - own) < kQuantum) ++*doubtful;
      rank += other > own ? 1 : 0;
    }
    ranks.push_back(rank);
  }
  return ranks;
}

RecallAnswers counted(const std::vector<int>& ranks, std::int64_t k) {
  RecallAnswers answers;
  for (const int rank : ranks) {
    ++answers.num_queries;
    answers.num_gated += rank < 0;
    if (rank < 0) continue;
    answers.hits += rank < k;
    answers.reciprocal_rank_sum += std::llround(std::ldexp(1.0 / (rank + 1), 30));
    if (rank < k) answers.gain_sum += std::llround(std::ldexp(1 / std::log2(rank + 2.0), 30));
  }
  return answers;
}

/// What an evaluation makes of every arm, in order.
std::vector<RecallAnswers> evaluated(const Made& made, std::int64_t memory_bytes,
                                     int num_threads = 1) {
  RecallEvaluation evaluation(memory_bytes);
  std::vector<std::size_t> comparisons;
  const RecallArm& baseline = made.experiment.arms[made.experiment.baseline];
  const std::size_t baseline_judge = evaluation.add_judge(baseline.judge);
  for (const RecallArm& arm : made.experiment.arms) {
    comparisons.push_back(evaluation.add_comparison(evaluation.add_judge(arm.judge), arm.k,
                                                    baseline_judge, baseline.k, arm.verify));
  }
  Device device(DeviceChoice::kCpu, num_threads);
  evaluation.judge_truth_at(made.memories.subject_m);
  host::DenseIndexes indexes(device);
  evaluation.run(made.memories.table, made.queries, nullptr, device, indexes);
  std::vector<RecallAnswers> answers;
  for (const std::size_t comparison : comparisons) {
    answers.push_back(evaluation.answers(comparison));
  }
  return answers;
}

std::vector<std::int64_t> counts_of(const RecallAnswers& a) {
  return {a.num_queries, a.hits,         a.num_gated,        a.reciprocal_rank_sum,
          a.gain_sum,    a.only_arm_hit, a.only_baseline_hit};
}

TEST(RecallEvaluation, CountsAsAPlainRankingInDoubleDoes) {
  const Made made = make(kSweep);
  ASSERT_EQ(made.queries.size(), 72);
  const std::vector<RecallAnswers> answers = evaluated(made, std::int64_t{1} << 24);
  const std::vector<int> baseline = [&] {
    int ignored = 0;
    return ranks_of(made, made.experiment.arms[0], &ignored);
  }();
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const RecallArm& arm = made.experiment.arms[i];
    int doubtful = 0;
    const std::vector<int> ranks = ranks_of(made, arm, &doubtful);
    ASSERT_EQ(doubtful, 0) << arm.name << ": the test's scores are too close to tell; take a seed";
    RecallAnswers expected = counted(ranks, arm.k);
    for (std::size_t q = 0; q < ranks.size(); ++q) {
      const bool hit = ranks[q] >= 0 && ranks[q] < arm.k, before = baseline[q] < 5;
      expected.only_arm_hit += hit && !before;
      expected.only_baseline_hit += before && !hit;
    }
    EXPECT_EQ(counts_of(answers[i]), counts_of(expected)) << arm.name;
  }
  EXPECT_EQ(answers[6].num_gated, 72);  // a gate of radius 0 keeps nothing
  EXPECT_GT(answers[4].num_gated + answers[4].hits, 0);
}

/// Distances of the k best memories of every query, told by a plain ranking, if they are at
/// `places_m`.
std::vector<double> recalled_distances(const Made& made, const RecallArm& arm,
                                       const std::vector<kernels::Vec3>& places_m) {
  std::vector<double> distances;
  for (std::size_t q = 0; q < made.queries.target.size(); ++q) {
    std::vector<std::pair<double, std::size_t>> ranking;  // ascending: best first
    for (std::size_t m = 0; m < made.memories.table.id.size(); ++m) {
      if (is_kept(made, arm, q, m)) ranking.push_back({-score_of(made, arm.judge, q, m), m});
    }
    std::sort(ranking.begin(), ranking.end());
    ranking.resize(std::min(ranking.size(), static_cast<std::size_t>(arm.k)));
    for (const auto& [score, m] : ranking) {
      const kernels::Vec3 a = places_m[m], c = made.queries.centre_m[q];
      distances.push_back(std::hypot(a.x - c.x, a.y - c.y, a.z - c.z));
    }
  }
  return distances;
}

TEST(RecallEvaluation, JudgesWhatIsRecalledAgainstTheTruth) {
  const Made made = make(kSweep);
  const std::vector<RecallAnswers> answers = evaluated(made, 20'000);  // several pieces
  struct Verdicts {
    std::size_t arm;
    bool (*says)(double d), (*truth)(double d);
  };
  const Verdicts cases[] = {{7, [](double d) { return d <= 9; }, [](double d) { return d <= 6; }},
                            {8, [](double d) { return d <= 4; }, [](double d) { return d > 4.5; }}};
  for (const Verdicts& one : cases) {
    RecallAnswers expected;
    for (const double d :
         recalled_distances(made, made.experiment.arms[one.arm], made.memories.table.anchor_m)) {
      ++expected.num_recalled;
      expected.recalled_visible += one.says(d);
      expected.recalled_hidden += !one.truth(d);
      expected.recalled_false_visible += one.says(d) && !one.truth(d);
    }
    const RecallAnswers& found = answers[one.arm];
    EXPECT_EQ(found.num_recalled, expected.num_recalled);
    EXPECT_EQ(found.recalled_visible, expected.recalled_visible);
    EXPECT_EQ(found.recalled_hidden, expected.recalled_hidden);
    EXPECT_EQ(found.recalled_false_visible, expected.recalled_false_visible);
    // All four cells are filled, so that no two counts can be mistaken for each other.
    EXPECT_GT(expected.recalled_false_visible, 0);
    EXPECT_LT(expected.recalled_false_visible, expected.recalled_hidden);
    EXPECT_NE(expected.recalled_visible, expected.recalled_hidden);
  }
}

// Who remembers is told of the anchor, wherever it was moved to; the truth is where the thing is.
TEST(RecallEvaluation, JudgesTheTruthWhereTheThingsAre) {
  Made made = make(kSweep);
  made.memories.subject_m = made.memories.table.anchor_m;
  std::reverse(made.memories.table.anchor_m.begin(), made.memories.table.anchor_m.end());
  constexpr std::size_t kJudged = 7;
  const RecallArm& arm = made.experiment.arms[kJudged];
  const std::vector<double> at_anchors =
      recalled_distances(made, arm, made.memories.table.anchor_m);
  const std::vector<double> at_things = recalled_distances(made, arm, made.memories.subject_m);
  RecallAnswers expected;
  for (std::size_t i = 0; i < at_things.size(); ++i) {
    ++expected.num_recalled;
    expected.recalled_visible += at_anchors[i] <= 9;
    expected.recalled_hidden += at_things[i] > 6;
    expected.recalled_false_visible += at_anchors[i] <= 9 && at_things[i] > 6;
  }
  const RecallAnswers found = evaluated(made, 20'000)[kJudged];
  EXPECT_EQ(found.num_recalled, expected.num_recalled);
  EXPECT_EQ(found.recalled_visible, expected.recalled_visible);
  EXPECT_EQ(found.recalled_hidden, expected.recalled_hidden);
  EXPECT_EQ(found.recalled_false_visible, expected.recalled_false_visible);
  EXPECT_GT(expected.recalled_false_visible, 0);
}

TEST(RecallEvaluation, PiecesAndThreadsLeaveNoTrace) {
  const Made made = make(kSweep);
  const std::vector<RecallAnswers> whole = evaluated(made, std::int64_t{1} << 28);
  for (const auto& [bytes, threads] :
       {std::pair(1, 1), std::pair(40'000, 2), std::pair(1 << 28, 4)}) {
    const std::vector<RecallAnswers> parts = evaluated(made, bytes, threads);
    for (std::size_t i = 0; i < whole.size(); ++i) {
      EXPECT_EQ(counts_of(parts[i]), counts_of(whole[i])) << bytes << " bytes, arm " << i;
    }
  }
}

TEST(RecallEvaluation, MovingTheAnchorsChangesNoAnswerOfMeaningAlone) {
  Made made = make(kSweep);
  const std::vector<RecallAnswers> before = evaluated(made, std::int64_t{1} << 24);
  std::reverse(made.memories.table.anchor_m.begin(), made.memories.table.anchor_m.end());
  const std::vector<RecallAnswers> after = evaluated(made, std::int64_t{1} << 24);
  EXPECT_EQ(counts_of(after[0]), counts_of(before[0]));
  EXPECT_NE(counts_of(after[1]), counts_of(before[1]));
}

TEST(RecallSettings, RefuseWhatCannotBeAsked) {
  const auto refused = [](const std::string& arm) {
    return tests::input_error_of([&] {
      make("memories: {calibrated: {}}\nqueries: {offset_m: 1}\narms: {a: {recall: {" + arm +
           "}}}\n");
    });
  };
  const auto says = [&](const std::string& arm, const std::string& text) {
    const std::string message = refused(arm);
    EXPECT_NE(message.find(text), std::string::npos) << arm << ": " << message;
  };
  says("weights: {relevence: 1}", "\"relevance\"");
  says("weights: [1, 2]", "5");
  says("weights: {relevance: .nan}", "NaN");
  says("weights: {relevance: .inf}", "finite");
  says("weights: {relevance: 0}", "normalise: false");
  says("weights: {relevance: 1, spatial: -1}", "normalise: false");
  says("penalty: 1", "gate");
  says("gate: {}", "tests nothing");
  says("gate: {radius_m: -1}", "radius_m");
  says("gate: {line_of_sight: {}}", "world");
  says("gate: {all: []}", "at least one");
  says("gate: {nearest: 0}", "nearest");
  says("gate: {radus_m: 1}", "\"radius_m\"");
  says("truth: {radius_m: 1}", "verify");
  says("k: 0", "k");
  says("k: 65", "64");
  says("adapt: distance_spread", "standardise");
  says("proximity: {form: linear}", "scale_m");
  says("recency: {form: linear}", "scale_days");
  says("weights: {relevance: 1, spatial: 1e-10}", "2^-27");
  says("verify: {nearest: 3}", "compare memories");
  says("verify: {radius_m: 3}, truth: {not: {dense: {count: 2}}}", "compare memories");
  says("gate: {dense: {kind: HNSW99999, count: 2}}", "kind");
}

}  // namespace
}  // namespace sightline
