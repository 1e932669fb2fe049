#include "host/sweep/claim_bounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>

#include "host/sweep/claim_intervals.h"

namespace sightline::host {
namespace {

BetterSide side_of(const ConfigValue& p_value) {
  const ConfigValue* side = p_value.find("side");
  if (!p_value.find("max")) {
    if (side) side->fail("needs max: only a small p tells who is better");
    return BetterSide::kEither;
  }
  if (!side) return BetterSide::kArm;
  constexpr BetterSide kSides[] = {BetterSide::kArm, BetterSide::kBaseline, BetterSide::kEither};
  return kSides[side->as_choice({"better", "worse", "either"})];
}

const char* word_of(BetterSide side) { return side == BetterSide::kArm ? "better" : "worse"; }

/// Is the arm on the side where it has to be, in each group or, in the mean, in all together?
bool is_on_side(const ClaimBounds& bounds, GroupView view, ExperimentKind kind,
                const std::vector<ResultRow>& totals, const std::vector<bool>& less_is_better) {
  if (bounds.better == BetterSide::kEither) return true;
  std::vector<std::int64_t> gains;
  for (std::size_t i = 0; i < totals.size(); ++i) {
    gains.push_back(gain_of_test(kind, bounds.number.name, totals[i], less_is_better[i]));
  }
  if (view != GroupView::kEach) {
    gains = {std::accumulate(gains.begin(), gains.end(), std::int64_t{0})};
  }
  return std::all_of(gains.begin(), gains.end(), [&](std::int64_t gain) {
    return bounds.better == BetterSide::kArm ? gain > 0 : gain < 0;
  });
}

/// Of a claim that the interval of the difference leaves out 0: who is ahead, 1 the arm, -1 its
/// baseline. 0: it claims no such thing.
int claimed_lead(const ClaimBounds& bounds) {
  if (bounds.number.name == "delta_low" && bounds.low >= 0) return 1;
  if (bounds.number.name == "delta_high" && bounds.high <= 0) return -1;
  return 0;
}

/// Of a claim that an interval leaves out 0: what the exact test of the groups or, in the mean, of
/// all their pairs has against it. Else empty.
std::string doubt_of_exact_test(const ClaimBounds& bounds, GroupView view, ExperimentKind kind,
                                const std::vector<ResultRow>& totals) {
  const int lead = claimed_lead(bounds);
  if (lead == 0) return "";
  std::vector<DiscordantPairs> tested;
  DiscordantPairs all;
  for (const ResultRow& total : totals) {
    tested.push_back(measures_of(kind).pairs(total));
    all.n += tested.back().n;
    all.only_arm += tested.back().only_arm;
    all.only_baseline += tested.back().only_baseline;
  }
  // The mean of the ends may lie beyond 0 where most pairs, in a large group, say the opposite.
  const std::int64_t gain = lead * (all.only_arm - all.only_baseline);
  if (view != GroupView::kEach && gain <= 0) {
    return fmt::format(", but {} of {} discordant pairs are the {}'s",
                       lead > 0 ? all.only_baseline : all.only_arm,
                       all.only_arm + all.only_baseline, lead > 0 ? "baseline" : "arm");
  }
  if (view == GroupView::kMean) tested = {all};
  const auto worst = std::max_element(
      tested.begin(), tested.end(),
      [](const auto& left, const auto& right) { return exact_p_of(left) < exact_p_of(right); });
  if (is_shown_by_exact_test(*worst)) return "";
  return fmt::format(", but the exact McNemar p is {:.3g}", exact_p_of(*worst));
}

/// Reads `interval` of the bounds of a rate.
bool is_by_interval(const ClaimBounds& bounds, const ConfigValue& value) {
  const ConfigValue* interval = value.find("interval");
  if (!interval) return false;
  if (!bounds.number.has_interval) {
    interval->fail_at_key(
        "is for rates with a 95 % interval, and " + bounds.number.name + " is none; leave it out" +
        (bounds.number.name == "delta" ? ", or claim delta_low or delta_high" : ""));
  }
  if (!interval->as_bool()) return false;
  if (bounds.low == bounds.high || bounds.low >= bounds.number.high ||
      bounds.high <= bounds.number.low) {
    value.fail("holds of no interval; leave it room between min and max");
  }
  return true;
}

/// A claim on a number, and the rows that it is taken of.
struct NumberClaim {
  const ClaimBounds& bounds;
  ExperimentKind kind;
  std::vector<ResultRow> totals;       ///< of each group
  std::vector<double> values;          ///< likewise
  std::vector<bool> less_is_better{};  ///< likewise, of their scores

  const std::string& name() const { return bounds.number.name; }
  std::string of_groups() const {
    return totals.size() > 1 ? fmt::format(" over {} groups", totals.size()) : "";
  }
  std::string expected() const {
    return name() + (bounds.by_interval ? ", by its 95 % interval, " : " ") + bounds.text();
  }
};

/// Does the spread of the values tell how far from their mean that of others may be?
bool differs_enough(const std::vector<double>& values) {
  return stats::tells_of_others(sums_of(values));
}

/// The verdict, given whether the numbers lie within the bounds. Tells what else speaks against it.
void decide(const NumberClaim& claim, bool within, GroupView view, ClaimResult* result) {
  const bool on_side =
      is_on_side(claim.bounds, view, claim.kind, claim.totals, claim.less_is_better);
  if (!on_side) result->found += std::string(", and not ") + word_of(claim.bounds.better);
  const std::string doubt =
      within ? doubt_of_exact_test(claim.bounds, view, claim.kind, claim.totals) : "";
  result->found += doubt;
  result->holds = within && on_side && doubt.empty();
}

void judge_mean(const NumberClaim& claim, GroupView view, ClaimResult* result) {
  const std::vector<double>& values = claim.values;
  const double mean =
      std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  const auto interval = mean_interval_of(claim.bounds.number, values);
  if (claim.bounds.by_interval && !(interval && differs_enough(values))) return;
  result->expected = "mean of " + claim.expected();
  result->found = fmt::format("{:.6g}{}", mean, claim.of_groups());
  result->interval = interval_text(interval);
  const bool within =
      claim.bounds.by_interval ? claim.bounds.hold(*interval) : claim.bounds.hold(mean);
  decide(claim, within, view, result);
}

/// The groups with the lowest and the highest number or, of a claim by intervals, end of one; the
/// same twice if they are one.
std::pair<std::size_t, std::size_t> extreme_groups(
    const NumberClaim& claim, const std::vector<std::optional<stats::Interval>>& intervals) {
  std::pair<std::size_t, std::size_t> extreme{0, 0};
  for (std::size_t i = 1; i < claim.values.size(); ++i) {
    const auto low = [&](std::size_t group) {
      return claim.bounds.by_interval ? intervals[group]->low : claim.values[group];
    };
    const auto high = [&](std::size_t group) {
      return claim.bounds.by_interval ? intervals[group]->high : claim.values[group];
    };
    if (low(i) < low(extreme.first)) extreme.first = i;
    if (high(i) >= high(extreme.second)) extreme.second = i;
  }
  return extreme;
}

void judge_each(const NumberClaim& claim, ClaimResult* result) {
  const ClaimBounds& bounds = claim.bounds;
  std::vector<std::optional<stats::Interval>> intervals;
  for (const ResultRow& total : claim.totals) {
    intervals.push_back(claim_interval(claim.kind, claim.name(), total));
    if (bounds.by_interval && !intervals.back()) return;
  }
  const auto [low, high] = std::minmax_element(claim.values.begin(), claim.values.end());
  result->expected = claim.expected() + (claim.totals.size() > 1 ? " in every group" : "");
  result->found =
      *low == *high
          ? fmt::format("{} = {:.6g}{}", claim.name(), *low, claim.of_groups())
          : fmt::format("{} from {:.6g} to {:.6g}{}", claim.name(), *low, *high, claim.of_groups());
  const bool within =
      bounds.by_interval ? std::all_of(intervals.begin(), intervals.end(),
                                       [&](const auto& interval) { return bounds.hold(*interval); })
                         : bounds.hold(*low) && bounds.hold(*high);
  decide(claim, within, GroupView::kEach, result);
  // Of what must be exact there is no interval.
  if (bounds.number.is_whole && bounds.low == bounds.high) return;
  const auto [first, last] = extreme_groups(claim, intervals);
  add_interval(intervals[first], &result->interval);
  const bool is_one = bounds.by_interval ? first == last : *low == *high;
  if (!is_one) add_interval(intervals[last], &result->interval);
}

}  // namespace

std::string ClaimBounds::text() const {
  const std::string side =
      better == BetterSide::kEither ? "" : std::string(" and ") + word_of(better);
  if (low == high) return fmt::format("= {}", low) + side;
  if (low <= number.low) return fmt::format("at most {}", high) + side;
  if (high >= number.high) return fmt::format("at least {}", low) + side;
  return fmt::format("from {} to {}", low, high) + side;
}

ClaimBounds bounds_of(const ClaimNumber& number, const ConfigValue& value) {
  const auto read = [&](const ConfigValue& bound) {
    if (!number.is_whole) return bound.as_number(number.low, number.high);
    return static_cast<double>(bound.as_integer(static_cast<std::int64_t>(number.low)));
  };
  if (!value.is_map()) return {number, read(value), read(value)};
  if (is_p_value(number.name)) {
    value.allow_only({"min", "max", "side"});
  } else {
    value.allow_only({"min", "max", "interval"});
  }
  const ConfigValue *low = value.find("min"), *high = value.find("max");
  if (!low && !high) value.fail("needs min or max");
  ClaimBounds bounds{number, low ? read(*low) : number.low, high ? read(*high) : number.high};
  if (!(bounds.low <= bounds.high)) value.fail("needs min <= max");
  if (is_p_value(number.name)) bounds.better = side_of(value);
  bounds.by_interval = is_by_interval(bounds, value);
  const bool is_any = bounds.low <= number.low && bounds.high >= number.high;
  if (is_any && bounds.better == BetterSide::kEither) {
    value.fail("holds of every " + number.name + "; bound it more closely");
  }
  return bounds;
}

void judge_number(const ClaimBounds& bounds, GroupView view, ExperimentKind kind,
                  const std::vector<ClaimGroup>& groups, ClaimResult* result) {
  NumberClaim claim{bounds, kind, {}, {}};
  for (const ClaimGroup& group : groups) {
    claim.totals.push_back(group.total);
    claim.less_is_better.push_back(group.less_is_better);
    // Of every group, where the file declares a family.
    if (group.p_in_family) claim.values.push_back(*group.p_in_family);
  }
  if (claim.values.empty()) claim.values = claim_values(kind, bounds.number.name, claim.totals);
  if (claim.values.empty()) return;
  if (view != GroupView::kEach) return judge_mean(claim, view, result);
  judge_each(claim, result);
}

}  // namespace sightline::host
