// Answers of a study's arm made of its scores, as a run keeps them.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "host/sweep/row.h"

namespace sightline::tests {

/// A score or a square of one, in steps of 2^-kFractionBits.
inline std::int64_t whole_of(double fraction) {
  return std::llround(std::ldexp(fraction, host::RecallAnswers::kFractionBits));
}

/// Scores of an arm and of the baseline, trial by trial; none is wholly right.
inline host::StudyAnswers answers_of_scores(const std::vector<double>& scores,
                                            const std::vector<double>& baseline) {
  host::StudyAnswers answers;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const double gain = scores[i] - baseline[i];
    ++answers.num_trials;
    answers.score_sum += whole_of(scores[i]);
    answers.score_square_sum += whole_of(scores[i] * scores[i]);
    answers.score_gain_sum += whole_of(gain);
    answers.score_gain_square_sum += whole_of(gain * gain);
    answers.scores_higher += gain > 0;
    answers.scores_lower += gain < 0;
  }
  return answers;
}

}  // namespace sightline::tests
