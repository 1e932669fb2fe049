// The gains of a study: how much more or less often than the baseline each arm is right, a row per
// arm, a column per value of an axis.
#pragma once

#include <optional>

#include "host/report/figure_data.h"
#include "host/sweep/store.h"

namespace sightline::host::report {

/// The arms that `report.gains` names (host/sweep/report_gains.h), in panels side by side. A column
/// in which the first row's arms are asked nothing is left out. None: the file names no gains, or
/// the run has none of these arms.
std::optional<FigureData> study_gains_figure(const RunData& run);

}  // namespace sightline::host::report
