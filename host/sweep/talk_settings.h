// The one figure of a study's run that a talk would show: some arms along an axis of numbers,
// others as levels.
//
//     report:
//       talk:
//         along: study.adaptive_weights.declared_error
//         x: "share of wrong declarations"
//         y: "Hit@5 in the worst regime"
//         curves: {adaptive: "adaptive", declared: "by declaration alone"}   arms, and what to call
//         them levels: {best_fixed: "best fixed mix"}       (absent: none) arms that the axis does
//         not change
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "host/config/value.h"

namespace sightline::host {

struct TalkSettings {
  std::string along, x, y;
  std::vector<std::pair<std::string, std::string>> curves, levels;  ///< arm, label
};

/// `report.talk` of a sweep; nothing if it has none. Throws InputError at the first key that cannot
/// be.
std::optional<TalkSettings> parse_talk(const ConfigValue& report);

/// The same, and throws unless the sweep is a study's, and the axis and the arms are its own.
/// `arms`: absent if axes set them. `settings`: what no axis sets, where an override may have put
/// the axis's one value.
void check_talk(const ConfigValue& report, bool is_study, const std::vector<std::string>& axes,
                const std::optional<std::vector<std::string>>& arms, const ConfigValue& settings);

}  // namespace sightline::host
