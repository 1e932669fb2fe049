// Claims that a number lies within bounds.
#pragma once

#include <string>
#include <vector>

#include "host/sweep/claim_numbers.h"
#include "host/sweep/claim_rows.h"
#include "host/sweep/claims.h"

namespace sightline::host {

/// Who has to be the better one for a small p value to count.
enum class BetterSide { kEither, kArm, kBaseline };

struct ClaimBounds {
  ClaimNumber number;
  double low = 0, high = 0;
  BetterSide better = BetterSide::kEither;
  bool by_interval = false;  ///< it holds only if the whole 95 % interval lies within the bounds

  bool hold(double value) const { return is_at_least(value, low) && is_at_least(-value, -high); }
  bool hold(const stats::Interval& interval) const {
    return hold(interval.low) && hold(interval.high);
  }
  /// "at most 0.05 and better"; a bound that the number cannot pass is not told.
  std::string text() const;
};

/// Reads a number, or {min, max}, one of which may be absent; of a p value with a max also `side`:
/// better (where absent), worse or either, and of a rate with an interval `interval`. Throws
/// InputError.
ClaimBounds bounds_of(const ClaimNumber& number, const ConfigValue& value);

/// What a claim looks at of its groups: each for itself, their mean, or the mean of groups that are
/// the same trials again, which together are no more evidence than one.
enum class GroupView { kEach, kMean, kMeanOfRepeats };

void judge_number(const ClaimBounds& bounds, GroupView view, ExperimentKind kind,
                  const std::vector<ClaimGroup>& groups, ClaimResult* result);

}  // namespace sightline::host
