// Percentile bootstrap of a paired mean (Efron, 1979).
#include <algorithm>
#include <cmath>
#include <string>

#include "host/error.h"
#include "host/random.h"
#include "host/stats/check.h"
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

/// Chances of the sums first, first + 1, ...; those left out at the ends are below kNegligible.
struct SumDistribution {
  std::int64_t first = 0;
  std::vector<long double> chance{1.0L};
};

constexpr long double kNegligible = 1e-80L;

void drop_negligible_ends(SumDistribution* sums) {
  std::vector<long double>& chance = sums->chance;
  const auto counts = [](long double one) { return one >= kNegligible; };
  chance.erase(std::find_if(chance.rbegin(), chance.rend(), counts).base(), chance.end());
  const auto begin = std::find_if(chance.begin(), chance.end(), counts);
  sums->first += begin - chance.begin();
  chance.erase(chance.begin(), begin);
}

/// Of one more of `left` and one more of `right`.
SumDistribution convolve(const SumDistribution& left, const SumDistribution& right) {
  SumDistribution both;
  both.first = left.first + right.first;
  both.chance.assign(left.chance.size() + right.chance.size() - 1, 0.0L);
  for (std::size_t l = 0; l < left.chance.size(); ++l) {
    for (std::size_t r = 0; r < right.chance.size(); ++r) {
      both.chance[l + r] += left.chance[l] * right.chance[r];
    }
  }
  drop_negligible_ends(&both);
  return both;
}

/// Of a resample's sum, by squaring: n draws are twice n / 2, and one more where n is odd.
SumDistribution sum_distribution(std::int64_t n, std::int64_t b, std::int64_t c) {
  const auto share = [&](std::int64_t count) {
    return static_cast<long double>(count) / static_cast<long double>(n);
  };
  const SumDistribution draw{-1, {share(c), share(n - b - c), share(b)}};
  SumDistribution sums;
  for (int bit = 62; bit >= 0; --bit) {
    sums = convolve(sums, sums);
    if (n >> bit & 1) sums = convolve(sums, draw);
  }
  return sums;
}

/// Smallest sum whose distribution function reaches `share`.
std::int64_t quantile(const SumDistribution& sums, double share) {
  long double reached = 0;
  std::int64_t sum = sums.first;
  for (const long double chance : sums.chance) {
    reached += chance;
    if (reached >= static_cast<long double>(share)) return sum;
    ++sum;
  }
  return sum - 1;
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
  const SumDistribution sums = sum_distribution(n, b, c);
  const double total = static_cast<double>(n), discordant = static_cast<double>(b + c);
  const double tail = (1 - confidence) / 2;

  ExactBootstrap result;
  result.mean = static_cast<double>(b - c) / total;
  result.standard_deviation = std::sqrt((discordant / total - result.mean * result.mean) / total);
  long double at_most_zero = 0;
  for (std::size_t slot = 0; slot < sums.chance.size(); ++slot) {
    if (sums.first + static_cast<std::int64_t>(slot) <= 0) at_most_zero += sums.chance[slot];
  }
  result.at_most_zero = static_cast<double>(std::min(1.0L, at_most_zero));
  result.interval = {static_cast<double>(quantile(sums, tail)) / total,
                     static_cast<double>(quantile(sums, 1 - tail)) / total};
  return result;
}

Interval bootstrap_mean_exact(std::int64_t n, std::int64_t b, std::int64_t c, double confidence) {
  return bootstrap_exact(n, b, c, confidence).interval;
}

}  // namespace sightline::host::stats
