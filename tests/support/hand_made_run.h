// A run as the report reads it, with rows written by hand instead of computed.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "host/sweep/store.h"

namespace sightline::tests {

/// Counts of an arm whose only mistakes are hidden targets called visible.
inline host::Answers answers_of(std::int64_t visible, std::int64_t occluded,
                                std::int64_t false_visible) {
  host::Answers answers;
  answers.num_rays = visible + occluded;
  answers.num_visible = visible;
  answers.num_occluded = occluded;
  answers.false_visible = false_visible;
  answers.correct = visible + occluded - false_visible;
  return answers;
}

/// A run with rows added by hand; `resolved` is the least that a report reads.
struct HandMadeRun {
  host::RunData data;

  explicit HandMadeRun(std::vector<std::string> axis_keys,
                       const std::string& yaml = "baseline: text") {
    data.directory = "run";
    data.name = "pilot";
    data.axis_keys = std::move(axis_keys);
    data.resolved = host::ConfigValue::parse_yaml(yaml, "test.yaml");
  }
  void add(const std::vector<host::ConfigValue>& values, const std::string& arm,
           const host::Answers& answers) {
    add_row(values, arm, answers.num_rays).result.answers = answers;
  }
  void add(const std::vector<host::ConfigValue>& values, const std::string& arm,
           const host::RecallAnswers& answers) {
    add_row(values, arm, answers.num_queries).result.recall = answers;
  }

 private:
  host::RunData::Row& add_row(const std::vector<host::ConfigValue>& values, const std::string& arm,
                              std::int64_t num_asked) {
    host::RunData::Row row;
    row.result.configuration = static_cast<std::int64_t>(data.rows.size());
    row.result.arm = arm;
    row.axis_values = values;
    for (const host::ConfigValue& value : values) row.axis_labels.push_back(value.display());
    row.cost.num_rays = num_asked;
    row.cost.seconds = 1e-6 * static_cast<double>(num_asked);
    row.cost.rays_per_s = 1e6;
    data.rows.push_back(row);
    return data.rows.back();
  }
};

/// Counts of a recall arm that hits `hits` of `queries`; against a baseline: b and c.
inline host::RecallAnswers recall_of(std::int64_t queries, std::int64_t hits, std::int64_t only_arm,
                                     std::int64_t only_baseline) {
  host::RecallAnswers answers;
  answers.num_queries = queries;
  answers.hits = hits;
  answers.reciprocal_rank_sum = hits
                                << host::RecallAnswers::kFractionBits;  // all at the first rank
  answers.gain_sum = answers.reciprocal_rank_sum;
  answers.only_arm_hit = only_arm;
  answers.only_baseline_hit = only_baseline;
  return answers;
}

/// Recall near and from afar, in two corpora: with place against without. Table 4 of What Spatial
/// Memory Must Store (2026) has such rates.
inline HandMadeRun recall_pilot() {
  using host::ConfigValue;
  HandMadeRun run({"queries.offset_m", "replicate"}, R"(
baseline: vector
memories: {calibrated: {activities: 8, per_activity: 15}}
queries: {offset_m: 1}
recall: {k: 5, proximity: {form: linear, scale_m: 100}}
arms:
  vector: {recall: {weights: {relevance: 1}}}
  spatial: {recall: {weights: {relevance: 0.5, spatial: 0.5}}}
axes: {queries.offset_m: [1, far]}
replicates: 2
)");
  for (int replicate = 0; replicate < 2; ++replicate) {
    const ConfigValue number = ConfigValue::integer(replicate);
    run.add({ConfigValue::integer(1), number}, "vector", recall_of(120, 40, 0, 0));
    run.add({ConfigValue::integer(1), number}, "spatial",
            recall_of(120, 105 + replicate, 65 + replicate, 0));
    run.add({ConfigValue::text("far"), number}, "vector", recall_of(120, 40, 0, 0));
    run.add({ConfigValue::text("far"), number}, "spatial", recall_of(120, 8, 0, 32));
  }
  return run;
}

/// The occlusion pilot: a march against a memory of text, which calls everything visible.
inline HandMadeRun occlusion_pilot() {
  HandMadeRun run({"visibility.step_m"});
  const std::vector<std::pair<double, std::int64_t>> false_visible{{1, 43}, {0.5, 15}, {0.1, 0}};
  for (const auto& [step_m, wrong] : false_visible) {
    host::Answers march = answers_of(295, 849, wrong);
    march.only_arm_right = 849 - wrong;
    run.add({host::ConfigValue::number(step_m)}, "text", answers_of(295, 849, 849));
    run.add({host::ConfigValue::number(step_m)}, "march", march);
  }
  return run;
}

}  // namespace sightline::tests
