// The rows that a claim is about, added up.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/sweep/store.h"

namespace sightline::host {

/// Rows of one arm added up, and which of the axes' values they share.
struct ClaimGroup {
  std::string label;  ///< "seed 3"; empty for all rows together
  ResultRow total;
  std::vector<std::size_t> rows{};  ///< of the run, that were added up; ascending
  bool less_is_better = false;      ///< of their scores
  /// Of its test, in the family that the sweep file declares (family.h); none: it declares none.
  std::optional<double> p_in_family{};
};

/// Rows of `arm` that have the values of `where` (a map of axis keys and values, labels, or lists
/// of them; null: all rows), added up by the values of the axes `by`, in the order of the run. A
/// key that is no axis of this run has the value that the sweep sets for all rows.
std::vector<ClaimGroup> claim_groups(const RunData& run, const std::string& arm,
                                     const ConfigValue* where, const std::vector<std::string>& by);

/// Is the row among those that `where` keeps? null keeps all.
bool is_kept(const RunData::Row& row, const ConfigValue* where, const RunData& run);

/// The arm that a row's pairs are made with: what the axis `baseline` says, or the sweep file, or
/// the first arm of its configuration.
std::string baseline_of(const RunData::Row& row, const RunData& run);
/// Those of the rows of `arm` that `where` keeps, each once: several where an axis sets it.
std::vector<std::string> baselines_of(const std::string& arm, const ConfigValue* where,
                                      const RunData& run);

/// Is a value of an axis, or the label of it, `wanted`: a value, a label or a list of them?
bool is_wanted(const ConfigValue& value, const std::string& label, const ConfigValue& wanted);

/// Which value that `where` names no row of `arm` has, in words: a claim on six worlds says nothing
/// of a run of one. Or which configuration, of those that `where` and `by` tell apart, other arms
/// were asked in and this one was not. Empty: there are rows for each.
std::string missing_rows(const RunData& run, const std::string& arm, const ConfigValue* where,
                         const std::vector<std::string>& by);
/// The first axis, if any, along which the rows of `arm` that `where` keeps and that share the
/// values of `apart` are of the same trials again: it sets the baseline, an arm, the oracle, the
/// metrics, how a scene becomes solid, or how all arms look, recall or are scored, not what is
/// asked. Added up, such rows would pass for more evidence than there is. Empty: each trial is
/// there once.
std::string axis_of_repeated_trials(const RunData& run, const std::string& arm,
                                    const ConfigValue* where,
                                    const std::vector<std::string>& apart);
/// How many values that `where` names no row of `arm` has.
std::size_t num_missing_values(const RunData& run, const std::string& arm,
                               const ConfigValue* where);

/// "asked: hidden, world: village or clutter"; empty for null.
std::string where_text(const ConfigValue* where);

/// Throws InputError, at `place`, unless the key is an axis, or one of the settings: an axis that
/// an override replaces by one value leaves the claims on it in peace.
void check_claim_key(const ConfigValue& place, const std::string& key,
                     const std::vector<std::string>& axis_keys, const ConfigValue& settings);
/// Do the rows that `where` and `by` of a claim, or of a member of a family, add up have one value
/// of an axis?
bool tells_apart(const ConfigValue& entry, const std::string& axis);
/// Throws InputError unless what `where` calls a baseline is an arm of the sweep, if not of every
/// run.
void check_baselines(const ConfigValue* where, const std::vector<std::string>& arms);
/// The same as check_claim_key for every key of `where` and entry of `by`.
void check_claim_rows(const ConfigValue* where, const ConfigValue* by,
                      const std::vector<std::string>& axis_keys, const ConfigValue& settings);

}  // namespace sightline::host
