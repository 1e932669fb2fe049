#include "host/sweep/claim_correlation.h"

#include <fmt/format.h>

#include <optional>

#include "host/stats/correlation.h"
#include "host/sweep/claim_intervals.h"
#include "host/sweep/claim_rows.h"
#include "host/sweep/measures.h"

namespace sightline::host {
namespace {

constexpr const char* kName = "correlation";

/// r of each group; empty unless every group has one.
std::vector<stats::Correlation> correlations(const ConfigValue* where,
                                             const std::vector<std::string>& by, const RunData& run,
                                             const std::string& arm) {
  const std::vector<std::string> baselines = baselines_of(arm, where, run);
  if (baselines.size() != 1) return {};
  const std::vector<ClaimGroup> own = claim_groups(run, arm, where, by),
                                others = claim_groups(run, baselines.front(), where, by);
  const Measures& measures = measures_of(run.kind());
  std::vector<stats::Correlation> found;
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (i >= others.size() || others[i].label != own[i].label) return {};
    const stats::Sums scores = measures.scores(own[i].total),
                      of_other = measures.scores(others[i].total);
    if (scores.n != of_other.n) return {};
    const auto correlation =
        stats::correlation_of_sums(scores, of_other, measures.score_gain(own[i].total));
    if (!correlation) return {};
    found.push_back(*correlation);
  }
  return found;
}

}  // namespace

ClaimBounds correlation_of(const ConfigValue& value, ExperimentKind kind) {
  if (!measures_of(kind).scores) value.fail("is of scores, which only sweeps of a study have");
  const ConfigValue* interval = value.is_map() ? value.find("interval") : nullptr;
  const bool by_interval = interval && interval->as_bool();
  ConfigValue bounds_alone = value;
  if (interval) bounds_alone.erase_entry("interval");
  ClaimBounds bounds = bounds_of({kName, -1, 1}, bounds_alone);
  bounds.by_interval = by_interval;
  return bounds;
}

void judge_correlation(const ClaimBounds& bounds, const ConfigValue* where,
                       const std::vector<std::string>& by, const RunData& run,
                       ClaimResult* result) {
  const std::vector<stats::Correlation> found = correlations(where, by, run, result->arm);
  if (found.empty()) return;
  result->expected = fmt::format("{} {}{}", kName,
                                 bounds.by_interval ? "by its 95 % interval, " : "", bounds.text());
  result->holds = true;
  for (const stats::Correlation& one : found) {
    result->found +=
        fmt::format("{}{:.4g} (p {:.3g})", result->found.empty() ? "r = " : ", ", one.r, one.p);
    add_interval(one.interval, &result->interval);
    result->holds =
        result->holds && (bounds.by_interval ? bounds.hold(one.interval) : bounds.hold(one.r));
  }
}

}  // namespace sightline::host
