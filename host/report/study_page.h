// The parts of a page that are a study's own: who is right how often, for each value of an axis.
#pragma once

#include <string>
#include <vector>

#include "host/report/figure_data.h"
#include "host/sweep/score_sense.h"
#include "host/sweep/store.h"

namespace sightline::host::report {

/// A run of a study, added up by the values of one axis: the one that `report.lines` names, else
/// that of what is measured, else the first that is no seed; if another than that of what is
/// measured, by both. Without one, all trials are one group.
struct StudyDigest {
  std::string name, description;
  std::vector<std::string> arms;
  std::vector<std::size_t> baselines;         ///< [groups]: the arm that others are held against
  std::vector<std::string> group_keys;        ///< the axes, one or, with measures, two
  std::vector<std::string> groups;            ///< labels of its values, in the order of the run
  std::vector<std::vector<ResultRow>> pools;  ///< [arms][groups]
  std::int64_t num_pooled_axes = 0;           ///< other axes, added up
  /// Groups that ask something else (`report.apart`): no part of what an arm is right in.
  std::vector<std::string> apart;
  std::vector<ScoreSense> senses;  ///< [groups]: what their scores say
  bool has_measures = false;       ///< groups are numbers of different kinds, such as gain and cost
  bool arms_are_measures = false;  ///< arms are, and not compared
  /// `metrics` of the sweep begins with `score`: trials can be half right, and means are told.
  bool shows_scores = false;

  const ResultRow& at(std::size_t arm, std::size_t group) const { return pools[arm][group]; }
  /// Groups are the same trials, held against one arm after the other.
  bool groups_are_baselines() const {
    return group_keys.size() == 1 && group_keys.front() == "baseline";
  }
  /// Groups with trials of their own.
  std::size_t num_groups_of_trials() const { return groups_are_baselines() ? 1 : groups.size(); }
  std::string group_name(std::size_t group) const;  ///< "all trials" without an axis
  /// The same where a group stands for its trials.
  std::string shown_name(std::size_t group) const;
  ScoreSense sense_of(std::size_t group) const;  ///< in per cent, of shares of right answers
  stats::Sums score_gain(std::size_t arm, std::size_t group) const;  ///< over the baseline
  /// A score, or a share of right answers, of a group: "98.7 %", "31.7 m".
  std::string text_of(double value, std::size_t group) const;
  /// The mean score of some trials, or the share of right answers; none of none.
  std::optional<Rate> rate_of(const ResultRow& row) const;
};
StudyDigest make_study_digest(const RunData& run);

/// An arm against the baseline, on the trials of one group.
struct StudyComparison {
  std::size_t arm = 0, group = 0;
  /// Exact McNemar, or of scores Student's t of the differences; Holm over all comparisons of the
  /// run.
  double p = 1, p_adjusted = 1;
};
/// Every arm but the baseline in every group.
std::vector<StudyComparison> compare_with_baseline(const StudyDigest& digest);

/// A sentence or two, computed from the counts: of the baseline and each arm, or of more than six
/// the three that are right most often, and how far the others reach.
std::string takeaway(const StudyDigest& digest);
/// Shares of right answers, or mean scores, with intervals, a bar per arm in each group.
FigureData study_figure(const StudyDigest& digest);
/// Who is right how often: an arm a row, a group a column; a dash where an arm is asked nothing.
std::string study_matrix_table(const StudyDigest& digest);
/// The comparisons, and what each arm read and scored.
std::string study_tests_table(const StudyDigest& digest);

}  // namespace sightline::host::report
