// The costs of a study: how right each arm is, and what that takes.
#pragma once

#include <optional>
#include <string>

#include "host/report/figure_data.h"
#include "host/sweep/store.h"

namespace sightline::host::report {

/// A point for each arm, and for each value of the axis that `report.lines` names, over the cost
/// that `report.against` names: time per trial, bytes per memory (per trial, of an arm that counts
/// no memories), or memories scored per trial. None: it names no cost, or no arm has one.
std::optional<FigureData> study_cost_figure(const RunData& run);

/// The same costs as tables, an arm a row, a value of the first axis of three numbers or more a
/// column: every cost that some arm has. Empty: `report.against` names no cost, or there is no such
/// axis.
std::string study_cost_table(const RunData& run);

}  // namespace sightline::host::report
