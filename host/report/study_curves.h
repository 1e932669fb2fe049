// The curves of a study: how right each arm is along an axis of numbers.
#pragma once

#include <optional>

#include "host/report/figure_data.h"
#include "host/sweep/store.h"

namespace sightline::host::report {

/// A line per arm along the first axis of three numbers or more that `report.lines` does not name;
/// a panel per value of the axis that it names, or of those that `report.curves` lists. Other axes
/// are added up. None: there is no such axis, or there are more panels than can be read.
std::optional<FigureData> study_curves_figure(const RunData& run);

}  // namespace sightline::host::report
