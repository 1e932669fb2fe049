#include "host/stats/normal.h"

#include <boost/math/distributions/normal.hpp>
#include <cmath>

#include "host/stats/check.h"

namespace sightline::host::stats {

double normal_cdf(double z) { return boost::math::cdf(boost::math::normal(), z); }

double normal_two_sided(double z) { return 2 * normal_cdf(-std::fabs(z)); }

double normal_critical(double confidence) {
  check_open_unit("normal_critical", "confidence", confidence);
  const boost::math::normal standard;
  return boost::math::quantile(boost::math::complement(standard, (1 - confidence) / 2));
}

}  // namespace sightline::host::stats
