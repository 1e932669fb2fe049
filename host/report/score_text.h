// Scores of a study in words and numbers, as their measure is told (ScoreSense).
#pragma once

#include <string>

#include "host/stats/paired.h"
#include "host/studies/study.h"

namespace sightline::host::report {

/// What captions call the intervals of scores.
constexpr const char* kMeanIntervals =
    "intervals of the mean (Student's t; of equal scores Wilson's of none that differs)";

std::string score_text(const ScoreSense& sense, double score);  ///< "98.7 %", "31.7 m"
std::string score_range_text(const ScoreSense& sense, const stats::Interval& scores);
/// "+72.9" percentage points, "+12.3 m".
std::string score_gain_text(const ScoreSense& sense, double gain);
/// Are they told in another unit than per cent?
bool has_unit(const ScoreSense& sense);
/// What a figure of shares must add beside such scores: "100 % = 1000 m, less is better"; empty
/// where nothing is to be said.
std::string score_note(const ScoreSense& sense);

}  // namespace sightline::host::report
