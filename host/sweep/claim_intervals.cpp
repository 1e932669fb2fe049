#include "host/sweep/claim_intervals.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sightline::host {
namespace {

bool starts_with(const std::string& text, const char* words) { return text.rfind(words, 0) == 0; }

/// Of a count, through the share that it is the counted part of: as many of as many.
std::optional<stats::Interval> count_interval(const Measures& measures, const std::string& name,
                                              const ResultRow& total) {
  const auto column =
      std::find_if(measures.rates.begin(), measures.rates.end(),
                   [&](const RateColumn& rate) { return rate.count && name == rate.count; });
  if (column == measures.rates.end()) return std::nullopt;
  const std::optional<Rate> rate = column->of(total);
  if (!rate || rate->total == 0) return std::nullopt;
  const auto of = static_cast<double>(rate->total);
  return stats::Interval{rate->interval.low * of, rate->interval.high * of};
}

}  // namespace

std::optional<stats::Interval> claim_interval(ExperimentKind kind, const std::string& name,
                                              const ResultRow& total) {
  const Measures& measures = measures_of(kind);
  if (const RateColumn* column = measures.find_rate(name)) {
    const std::optional<Rate> rate = column->of(total);
    return rate && column->has_interval ? std::optional(rate->interval) : std::nullopt;
  }
  if (measures.find_count(name)) return count_interval(measures, name, total);
  if (starts_with(name, "score_delta")) {
    const std::optional<Rate> gain = mean_within(measures.score_gain(total), -1, 1);
    return gain ? std::optional(gain->interval) : std::nullopt;
  }
  if (!starts_with(name, "delta")) return std::nullopt;
  return pairs_interval(measures.pairs(total));
}

stats::Sums sums_of(const std::vector<double>& values) {
  stats::Sums sums;
  for (const double value : values) {
    ++sums.n;
    sums.sum += value;
    sums.squares += value * value;
  }
  return sums;
}

std::optional<stats::Interval> mean_interval_of(const ClaimNumber& number,
                                                const std::vector<double>& values) {
  if (values.size() < 2 || is_p_value(number.name)) return std::nullopt;
  const stats::Sums sums = sums_of(values);
  if (number.name == "significant_win" || number.name == "wilcoxon_win")
    return stats::wilson(std::llround(sums.sum), sums.n);
  const stats::Interval interval = stats::mean_interval(sums);
  return stats::Interval{std::max(number.low, interval.low), std::min(number.high, interval.high)};
}

std::optional<stats::Interval> pairs_interval(const DiscordantPairs& pairs) {
  if (pairs.n == 0) return std::nullopt;
  return stats::difference_interval(pairs.n, pairs.only_arm, pairs.only_baseline);
}

stats::Interval newcombe_interval(const Rate& own, const Rate& other) {
  const double difference = own.value - other.value;
  return {difference - std::hypot(own.value - own.interval.low, other.interval.high - other.value),
          difference + std::hypot(own.interval.high - own.value, other.value - other.interval.low)};
}

std::string interval_text(const std::optional<stats::Interval>& interval) {
  if (!interval) return "";
  return fmt::format("{:.4g} to {:.4g}", interval->low, interval->high);
}

void add_interval(const std::optional<stats::Interval>& interval, std::string* list) {
  if (interval) *list += (list->empty() ? "" : ", ") + interval_text(interval);
}

std::string difference_text(const std::optional<stats::Interval>& interval) {
  return interval ? "difference " + interval_text(interval) : "";
}

}  // namespace sightline::host
