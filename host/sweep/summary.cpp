#include "host/sweep/summary.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "host/config/json_text.h"
#include "host/sweep/keys.h"
#include "host/sweep/measures.h"
#include "host/sweep/recall_settings.h"
#include "host/sweep/score_sense.h"
#include "host/sweep/setting_of.h"

namespace sightline::host {
namespace {

using nlohmann::ordered_json;

constexpr int kFormat = 1;
constexpr int kIndent = 2;

void add_rate(std::optional<RateSummary>& summary, const std::optional<Rate>& rate,
              std::int64_t row_idx) {
  if (!rate) return;
  const RateSummary::Extreme here{rate->value, row_idx};
  if (!summary) summary = RateSummary{0, 0, here, here};
  ++summary->num_configurations;
  summary->mean += rate->value;  // the sum, until all rows are in
  if (rate->value < summary->lowest.value) summary->lowest = here;
  if (rate->value > summary->highest.value) summary->highest = here;
}

bool is_score(const RateColumn& column) { return std::string_view(column.name) == "score"; }

/// Says the rate the same of scores of several measures?
bool is_of_all_measures(const RateColumn& column) {
  return !is_score(column) && std::string_view(column.name) != "accuracy";
}

void finish_mean(std::optional<RateSummary>& summary) {
  if (summary) summary->mean /= static_cast<double>(summary->num_configurations);
}

ordered_json extreme_json(const RunData& run, const RateSummary::Extreme& extreme) {
  const RunData::Row& row = run.rows[static_cast<std::size_t>(extreme.row_idx)];
  ordered_json axes = ordered_json::object();
  for (std::size_t i = 0; i < run.axis_keys.size(); ++i) {
    const ConfigValue& value = row.axis_values[i];
    const bool scalar = !value.is_map() && !value.is_list();
    axes[run.axis_keys[i]] = scalar ? parse_json<ordered_json>(value.canonical_json())
                                    : ordered_json(row.axis_labels[i]);
  }
  return {
      {"value", extreme.value}, {"configuration_id", row.result.configuration_id}, {"axes", axes}};
}

ordered_json rate_json(const RunData& run, const std::optional<RateSummary>& rate,
                       bool more_is_better) {
  if (!rate) return nullptr;
  const ordered_json lowest = extreme_json(run, rate->lowest);
  const ordered_json highest = extreme_json(run, rate->highest);
  return {{"configurations", rate->num_configurations},
          {"mean", rate->mean},
          {"best", more_is_better ? highest : lowest},
          {"worst", more_is_better ? lowest : highest}};
}

ordered_json arm_json(const RunData& run, const ArmSummary& arm) {
  const Measures& measures = measures_of(run.kind());
  ordered_json counts;
  for (const CountColumn& column : measures.counts) counts[column.name] = column.of(arm.total);
  ordered_json json = {
      {"arm", arm.arm}, {"configurations", arm.num_configurations}, {"counts", counts}};
  for (std::size_t i = 0; i < measures.rates.size(); ++i) {
    const RateColumn& column = measures.rates[i];
    // Of one measure: of several no mean is kept (summarize_arms).
    const bool is_cost = is_score(column) && score_sense_of(run, run.rows.front()).less_is_better;
    json[column.name] = rate_json(run, arm.rates[i], column.more_is_better && !is_cost);
  }
  return json;
}

const char* status_of(const RunData& run) {
  if (!run.failures.empty()) return "failed";
  return run.complete() ? "complete" : "incomplete";
}

}  // namespace

std::vector<std::int64_t> ks_of(const RunData& run, const std::string& arm) {
  const std::string shared = "recall.k", own = "arms." + arm + ".recall.k";
  const bool varies = std::any_of(
      run.axis_keys.begin(), run.axis_keys.end(),
      [&](const std::string& axis) { return is_within(shared, axis) || is_within(own, axis); });
  std::set<std::int64_t> ks;
  for (const RunData::Row& row : run.rows) {
    if (row.result.arm != arm) continue;
    const ConfigValue* k = setting_of(run, row, own);
    if (!k) k = setting_of(run, row, shared);
    ks.insert(k && k->is_number() ? k->as_integer() : RecallArm().k);
    if (!varies) break;
  }
  return {ks.begin(), ks.end()};
}

std::vector<ArmSummary> summarize_arms(const RunData& run) {
  const Measures& measures = measures_of(run.kind());
  const bool mixes = mixes_measures(run);
  std::vector<ArmSummary> arms;
  for (std::size_t i = 0; i < run.rows.size(); ++i) {
    const ResultRow& row = run.rows[i].result;
    auto arm = std::find_if(arms.begin(), arms.end(),
                            [&](const ArmSummary& known) { return known.arm == row.arm; });
    if (arm == arms.end()) {
      arm = arms.emplace(arms.end());
      arm->arm = row.arm;
      arm->rates.resize(measures.rates.size());
    }
    ++arm->num_configurations;
    measures.add(row, &arm->total);
    for (std::size_t rate = 0; rate < measures.rates.size(); ++rate) {
      if (mixes && !is_of_all_measures(measures.rates[rate])) continue;
      add_rate(arm->rates[rate], measures.rates[rate].of(row), static_cast<std::int64_t>(i));
    }
  }
  for (ArmSummary& arm : arms) {
    for (std::optional<RateSummary>& rate : arm.rates) finish_mean(rate);
    if (run.kind() == ExperimentKind::kRecall) arm.k = ks_of(run, arm.arm);
  }
  return arms;
}

std::string summary_json(const RunData& run) {
  ordered_json arms = ordered_json::array();
  for (const ArmSummary& arm : summarize_arms(run)) arms.push_back(arm_json(run, arm));
  ordered_json failures = ordered_json::array();
  for (const FailureRow& failure : run.failures) {
    failures.push_back(
        {{"configuration_id", failure.configuration_id}, {"message", failure.message}});
  }
  const ordered_json summary = {{"format", kFormat},
                                {"name", run.name},
                                {"status", status_of(run)},
                                {"configurations",
                                 {{"planned", run.num_configurations},
                                  {"finished", run.num_finished},
                                  {"failed", run.failures.size()}}},
                                {"arms", arms},
                                {"failures", failures}};
  return json_text(summary, kIndent) + "\n";
}

}  // namespace sightline::host
