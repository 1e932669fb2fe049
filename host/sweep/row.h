// One row of a run: one arm of one configuration. Answers and costs are kept apart, because answers
// are the same on every machine and costs are not.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace sightline::host {

/// Counts of an arm against the oracle. Targets the oracle calls unknown are counted in
/// num_unknown and in no other number; an arm's answer "unknown" is wrong wherever the oracle
/// knows.
struct Answers {
  std::int64_t num_rays = 0;      ///< rays kept by the experiment's filters
  std::int64_t num_visible = 0;   ///< oracle: visible
  std::int64_t num_occluded = 0;  ///< oracle: hidden
  std::int64_t num_unknown = 0;   ///< oracle: unknown
  std::int64_t correct = 0;
  std::int64_t false_visible = 0;        ///< occluded, called visible
  std::int64_t false_occluded = 0;       ///< visible, called hidden
  std::int64_t said_unknown = 0;         ///< known to the oracle, called unknown
  std::int64_t only_arm_right = 0;       ///< McNemar b: this arm right, baseline wrong
  std::int64_t only_baseline_right = 0;  ///< McNemar c
};

/// Counts of a recall arm over queries whose target is known. Sums of fractions are whole numbers
/// of 2^-kFractionBits, so that they add up to the same bits in any order.
struct RecallAnswers {
  static constexpr int kFractionBits = 30;

  std::int64_t num_queries = 0;
  std::int64_t hits = 0;                    ///< target among the first k
  std::int64_t num_gated = 0;               ///< target dropped by a hard gate: no hit, no rank
  std::int64_t reciprocal_rank_sum = 0;     ///< of 1 / rank, the first rank being 1
  std::int64_t gain_sum = 0;                ///< of 1 / log2(1 + rank), where rank <= k
  std::int64_t only_arm_hit = 0;            ///< McNemar b: this arm hit, baseline missed
  std::int64_t only_baseline_hit = 0;       ///< McNemar c
  std::int64_t num_recalled = 0;            ///< memories recalled and verified; 0 without `verify`
  std::int64_t recalled_visible = 0;        ///< of those: said to be visible
  std::int64_t recalled_hidden = 0;         ///< of those: in truth hidden; 0 without `truth`
  std::int64_t recalled_false_visible = 0;  ///< hidden, and said to be visible
};

/// Counts of an arm over the trials of a study (host/studies/study.h).
struct StudyAnswers {
  std::int64_t num_trials = 0;
  std::int64_t right = 0;
  /// Scores that make up the sums below: one a trial, or one a configuration (0: one a trial).
  std::int64_t num_observations = 0;
  std::int64_t score_sum = 0;            ///< of scores in [0, 1], as RecallAnswers keeps fractions
  std::int64_t score_square_sum = 0;     ///< of their squares
  std::int64_t num_unanswered = 0;       ///< trials to which it had nothing to say
  std::int64_t coordinate_reads = 0;     ///< places of memories that it read
  std::int64_t truth_reads = 0;          ///< places of memories that the truth read
  std::int64_t num_candidates = 0;       ///< memories that it scored
  std::int64_t memory_size = 0;          ///< memories that it keeps; 0: not counted
  std::int64_t stored_bytes = 0;         ///< that it keeps to answer with; 0: not counted
  std::int64_t only_arm_right = 0;       ///< McNemar b
  std::int64_t only_baseline_right = 0;  ///< McNemar c
  std::int64_t score_gain_sum = 0;       ///< of the scores less those of the baseline
  std::int64_t score_gain_square_sum = 0;
  std::int64_t scores_higher = 0;  ///< trials that it scores higher on than the baseline does
  std::int64_t scores_lower = 0;
};

/// An experiment fills one of the three kinds of answers; the others stay zero.
struct ResultRow {
  std::int64_t configuration = 0;  ///< index in the plan
  std::string configuration_id;
  std::string arm;
  Answers answers;
  RecallAnswers recall{};
  StudyAnswers study{};
};

/// What it cost: machine-dependent, never part of results.csv.
struct CostRow {
  std::string configuration_id;
  std::string arm;
  double seconds = 0;         ///< what this row takes alone, estimated where several share a pass
  std::int64_t num_rays = 0;  ///< rays marched for it; of a recall: memories scored for its queries
  double rays_per_s = 0;
  double gate_seconds = 0;  ///< of `seconds`, in the gate: an index searched, lines of sight walked
};

}  // namespace sightline::host
