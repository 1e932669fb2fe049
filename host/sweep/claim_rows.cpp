#include "host/sweep/claim_rows.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "host/config/suggest.h"
#include "host/sweep/judge.h"
#include "host/sweep/keys.h"
#include "host/sweep/measures.h"
#include "host/sweep/score_sense.h"
#include "host/sweep/settings.h"

namespace sightline::host {
namespace {

std::optional<std::size_t> find_axis(const std::vector<std::string>& axis_keys,
                                     const std::string& key) {
  const auto found = std::find(axis_keys.begin(), axis_keys.end(), key);
  if (found == axis_keys.end()) return std::nullopt;
  return static_cast<std::size_t>(found - axis_keys.begin());
}

/// What the sweep file sets for all rows, or leaves at its default; nullptr: it has no such
/// setting.
const ConfigValue* find_setting(const RunData& run, const std::string& key) {
  static const ConfigValue seed = ConfigValue::integer(static_cast<std::int64_t>(kDefaultSeed));
  static const ConfigValue replicate = ConfigValue::integer(0);
  if (const ConfigValue* fixed = run.resolved.find_path(key)) return fixed;
  return key == "seed" ? &seed : key == "replicate" ? &replicate : nullptr;
}

/// The values that the rows of a run have of an axis or a setting, each once, as far as they are
/// few.
std::string values_of(const RunData& run, const std::string& key) {
  constexpr std::size_t kMostShown = 8;
  const auto axis = find_axis(run.axis_keys, key);
  if (!axis) {
    const ConfigValue* fixed = find_setting(run, key);
    return fixed ? fixed->display() : "none";
  }
  std::vector<std::string> labels;
  for (const RunData::Row& row : run.rows) {
    const std::string& label = row.axis_labels[*axis];
    if (std::find(labels.begin(), labels.end(), label) == labels.end()) labels.push_back(label);
  }
  std::string text;
  for (std::size_t i = 0; i < labels.size() && i < kMostShown; ++i) {
    text += (i > 0 ? ", " : "") + labels[i];
  }
  return labels.size() > kMostShown ? text + ", .." : text;
}

/// Does an axis say what is asked, and not only how it is answered, compared or counted?
bool sets_trials(const RunData& run, const std::string& axis) {
  constexpr const char* kOthers[] = {"baseline",
                                     "arms",
                                     "oracle",
                                     "visibility",
                                     "view",
                                     "field_of_view",
                                     "recall",
                                     "metrics",
                                     "world.solid",
                                     "study.location_questions.within_m",
                                     "study.navqa_questions.within_m",
                                     "study.navqa_questions.truth",
                                     "study.navqa_questions.wrong_truth",
                                     "study.navqa_questions.captions",
                                     "study.navqa_questions.phrases",
                                     "study.space_diagnosis.explorer",
                                     "study.space_diagnosis.episode",
                                     "study.space_diagnosis.questions"};
  const std::string measure = measure_key(run);  // the same trials, scored by another thing
  if (!measure.empty() && is_within(axis, measure)) return false;
  return std::none_of(std::begin(kOthers), std::end(kOthers),
                      [&](const char* other) { return is_within(axis, other); });
}

/// The keys that are axes, of a claim's `where` and `by`.
std::vector<std::size_t> axes_named(const RunData& run, const ConfigValue* where,
                                    const std::vector<std::string>& by) {
  std::vector<std::string> keys = by;
  if (where) {
    for (const ConfigValue::Entry& entry : where->entries()) keys.push_back(entry.first);
  }
  std::vector<std::size_t> axes;
  for (const std::string& key : keys) {
    const auto axis = find_axis(run.axis_keys, key);
    if (axis && std::find(axes.begin(), axes.end(), *axis) == axes.end()) axes.push_back(*axis);
  }
  return axes;
}

/// Of the configurations that a claim is about, as far as it names their axes, the first that other
/// arms were asked in and this one was not; empty: none. That happens where an axis sets the arms.
std::string place_without(const RunData& run, const std::string& arm, const ConfigValue* where,
                          const std::vector<std::string>& by) {
  const std::vector<std::size_t> axes = axes_named(run, where, by);
  std::vector<std::pair<std::string, bool>> places;  // with the arm
  for (const RunData::Row& row : run.rows) {
    if (!is_kept(row, where, run)) continue;
    std::string place;
    for (const std::size_t axis : axes) {
      place += (place.empty() ? "" : ", ") + run.axis_keys[axis] + " " + row.axis_labels[axis];
    }
    auto known = std::find_if(places.begin(), places.end(),
                              [&](const auto& other) { return other.first == place; });
    if (known == places.end()) known = places.insert(places.end(), {place, false});
    known->second |= row.result.arm == arm;
  }
  for (const auto& [place, has_arm] : places) {
    if (!has_arm) return place;
  }
  return "";
}

/// The values that `where` names and no row of the arm has, in words.
std::vector<std::string> values_without(const RunData& run, const std::string& arm,
                                        const ConfigValue& where) {
  std::vector<std::string> without;
  for (const auto& [key, wanted] : where.entries()) {
    const auto axis = find_axis(run.axis_keys, key);
    const std::string text = wanted.canonical_json();
    const bool is_one_value =  // of an axis whose values are lists
        axis && std::any_of(run.rows.begin(), run.rows.end(), [&, at = *axis](const auto& row) {
          return row.axis_values[at].canonical_json() == text;
        });
    const std::vector<ConfigValue> values =
        wanted.is_list() && !is_one_value ? wanted.items() : std::vector<ConfigValue>{wanted};
    for (const ConfigValue& one : values) {
      const ConfigValue only = ConfigValue::map({{key, one}});
      if (!claim_groups(run, arm, &only, {}).empty()) continue;
      without.push_back("no configuration has " + key + " " + one.display() + "; they have " +
                        values_of(run, key));
    }
  }
  return without;
}

}  // namespace

bool is_kept(const RunData::Row& row, const ConfigValue* where, const RunData& run) {
  if (!where) return true;
  return std::all_of(where->entries().begin(), where->entries().end(), [&](const auto& wanted) {
    if (const auto axis = find_axis(run.axis_keys, wanted.first)) {
      return is_wanted(row.axis_values[*axis], row.axis_labels[*axis], wanted.second);
    }
    const ConfigValue* fixed = find_setting(run, wanted.first);
    return fixed && is_wanted(*fixed, fixed->display(), wanted.second);
  });
}

std::string baseline_of(const RunData::Row& row, const RunData& run) {
  const auto axis = find_axis(run.axis_keys, "baseline");
  const ConfigValue* baseline = axis ? &row.axis_values[*axis] : run.resolved.find("baseline");
  if (baseline && !baseline->is_null()) return baseline->as_text();
  // Rows are sorted by configuration.
  const auto first = std::lower_bound(run.rows.begin(), run.rows.end(), row.result.configuration,
                                      [](const RunData::Row& other, std::int64_t configuration) {
                                        return other.result.configuration < configuration;
                                      });
  return first->result.arm;
}

std::vector<std::string> baselines_of(const std::string& arm, const ConfigValue* where,
                                      const RunData& run) {
  std::vector<std::string> baselines;
  for (const RunData::Row& row : run.rows) {
    if (row.result.arm != arm || !is_kept(row, where, run)) continue;
    const std::string baseline = baseline_of(row, run);
    if (std::find(baselines.begin(), baselines.end(), baseline) == baselines.end()) {
      baselines.push_back(baseline);
    }
  }
  return baselines;
}

bool is_wanted(const ConfigValue& value, const std::string& label, const ConfigValue& wanted) {
  const std::string text = value.canonical_json();
  const auto is_one = [&](const ConfigValue& one) {
    return one.canonical_json() == text || (one.is_text() && one.as_text() == label);
  };
  if (is_one(wanted)) return true;
  return wanted.is_list() && std::any_of(wanted.items().begin(), wanted.items().end(), is_one);
}

std::string where_text(const ConfigValue* where) {
  std::string text;
  if (!where || where->is_null()) return text;
  for (const auto& [key, value] : where->entries()) {
    text += (text.empty() ? "" : ", ") + key.substr(key.find_last_of('.') + 1) + ": ";
    if (!value.is_list()) {
      text += value.display();
      continue;
    }
    for (std::size_t i = 0; i < value.items().size(); ++i) {
      text += (i == 0 ? "" : " or ") + value.items()[i].display();
    }
  }
  return text;
}

void check_claim_key(const ConfigValue& place, const std::string& key,
                     const std::vector<std::string>& axis_keys, const ConfigValue& settings) {
  const bool has_default = key == "seed" || key == "replicate";
  const auto is_part_of = [](const std::string& part, const std::string& whole) {
    return part.compare(0, whole.size() + 1, whole + ".") == 0;
  };
  for (const std::string& axis : axis_keys) {  // the file's own value is that of no row
    if (!is_part_of(key, axis) && !is_part_of(axis, key)) continue;
    place.fail("\"" + key + "\" is set by the axis \"" + axis + "\"; name that");
  }
  if (find_axis(axis_keys, key) || settings.find_path(key) || has_default) return;
  place.fail("\"" + key + "\" is not an axis of this sweep; " + suggestion(key, axis_keys));
}

bool tells_apart(const ConfigValue& entry, const std::string& axis) {
  const ConfigValue *where = entry.find("where"), *by = entry.find("by");
  const ConfigValue* wanted = where ? where->find(axis) : nullptr;
  if (wanted && (!wanted->is_list() || wanted->items().size() == 1)) return true;
  return by && std::any_of(by->items().begin(), by->items().end(),
                           [&](const ConfigValue& key) { return key.as_text() == axis; });
}

void check_baselines(const ConfigValue* where, const std::vector<std::string>& arms) {
  const ConfigValue* baseline = where ? where->find("baseline") : nullptr;
  if (!baseline) return;
  if (!baseline->is_list()) return void(index_of_arm(arms, *baseline));
  for (const ConfigValue& one : baseline->items()) index_of_arm(arms, one);
}

void check_claim_rows(const ConfigValue* where, const ConfigValue* by,
                      const std::vector<std::string>& axis_keys, const ConfigValue& settings) {
  if (where) {
    for (const auto& [key, value] : where->entries()) {
      check_claim_key(value, key, axis_keys, settings);
    }
  }
  if (by) {
    for (const ConfigValue& key : by->items()) {
      check_claim_key(key, key.as_text(), axis_keys, settings);
    }
  }
}

std::string missing_rows(const RunData& run, const std::string& arm, const ConfigValue* where,
                         const std::vector<std::string>& by) {
  if (claim_groups(run, arm, nullptr, {}).empty()) return "the run has no arm " + arm;
  if (where) {
    const std::vector<std::string> without = values_without(run, arm, *where);
    if (!without.empty()) return without.front();
    if (claim_groups(run, arm, where, {}).empty()) return "no configuration has all of where";
  }
  const std::string without = place_without(run, arm, where, by);
  return without.empty() ? "" : arm + " was not asked with " + without;
}

std::string axis_of_repeated_trials(const RunData& run, const std::string& arm,
                                    const ConfigValue* where,
                                    const std::vector<std::string>& apart) {
  std::map<std::string, const RunData::Row*> first_of;  // by what sets the trials, and `apart`
  for (const RunData::Row& row : run.rows) {
    if (row.result.arm != arm || !is_kept(row, where, run)) continue;
    std::string trials;
    for (std::size_t axis = 0; axis < run.axis_keys.size(); ++axis) {
      const std::string& key = run.axis_keys[axis];
      const bool is_apart = std::find(apart.begin(), apart.end(), key) != apart.end();
      if (is_apart || sets_trials(run, key))
        trials += row.axis_values[axis].canonical_json() + "\n";
    }
    const auto [first, is_new] = first_of.try_emplace(trials, &row);
    for (std::size_t axis = 0; !is_new && axis < run.axis_keys.size(); ++axis) {
      if (first->second->axis_labels[axis] != row.axis_labels[axis]) return run.axis_keys[axis];
    }
  }
  return "";
}

std::size_t num_missing_values(const RunData& run, const std::string& arm,
                               const ConfigValue* where) {
  return where ? values_without(run, arm, *where).size() : 0;
}

std::vector<ClaimGroup> claim_groups(const RunData& run, const std::string& arm,
                                     const ConfigValue* where, const std::vector<std::string>& by) {
  const Measures& measures = measures_of(run.kind());
  std::vector<std::size_t> axes;
  for (const std::string& key : by) {
    if (const auto axis = find_axis(run.axis_keys, key)) axes.push_back(*axis);
  }
  std::vector<ClaimGroup> groups;
  std::map<std::string, std::size_t> known;
  for (std::size_t i = 0; i < run.rows.size(); ++i) {
    const RunData::Row& row = run.rows[i];
    if (row.result.arm != arm || !is_kept(row, where, run)) continue;
    std::string label;
    for (const std::size_t axis : axes) {
      label += (label.empty() ? "" : ", ") + run.axis_keys[axis] + " " + row.axis_labels[axis];
    }
    const auto [group, is_new] = known.emplace(label, groups.size());
    if (is_new) {
      groups.push_back({label, {}});
      groups.back().less_is_better = score_sense_of(run, row).less_is_better;
    }
    measures.add(row.result, &groups[group->second].total);
    groups[group->second].rows.push_back(i);
  }
  return groups;
}

}  // namespace sightline::host
