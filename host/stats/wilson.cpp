// Score interval of a proportion (Wilson, 1927).
#include <algorithm>
#include <cmath>
#include <string>

#include "host/error.h"
#include "host/stats/check.h"
#include "host/stats/normal.h"
#include "host/stats/paired.h"

namespace sightline::host::stats {

Interval wilson(std::int64_t successes, std::int64_t n, double confidence) {
  check_count("wilson", "n", n);
  check_count("wilson", "successes", successes);
  check_open_unit("wilson", "confidence", confidence);
  if (successes > n) {
    throw InputError("wilson: " + std::to_string(successes) + " successes of n = " +
                     std::to_string(n) + "; there cannot be more successes than trials");
  }
  if (n == 0) return {0, 1};

  const double k = static_cast<double>(successes), total = static_cast<double>(n);
  const double z = normal_critical(confidence), z2 = z * z;
  const double center = (k + z2 / 2) / (total + z2);
  const double half = z / (total + z2) * std::sqrt(k * ((total - k) / total) + z2 / 4);
  // The formula gives 0 and 1 at the ends; rounding would leave them a few bits away.
  return {successes == 0 ? 0 : std::max(0.0, center - half),
          successes == n ? 1 : std::min(1.0, center + half)};
}

}  // namespace sightline::host::stats
