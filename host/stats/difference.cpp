// Score interval of a difference of paired proportions (Tango, 1998).
#include <algorithm>
#include <cmath>

#include "host/stats/check.h"
#include "host/stats/normal.h"
#include "host/stats/paired.h"

namespace sightline::host::stats {
namespace {

/// Share of pairs in which only the second arm is right, as likely as can be if the difference is
/// `delta` (Tango 1998, section 3): the larger root of 2 q^2 + B q + C = 0, of shares b and c.
double share_under(double delta, double b, double c) {
  const double linear = (2 - b + c) * delta - b - c, constant = -c * delta * (1 - delta);
  const double root = std::sqrt(std::max(0.0, linear * linear - 8 * constant));
  // The two forms are equal; each is used where it subtracts no like numbers.
  if (linear > 0) return -2 * constant / (linear + root);
  return (root - linear) / 4;
}

/// The largest difference that the pairs do not reject. The statistic falls as the difference
/// grows, so that halving finds where it crosses -z.
double upper_end(double n, double b, double c, double z) {
  constexpr int kHalvings = 100;  // of a span of at most 2: beyond what a double holds
  const double found = b - c;
  double low = found, high = 1;
  for (int halving = 0; halving < kHalvings; ++halving) {
    const double delta = low + (high - low) / 2;
    const double variance = 2 * share_under(delta, b, c) + delta * (1 - delta);
    const bool is_rejected = delta - found > z * std::sqrt(std::max(0.0, variance) / n);
    (is_rejected ? high : low) = delta;
  }
  return low;
}

}  // namespace

Interval difference_interval(std::int64_t n, std::int64_t b, std::int64_t c, double confidence) {
  check_discordant("difference_interval", n, b, c);
  check_open_unit("difference_interval", "confidence", confidence);
  const double total = static_cast<double>(n), z = normal_critical(confidence);
  const double first = static_cast<double>(b) / total, second = static_cast<double>(c) / total;
  return {-upper_end(total, second, first, z), upper_end(total, first, second, z)};
}

int sure_sign(std::int64_t n, std::int64_t b, std::int64_t c) {
  constexpr double kLevel = 0.05;
  if (mcnemar_exact(b, c) > kLevel) return 0;
  const Interval interval = difference_interval(n, b, c);
  return interval.low > 0 ? 1 : interval.high < 0 ? -1 : 0;
}

}  // namespace sightline::host::stats
