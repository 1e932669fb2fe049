// Student's t for a mean, from sums that configurations add up (Student, 1908).
#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>

#include "host/stats/check.h"
#include "host/stats/paired.h"

namespace sightline::host::stats {
namespace {

double standard_error(const Sums& sums) {
  const auto n = static_cast<double>(sums.n);
  // Rounded sums of equal values may give a variance below 0.
  const double variance = std::max(0.0, (sums.squares - sums.sum * sums.mean()) / (n - 1));
  return std::sqrt(variance / n);
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

double mean_is_zero(const Sums& sums) {
  if (sums.n < 2) return 1;
  const double error = standard_error(sums);
  if (!(error > 0)) return sums.sum == 0 ? 1 : 0;
  const boost::math::students_t distribution(static_cast<double>(sums.n - 1));
  const double t = std::abs(sums.mean()) / error;
  return 2 * boost::math::cdf(boost::math::complement(distribution, t));
}

}  // namespace sightline::host::stats
