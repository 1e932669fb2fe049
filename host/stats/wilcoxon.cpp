// Wilcoxon's signed-rank test (Wilcoxon, 1945; ties as in Lehmann, Nonparametrics, 1975, 3.2).
#include <algorithm>
#include <cmath>
#include <string>

#include "host/error.h"
#include "host/stats/check.h"
#include "host/stats/normal.h"
#include "host/stats/paired.h"

namespace sightline::host::stats {
namespace {

/// Ranks of the nonzero differences by size, doubled so that the average rank of a tie is whole.
struct SignedRanks {
  std::vector<std::int64_t> doubled;  ///< per nonzero difference, ascending
  std::vector<bool> positive;         ///< the same order
  double tie_term = 0;                ///< sum of t^3 - t over groups of t equal sizes
};

SignedRanks rank(std::vector<double> differences) {
  differences.erase(std::remove(differences.begin(), differences.end(), 0.0), differences.end());
  std::stable_sort(differences.begin(), differences.end(),
                   [](double a, double b) { return std::fabs(a) < std::fabs(b); });
  SignedRanks ranks;
  const std::size_t n = differences.size();
  for (std::size_t first = 0, end = 0; first < n; first = end) {
    while (end < n && std::fabs(differences[end]) == std::fabs(differences[first])) ++end;
    const double tied = static_cast<double>(end - first);
    ranks.tie_term += tied * tied * tied - tied;
    // Ranks first + 1 ... end have the average (first + 1 + end) / 2.
    ranks.doubled.insert(ranks.doubled.end(), end - first,
                         static_cast<std::int64_t>(first + 1 + end));
    for (std::size_t i = first; i < end; ++i) ranks.positive.push_back(differences[i] > 0);
  }
  return ranks;
}

/// Twice the rank sum of the differences whose sign is `positive`.
std::int64_t doubled_rank_sum(const SignedRanks& ranks, bool positive) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < ranks.doubled.size(); ++i) {
    if (ranks.positive[i] == positive) sum += ranks.doubled[i];
  }
  return sum;
}

}  // namespace

Wilcoxon wilcoxon_signed_rank(const std::vector<double>& differences, bool continuity) {
  check_differences("wilcoxon_signed_rank", differences, 0);
  const SignedRanks ranks = rank(differences);
  const double n = static_cast<double>(ranks.doubled.size());

  Wilcoxon result;
  result.num_nonzero = static_cast<std::int64_t>(ranks.doubled.size());
  result.w_plus = static_cast<double>(doubled_rank_sum(ranks, true)) / 2;
  result.w_minus = static_cast<double>(doubled_rank_sum(ranks, false)) / 2;
  result.variance = n * (n + 1) * (2 * n + 1) / 24 - ranks.tie_term / 48;
  if (result.num_nonzero == 0) return result;

  const double below_mean =
      std::min(result.w_plus, result.w_minus) - n * (n + 1) / 4 + (continuity ? 0.5 : 0.0);
  result.z = std::min(0.0, below_mean) / std::sqrt(result.variance);
  result.p = normal_two_sided(result.z);
  return result;
}

double wilcoxon_exact(const std::vector<double>& differences) {
  check_differences("wilcoxon_exact", differences, 0);
  const SignedRanks ranks = rank(differences);
  if (static_cast<std::int64_t>(ranks.doubled.size()) > kMaxExactRanks) {
    throw InputError("wilcoxon_exact: " + std::to_string(ranks.doubled.size()) +
                     " nonzero differences; at most " + std::to_string(kMaxExactRanks) +
                     " are enumerated (wilcoxon_signed_rank has no such bound)");
  }
  const std::int64_t smaller =
      std::min(doubled_rank_sum(ranks, true), doubled_rank_sum(ranks, false));
  // chance[s]: probability, over all signs alike, that the doubled sum is s <= smaller. long double
  // for its exponent: 2^-1000 is far from its underflow.
  std::vector<long double> chance(static_cast<std::size_t>(smaller) + 1, 0.0L);
  chance[0] = 1;
  for (const std::int64_t step : ranks.doubled) {
    for (std::int64_t s = smaller; s >= 0; --s) {
      const long double without = chance[static_cast<std::size_t>(s)];
      const long double with = s >= step ? chance[static_cast<std::size_t>(s - step)] : 0.0L;
      chance[static_cast<std::size_t>(s)] = (without + with) / 2;
    }
  }
  long double tail = 0;
  for (const long double probability : chance) tail += probability;
  return static_cast<double>(std::min(1.0L, 2 * tail));
}

}  // namespace sightline::host::stats
