#include "host/sweep/score_sense.h"

#include <algorithm>
#include <numeric>

#include "host/sweep/keys.h"
#include "host/sweep/setting_of.h"

namespace sightline::host {
namespace {

/// Of the run's study; empty if it is of none.
std::string study_name(const RunData& run) {
  const ConfigValue* study = run.resolved.is_map() ? run.resolved.find("study") : nullptr;
  const bool is_named = study && study->is_map() && !study->entries().empty();
  return is_named ? study->entries().front().first : "";
}

/// Its name, or that of the whole setting; empty: the study's own choice.
std::string measure_of(const RunData& run, const RunData::Row& row) {
  const ConfigValue* measure = setting_of(run, row, measure_key(run));
  return measure && measure->is_text() ? measure->as_text() : "";
}

}  // namespace

std::string measure_key(const RunData& run) {
  const std::string name = study_name(run);
  return name.empty() ? "" : "study." + name + ".measure";
}

ScoreSense score_sense_of(const RunData& run, const RunData::Row& row) {
  const std::string study = study_name(run), measure = measure_of(run, row);
  for (const StudyKind& kind : study_kinds()) {
    if (kind.name != study) continue;
    for (const ScoreSense& sense : kind.senses) {
      if (sense.measure == measure) return sense;
    }
  }
  return {};
}

bool mixes_measures(const RunData& run) {
  std::vector<std::size_t> all(run.rows.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return mixes_measures(run, all);
}

bool mixes_measures(const RunData& run, const std::vector<std::size_t>& rows) {
  if (study_name(run).empty() || rows.empty()) return false;
  const std::string first = measure_of(run, run.rows[rows.front()]);
  return std::any_of(rows.begin(), rows.end(),
                     [&](std::size_t row) { return measure_of(run, run.rows[row]) != first; });
}

std::optional<std::size_t> axis_of_measures(const RunData& run) {
  if (!mixes_measures(run)) return std::nullopt;
  const std::string key = measure_key(run);
  for (std::size_t i = 0; i < run.axis_keys.size(); ++i) {
    if (is_within(key, run.axis_keys[i])) return i;
  }
  return std::nullopt;
}

bool arms_are_measures(const RunData& run) {
  const std::string study = study_name(run);
  return std::any_of(study_kinds().begin(), study_kinds().end(), [&](const StudyKind& kind) {
    return kind.name == study && kind.arms_are_measures;
  });
}

}  // namespace sightline::host
