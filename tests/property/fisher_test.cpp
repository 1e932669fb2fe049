// Fisher's exact test against its definition, and beyond the tables that it sums.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>

#include "host/error.h"
#include "host/stats/paired.h"

namespace sightline::host::stats {
namespace {

constexpr double kRelative = 1e-9;  // of sums of logarithms of factorials

TEST(Fisher, GivesWhatIsPrinted) {
  EXPECT_NEAR(fisher_exact(3, 4, 1, 4), 34.0 / 70, 1e-14) << "the lady who tastes tea";
  EXPECT_NEAR(fisher_exact(2, 17, 10, 13), 0.0005367241191434, 1e-15) << "R's convicted twins";
  EXPECT_NEAR(fisher_exact(3, 3, 0, 2), 0.1, 1e-15);
  EXPECT_NEAR(fisher_exact(5, 5, 2, 6), 2.0 / 33, 1e-15);
  EXPECT_NEAR(fisher_exact(300, 500, 200, 500), 3.3526116319717e-10, 1e-21);
}

TEST(Fisher, HasNothingToSayWhereAllAreAlike) {
  EXPECT_EQ(fisher_exact(0, 10, 0, 20), 1);
  EXPECT_EQ(fisher_exact(7, 7, 9, 9), 1);
  EXPECT_EQ(fisher_exact(0, 0, 3, 9), 1);
  EXPECT_EQ(fisher_exact(4, 8, 5, 10), 1);
}

double log_choose(std::int64_t n, std::int64_t k) {
  return std::lgamma(static_cast<double>(n + 1)) - std::lgamma(static_cast<double>(k + 1)) -
         std::lgamma(static_cast<double>(n - k + 1));
}

double by_definition(std::int64_t b1, std::int64_t n1, std::int64_t b2, std::int64_t n2) {
  const auto likely = [&](std::int64_t k) {
    return std::exp(log_choose(n1, k) + log_choose(n2, b1 + b2 - k) - log_choose(n1 + n2, b1 + b2));
  };
  double p = 0;
  const std::int64_t last = std::min(b1 + b2, n1);
  for (std::int64_t k = std::max<std::int64_t>(0, b1 + b2 - n2); k <= last; ++k) {
    if (likely(k) <= likely(b1) * (1 + 1e-7)) p += likely(k);
  }
  return std::min(1.0, p);
}

TEST(Fisher, IsTheSumOfTablesThatAreNoLikelierWhicheverComesFirst) {
  std::mt19937_64 random(20261128);
  for (int i = 0; i < 500; ++i) {
    const auto up_to = [&](std::int64_t most) {
      return std::uniform_int_distribution<std::int64_t>(0, most)(random);
    };
    const std::int64_t n1 = up_to(60), n2 = up_to(400), b1 = up_to(n1), b2 = up_to(n2);
    const double p = fisher_exact(b1, n1, b2, n2);
    EXPECT_NEAR(p, by_definition(b1, n1, b2, n2), kRelative * p)
        << b1 << ' ' << n1 << ' ' << b2 << ' ' << n2;
    EXPECT_NEAR(p, fisher_exact(b2, n2, b1, n1), kRelative * p);
    EXPECT_NEAR(p, fisher_exact(n1 - b1, n1, n2 - b2, n2), kRelative * p);
  }
}

TEST(Fisher, GoesOnAsAScoreTestBeyondAMillionTables) {
  // Of 0.9 and of 1.1 million tables a side: the same shares, 2.4 standard errors apart.
  const auto apart = [](std::int64_t n) {
    const auto gap = static_cast<std::int64_t>(2.4 * std::sqrt(static_cast<double>(n) / 2));
    return fisher_exact(n / 2, n, n / 2 - gap, n);
  };
  EXPECT_NEAR(apart(900'000), apart(1'100'000), 1e-4);
  EXPECT_NEAR(fisher_exact(1'500'000, 3'000'000, 1'502'000, 3'000'000), 0.1024703585, 1e-9);
  // A few of very many are few tables.
  EXPECT_NEAR(fisher_exact(5, 1'000'000'000, 0, 2'000'000'000), std::pow(1.0 / 3, 5), 1e-8);
}

TEST(Fisher, RefusesWhatAreNoShares) {
  EXPECT_THROW(fisher_exact(-1, 3, 0, 2), InputError);
  EXPECT_THROW(fisher_exact(0, 3, 3, 2), InputError);
}

}  // namespace
}  // namespace sightline::host::stats
