// What the rows of a run count, by name, and the rates made of the counts: one list for the
// database, the CSV files, the summary and the claims.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/config/value.h"
#include "host/stats/paired.h"
#include "host/sweep/row.h"

namespace sightline::host {

enum class ExperimentKind { kVisibility, kRecall, kStudy };
/// A sweep with `study` runs one, with `memories` asks what is recalled, any other what is seen.
ExperimentKind kind_of(const ConfigValue& sweep);
/// "visibility", "recall", "study": what files of a run call it.
const char* kind_name(ExperimentKind kind);

/// A count of a row, of one kind of answers.
struct CountColumn {
  const char* name;
  std::int64_t Answers::*sight = nullptr;
  std::int64_t RecallAnswers::*recall = nullptr;
  std::int64_t StudyAnswers::*study = nullptr;

  /// Of what an arm and its baseline answered otherwise.
  bool is_of_pairs() const;
  /// Of what an arm did, whose sum over rows of the same trials is what it did in all; that of
  /// answers counts each trial as often as it is asked.
  bool is_of_work() const;
  /// Is 0 what a row has that counted nothing, too: of recalled memories that no truth was asked
  /// of, of stores that did not say how much they keep?
  bool is_zero_uncounted() const;
  std::int64_t& of(ResultRow& row) const {
    return sight ? row.answers.*sight : recall ? row.recall.*recall : row.study.*study;
  }
  std::int64_t of(const ResultRow& row) const {
    return sight ? row.answers.*sight : recall ? row.recall.*recall : row.study.*study;
  }
};

/// A share of counted things with its Wilson 95 % interval, or a mean.
struct Rate {
  double value = 0;
  stats::Interval interval;  ///< of a mean whose squares are not summed: the value alone
  std::int64_t total = 0;    ///< of a share: the counted things; of a mean: 0
};
/// None where there is nothing to count.
std::optional<Rate> rate_of(std::int64_t count, std::int64_t total);
/// A mean with its 95 % interval, within [low, high], which is all of that for values that are
/// equal and fewer than six; none of nothing.
std::optional<Rate> mean_within(const stats::Sums& sums, double low, double high);

struct RateColumn {
  const char* name;
  std::optional<Rate> (*of)(const ResultRow&);
  bool more_is_better;
  bool has_interval;
  const char* count = nullptr;  ///< of a share: the name of the count that it is a share of
};

/// Pairs in which the arm and its baseline differ: McNemar's b and c, of n pairs.
struct DiscordantPairs {
  std::int64_t n = 0, only_arm = 0, only_baseline = 0;
};

struct Measures {
  std::vector<CountColumn> counts;
  std::vector<RateColumn> rates;  ///< the first tells most
  DiscordantPairs (*pairs)(const ResultRow&);
  /// An arm's scores; nullptr: it has none.
  stats::Sums (*scores)(const ResultRow&) = nullptr;
  /// An arm's scores less the baseline's, pair by pair; nullptr: it has no scores.
  stats::Sums (*score_gain)(const ResultRow&) = nullptr;
  /// Trials that the arm scores higher on than the baseline, and lower; none of a run that did not
  /// count them. nullptr: it has no scores.
  std::optional<DiscordantPairs> (*score_signs)(const ResultRow&) = nullptr;

  const CountColumn* find_count(const std::string& name) const;  ///< nullptr: none of this name
  const RateColumn* find_rate(const std::string& name) const;
  /// Adds the counts of a row to another one's.
  void add(const ResultRow& row, ResultRow* total) const;
};
const Measures& measures_of(ExperimentKind kind);

std::optional<Rate> accuracy(const Answers& answers);             ///< of the rays the oracle knows
std::optional<Rate> false_visible_rate(const Answers& answers);   ///< of the occluded
std::optional<Rate> false_occluded_rate(const Answers& answers);  ///< of the visible

}  // namespace sightline::host
