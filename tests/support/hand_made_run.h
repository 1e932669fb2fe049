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
    host::RunData::Row row;
    row.result.configuration = static_cast<std::int64_t>(data.rows.size());
    row.result.arm = arm;
    row.result.answers = answers;
    row.axis_values = values;
    for (const host::ConfigValue& value : values) row.axis_labels.push_back(value.display());
    row.cost.num_rays = answers.num_rays;
    row.cost.seconds = 1e-6 * static_cast<double>(answers.num_rays);
    row.cost.rays_per_s = 1e6;
    data.rows.push_back(row);
  }
};

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
