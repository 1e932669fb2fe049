#include "host/sweep/claim_bounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <numeric>

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
bool is_on_side(const ClaimBounds& bounds, bool in_the_mean, ExperimentKind kind,
                const std::vector<ResultRow>& totals) {
  if (bounds.better == BetterSide::kEither) return true;
  std::vector<std::int64_t> gains;
  for (const ResultRow& total : totals) {
    gains.push_back(gain_of_test(kind, bounds.number.name, total));
  }
  if (in_the_mean) gains = {std::accumulate(gains.begin(), gains.end(), std::int64_t{0})};
  return std::all_of(gains.begin(), gains.end(), [&](std::int64_t gain) {
    return bounds.better == BetterSide::kArm ? gain > 0 : gain < 0;
  });
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
    value.allow_only({"min", "max"});
  }
  const ConfigValue *low = value.find("min"), *high = value.find("max");
  if (!low && !high) value.fail("needs min or max");
  ClaimBounds bounds{number, low ? read(*low) : number.low, high ? read(*high) : number.high};
  if (!(bounds.low <= bounds.high)) value.fail("needs min <= max");
  if (is_p_value(number.name)) bounds.better = side_of(value);
  const bool is_any = bounds.low <= number.low && bounds.high >= number.high;
  if (is_any && bounds.better == BetterSide::kEither) {
    value.fail("holds of every " + number.name + "; bound it more closely");
  }
  return bounds;
}

void judge_number(const ClaimBounds& bounds, bool in_the_mean, ExperimentKind kind,
                  const std::vector<ClaimGroup>& groups, ClaimResult* result) {
  const ClaimNumber& number = bounds.number;
  std::vector<ResultRow> totals;
  std::vector<double> in_family;  // of every group, where the file declares a family
  for (const ClaimGroup& group : groups) {
    totals.push_back(group.total);
    if (group.p_in_family) in_family.push_back(*group.p_in_family);
  }
  const std::vector<double> values =
      in_family.empty() ? claim_values(kind, number.name, totals) : in_family;
  if (values.empty()) return;
  const bool on_side = is_on_side(bounds, in_the_mean, kind, totals);
  const std::string wrong_side = on_side ? "" : std::string(", and not ") + word_of(bounds.better);
  const bool many = groups.size() > 1;
  const std::string of = many ? fmt::format(" over {} groups", groups.size()) : "";
  if (in_the_mean) {
    const double mean =
        std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    result->expected = "mean of " + number.name + " " + bounds.text();
    result->found = fmt::format("{:.6g}{}{}", mean, of, wrong_side);
    result->interval = interval_text(mean_interval_of(number, values));
    result->holds = bounds.hold(mean) && on_side;
    return;
  }
  result->expected = number.name + " " + bounds.text() + (many ? " in every group" : "");
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  result->found = *low == *high
                      ? fmt::format("{} = {:.6g}{}", number.name, *low, of)
                      : fmt::format("{} from {:.6g} to {:.6g}{}", number.name, *low, *high, of);
  result->found += wrong_side;
  result->holds = bounds.hold(*low) && bounds.hold(*high) && on_side;
  if (number.is_whole && bounds.low == bounds.high) return;  // of what must be exact there is none
  std::vector<std::ptrdiff_t> shown{low - values.begin()};
  if (*low != *high) shown.push_back(high - values.begin());
  for (const std::ptrdiff_t group : shown) {
    add_interval(claim_interval(kind, number.name, totals[static_cast<std::size_t>(group)]),
                 &result->interval);
  }
}

}  // namespace sightline::host
