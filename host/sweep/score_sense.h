// What the scores of a study's run say: of which measure they are, and which are the better ones.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "host/studies/study.h"
#include "host/sweep/store.h"

namespace sightline::host {

/// "study.NAME.measure": the key that says what a score measures, whether the study has it or not;
/// empty if the run is of no study.
std::string measure_key(const RunData& run);

/// Of the scores of a row's configuration.
ScoreSense score_sense_of(const RunData& run, const RunData::Row& row);

/// Are scores of several measures in the run, or among these of its rows? They have no mean.
bool mixes_measures(const RunData& run);
bool mixes_measures(const RunData& run, const std::vector<std::size_t>& rows);

/// The axis that sets what is measured, where that is several things: its index.
std::optional<std::size_t> axis_of_measures(const RunData& run);

/// Are the arms of the run's study numbers of different kinds, which are not compared?
bool arms_are_measures(const RunData& run);

}  // namespace sightline::host
