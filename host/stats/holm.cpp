// Holm's step-down adjustment (Holm, 1979).
#include <algorithm>
#include <numeric>
#include <string>

#include "host/config/number_text.h"
#include "host/error.h"
#include "host/stats/paired.h"

namespace sightline::host::stats {

std::vector<double> holm_bonferroni(const std::vector<double>& p) {
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (p[i] >= 0 && p[i] <= 1) continue;
    throw InputError("p value " + std::to_string(i + 1) + " of " + std::to_string(p.size()) +
                     " is " + short_text(p[i]) + "; it must lie in [0, 1]");
  }
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t i, std::size_t k) { return p[i] < p[k]; });

  std::vector<double> adjusted(p.size());
  double largest = 0;
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    const double scaled = static_cast<double>(p.size() - rank) * p[order[rank]];
    largest = std::max(largest, std::min(1.0, scaled));
    adjusted[order[rank]] = largest;
  }
  return adjusted;
}

}  // namespace sightline::host::stats
