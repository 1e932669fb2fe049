// Plans of sweep files that a test has as text, and what their axes hold.
#pragma once

#include <string>
#include <vector>

#include "host/sweep/plan.h"

namespace sightline::tests {

using Texts = std::vector<std::string>;

inline host::SweepPlan plan_of(const std::string& yaml, const Texts& overrides = {}) {
  return host::SweepPlan::parse(yaml, "sweep.yaml", overrides);
}

/// Canonical text of the values of one key of a group.
inline Texts values(const host::AxisGroup& group, std::size_t key_idx = 0) {
  Texts texts;
  for (const auto& point : group.points) {
    texts.push_back(point.settings[key_idx].second.canonical_json());
  }
  return texts;
}

/// The points of a plan with one axis on visibility.step_m.
inline Texts step_axis(const std::string& axis) {
  const host::SweepPlan plan = plan_of("axes: {visibility.step_m: " + axis + "}");
  return values(plan.axes().at(0));
}

/// Settings of every configuration at a dotted key, in order; "-" where absent.
inline Texts swept(const host::SweepPlan& plan, const std::string& key) {
  Texts texts;
  for (std::int64_t i = 0; i < plan.num_configurations(); ++i) {
    const auto settings = plan.configuration(i).settings;
    const auto* value = settings.find_path(key);
    texts.push_back(value == nullptr ? "-" : value->canonical_json());
  }
  return texts;
}

}  // namespace sightline::tests
