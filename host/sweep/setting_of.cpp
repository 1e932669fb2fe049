#include "host/sweep/setting_of.h"

#include "host/sweep/keys.h"

namespace sightline::host {

const ConfigValue* setting_of(const RunData& run, const RunData::Row& row, const std::string& key) {
  const ConfigValue* found = run.resolved.is_map() ? run.resolved.find_path(key) : nullptr;
  for (std::size_t i = 0; i < run.axis_keys.size(); ++i) {
    const std::string& axis = run.axis_keys[i];
    const ConfigValue& value = row.axis_values[i];
    if (!is_within(key, axis)) continue;
    const bool is_above = axis.size() < key.size();
    found = !is_above        ? &value
            : value.is_map() ? value.find_path(key.substr(axis.size() + 1))
                             : nullptr;
  }
  return found;
}

}  // namespace sightline::host
