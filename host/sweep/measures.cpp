#include "host/sweep/measures.h"

#include <algorithm>
#include <cmath>

#include "host/sweep/answer_columns.h"

namespace sightline::host {
namespace {

double fraction_of(std::int64_t whole) {
  return std::ldexp(static_cast<double>(whole), -RecallAnswers::kFractionBits);
}

std::optional<Rate> mean_of(std::int64_t fraction_sum, std::int64_t total) {
  if (total == 0) return std::nullopt;
  const double mean = fraction_of(fraction_sum) / static_cast<double>(total);
  return Rate{mean, {mean, mean}};
}

Measures visibility_measures() {
  Measures measures;
  for (const AnswerColumn& column : kAnswerColumns) {
    measures.counts.push_back({column.name, column.count, nullptr});
  }
  measures.rates = {
      {"accuracy", [](const ResultRow& row) { return accuracy(row.answers); }, true, true,
       "correct"},
      {"false_visible_rate", [](const ResultRow& row) { return false_visible_rate(row.answers); },
       false, true, "false_visible"},
      {"false_occluded_rate", [](const ResultRow& row) { return false_occluded_rate(row.answers); },
       false, true, "false_occluded"}};
  measures.pairs = [](const ResultRow& row) {
    const Answers& a = row.answers;
    return DiscordantPairs{a.num_visible + a.num_occluded, a.only_arm_right, a.only_baseline_right};
  };
  return measures;
}

Measures recall_measures() {
  using R = RecallAnswers;
  Measures measures;
  measures.counts = {{"num_queries", nullptr, &R::num_queries},
                     {"hits", nullptr, &R::hits},
                     {"num_gated", nullptr, &R::num_gated},
                     {"reciprocal_rank_sum", nullptr, &R::reciprocal_rank_sum},
                     {"gain_sum", nullptr, &R::gain_sum},
                     {"only_arm_hit", nullptr, &R::only_arm_hit},
                     {"only_baseline_hit", nullptr, &R::only_baseline_hit},
                     {"num_recalled", nullptr, &R::num_recalled},
                     {"recalled_visible", nullptr, &R::recalled_visible},
                     {"recalled_hidden", nullptr, &R::recalled_hidden},
                     {"recalled_false_visible", nullptr, &R::recalled_false_visible}};
  measures.rates = {
      {"hit_rate",
       [](const ResultRow& row) { return rate_of(row.recall.hits, row.recall.num_queries); }, true,
       true, "hits"},
      {"mrr",
       [](const ResultRow& row) {
         return mean_of(row.recall.reciprocal_rank_sum, row.recall.num_queries);
       },
       true, false},
      {"ndcg",
       [](const ResultRow& row) { return mean_of(row.recall.gain_sum, row.recall.num_queries); },
       true, false},
      {"visible_share",
       [](const ResultRow& row) {
         return rate_of(row.recall.recalled_visible, row.recall.num_recalled);
       },
       true, true, "recalled_visible"},
      {"false_visible_rate",
       [](const ResultRow& row) {
         return rate_of(row.recall.recalled_false_visible, row.recall.recalled_hidden);
       },
       false, true, "recalled_false_visible"}};
  measures.pairs = [](const ResultRow& row) {
    const R& a = row.recall;
    return DiscordantPairs{a.num_queries, a.only_arm_hit, a.only_baseline_hit};
  };
  return measures;
}

std::int64_t num_scores(const StudyAnswers& answers) {
  return answers.num_observations > 0 ? answers.num_observations : answers.num_trials;
}

stats::Sums scores_of(const ResultRow& row) {
  const StudyAnswers& a = row.study;
  return {num_scores(a), fraction_of(a.score_sum), fraction_of(a.score_square_sum)};
}

Measures study_measures() {
  using S = StudyAnswers;
  Measures measures;
  measures.counts = {{"num_trials", nullptr, nullptr, &S::num_trials},
                     {"right", nullptr, nullptr, &S::right},
                     {"num_observations", nullptr, nullptr, &S::num_observations},
                     {"score_sum", nullptr, nullptr, &S::score_sum},
                     {"score_square_sum", nullptr, nullptr, &S::score_square_sum},
                     {"num_unanswered", nullptr, nullptr, &S::num_unanswered},
                     {"coordinate_reads", nullptr, nullptr, &S::coordinate_reads},
                     {"truth_reads", nullptr, nullptr, &S::truth_reads},
                     {"num_candidates", nullptr, nullptr, &S::num_candidates},
                     {"memory_size", nullptr, nullptr, &S::memory_size},
                     {"stored_bytes", nullptr, nullptr, &S::stored_bytes},
                     {"only_arm_right", nullptr, nullptr, &S::only_arm_right},
                     {"only_baseline_right", nullptr, nullptr, &S::only_baseline_right},
                     {"score_gain_sum", nullptr, nullptr, &S::score_gain_sum},
                     {"score_gain_square_sum", nullptr, nullptr, &S::score_gain_square_sum},
                     {"scores_higher", nullptr, nullptr, &S::scores_higher},
                     {"scores_lower", nullptr, nullptr, &S::scores_lower}};
  measures.rates = {
      {"accuracy",
       [](const ResultRow& row) { return rate_of(row.study.right, row.study.num_trials); }, true,
       true, "right"},
      {"score", [](const ResultRow& row) { return mean_within(scores_of(row), 0, 1); }, true, true},
      {"unanswered_rate",
       [](const ResultRow& row) { return rate_of(row.study.num_unanswered, row.study.num_trials); },
       false, true, "num_unanswered"}};
  measures.pairs = [](const ResultRow& row) {
    const S& a = row.study;
    return DiscordantPairs{a.num_trials, a.only_arm_right, a.only_baseline_right};
  };
  measures.score_signs = [](const ResultRow& row) -> std::optional<DiscordantPairs> {
    const S& a = row.study;
    // A run of format 5 did not count them: scores differ, and none is higher or lower.
    if (a.scores_higher + a.scores_lower == 0 && a.score_gain_square_sum > 0) return std::nullopt;
    return DiscordantPairs{num_scores(a), a.scores_higher, a.scores_lower};
  };
  measures.scores = scores_of;
  measures.score_gain = [](const ResultRow& row) {
    const S& a = row.study;
    return stats::Sums{num_scores(a), fraction_of(a.score_gain_sum),
                       fraction_of(a.score_gain_square_sum)};
  };
  return measures;
}

template <class Column>
const Column* find_named(const std::vector<Column>& columns, const std::string& name) {
  const auto found = std::find_if(columns.begin(), columns.end(),
                                  [&](const Column& column) { return name == column.name; });
  return found == columns.end() ? nullptr : &*found;
}

}  // namespace

bool CountColumn::is_of_pairs() const {
  using A = Answers;
  using R = RecallAnswers;
  using S = StudyAnswers;
  const auto is_one_of = [](auto count, auto... counts) { return ((count == counts) || ...); };
  if (sight) return is_one_of(sight, &A::only_arm_right, &A::only_baseline_right);
  if (recall) return is_one_of(recall, &R::only_arm_hit, &R::only_baseline_hit);
  return is_one_of(study, &S::only_arm_right, &S::only_baseline_right, &S::score_gain_sum,
                   &S::score_gain_square_sum, &S::scores_higher, &S::scores_lower);
}

bool CountColumn::is_of_work() const {
  using S = StudyAnswers;
  return study == &S::coordinate_reads || study == &S::truth_reads || study == &S::num_candidates ||
         study == &S::memory_size || study == &S::stored_bytes;
}

bool CountColumn::is_zero_uncounted() const {
  return recall == &RecallAnswers::recalled_hidden || study == &StudyAnswers::memory_size ||
         study == &StudyAnswers::stored_bytes;
}

std::optional<Rate> mean_within(const stats::Sums& sums, double low, double high) {
  if (sums.n == 0) return std::nullopt;
  if (!stats::tells_of_others(sums)) return Rate{sums.mean(), {low, high}};
  return Rate{sums.mean(), stats::mean_interval_within(sums, low, high)};
}

ExperimentKind kind_of(const ConfigValue& sweep) {
  const auto has = [&](const char* key) {
    const ConfigValue* value = sweep.is_map() ? sweep.find(key) : nullptr;
    return value && !value->is_null();
  };
  if (has("study")) return ExperimentKind::kStudy;
  return has("memories") ? ExperimentKind::kRecall : ExperimentKind::kVisibility;
}

const char* kind_name(ExperimentKind kind) {
  switch (kind) {
    case ExperimentKind::kRecall:
      return "recall";
    case ExperimentKind::kStudy:
      return "study";
    case ExperimentKind::kVisibility:
      break;
  }
  return "visibility";
}

std::optional<Rate> rate_of(std::int64_t count, std::int64_t total) {
  if (total == 0) return std::nullopt;
  return Rate{static_cast<double>(count) / static_cast<double>(total), stats::wilson(count, total),
              total};
}

std::optional<Rate> accuracy(const Answers& answers) {
  return rate_of(answers.correct, answers.num_visible + answers.num_occluded);
}

std::optional<Rate> false_visible_rate(const Answers& answers) {
  return rate_of(answers.false_visible, answers.num_occluded);
}

std::optional<Rate> false_occluded_rate(const Answers& answers) {
  return rate_of(answers.false_occluded, answers.num_visible);
}

const CountColumn* Measures::find_count(const std::string& name) const {
  return find_named(counts, name);
}

const RateColumn* Measures::find_rate(const std::string& name) const {
  return find_named(rates, name);
}

void Measures::add(const ResultRow& row, ResultRow* total) const {
  for (const CountColumn& column : counts) column.of(*total) += column.of(row);
}

const Measures& measures_of(ExperimentKind kind) {
  static const Measures visibility = visibility_measures(), recall = recall_measures(),
                        study = study_measures();
  switch (kind) {
    case ExperimentKind::kRecall:
      return recall;
    case ExperimentKind::kStudy:
      return study;
    case ExperimentKind::kVisibility:
      break;
  }
  return visibility;
}

}  // namespace sightline::host
