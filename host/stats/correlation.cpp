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

constexpr std::int64_t kFewest = 3, kFewestOfInterval = 4;

/// What n pairs with this r say of others.
Correlation of_pairs(double r, std::int64_t n, double confidence) {
  Correlation correlation{r, 0, {-1, 1}, n};
  const auto freedom = static_cast<double>(n - 2);
  const double left = 1 - r * r;
  if (left <= 0) {  // on a line
    if (n >= kFewestOfInterval) correlation.interval = {r, r};
    return correlation;
  }
  const double t = std::abs(r) * std::sqrt(freedom / left);
  const boost::math::students_t distribution(freedom);
  correlation.p = 2 * boost::math::cdf(boost::math::complement(distribution, t));
  if (n < kFewestOfInterval) return correlation;
  const boost::math::normal normal;
  const double reach =
      boost::math::quantile(normal, (1 + confidence) / 2) / std::sqrt(static_cast<double>(n - 3));
  const double z = std::atanh(r);
  correlation.interval = {std::tanh(z - reach), std::tanh(z + reach)};
  return correlation;
}

/// Sum of the squares of what values differ from their mean by.
double spread_of(const Sums& sums) { return sums.squares - sums.sum * sums.mean(); }

}  // namespace

Correlation pearson(const std::vector<double>& x, const std::vector<double>& y, double confidence) {
  check_differences("pearson", x, static_cast<std::size_t>(kFewest));
  check_differences("pearson", y, static_cast<std::size_t>(kFewest));
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
  const double r = std::clamp(dot(dx, dy) / std::sqrt(dot(dx, dx) * dot(dy, dy)), -1.0, 1.0);
  return of_pairs(r, static_cast<std::int64_t>(x.size()), confidence);
}

std::optional<Correlation> correlation_of_sums(const Sums& x, const Sums& y,
                                               const Sums& differences, double confidence) {
  check_open_unit("correlation_of_sums", "confidence", confidence);
  if (x.n != y.n || x.n != differences.n) {
    throw InputError("correlation_of_sums: sums of different numbers of values; they must pair up");
  }
  if (x.n < kFewest || !has_spread(x) || !has_spread(y)) return std::nullopt;
  // (x - y)^2 = x^2 + y^2 - 2 x y, of what x and y differ from their means by.
  const double of_x = spread_of(x), of_y = spread_of(y);
  const double product = (of_x + of_y - spread_of(differences)) / 2;
  return of_pairs(std::clamp(product / std::sqrt(of_x * of_y), -1.0, 1.0), x.n, confidence);
}

}  // namespace sightline::host::stats
