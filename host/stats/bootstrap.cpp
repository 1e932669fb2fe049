// Percentile bootstrap of a paired mean (Efron, 1979).
#include <algorithm>
#include <cmath>
#include <string>

#include "host/error.h"
#include "host/random.h"
#include "host/stats/check.h"
#include "host/stats/normal.h"
#include "host/stats/paired.h"

namespace sightline::host::stats {
namespace {

constexpr std::uint64_t kBootstrapStream = 0x626f6f7473747270;  // "bootstrp"

/// Mean of as many differences as there are, drawn with replacement; a function of the seed and
/// the resample's index alone.
double resampled_mean(const std::vector<double>& differences, std::uint64_t seed,
                      std::int64_t resample) {
  RandomItem random(seed, kBootstrapStream, static_cast<std::uint64_t>(resample));
  double sum = 0;
  for (std::size_t i = 0; i < differences.size(); ++i) {
    sum += differences[random.below(differences.size())];
  }
  return sum / static_cast<double>(differences.size());
}

/// Smallest of the sorted values whose empirical distribution function reaches `share`.
double empirical_quantile(const std::vector<double>& sorted, double share) {
  const double rank = std::ceil(share * static_cast<double>(sorted.size()));
  const std::size_t index = rank < 1 ? 0 : static_cast<std::size_t>(rank) - 1;
  return sorted[std::min(index, sorted.size() - 1)];
}

/// Probabilities of a resample's sum -n ... n, slot sum + n. long double for its exponent: the far
/// tails of 10,000 draws underflow a double and would crawl through its subnormal numbers.
std::vector<long double> sum_distribution(std::int64_t n, std::int64_t b, std::int64_t c) {
  const long double total = static_cast<long double>(n);
  const long double up = static_cast<long double>(b) / total;
  const long double down = static_cast<long double>(c) / total;
  const long double stay = static_cast<long double>(n - b - c) / total;

  const std::size_t num_sums = 2 * static_cast<std::size_t>(n) + 1;
  std::vector<long double> chance(num_sums, 0.0L), next(num_sums, 0.0L);
  const std::size_t zero = static_cast<std::size_t>(n);
  chance[zero] = 1;
  for (std::size_t draws = 1; draws <= zero; ++draws) {
    for (std::size_t s = zero - draws; s <= zero + draws; ++s) {
      next[s] = stay * chance[s];
      if (s > 0) next[s] += up * chance[s - 1];
      if (s + 1 < num_sums) next[s] += down * chance[s + 1];
    }
    chance.swap(next);
  }
  return chance;
}

/// Smallest sum whose distribution function reaches `share`.
std::int64_t quantile(const std::vector<long double>& chance, std::int64_t n, double share) {
  long double reached = 0;
  for (std::size_t slot = 0; slot < chance.size(); ++slot) {
    reached += chance[slot];
    if (reached >= static_cast<long double>(share)) return static_cast<std::int64_t>(slot) - n;
  }
  return n;
}

}  // namespace

Interval bootstrap_mean(const std::vector<double>& differences, double confidence,
                        std::int64_t num_resamples, std::uint64_t seed) {
  check_differences("bootstrap_mean", differences, 1);
  check_open_unit("bootstrap_mean", "confidence", confidence);
  if (num_resamples < 1 || num_resamples > kMaxResamples) {
    throw InputError("bootstrap_mean: num_resamples is " + std::to_string(num_resamples) +
                     "; it must lie in [1, " + std::to_string(kMaxResamples) + "]");
  }
  std::vector<double> means(static_cast<std::size_t>(num_resamples));
  for (std::int64_t resample = 0; resample < num_resamples; ++resample) {
    means[static_cast<std::size_t>(resample)] = resampled_mean(differences, seed, resample);
  }
  std::sort(means.begin(), means.end());
  const double tail = (1 - confidence) / 2;
  return {empirical_quantile(means, tail), empirical_quantile(means, 1 - tail)};
}

ExactBootstrap bootstrap_exact(std::int64_t n, std::int64_t b, std::int64_t c, double confidence) {
  check_discordant("bootstrap_exact", n, b, c);
  check_open_unit("bootstrap_exact", "confidence", confidence);
  if (n > kMaxExactBootstrap) {
    throw InputError("bootstrap_exact: n = " + std::to_string(n) + "; at most " +
                     std::to_string(kMaxExactBootstrap) +
                     " pairs are convolved (bootstrap_mean has no such bound)");
  }
  const std::vector<long double> chance = sum_distribution(n, b, c);
  const double total = static_cast<double>(n), discordant = static_cast<double>(b + c);
  const double tail = (1 - confidence) / 2;

  ExactBootstrap result;
  result.mean = static_cast<double>(b - c) / total;
  result.standard_deviation = std::sqrt((discordant / total - result.mean * result.mean) / total);
  long double at_most_zero = 0;
  for (std::size_t slot = 0; slot <= static_cast<std::size_t>(n); ++slot) {
    at_most_zero += chance[slot];
  }
  result.at_most_zero = static_cast<double>(std::min(1.0L, at_most_zero));
  result.interval = {static_cast<double>(quantile(chance, n, tail)) / total,
                     static_cast<double>(quantile(chance, n, 1 - tail)) / total};
  return result;
}

Interval bootstrap_mean_exact(std::int64_t n, std::int64_t b, std::int64_t c, double confidence) {
  return bootstrap_exact(n, b, c, confidence).interval;
}

Interval difference_interval(std::int64_t n, std::int64_t b, std::int64_t c) {
  constexpr double kConfidence = 0.95;
  if (n <= kMostConvolved) return bootstrap_mean_exact(n, b, c, kConfidence);
  check_discordant("difference_interval", n, b, c);
  const double total = static_cast<double>(n), mean = static_cast<double>(b - c) / total;
  const double variance = static_cast<double>(b + c) / total - mean * mean;
  const double half = normal_critical(kConfidence) * std::sqrt(variance / total);
  return {std::max(-1.0, mean - half), std::min(1.0, mean + half)};
}

}  // namespace sightline::host::stats
