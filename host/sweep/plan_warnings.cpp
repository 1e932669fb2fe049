#include "host/sweep/plan_warnings.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "host/config/suggest.h"
#include "host/sweep/claim_rows.h"

namespace sightline::host {
namespace {

/// The values of an axis as tables have them; none, if there is no such axis.
std::vector<std::string> labels_of(const std::string& axis, const std::vector<AxisGroup>& groups) {
  std::vector<std::string> labels;
  for (const AxisGroup& group : groups) {
    for (std::size_t k = 0; k < group.keys.size(); ++k) {
      if (group.keys[k] != axis) continue;
      for (const AxisPoint& point : group.points) labels.push_back(point.labels[k]);
    }
  }
  return labels;
}

/// Is a name almost one of these, and so likely meant to be?
bool is_slip(const std::string& name, const std::vector<std::string>& labels) {
  constexpr std::size_t kMostEdits = 2;
  return edit_distance(name, nearest_name(name, labels)) <= kMostEdits;
}

/// "key value" for each value of `where` that no configuration has: of an axis none of its points,
/// of a setting that is none, or no more one, not what `base` says. A likely slip is told with its
/// place; other values are often those that a smaller run leaves out.
std::vector<std::string> absent_values(const ConfigValue& where, const ConfigValue& base,
                                       const std::vector<AxisGroup>& groups) {
  std::vector<std::string> absent;
  const auto look = [&](const std::string& key, const ConfigValue& wanted, const auto& is_there) {
    const bool is_one = !wanted.is_list() || is_there(wanted);  // or an axis of lists
    for (const ConfigValue& value : is_one ? std::vector<ConfigValue>{wanted} : wanted.items()) {
      if (is_there(value)) continue;
      absent.push_back(key + " " + value.display());
      const std::vector<std::string> labels = labels_of(key, groups);
      if (labels.empty() || !value.is_text() || !is_slip(value.as_text(), labels)) continue;
      absent.back() += " (" + value.where() + ": " + suggestion(value.as_text(), labels) + ")";
    }
  };
  for (const ConfigValue::Entry& entry : where.entries()) {
    const std::string& key = entry.first;
    const ConfigValue* fixed = base.find_path(key);
    bool is_axis = false;
    for (const AxisGroup& group : groups) {
      for (std::size_t k = 0; k < group.keys.size(); ++k) {
        if (group.keys[k] != key) continue;
        is_axis = true;
        look(key, entry.second, [&](const ConfigValue& value) {
          return std::any_of(group.points.begin(), group.points.end(), [&](const AxisPoint& point) {
            return is_wanted(point.settings[k].second, point.labels[k], value);
          });
        });
      }
    }
    if (is_axis || fixed == nullptr) continue;
    look(key, entry.second,
         [&](const ConfigValue& value) { return is_wanted(*fixed, fixed->display(), value); });
  }
  return absent;
}

/// Of a name for a value of the axis `report.lines` that is almost one. Another may be of a value
/// that an override has left out.
void warn_if_misspelt(const std::string& name, const ConfigValue& place, const ConfigValue& report,
                      const std::vector<AxisGroup>& groups, std::vector<std::string>* warnings) {
  const ConfigValue* lines = report.find("lines");
  if (lines == nullptr || !lines->is_text()) return;
  const std::vector<std::string> labels = labels_of(lines->as_text(), groups);
  const bool is_there = std::find(labels.begin(), labels.end(), name) != labels.end();
  if (labels.empty() || is_there) return;
  if (!is_slip(name, labels)) return;
  warnings->push_back(place.where() + ": names no value of " + lines->as_text() + "; " +
                      suggestion(name, labels));
}

bool is_called(const std::string& key, std::string_view name) {
  if (key.size() <= name.size()) return key == name;
  const std::size_t from = key.size() - name.size();
  return key[from - 1] == '.' && key.compare(from, std::string::npos, name) == 0;
}

/// Is some method anywhere, an axis of methods included, a march?
bool marches(const ConfigValue& settings, bool is_method = false) {
  if (settings.is_text()) return is_method && settings.as_text().rfind("march", 0) == 0;
  if (settings.is_list()) {
    const std::vector<ConfigValue>& items = settings.items();
    return std::any_of(items.begin(), items.end(),
                       [&](const ConfigValue& item) { return marches(item, is_method); });
  }
  if (!settings.is_map()) return false;
  const std::vector<ConfigValue::Entry>& entries = settings.entries();
  return std::any_of(entries.begin(), entries.end(), [&](const ConfigValue::Entry& entry) {
    return marches(entry.second, is_method || is_called(entry.first, "method"));
  });
}

/// Is it a step of `visibility`, of an arm's or of a line of sight that verifies?
bool is_march_step(const std::string& key) {
  return is_called(key, "visibility.step_m") || is_called(key, "line_of_sight.step_m");
}

}  // namespace

std::vector<std::string> warnings_of_claims(const ConfigValue& claims, const ConfigValue& base,
                                            const std::vector<AxisGroup>& groups) {
  std::set<std::string> absent;
  std::int64_t num_untested = 0;
  for (const ConfigValue& claim : claims.items()) {
    const ConfigValue* where = claim.find("where");
    if (where == nullptr) continue;
    const std::vector<std::string> here = absent_values(*where, base, groups);
    absent.insert(here.begin(), here.end());
    num_untested += here.empty() ? 0 : 1;
  }
  if (absent.empty()) return {};
  std::string text;
  for (const std::string& one : absent) text += (text.empty() ? "" : ", ") + one;
  return {std::to_string(num_untested) + " of " + std::to_string(claims.items().size()) +
          " claims are not tested: no configuration has " + text};
}

std::vector<std::string> warnings_of_columns(const ConfigValue& report,
                                             const std::vector<AxisGroup>& groups) {
  std::vector<std::string> warnings;
  const ConfigValue* columns = report.find_path("gains.columns");
  if (columns == nullptr) return warnings;
  for (const ConfigValue::Entry& column : columns->entries()) {
    warn_if_misspelt(column.first, column.second, report, groups, &warnings);
  }
  return warnings;
}

namespace {

std::vector<std::string> warnings_of_values(const ConfigValue& values, const ConfigValue& report,
                                            const std::vector<AxisGroup>& groups) {
  std::vector<std::string> warnings;
  for (const ConfigValue& label : values.items()) {
    warn_if_misspelt(label.as_text(), label, report, groups, &warnings);
  }
  return warnings;
}

}  // namespace

std::vector<std::string> warnings_of_apart(const ConfigValue& report,
                                           const std::vector<AxisGroup>& groups) {
  return warnings_of_values(report.at("apart"), report, groups);
}

std::vector<std::string> warnings_of_curves(const ConfigValue& report,
                                            const std::vector<AxisGroup>& groups) {
  const ConfigValue& curves = report.at("curves");
  std::vector<std::string> warnings = warnings_of_values(curves, report, groups);
  const ConfigValue* lines = report.find("lines");
  const std::vector<std::string> labels = lines != nullptr && lines->is_text()
                                              ? labels_of(lines->as_text(), groups)
                                              : std::vector<std::string>{};
  const bool has_panel =
      std::any_of(curves.items().begin(), curves.items().end(), [&](const ConfigValue& value) {
        return std::find(labels.begin(), labels.end(), value.as_text()) != labels.end();
      });
  if (!has_panel && warnings.empty()) {
    warnings.push_back(curves.where() +
                       ": names no value of an axis that report.lines names, so that no curves " +
                       "are drawn");
  }
  return warnings;
}

std::vector<std::string> warnings_of_steps(const ConfigValue& sweep,
                                           const std::vector<AxisGroup>& groups) {
  std::vector<std::string> warnings;
  if (marches(sweep)) return warnings;
  for (const AxisGroup& group : groups) {
    for (std::size_t k = 0; k < group.keys.size(); ++k) {
      if (!is_march_step(group.keys[k])) continue;
      warnings.push_back(
          group.points.front().settings[k].second.where() +
          ": nothing marches, so that no value of the axis changes an answer; give " +
          "method: march, or leave the axis out");
    }
  }
  return warnings;
}

}  // namespace sightline::host
