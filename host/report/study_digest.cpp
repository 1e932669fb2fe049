// Runs of studies added up by groups, and arms compared in each.
#include <algorithm>

#include "host/report/axes.h"
#include "host/report/score_text.h"
#include "host/report/study_page.h"
#include "host/sweep/claim_rows.h"

namespace sightline::host::report {
namespace {

/// Indices of the axes that group the rows: none, one, or another and that of measures. Pairs with
/// different baselines cannot be added up, nor can scores of different measures.
std::vector<std::size_t> group_axes(const RunData& run) {
  const std::string lines = line_axis_of(run);
  const auto baseline = std::find(run.axis_keys.begin(), run.axis_keys.end(), "baseline");
  const std::optional<std::size_t> measures = axis_of_measures(run);
  std::vector<std::size_t> axes;
  if (baseline != run.axis_keys.end()) {
    axes.push_back(static_cast<std::size_t>(baseline - run.axis_keys.begin()));
  }
  for (std::size_t i = 0; i < run.axis_keys.size() && axes.empty(); ++i) {
    const std::string& key = run.axis_keys[i];
    const bool is_chosen = !lines.empty() ? key == lines
                           : measures     ? i == *measures
                                          : key != "seed" && key != "replicate";
    if (is_chosen) axes.push_back(i);
  }
  if (measures && std::find(axes.begin(), axes.end(), *measures) == axes.end()) {
    axes.push_back(*measures);
  }
  return axes;
}

/// "looks", or of two axes "3, looks".
std::string group_label(const RunData::Row& row, const std::vector<std::size_t>& axes) {
  std::string label;
  for (const std::size_t axis : axes) {
    label += (label.empty() ? "" : ", ") + row.axis_labels[axis];
  }
  return label;
}

std::size_t place_of(const std::string& name, std::vector<std::string>* names) {
  const auto found = std::find(names->begin(), names->end(), name);
  if (found != names->end()) return static_cast<std::size_t>(found - names->begin());
  names->push_back(name);
  return names->size() - 1;
}

}  // namespace

std::string StudyDigest::group_name(std::size_t group) const {
  return group_keys.empty() ? "all trials" : groups[group];
}

std::string StudyDigest::shown_name(std::size_t group) const {
  return groups_are_baselines() ? "all trials" : group_name(group);
}

ScoreSense StudyDigest::sense_of(std::size_t group) const {
  return shows_scores ? senses[group] : ScoreSense{};
}

stats::Sums StudyDigest::score_gain(std::size_t arm, std::size_t group) const {
  return measures_of(ExperimentKind::kStudy).score_gain(at(arm, group));
}

std::string StudyDigest::text_of(double value, std::size_t group) const {
  return score_text(sense_of(group), value);
}

std::optional<Rate> StudyDigest::rate_of(const ResultRow& row) const {
  if (shows_scores) return measures_of(ExperimentKind::kStudy).find_rate("score")->of(row);
  return host::rate_of(row.study.right, row.study.num_trials);
}

StudyDigest make_study_digest(const RunData& run) {
  StudyDigest digest;
  digest.name = run.name;
  if (const ConfigValue* text = run.resolved.find("description")) {
    digest.description = text->as_text();
  }
  const ConfigValue* metrics = run.resolved.find("metrics");
  digest.shows_scores = metrics && !metrics->is_null() && !metrics->items().empty() &&
                        metrics->items().front().as_text() == "score";
  const std::vector<std::size_t> axes = group_axes(run);
  for (const std::size_t axis : axes) digest.group_keys.push_back(run.axis_keys[axis]);
  digest.has_measures = mixes_measures(run);
  digest.arms_are_measures = arms_are_measures(run);
  if (const ConfigValue* apart = run.resolved.find_path("report.apart")) {
    for (const ConfigValue& label : apart->items()) digest.apart.push_back(label.as_text());
  }
  digest.num_pooled_axes = static_cast<std::int64_t>(run.axis_keys.size() - axes.size());
  std::vector<std::string> baselines;  // of each group
  for (const RunData::Row& row : run.rows) {
    place_of(row.result.arm, &digest.arms);
    const std::size_t group = place_of(group_label(row, axes), &digest.groups);
    if (group < digest.senses.size()) continue;
    digest.senses.push_back(score_sense_of(run, row));
    baselines.push_back(baseline_of(row, run));
  }
  digest.pools.assign(digest.arms.size(), std::vector<ResultRow>(digest.groups.size()));
  for (const RunData::Row& row : run.rows) {
    const std::size_t arm = place_of(row.result.arm, &digest.arms);
    const std::size_t group = place_of(group_label(row, axes), &digest.groups);
    measures_of(ExperimentKind::kStudy).add(row.result, &digest.pools[arm][group]);
  }
  for (const std::string& name : baselines) {
    digest.baselines.push_back(place_of(name, &digest.arms));
  }
  return digest;
}

std::vector<StudyComparison> compare_with_baseline(const StudyDigest& digest) {
  std::vector<StudyComparison> tests;
  if (digest.arms_are_measures) return {};
  std::vector<double> p;
  for (std::size_t arm = 0; arm < digest.arms.size(); ++arm) {
    for (std::size_t group = 0; group < digest.groups.size(); ++group) {
      const StudyAnswers& answers = digest.at(arm, group).study;
      const std::size_t baseline = digest.baselines[group];
      const bool has_pairs = digest.at(baseline, group).study.num_trials > 0;
      if (arm == baseline || answers.num_trials == 0 || !has_pairs) continue;
      p.push_back(digest.shows_scores
                      ? stats::mean_is_zero(digest.score_gain(arm, group))
                      : stats::mcnemar_exact(answers.only_arm_right, answers.only_baseline_right));
      tests.push_back({arm, group, p.back(), 1});
    }
  }
  const std::vector<double> adjusted = stats::holm_bonferroni(p);
  for (std::size_t i = 0; i < tests.size(); ++i) tests[i].p_adjusted = adjusted[i];
  return tests;
}

}  // namespace sightline::host::report
