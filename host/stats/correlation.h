// How strongly two measures go together, on Boost.Math.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "host/stats/paired.h"

namespace sightline::host::stats {

struct Correlation {
  double r = 0;        ///< Pearson's, in [-1, 1]
  double p = 1;        ///< two-sided, of r = 0, by Student's t with n - 2 degrees of freedom
  Interval interval;   ///< of r, by Fisher's transformation; [-1, 1] of fewer than 4 pairs
  std::int64_t n = 0;  ///< pairs
};

/// Pearson's correlation of pairs; n >= 3. Throws InputError for lists of two lengths, fewer pairs,
/// values that are not finite, and a list whose values are all the same: it goes with nothing.
Correlation pearson(const std::vector<double>& x, const std::vector<double>& y,
                    double confidence = 0.95);

/// The same of sums over n pairs: of x, of y, and of their differences x - y, of which scores are
/// kept as far as 2^-30. None of fewer than 3 pairs, and of values that do not vary.
std::optional<Correlation> correlation_of_sums(const Sums& x, const Sums& y,
                                               const Sums& differences, double confidence = 0.95);

}  // namespace sightline::host::stats
