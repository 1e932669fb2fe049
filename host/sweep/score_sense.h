// What the scores of a study's run say: of which measure they are, and which are the better ones.
#pragma once

#include <string>

#include "host/studies/study.h"
#include "host/sweep/store.h"

namespace sightline::host {

/// "study.NAME.measure": the key that says what a score measures, whether the study has it or not;
/// empty if the run is of no study.
std::string measure_key(const RunData& run);

/// Of the scores of a row's configuration.
ScoreSense score_sense_of(const RunData& run, const RunData::Row& row);

/// Are scores of several measures in the run? They have no mean.
bool mixes_measures(const RunData& run);

}  // namespace sightline::host
