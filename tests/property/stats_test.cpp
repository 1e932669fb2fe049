// What must hold for any paired data: symmetries, bounds, and agreement with slow definitions.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "host/stats/normal.h"
#include "host/stats/paired.h"

namespace sightline::host::stats {
namespace {

constexpr std::uint64_t kSeed = 20260115;
constexpr double kRelativeRounding = 1e-12;  // relative: a few hundred double operations
constexpr double kAbsoluteRounding = 1e-12;  // absolute, for values near 1: the same
/// Shares of a unit: 20,000 resamples put the 2.5 % point at rank 500 +- 22, within 0.0036 of its
/// probability (3 sd), which moves a percentile of a 240-pair mean by at most two steps of 1/240.
constexpr double kMonteCarlo = 2.0 / 240;

/// Whole numbers from -4 to 4: many ties and zeros.
std::vector<double> random_differences(std::mt19937_64& random, std::size_t n) {
  std::uniform_int_distribution<int> size(-4, 4);
  std::vector<double> differences(n);
  for (double& difference : differences) difference = size(random);
  return differences;
}

/// P(X <= k), X ~ Bin(n, 1/2), by Pascal's triangle: exact in a double for n <= 50.
double fair_binomial_cdf(int n, int k) {
  double choose = 1, sum = 0;
  for (int i = 0; i <= k; ++i) {
    sum += choose;
    choose = choose * (n - i) / (i + 1);
  }
  return std::ldexp(sum, -n);
}

TEST(McNemarProperty, EqualsTheSumOfBinomialCoefficients) {
  for (int b = 0; b <= 25; ++b) {
    for (int c = 0; c <= 25; ++c) {
      const double expected = std::min(1.0, 2 * fair_binomial_cdf(b + c, std::min(b, c)));
      EXPECT_NEAR(mcnemar_exact(b, c), expected, kRelativeRounding * expected) << b << ", " << c;
    }
  }
}

TEST(McNemarProperty, ShrinksAsTheSplitGrowsMoreUneven) {
  for (int discordant : {10, 101, 1000, 100000}) {
    double larger_p = 1;
    for (int b = discordant / 2; b >= std::max(0, discordant / 2 - 200); --b) {
      const double p = mcnemar_exact(b, discordant - b);
      EXPECT_LE(p, larger_p) << b << " of " << discordant;
      EXPECT_EQ(p, mcnemar_exact(discordant - b, b));
      larger_p = p;
    }
  }
}

/// Share of the 2^n sign assignments whose smaller rank sum is at most the observed one.
double enumerate_signs(const std::vector<double>& sizes, double smaller) {
  const std::size_t n = sizes.size();
  int at_most = 0;
  for (unsigned signs = 0; signs < (1u << n); ++signs) {
    std::vector<double> differences(n);
    for (std::size_t i = 0; i < n; ++i) differences[i] = (signs >> i & 1) ? sizes[i] : -sizes[i];
    const Wilcoxon w = wilcoxon_signed_rank(differences);
    at_most += std::min(w.w_plus, w.w_minus) <= smaller;
  }
  return at_most / static_cast<double>(1u << n);
}

TEST(WilcoxonProperty, ExactPIsTheShareOfSignAssignments) {
  std::mt19937_64 random(kSeed);
  for (int repeat = 0; repeat < 20; ++repeat) {
    std::vector<double> differences = random_differences(random, 9);
    const Wilcoxon w = wilcoxon_signed_rank(differences);
    differences.erase(std::remove(differences.begin(), differences.end(), 0.0), differences.end());
    EXPECT_NEAR(wilcoxon_exact(differences),
                enumerate_signs(differences, std::min(w.w_plus, w.w_minus)), kAbsoluteRounding)
        << "seed " << kSeed << ", repeat " << repeat;
  }
}

TEST(WilcoxonProperty, IgnoresOrderScaleAndWhichArmComesFirst) {
  std::mt19937_64 random(kSeed);
  for (int repeat = 0; repeat < 100; ++repeat) {
    std::vector<double> differences = random_differences(random, 1 + repeat);
    const Wilcoxon w = wilcoxon_signed_rank(differences);
    const double n = static_cast<double>(w.num_nonzero);
    EXPECT_EQ(w.w_plus + w.w_minus, n * (n + 1) / 2);
    EXPECT_LE(w.p, 1);
    EXPECT_LE(w.z, 0);

    std::shuffle(differences.begin(), differences.end(), random);
    for (double& difference : differences) difference *= -0.125;
    const Wilcoxon turned = wilcoxon_signed_rank(differences);
    EXPECT_EQ(turned.w_plus, w.w_minus);
    EXPECT_EQ(turned.w_minus, w.w_plus);
    EXPECT_EQ(turned.p, w.p);
  }
}

TEST(WilcoxonProperty, HasNothingToSayOfZeros) {
  EXPECT_EQ(wilcoxon_signed_rank({0, 0, 0}).p, 1);
  EXPECT_EQ(wilcoxon_signed_rank({}).num_nonzero, 0);
  EXPECT_EQ(wilcoxon_exact({0, 0}), 1);
}

TEST(CohensDProperty, IgnoresScaleAndTurnsWithTheSign) {
  std::mt19937_64 random(kSeed);
  for (int repeat = 0; repeat < 100; ++repeat) {
    std::vector<double> differences = random_differences(random, 10);
    const double d = cohens_d(differences);
    for (double& difference : differences) difference *= -8;
    EXPECT_NEAR(cohens_d(differences), -d, kAbsoluteRounding);
  }
}

TEST(CohensDProperty, HasNoValueWithoutSpread) {
  EXPECT_TRUE(std::isnan(cohens_d({0.1, 0.1, 0.1, 0.1, 0.1, 0.1})));
  EXPECT_TRUE(std::isnan(cohens_d({0, 0})));
}

/// Chances of the sums -n ... n of n draws, one draw after the other.
std::vector<long double> sums_draw_by_draw(std::int64_t n, std::int64_t b, std::int64_t c) {
  const auto share = [&](std::int64_t count) {
    return static_cast<long double>(count) / static_cast<long double>(n);
  };
  const auto zero = static_cast<std::size_t>(n);
  std::vector<long double> chance(2 * zero + 1, 0.0L);
  chance[zero] = 1;
  for (std::int64_t draw = 0; draw < n; ++draw) {
    std::vector<long double> next(chance.size(), 0.0L);
    for (std::size_t s = 0; s < chance.size(); ++s) {
      next[s] += share(n - b - c) * chance[s];
      if (s + 1 < chance.size()) next[s + 1] += share(b) * chance[s];
      if (s > 0) next[s - 1] += share(c) * chance[s];
    }
    chance = next;
  }
  return chance;
}

TEST(ExactBootstrapProperty, IsThatOfDrawAfterDraw) {
  for (const std::int64_t n : {1, 2, 3, 20, 33, 300}) {
    for (std::int64_t b = 0; b <= n; b += 1 + n / 9) {
      for (std::int64_t c = 0; b + c <= n; c += 1 + n / 9) {
        const std::vector<long double> chance = sums_draw_by_draw(n, b, c);
        const auto at_most = [&](double mean) {
          const auto sum = std::llround(mean * static_cast<double>(n));
          return static_cast<double>(
              std::accumulate(chance.begin(), chance.begin() + sum + n + 1, 0.0L));
        };
        const ExactBootstrap found = bootstrap_exact(n, b, c, 0.9);
        EXPECT_NEAR(found.at_most_zero, at_most(0), kRelativeRounding * at_most(0) + 1e-75);
        const double step = 1.0 / static_cast<double>(n);
        for (const auto& [end, share] :
             {std::pair{found.interval.low, 0.05}, std::pair{found.interval.high, 0.95}}) {
          EXPECT_GE(at_most(end), share - kAbsoluteRounding) << n << " " << b << " " << c;
          if (end > -1) {
            EXPECT_LT(at_most(end - step), share + kAbsoluteRounding);
          }
        }
      }
    }
  }
}

TEST(ExactBootstrapProperty, TurnsWithTheSign) {
  for (std::int64_t b = 0; b <= 12; ++b) {
    for (std::int64_t c = 0; b + c <= 30; ++c) {
      const Interval forward = bootstrap_mean_exact(30, b, c, 0.9);
      const Interval turned = bootstrap_mean_exact(30, c, b, 0.9);
      EXPECT_EQ(turned.low, -forward.high);
      EXPECT_EQ(turned.high, -forward.low);
    }
  }
}

TEST(ExactBootstrapProperty, WidensWithConfidenceAboutTheMean) {
  double previous = 0;
  for (const double confidence : {0.5, 0.8, 0.9, 0.95, 0.99, 0.999}) {
    const ExactBootstrap result = bootstrap_exact(200, 50, 30, confidence);
    EXPECT_LE(result.interval.low, result.mean);
    EXPECT_GE(result.interval.high, result.mean);
    EXPECT_GT(result.interval.high - result.interval.low, previous);
    previous = result.interval.high - result.interval.low;
  }
}

TEST(ExactBootstrapProperty, ReachesItsLargestSample) {
  const ExactBootstrap result = bootstrap_exact(kMaxExactBootstrap, 1000, 500, 0.95);
  const double half = normal_critical(0.95) * result.standard_deviation;
  const double step = 1.0 / kMaxExactBootstrap;
  EXPECT_NEAR(result.interval.low, result.mean - half, 2 * step);
  EXPECT_NEAR(result.interval.high, result.mean + half, 2 * step);
}

TEST(BootstrapProperty, ApproachesTheExactLimit) {
  std::vector<double> differences(240, 0.0);
  std::fill_n(differences.begin(), 83, 1.0);
  std::fill_n(differences.begin() + 83, 6, -1.0);
  const Interval exact = bootstrap_mean_exact(240, 83, 6, 0.95);
  const Interval drawn = bootstrap_mean(differences, 0.95, 20000, kSeed);
  EXPECT_NEAR(drawn.low, exact.low, kMonteCarlo + kAbsoluteRounding) << "seed " << kSeed;
  EXPECT_NEAR(drawn.high, exact.high, kMonteCarlo + kAbsoluteRounding) << "seed " << kSeed;
}

TEST(BootstrapProperty, DependsOnTheSeedAlone) {
  std::vector<double> differences;
  std::mt19937_64 random(kSeed);
  for (int i = 0; i < 50; ++i) differences.push_back(std::ldexp(random() % 1000, -10));
  const Interval first = bootstrap_mean(differences, 0.9, 500, 7);
  const Interval again = bootstrap_mean(differences, 0.9, 500, 7);
  const Interval other = bootstrap_mean(differences, 0.9, 500, 8);
  EXPECT_EQ(first.low, again.low);
  EXPECT_EQ(first.high, again.high);
  EXPECT_NE(first.low, other.low);
}

TEST(HolmProperty, StaysBetweenPAndBonferroniAndKeepsOrder) {
  std::mt19937_64 random(kSeed);
  std::uniform_real_distribution<double> unit(0, 0.2);
  for (std::size_t family = 0; family <= 12; ++family) {
    std::vector<double> p(family);
    for (double& value : p) value = unit(random);
    const std::vector<double> adjusted = holm_bonferroni(p);
    ASSERT_EQ(adjusted.size(), family);
    for (std::size_t i = 0; i < family; ++i) {
      EXPECT_GE(adjusted[i], p[i]);
      EXPECT_LE(adjusted[i], std::min(1.0, static_cast<double>(family) * p[i]));
      for (std::size_t k = 0; k < family; ++k) {
        if (p[i] <= p[k]) {
          EXPECT_LE(adjusted[i], adjusted[k]);
        }
      }
    }
    if (family == 0) continue;
    const std::size_t smallest =
        static_cast<std::size_t>(std::min_element(p.begin(), p.end()) - p.begin());
    EXPECT_EQ(adjusted[smallest], std::min(1.0, static_cast<double>(family) * p[smallest]));
  }
}

TEST(TostProperty, IsEasierWithAWiderMarginAndBlindToWhichArmComesFirst) {
  double previous = 1;
  for (const double margin : {0.01, 0.02, 0.05, 0.1, 0.2}) {
    const Tost result = tost_paired_proportions(300, 6, 4, margin);
    EXPECT_LT(result.p_wald, previous);
    EXPECT_EQ(result.p_wald, tost_paired_proportions(300, 4, 6, margin).p_wald);
    previous = result.p_wald;
  }
}

TEST(TostProperty, IsDegenerateWithoutSpread) {
  for (const std::int64_t b : {0, 7}) {
    const Tost result = tost_paired_proportions(7, b, 0, 0.1);
    EXPECT_TRUE(result.degenerate);
    EXPECT_EQ(result.p_wald, b == 0 ? 0 : 1);
  }
  EXPECT_EQ(tost_paired_proportions(7, 7, 0, 0.1).discordance_upper_95, 1);
}

TEST(WilsonProperty, EndsWhereTheScoreTestStopsRejecting) {
  for (const std::int64_t n : {1, 7, 100, 1144, 1000000}) {
    for (const double share : {0.25, 0.5, 0.982}) {
      const std::int64_t k = static_cast<std::int64_t>(share * static_cast<double>(n));
      const Interval interval = wilson(k, n, 0.95);
      const double total = static_cast<double>(n), observed = static_cast<double>(k) / total;
      for (const double p : {interval.low, interval.high}) {
        if (p == 0 || p == 1) continue;
        const double z = std::fabs(observed - p) / std::sqrt(p * (1 - p) / total);
        EXPECT_NEAR(z, normal_critical(0.95), 1e-9) << k << " of " << n;  // near-equal p: digits go
      }
      EXPECT_LE(interval.low, observed);
      EXPECT_GE(interval.high, observed);
    }
  }
}

TEST(WilsonProperty, MirrorsAndClosesAtTheEnds) {
  for (const std::int64_t n : {1, 10, 849}) {
    EXPECT_EQ(wilson(0, n).low, 0);
    EXPECT_EQ(wilson(n, n).high, 1);
    EXPECT_GT(wilson(0, n).high, 0);
    EXPECT_NEAR(wilson(0, n).high, 1 - wilson(n, n).low, kAbsoluteRounding);
  }
  EXPECT_EQ(wilson(0, 0).low, 0);
  EXPECT_EQ(wilson(0, 0).high, 1);
}

}  // namespace
}  // namespace sightline::host::stats
