#include "host/sweep/claim_rows.h"

#include <algorithm>
#include <map>

#include "host/config/suggest.h"
#include "host/sweep/measures.h"

namespace sightline::host {
namespace {

/// Is a row's value of an axis, or the label of it, `wanted`: a value, a label or a list of them?
bool is_wanted(const ConfigValue& value, const std::string& label, const ConfigValue& wanted) {
  const std::string text = value.canonical_json();
  const auto is_one = [&](const ConfigValue& one) {
    return one.canonical_json() == text || (one.is_text() && one.as_text() == label);
  };
  if (is_one(wanted)) return true;
  return wanted.is_list() && std::any_of(wanted.items().begin(), wanted.items().end(), is_one);
}

bool is_among(const RunData::Row& row, const ConfigValue* where,
              const std::vector<std::string>& axis_keys) {
  if (!where) return true;
  return std::all_of(where->entries().begin(), where->entries().end(), [&](const auto& wanted) {
    const std::size_t axis = axis_index(axis_keys, wanted.second, wanted.first);
    return is_wanted(row.axis_values[axis], row.axis_labels[axis], wanted.second);
  });
}

}  // namespace

std::size_t axis_index(const std::vector<std::string>& axis_keys, const ConfigValue& name,
                       const std::string& key) {
  const auto found = std::find(axis_keys.begin(), axis_keys.end(), key);
  if (found == axis_keys.end()) {
    name.fail("\"" + key + "\" is not an axis of this sweep; " + suggestion(key, axis_keys));
  }
  return static_cast<std::size_t>(found - axis_keys.begin());
}

void check_claim_rows(const ConfigValue* where, const ConfigValue* by,
                      const std::vector<std::string>& axis_keys) {
  if (where) {
    for (const auto& [key, value] : where->entries()) axis_index(axis_keys, value, key);
  }
  if (by) {
    for (const ConfigValue& key : by->items()) axis_index(axis_keys, key, key.as_text());
  }
}

std::vector<ClaimGroup> claim_groups(const RunData& run, const std::string& arm,
                                     const ConfigValue* where, const std::vector<std::string>& by) {
  const Measures& measures = measures_of(run.kind());
  std::vector<std::size_t> axes;
  for (const std::string& key : by) axes.push_back(axis_index(run.axis_keys, ConfigValue(), key));
  std::vector<ClaimGroup> groups;
  std::map<std::string, std::size_t> known;
  for (const RunData::Row& row : run.rows) {
    if (row.result.arm != arm || !is_among(row, where, run.axis_keys)) continue;
    std::string label;
    for (const std::size_t axis : axes) {
      label += (label.empty() ? "" : ", ") + run.axis_keys[axis] + " " + row.axis_labels[axis];
    }
    const auto [group, is_new] = known.emplace(label, groups.size());
    if (is_new) groups.push_back({label, {}});
    measures.add(row.result, &groups[group->second].total);
  }
  return groups;
}

}  // namespace sightline::host
