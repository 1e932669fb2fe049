#include "host/sweep/claim_numbers.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sightline::host {
namespace {

constexpr double kAny = std::numeric_limits<double>::infinity();
constexpr double kLevel = 0.05;  ///< at which a win counts

/// Differences of the pairs: hit or miss of the arm minus that of the baseline.
std::vector<double> differences_of(const DiscordantPairs& pairs) {
  std::vector<double> differences(static_cast<std::size_t>(pairs.n), 0.0);
  const auto first = differences.begin();
  std::fill_n(first, pairs.only_arm, 1.0);
  std::fill_n(first + pairs.only_arm, pairs.only_baseline, -1.0);
  return differences;
}

double delta_of(const DiscordantPairs& pairs) {
  return static_cast<double>(pairs.only_arm - pairs.only_baseline) / static_cast<double>(pairs.n);
}

double wilcoxon_of(const DiscordantPairs& pairs) {
  return stats::wilcoxon_signed_rank(differences_of(pairs)).p;
}

struct PairedNumber {
  ClaimNumber number;
  std::optional<double> (*of)(const DiscordantPairs&);
};

/// The score interval is an approximation for large samples: of fewer pairs no claim goes by it.
constexpr std::int64_t kLeastPairs = 8;

std::optional<stats::Interval> interval_of(const DiscordantPairs& pairs) {
  if (pairs.n < kLeastPairs) return std::nullopt;
  return stats::difference_interval(pairs.n, pairs.only_arm, pairs.only_baseline);
}

const std::vector<PairedNumber>& paired_numbers() {
  static const std::vector<PairedNumber> numbers{
      {{"delta", -1, 1}, [](const DiscordantPairs& p) { return std::optional(delta_of(p)); }},
      {{"delta_low", -1, 1},
       [](const DiscordantPairs& p) -> std::optional<double> {
         const auto interval = interval_of(p);
         return interval ? std::optional(interval->low) : std::nullopt;
       }},
      {{"delta_high", -1, 1},
       [](const DiscordantPairs& p) -> std::optional<double> {
         const auto interval = interval_of(p);
         return interval ? std::optional(interval->high) : std::nullopt;
       }},
      {{"cohens_d", -kAny, kAny},
       [](const DiscordantPairs& p) -> std::optional<double> {
         const double d = p.n < 2 ? NAN : stats::cohens_d(differences_of(p));
         return std::isnan(d) ? std::nullopt : std::optional(d);
       }},
      {{"wilcoxon_p", 0, 1},
       [](const DiscordantPairs& p) { return std::optional(wilcoxon_of(p)); }},
      {{"mcnemar_p", 0, 1}, [](const DiscordantPairs& p) { return std::optional(exact_p_of(p)); }},
      {{"holm_p", 0, 1},  // of one comparison; of a family see claim_values
       [](const DiscordantPairs& p) { return std::optional(exact_p_of(p)); }},
      {{"significant_win", 0, 1},
       [](const DiscordantPairs& p) {
         return std::optional(delta_of(p) > 0 && exact_p_of(p) < kLevel ? 1.0 : 0.0);
       }},
      {{"wilcoxon_win", 0, 1}, [](const DiscordantPairs& p) {
         return std::optional(delta_of(p) > 0 && wilcoxon_of(p) < kLevel ? 1.0 : 0.0);
       }}};
  return numbers;
}

struct ScoreNumber {
  ClaimNumber number;
  double (*of)(const Rate& gain);
};

/// Of scores that need not be 0 or 1.
const std::vector<ScoreNumber>& score_numbers() {
  static const std::vector<ScoreNumber> numbers{
      {{"score_delta", -1, 1}, [](const Rate& gain) { return gain.value; }},
      {{"score_delta_low", -1, 1}, [](const Rate& gain) { return gain.interval.low; }},
      {{"score_delta_high", -1, 1}, [](const Rate& gain) { return gain.interval.high; }}};
  return numbers;
}

/// Exact sign test of scores: who scores higher, in how many pairs. Ranks of differences, which
/// Wilcoxon's test needs, cannot be added up over configurations; signs can.
const std::vector<ClaimNumber>& sign_numbers() {
  static const std::vector<ClaimNumber> numbers{
      {"sign_p", 0, 1}, {"holm_sign_p", 0, 1}};  // of a family see claim_values
  return numbers;
}

const ClaimNumber* find_sign(const std::string& name) {
  const std::vector<ClaimNumber>& numbers = sign_numbers();
  const auto found = std::find_if(numbers.begin(), numbers.end(),
                                  [&](const ClaimNumber& one) { return one.name == name; });
  return found == numbers.end() ? nullptr : &*found;
}

template <class Number>
const Number* find_in(const std::vector<Number>& numbers, const std::string& name) {
  const auto found = std::find_if(numbers.begin(), numbers.end(),
                                  [&](const Number& one) { return one.number.name == name; });
  return found == numbers.end() ? nullptr : &*found;
}

const PairedNumber* find_paired(const std::string& name) { return find_in(paired_numbers(), name); }

/// Is a count the counted part of a share of nothing?
bool is_of_none(const Measures& measures, const std::string& name, const ResultRow& total) {
  return std::any_of(measures.rates.begin(), measures.rates.end(), [&](const RateColumn& rate) {
    return rate.count && name == rate.count && !rate.of(total);
  });
}

}  // namespace

double exact_p_of(const DiscordantPairs& pairs) {
  return stats::mcnemar_exact(pairs.only_arm, pairs.only_baseline);
}

bool is_significant(double p) { return p <= kLevel; }

bool is_shown_by_exact_test(const DiscordantPairs& pairs) {
  return is_significant(exact_p_of(pairs));
}

std::vector<std::string> claim_number_names(ExperimentKind kind) {
  std::vector<std::string> names;
  for (const RateColumn& column : measures_of(kind).rates) names.emplace_back(column.name);
  for (const CountColumn& column : measures_of(kind).counts) names.emplace_back(column.name);
  for (const PairedNumber& paired : paired_numbers()) names.push_back(paired.number.name);
  if (measures_of(kind).score_gain) {
    for (const ScoreNumber& score : score_numbers()) names.push_back(score.number.name);
    for (const ClaimNumber& sign : sign_numbers()) names.push_back(sign.name);
  }
  return names;
}

std::optional<ClaimNumber> find_claim_number(ExperimentKind kind, const std::string& name) {
  if (const RateColumn* rate = measures_of(kind).find_rate(name)) {
    return ClaimNumber{name, 0, 1, false, rate->has_interval};
  }
  if (measures_of(kind).find_count(name)) return ClaimNumber{name, 0, kAny, true};
  if (const PairedNumber* paired = find_paired(name)) return paired->number;
  if (!measures_of(kind).score_gain) return std::nullopt;
  if (const ClaimNumber* sign = find_sign(name)) return *sign;
  const ScoreNumber* score = find_in(score_numbers(), name);
  return score ? std::optional(score->number) : std::nullopt;
}

bool is_paired_number(const std::string& name) {
  return find_paired(name) != nullptr || find_in(score_numbers(), name) != nullptr ||
         find_sign(name) != nullptr;
}

bool is_p_value(const std::string& name) {
  return name.size() > 2 && name.compare(name.size() - 2, 2, "_p") == 0;
}

std::int64_t gain_of_test(ExperimentKind kind, const std::string& name, const ResultRow& total,
                          bool less_is_better) {
  const Measures& measures = measures_of(kind);
  const std::optional<DiscordantPairs> pairs =
      find_sign(name) ? measures.score_signs(total) : measures.pairs(total);
  const std::int64_t gain = pairs ? pairs->only_arm - pairs->only_baseline : 0;
  return find_sign(name) && less_is_better ? -gain : gain;
}

std::string test_of_family(const std::string& name) {
  if (name == "holm_p") return "mcnemar_p";
  return name == "holm_sign_p" ? "sign_p" : "";
}

std::optional<double> claim_value(ExperimentKind kind, const std::string& name,
                                  const ResultRow& total) {
  const Measures& measures = measures_of(kind);
  if (const RateColumn* column = measures.find_rate(name)) {
    const std::optional<Rate> rate = column->of(total);
    return rate ? std::optional(rate->value) : std::nullopt;
  }
  if (const CountColumn* column = measures.find_count(name)) {
    const std::int64_t count = column->of(total);
    // 0 of nothing: none was asked, or none of the kind that is counted.
    if (count == 0 && (measures.pairs(total).n == 0 || column->is_zero_uncounted() ||
                       is_of_none(measures, name, total))) {
      return std::nullopt;
    }
    return static_cast<double>(count);
  }
  if (const ScoreNumber* score = find_in(score_numbers(), name)) {
    const stats::Sums gains = measures.score_gain(total);
    const bool is_end = name != "score_delta";
    if (is_end && !stats::tells_of_others(gains)) return std::nullopt;
    const std::optional<Rate> gain = mean_within(gains, -1, 1);
    return gain ? std::optional(score->of(*gain)) : std::nullopt;
  }
  if (find_sign(name)) {
    const std::optional<DiscordantPairs> signs = measures.score_signs(total);
    if (!signs || signs->n == 0) return std::nullopt;
    return exact_p_of(*signs);
  }
  const PairedNumber* paired = find_paired(name);
  const DiscordantPairs pairs = measures.pairs(total);
  if (!paired || pairs.n == 0) return std::nullopt;
  return paired->of(pairs);
}

std::vector<double> claim_values(ExperimentKind kind, const std::string& name,
                                 const std::vector<ResultRow>& totals) {
  std::vector<double> values;
  for (const ResultRow& total : totals) {
    const std::optional<double> value = claim_value(kind, name, total);
    if (!value) return {};
    values.push_back(*value);
  }
  return test_of_family(name).empty() ? values : stats::holm_bonferroni(values);
}

}  // namespace sightline::host
