// What a sweep file of a study says of the figure of gains:
//
//   report:
//     lines: study.NAME.AXIS          # a column for each of its values
//     gains:
//       panels: [hard, soft]
//       columns: {in_sight: "near, in sight"}   # names of the axis's values; absent: as they are
//       rows: {within 5 m: [radius_5, radius_5_soft], the rule: [rule, rule]}   # an arm per panel
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "host/config/value.h"

namespace sightline::host {

struct GainsRow {
  std::string label;
  std::vector<std::string> arms;  ///< [panels]
};

struct GainsSettings {
  std::vector<std::string> panels;
  std::vector<GainsRow> rows;
  std::map<std::string, std::string> columns;  ///< by the value's label
};

/// Throws InputError for a row without an arm for each panel, and for an arm that is not among
/// `arms`, where these are known.
GainsSettings parse_gains(const ConfigValue& gains,
                          const std::optional<std::vector<std::string>>& arms);

}  // namespace sightline::host
