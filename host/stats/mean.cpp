// Student's t for a mean, from sums that configurations add up (Student, 1908).
#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>

#include "host/stats/check.h"
#include "host/stats/normal.h"
#include "host/stats/paired.h"

namespace sightline::host::stats {
namespace {

constexpr double kLeastVariance = 0x1p-28;  ///< four steps of 2^-30

/// Rounded sums of equal values may give a variance below 0.
double variance_of(const Sums& sums) {
  const double squares = sums.squares - sums.sum * sums.mean();
  return std::max(0.0, squares / static_cast<double>(sums.n - 1));
}

double standard_error(const Sums& sums) {
  return std::sqrt(variance_of(sums) / static_cast<double>(sums.n));
}

}  // namespace

Interval mean_interval(const Sums& sums, double confidence) {
  check_open_unit("mean_interval", "confidence", confidence);
  if (sums.n < 2) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    return {-kInfinity, kInfinity};
  }
  const boost::math::students_t distribution(static_cast<double>(sums.n - 1));
  const double reach =
      boost::math::quantile(distribution, (1 + confidence) / 2) * standard_error(sums);
  return {sums.mean() - reach, sums.mean() + reach};
}

Interval mean_interval_within(const Sums& sums, double low, double high, double confidence) {
  if (!has_spread(sums) && sums.n > 1) {
    check_open_unit("mean_interval_within", "confidence", confidence);
    const double z = normal_critical(confidence), mean = sums.mean();
    const double others = z * z / (static_cast<double>(sums.n) + z * z);
    return {mean - others * (mean - low), mean + others * (high - mean)};
  }
  const Interval interval = mean_interval(sums, confidence);
  return {std::max(low, interval.low), std::min(high, interval.high)};
}

bool has_spread(const Sums& sums) { return sums.n > 1 && variance_of(sums) > kLeastVariance; }

double p_of_equal_signs(std::int64_t n) { return std::exp2(1 - static_cast<double>(n)); }

bool tells_of_others(const Sums& sums) {
  constexpr double kLeastCertain = 0.05;
  return has_spread(sums) || p_of_equal_signs(sums.n) <= kLeastCertain;
}

double mean_is_zero(const Sums& sums) {
  if (sums.n < 2) return 1;
  if (!has_spread(sums)) {
    const bool is_zero = std::fabs(sums.mean()) <= kLeastVariance;
    return is_zero ? 1 : p_of_equal_signs(sums.n);
  }
  const boost::math::students_t distribution(static_cast<double>(sums.n - 1));
  const double t = std::abs(sums.mean()) / standard_error(sums);
  return 2 * boost::math::cdf(boost::math::complement(distribution, t));
}

}  // namespace sightline::host::stats
