#include "host/stats/check.h"

#include <cmath>
#include <string>

#include "host/config/number_text.h"
#include "host/error.h"

namespace sightline::host::stats {

void check_count(const char* function, const char* name, std::int64_t value) {
  if (value >= 0 && value <= kMaxCount) return;
  throw InputError(std::string(function) + ": " + name + " is " + std::to_string(value) +
                   "; a count lies in [0, " + std::to_string(kMaxCount) + "]");
}

void check_discordant(const char* function, std::int64_t n, std::int64_t b, std::int64_t c) {
  check_count(function, "n", n);
  check_count(function, "b", b);
  check_count(function, "c", c);
  if (n >= 1 && b + c <= n) return;
  throw InputError(std::string(function) + ": " + std::to_string(b) + " + " + std::to_string(c) +
                   " discordant pairs of n = " + std::to_string(n) +
                   "; n must be at least 1 and at least their sum");
}

void check_open_unit(const char* function, const char* name, double value) {
  if (value > 0 && value < 1) return;
  throw InputError(std::string(function) + ": " + name + " is " + short_text(value) +
                   "; it must lie strictly between 0 and 1");
}

void check_differences(const char* function, const std::vector<double>& differences,
                       std::size_t fewest) {
  if (differences.size() < fewest) {
    throw InputError(std::string(function) + ": " + std::to_string(differences.size()) +
                     " differences; at least " + std::to_string(fewest) + " are needed");
  }
  for (std::size_t i = 0; i < differences.size(); ++i) {
    if (std::isfinite(differences[i])) continue;
    throw InputError(std::string(function) + ": difference " + std::to_string(i) + " is " +
                     short_text(differences[i]) + "; every difference must be finite");
  }
}

}  // namespace sightline::host::stats
