// Fisher's exact test of two proportions (Fisher, 1935).
#include <algorithm>
#include <cmath>
#include <string>

#include "host/error.h"
#include "host/stats/check.h"
#include "host/stats/normal.h"
#include "host/stats/paired.h"

namespace sightline::host::stats {
namespace {

constexpr const char* kName = "fisher_exact";

void check_share(const char* of, std::int64_t b, std::int64_t n) {
  check_count(kName, "b", b);
  check_count(kName, "n", n);
  if (b > n) {
    throw InputError(std::string(kName) + ": " + std::to_string(b) + " of the " + of + " " +
                     std::to_string(n));
  }
}

/// Of the normal distribution.
double score_test(double b1, double n1, double b2, double n2) {
  const double pooled = (b1 + b2) / (n1 + n2);
  const double variance = pooled * (1 - pooled) * (1 / n1 + 1 / n2);
  return normal_two_sided((b1 / n1 - b2 / n2) / std::sqrt(variance));
}

}  // namespace

double fisher_exact(std::int64_t b1, std::int64_t n1, std::int64_t b2, std::int64_t n2) {
  check_share("first", b1, n1);
  check_share("second", b2, n2);
  const std::int64_t successes = b1 + b2, n = n1 + n2;
  // Tables of these margins, by their first cell.
  const std::int64_t first = std::max<std::int64_t>(0, successes - n2);
  const std::int64_t last = std::min(successes, n1);
  constexpr std::int64_t kMostTables = 1'000'000;
  if (last - first >= kMostTables) {
    return score_test(static_cast<double>(b1), static_cast<double>(n1), static_cast<double>(b2),
                      static_cast<double>(n2));
  }
  // How likely each is beside the likeliest: from that on both ways nothing overflows, and what
  // underflows is none of the sum.
  const auto mode =
      static_cast<std::int64_t>((static_cast<double>(successes) + 1) *
                                (static_cast<double>(n1) + 1) / (static_cast<double>(n) + 2));
  const std::int64_t from = std::clamp(mode, first, last);
  const auto growth = [&](std::int64_t k) {  // of table k + 1 beside table k
    return static_cast<double>(successes - k) * static_cast<double>(n1 - k) /
           (static_cast<double>(k + 1) * static_cast<double>(n2 - successes + k + 1));
  };
  const auto each = [&](const auto& visit) {
    double likely = 1;
    for (std::int64_t k = from; k <= last; likely *= growth(k++)) visit(k, likely);
    likely = 1;
    for (std::int64_t k = from; k > first;) {
      likely /= growth(--k);
      visit(k, likely);
    }
  };
  double seen = 0, all = 0, no_likelier = 0;
  each([&](std::int64_t k, double likely) { seen = k == b1 ? likely : seen; });
  constexpr double kRounding = 1 + 1e-7;  // tables that are as likely by their factors
  each([&](std::int64_t, double likely) {
    all += likely;
    if (likely <= seen * kRounding) no_likelier += likely;
  });
  return std::min(1.0, no_likelier / all);
}

}  // namespace sightline::host::stats
