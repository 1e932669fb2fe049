// The figure that `report.talk` of a study's sweep asks for (sweep/talk_settings.h).
#pragma once

#include <optional>

#include "host/report/figure_data.h"
#include "host/sweep/store.h"

namespace sightline::host::report {

/// Means or shares of right answers of the curves' arms along the axis, with their intervals, over
/// all of a scale from 0 to 1; of the levels' arms those over all rows. Other axes are added up.
/// None: the sweep asks for none, or the run has no such axis of two numbers or more, or no row.
std::optional<FigureData> study_talk_figure(const RunData& run);

}  // namespace sightline::host::report
