// Standardised effect size of paired differences (Cohen, 1988).
#include <algorithm>
#include <cmath>
#include <limits>

#include "host/stats/check.h"
#include "host/stats/paired.h"

namespace sightline::host::stats {

PairedEffect paired_effect(const std::vector<double>& differences) {
  check_differences("paired_effect", differences, 2);
  const double n = static_cast<double>(differences.size());
  PairedEffect effect;
  for (double difference : differences) effect.mean += difference / n;

  double squares = 0;
  for (double difference : differences) {
    squares += (difference - effect.mean) * (difference - effect.mean);
  }
  effect.standard_deviation = std::sqrt(squares / (n - 1));
  // Rounding of the mean must not turn equal differences into a huge effect.
  const auto [low, high] = std::minmax_element(differences.begin(), differences.end());
  if (*low == *high) effect.standard_deviation = 0;
  effect.d = effect.standard_deviation > 0 ? effect.mean / effect.standard_deviation
                                           : std::numeric_limits<double>::quiet_NaN();
  return effect;
}

double cohens_d(const std::vector<double>& differences) { return paired_effect(differences).d; }

}  // namespace sightline::host::stats
