#include "host/sweep/exclude.h"

#include <algorithm>

#include "host/config/suggest.h"
#include "host/sweep/keys.h"

namespace sightline::host {
namespace {

/// The setting of an axis that decides a key: the one on the key itself or nearest outside it.
struct Owner {
  std::size_t group = 0, slot = 0;
  std::string key;  ///< empty: no axis decides
};

Owner find_owner(const std::string& key, const std::vector<AxisGroup>& groups) {
  Owner owner;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (std::size_t s = 0; s < groups[g].keys.size(); ++s) {
      const std::string& axis_key = groups[g].keys[s];
      if (is_within(key, axis_key) && axis_key.size() > owner.key.size()) owner = {g, s, axis_key};
    }
  }
  return owner;
}

std::vector<std::string> all_keys(const std::vector<AxisGroup>& groups) {
  std::vector<std::string> keys;
  for (const AxisGroup& group : groups)
    keys.insert(keys.end(), group.keys.begin(), group.keys.end());
  return keys;
}

}  // namespace

ExcludeRule::ExcludeRule(const ConfigValue& rule, const std::vector<AxisGroup>& groups,
                         const ConfigValue& base)
    : matches_(groups.size()) {
  if (rule.entries().empty()) rule.fail("an empty rule would drop everything");
  for (const auto& [key, wanted] : rule.entries()) add_key(key, wanted, groups, base);
}

void ExcludeRule::add_key(const std::string& key, const ConfigValue& wanted,
                          const std::vector<AxisGroup>& groups, const ConfigValue& base) {
  const std::vector<std::string> keys = all_keys(groups);
  for (const std::string& axis_key : keys) {
    if (axis_key != key && is_within(axis_key, key)) {
      wanted.fail_at_key("\"" + key + "\" is a map; name what the axis sets, \"" + axis_key + "\"");
    }
  }
  const std::string json = wanted.canonical_json();
  const Owner owner = find_owner(key, groups);
  if (owner.key.empty()) {
    const ConfigValue* set = base.find_path(key);
    if (set == nullptr) {
      wanted.fail_at_key("\"" + key + "\" is no axis and is not set; " + suggestion(key, keys));
    }
    base_matches_ = base_matches_ && set->canonical_json() == json;
    return;
  }
  const std::vector<AxisPoint>& points = groups[owner.group].points;
  std::vector<bool>& matches = matches_[owner.group];
  if (matches.empty()) matches.assign(points.size(), true);
  bool found = false;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const ConfigValue& value = points[i].settings[owner.slot].second;
    const ConfigValue* set =
        key == owner.key ? &value : value.find_path(key.substr(owner.key.size() + 1));
    found = found || set != nullptr;
    matches[i] = matches[i] && set != nullptr && set->canonical_json() == json;
  }
  if (!found) wanted.fail_at_key("no value of the axis \"" + owner.key + "\" has this key");
}

bool ExcludeRule::drops(const std::vector<std::int64_t>& point_idx) const {
  if (!base_matches_) return false;
  for (std::size_t g = 0; g < matches_.size(); ++g) {
    if (!matches_[g].empty() && !matches_[g][static_cast<std::size_t>(point_idx[g])]) return false;
  }
  return true;
}

bool ExcludeRule::drops_any() const {
  // The product holds every combination of points, so one that matches in each group is enough.
  const auto some_point_matches = [](const std::vector<bool>& points) {
    return points.empty() || std::find(points.begin(), points.end(), true) != points.end();
  };
  return base_matches_ && std::all_of(matches_.begin(), matches_.end(), some_point_matches);
}

}  // namespace sightline::host
