// Exact McNemar test: the binomial test of the discordant pairs (McNemar, 1947).
#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>

#include "host/stats/check.h"
#include "host/stats/paired.h"

namespace sightline::host::stats {

double mcnemar_exact(std::int64_t b, std::int64_t c) {
  check_count("mcnemar_exact", "b", b);
  check_count("mcnemar_exact", "c", c);
  const std::int64_t fewer = std::min(b, c), n = b + c;
  if (b == c) return 1;
  if (fewer == 0) {
    // 2 * 2^-n, exactly; below 2^-1074 a double holds 0.
    return std::ldexp(1.0, static_cast<int>(1 - std::min<std::int64_t>(n, 2000)));
  }
  const boost::math::binomial fair(static_cast<double>(n), 0.5);
  return std::min(1.0, 2 * boost::math::cdf(fair, static_cast<double>(fewer)));
}

}  // namespace sightline::host::stats
