#include "host/report/difference.h"

#include <algorithm>
#include <cmath>

#include "host/stats/normal.h"

namespace sightline::host::report {
namespace {

constexpr double kConfidence = 0.95;
/// Larger samples get the normal limit: convolving them costs time that no reader would see.
constexpr std::int64_t kConvolvedPairs = 2000;

}  // namespace

stats::Interval difference_interval(std::int64_t n, std::int64_t b, std::int64_t c) {
  if (n <= kConvolvedPairs) return stats::bootstrap_mean_exact(n, b, c, kConfidence);
  const double total = static_cast<double>(n), mean = static_cast<double>(b - c) / total;
  const double variance = static_cast<double>(b + c) / total - mean * mean;
  const double half = stats::normal_critical(kConfidence) * std::sqrt(variance / total);
  return {std::max(-1.0, mean - half), std::min(1.0, mean + half)};
}

}  // namespace sightline::host::report
