// What must hold of the interval of a difference of paired proportions for any counts.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "host/stats/normal.h"
#include "host/stats/paired.h"

namespace sightline::host::stats {
namespace {

constexpr double kRounding = 1e-12;  // absolute: sums and roots of a few doubles near 1
/// Absolute, of the score statistic: a maximum is found to half the digits of a double, about 1e-8.
constexpr double kOfSearch = 1e-5;

const std::vector<std::int64_t> kSizes{1, 2, 3, 5, 8, 13, 40, 240, 1999, 2000, 2001, 10000, 10001};

/// Numbers of discordant pairs worth trying: all of few, some of many, and every pair.
std::vector<std::int64_t> counts_up_to(std::int64_t most) {
  std::vector<std::int64_t> counts;
  for (std::int64_t count = 0; count <= most; count += count < 8 ? 1 : 1 + count / 2) {
    counts.push_back(count);
  }
  if (counts.back() != most) counts.push_back(most);
  return counts;
}

template <class Check>  // check(n, b, c)
void for_all_counts(const Check& check) {
  for (const std::int64_t n : kSizes) {
    for (const std::int64_t b : counts_up_to(n)) {
      for (const std::int64_t c : counts_up_to(n - b)) check(n, b, c);
    }
  }
}

double times_log(double count, double share) { return count == 0 ? 0 : count * std::log(share); }

/// The score statistic by its definition: the variance is that of the likeliest shares, found by
/// search, of those whose difference is `delta`.
double score_by_search(double n, double b, double c, double delta) {
  const auto log_likelihood = [&](double q) {
    return times_log(b, q + delta) + times_log(c, q) + times_log(n - b - c, 1 - 2 * q - delta);
  };
  double low = std::max(0.0, -delta), high = (1 - delta) / 2;
  for (int step = 0; step < 200; ++step) {
    const double first = low + (high - low) / 3, second = high - (high - low) / 3;
    (log_likelihood(first) < log_likelihood(second) ? low : high) =
        log_likelihood(first) < log_likelihood(second) ? first : second;
  }
  const double q = (low + high) / 2;
  return (b - c - n * delta) / std::sqrt(n * (2 * q + delta * (1 - delta)));
}

TEST(DifferenceInterval, EndsWhereTheScoreTestRejects) {
  for (const double confidence : {0.8, 0.95, 0.99}) {
    const double z = normal_critical(confidence);
    for (const std::int64_t n : {8, 40, 240}) {
      for (std::int64_t b = 1; b < n; b += 1 + n / 5) {
        for (std::int64_t c = 1; b + c < n; c += 1 + n / 5) {
          const Interval interval = difference_interval(n, b, c, confidence);
          const auto score = [&](double delta) {
            return score_by_search(static_cast<double>(n), static_cast<double>(b),
                                   static_cast<double>(c), delta);
          };
          EXPECT_NEAR(score(interval.low), z, kOfSearch) << n << " " << b << " " << c;
          EXPECT_NEAR(score(interval.high), -z, kOfSearch) << n << " " << b << " " << c;
        }
      }
    }
  }
}

TEST(DifferenceInterval, HoldsWhatWasFoundAndTurnsWithTheSign) {
  for_all_counts([](std::int64_t n, std::int64_t b, std::int64_t c) {
    const Interval interval = difference_interval(n, b, c), turned = difference_interval(n, c, b);
    const double found = static_cast<double>(b - c) / static_cast<double>(n);
    EXPECT_GE(interval.low, -1);
    EXPECT_LE(interval.high, 1);
    EXPECT_LE(interval.low, found + kRounding) << n << " " << b << " " << c;
    EXPECT_GE(interval.high, found - kRounding) << n << " " << b << " " << c;
    EXPECT_LT(interval.low, interval.high) << n << " " << b << " " << c;
    EXPECT_EQ(turned.low, -interval.high) << n << " " << b << " " << c;
    EXPECT_EQ(turned.high, -interval.low) << n << " " << b << " " << c;
  });
}

TEST(DifferenceInterval, RisesWithEachPairThatTheArmWins) {
  for_all_counts([](std::int64_t n, std::int64_t b, std::int64_t c) {
    if (b + c == n) return;
    const Interval before = difference_interval(n, b, c), after = difference_interval(n, b + 1, c);
    EXPECT_GT(after.low, before.low) << n << " " << b << " " << c;
    EXPECT_GE(after.high, before.high - kRounding) << n << " " << b << " " << c;
    // One pair of n moves an end by a few n-ths: none jumps, not from b = c = 0 to b = 1 either.
    const double step = 4 / static_cast<double>(n);
    EXPECT_LT(after.low - before.low, step) << n << " " << b << " " << c;
    EXPECT_LT(after.high - before.high, step) << n << " " << b << " " << c;
  });
}

TEST(DifferenceInterval, ShrinksSteadilyWithPairsThatAgree) {
  for_all_counts([](std::int64_t n, std::int64_t b, std::int64_t c) {
    if (n < 8) return;
    const Interval before = difference_interval(n, b, c), after = difference_interval(n + 1, b, c);
    if (2 * (b + c) <= n) {
      EXPECT_LT(after.high - after.low, before.high - before.low) << n << " " << b << " " << c;
    }
    // Each end shrinks by about its n-th part: no number of pairs changes the method.
    for (const auto& [was, is] : {std::pair{before.low, after.low}, {before.high, after.high}}) {
      EXPECT_NEAR(is, was,
                  4 * std::max(std::fabs(was), 1 / static_cast<double>(n)) / static_cast<double>(n))
          << n << " " << b << " " << c;
    }
  });
}

TEST(DifferenceInterval, OfManyPairsIsTheNormalOne) {
  const Interval interval = difference_interval(1'000'000, 300'000, 100'000);
  const double half = 1.959964 * std::sqrt((0.4 - 0.04) / 1e6);
  EXPECT_NEAR(interval.low, 0.2 - half, 1e-3 * half);
  EXPECT_NEAR(interval.high, 0.2 + half, 1e-3 * half);
}

TEST(SureSign, NeedsTheIntervalAndTheExactTest) {
  EXPECT_EQ(sure_sign(240, 4, 0), 0);  // the interval alone leaves out 0
  EXPECT_EQ(sure_sign(240, 6, 0), 1);
  EXPECT_EQ(sure_sign(240, 0, 6), -1);
  for_all_counts([](std::int64_t n, std::int64_t b, std::int64_t c) {
    const int sign = sure_sign(n, b, c);
    EXPECT_EQ(sure_sign(n, c, b), -sign);
    const Interval interval = difference_interval(n, b, c);
    const bool leaves_out_0 = interval.low > 0 || interval.high < 0;
    EXPECT_EQ(sign != 0, leaves_out_0 && mcnemar_exact(b, c) <= 0.05) << n << " " << b << " " << c;
    EXPECT_TRUE(sign == 0 || (sign > 0) == (b > c));
  });
}

}  // namespace
}  // namespace sightline::host::stats
