#include "host/stats/correlation.h"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "host/error.h"
#include "host/stats/check.h"

namespace sightline::host::stats {
namespace {

/// Differences from the mean.
std::vector<double> centred(const std::vector<double>& values) {
  double mean = 0;
  for (const double value : values) mean += value / static_cast<double>(values.size());
  std::vector<double> differences;
  for (const double value : values) differences.push_back(value - mean);
  return differences;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

bool is_constant(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [&](double v) { return v == values.front(); });
}

}  // namespace

Correlation pearson(const std::vector<double>& x, const std::vector<double>& y, double confidence) {
  constexpr std::size_t kFewest = 3, kFewestOfInterval = 4;
  check_differences("pearson", x, kFewest);
  check_differences("pearson", y, kFewest);
  check_open_unit("pearson", "confidence", confidence);
  if (x.size() != y.size()) {
    throw InputError("pearson: " + std::to_string(x.size()) + " and " + std::to_string(y.size()) +
                     " values; they must pair up");
  }
  if (is_constant(x) || is_constant(y)) {
    throw InputError(
        "pearson: all values of one list are the same; a correlation needs both to "
        "vary");
  }
  const std::vector<double> dx = centred(x), dy = centred(y);
  Correlation correlation;
  correlation.n = static_cast<std::int64_t>(x.size());
  correlation.r = std::clamp(dot(dx, dy) / std::sqrt(dot(dx, dx) * dot(dy, dy)), -1.0, 1.0);
  const auto freedom = static_cast<double>(x.size() - 2);
  const double left = 1 - correlation.r * correlation.r;
  if (left > 0) {
    const double t = std::abs(correlation.r) * std::sqrt(freedom / left);
    const boost::math::students_t distribution(freedom);
    correlation.p = 2 * boost::math::cdf(boost::math::complement(distribution, t));
  } else {
    correlation.p = 0;
  }
  correlation.interval = {-1, 1};
  if (x.size() >= kFewestOfInterval && left > 0) {
    const boost::math::normal normal;
    const double reach = boost::math::quantile(normal, (1 + confidence) / 2) /
                         std::sqrt(static_cast<double>(x.size() - 3));
    const double z = std::atanh(correlation.r);
    correlation.interval = {std::tanh(z - reach), std::tanh(z + reach)};
  }
  return correlation;
}

}  // namespace sightline::host::stats
