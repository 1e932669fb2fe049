#include "host/sweep/claim_correlation.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "host/stats/correlation.h"
#include "host/sweep/claim_intervals.h"
#include "host/sweep/claim_rows.h"
#include "host/sweep/measures.h"

namespace sightline::host {
namespace {

struct GroupCorrelation {
  std::string label;  ///< "scout, 0.1": the values of `by`
  stats::Correlation of;
};

std::string label_of(const RunData::Row& row, const std::vector<std::string>& by,
                     const RunData& run) {
  std::string label;
  for (std::size_t axis = 0; axis < run.axis_keys.size(); ++axis) {
    if (std::find(by.begin(), by.end(), run.axis_keys[axis]) == by.end()) continue;
    label += (label.empty() ? "" : ", ") + row.axis_labels[axis];
  }
  return label;
}

/// r of each group; empty unless every group has one.
std::vector<GroupCorrelation> correlations(const ConfigValue* where,
                                           const std::vector<std::string>& by, const RunData& run,
                                           const std::string& arm) {
  const std::vector<std::string> baselines = baselines_of(arm, where, run);
  if (baselines.size() != 1) return {};
  const std::vector<ClaimGroup> own = claim_groups(run, arm, where, by),
                                others = claim_groups(run, baselines.front(), where, by);
  const Measures& measures = measures_of(run.kind());
  std::vector<GroupCorrelation> found;
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (i >= others.size() || others[i].label != own[i].label) return {};
    const stats::Sums scores = measures.scores(own[i].total),
                      of_other = measures.scores(others[i].total);
    if (scores.n != of_other.n) return {};
    const auto correlation =
        stats::correlation_of_sums(scores, of_other, measures.score_gain(own[i].total));
    if (!correlation) return {};
    found.push_back({label_of(run.rows[own[i].rows.front()], by, run), *correlation});
  }
  return found;
}

}  // namespace

const ClaimNumber& correlation_number() {
  static const ClaimNumber number{"correlation", -1, 1, false, true};
  return number;
}

ClaimBounds correlation_of(const ConfigValue& value, ExperimentKind kind) {
  if (!measures_of(kind).scores) value.fail("is of scores, which only sweeps of a study have");
  return bounds_of(correlation_number(), value);
}

void judge_correlation(const ClaimBounds& bounds, const ConfigValue* where,
                       const std::vector<std::string>& by, const RunData& run,
                       ClaimResult* result) {
  const std::vector<GroupCorrelation> found = correlations(where, by, run, result->arm);
  if (found.empty()) return;
  result->expected = fmt::format("{}{} {}{}", bounds.number.name,
                                 bounds.by_interval ? ", by its 95 % interval," : "", bounds.text(),
                                 found.size() > 1 ? " in every group" : "");
  bool holds = true;
  double largest_p = 0;
  for (const auto& [label, one] : found) {
    result->found += fmt::format("{}{:.4g}{}", result->found.empty() ? "r = " : ", ", one.r,
                                 label.empty() ? "" : " (" + label + ")");
    add_interval(one.interval, &result->interval);
    largest_p = std::max(largest_p, one.p);
    holds = holds && (bounds.by_interval ? bounds.hold(one.interval) : bounds.hold(one.r));
  }
  result->found += fmt::format("; p {}{:.3g}", found.size() > 1 ? "at most " : "", largest_p);
  result->holds = holds;
}

}  // namespace sightline::host
