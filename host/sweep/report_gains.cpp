#include "host/sweep/report_gains.h"

#include "host/sweep/judge.h"

namespace sightline::host {

GainsSettings parse_gains(const ConfigValue& gains,
                          const std::optional<std::vector<std::string>>& arms) {
  constexpr std::size_t kMostPanels = 3;
  gains.allow_only({"panels", "rows", "columns"});
  GainsSettings settings;
  for (const ConfigValue& panel : gains.at("panels").items()) {
    settings.panels.push_back(panel.as_text());
  }
  if (settings.panels.empty() || settings.panels.size() > kMostPanels) {
    gains.at("panels").fail("needs one to three titles");
  }
  for (const ConfigValue::Entry& entry : gains.at("rows").entries()) {
    GainsRow& row = settings.rows.emplace_back(GainsRow{entry.first, {}});
    if (entry.second.items().size() != settings.panels.size()) {
      entry.second.fail("needs an arm for each of " + std::to_string(settings.panels.size()) +
                        " panels");
    }
    for (const ConfigValue& arm : entry.second.items()) {
      if (arms) index_of_arm(*arms, arm);
      row.arms.push_back(arm.as_text());
    }
  }
  if (const ConfigValue* columns = gains.find("columns")) {
    for (const ConfigValue::Entry& entry : columns->entries()) {
      settings.columns[entry.first] = entry.second.as_text();
    }
  }
  if (settings.rows.empty()) gains.at("rows").fail("needs at least one row");
  return settings;
}

}  // namespace sightline::host
