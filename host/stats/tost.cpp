// Equivalence of paired proportions by two one-sided tests (Schuirmann, 1987), on the paired Wald
// statistic, and an exact companion on the discordant pairs for the counts where Wald breaks down.
#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>

#include "host/stats/check.h"
#include "host/stats/normal.h"
#include "host/stats/paired.h"

namespace sightline::host::stats {
namespace {

/// sqrt((b + c) - (b - c)^2 / n) / n, written without cancellation: zero exactly when it is zero.
double standard_error_of_difference(double n, double b, double c) {
  return std::sqrt(((b + c) * (n - b - c) + 4 * b * c) / n) / n;
}

double clopper_pearson_upper(double n, double successes, double alpha) {
  if (successes >= n) return 1;
  return boost::math::binomial::find_upper_bound_on_p(n, successes, alpha);
}

}  // namespace

Tost tost_paired_proportions(std::int64_t n, std::int64_t b, std::int64_t c, double margin) {
  check_discordant("tost_paired_proportions", n, b, c);
  check_open_unit("tost_paired_proportions", "margin", margin);
  const double total = static_cast<double>(n), discordant = static_cast<double>(b + c);

  Tost result;
  result.difference = static_cast<double>(b - c) / total;
  result.standard_error =
      standard_error_of_difference(total, static_cast<double>(b), static_cast<double>(c));
  result.degenerate = result.standard_error == 0;
  if (result.degenerate) {
    result.p_wald = std::fabs(result.difference) < margin ? 0 : 1;
  } else {
    result.z_low = (result.difference + margin) / result.standard_error;
    result.z_high = (margin - result.difference) / result.standard_error;
    result.p_wald = std::max(normal_cdf(-result.z_low), normal_cdf(-result.z_high));
  }
  result.p_exact = boost::math::cdf(boost::math::binomial(total, margin), discordant);
  result.discordance_upper_95 = clopper_pearson_upper(total, discordant, 0.05);
  return result;
}

}  // namespace sightline::host::stats
