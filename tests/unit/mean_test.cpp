// Student's t for a mean, against scipy.stats.ttest_1samp (1.10).
#include <gtest/gtest.h>

#include <cmath>

#include "host/stats/paired.h"
#include "support/errors.h"

namespace sightline::tests {
namespace {

using host::stats::mean_interval;
using host::stats::mean_is_zero;
using host::stats::Sums;

Sums sums_of(const std::vector<double>& values) {
  Sums sums;
  for (const double value : values) ++sums.n, sums.sum += value, sums.squares += value * value;
  return sums;
}

TEST(Mean, HasTheIntervalAndThePOfStudentsT) {
  const Sums sums = sums_of({0.1, -0.05, 0.2, 0.15, 0, 0.3, -0.1, 0.25});
  EXPECT_NEAR(sums.mean(), 0.10625, 1e-15);
  const host::stats::Interval interval = mean_interval(sums);
  EXPECT_NEAR(interval.low, -0.01497818140922251, 1e-10);
  EXPECT_NEAR(interval.high, 0.2274781814092225, 1e-10);
  EXPECT_NEAR(mean_is_zero(sums), 0.07693611128805898, 1e-12);
}

/// With one degree of freedom Student's t is Cauchy's: its quantiles are tangents, its tails
/// arctangents.
TEST(Mean, OfTwoValuesHasTheIntervalAndThePOfCauchy) {
  const double kHalfTurn = std::acos(-1.0);
  constexpr double kRounding = 1e-12;
  const double mean = 0.2, error = 0.1;  // of 0.1 and 0.3: half of what they are apart
  const Sums sums = sums_of({mean - error, mean + error});
  for (const double confidence : {0.5, 0.9, 0.95}) {
    const double reach = std::tan(kHalfTurn * confidence / 2) * error;
    EXPECT_NEAR(mean_interval(sums, confidence).low, mean - reach, kRounding * reach / error);
    EXPECT_NEAR(mean_interval(sums, confidence).high, mean + reach, kRounding * reach / error);
  }
  EXPECT_NEAR(mean_is_zero(sums), 1 - 2 * std::atan(mean / error) / kHalfTurn, kRounding);
}

TEST(Mean, OfOneValueHasNoBounds) {
  EXPECT_TRUE(std::isinf(mean_interval(sums_of({0.5})).low));
  EXPECT_TRUE(std::isinf(mean_interval(sums_of({0.5})).high));
  EXPECT_EQ(mean_is_zero(sums_of({0.5})), 1);
}

TEST(Mean, OfEqualValuesHasNoWidth) {
  const Sums halves = sums_of({0.5, 0.5, 0.5});
  EXPECT_NEAR(mean_interval(halves).low, 0.5, 1e-12);
  EXPECT_NEAR(mean_interval(halves).high, 0.5, 1e-12);
  EXPECT_EQ(mean_is_zero(halves), 0.25) << "no spread to go by: the sign test";
  EXPECT_EQ(mean_is_zero(sums_of({0, 0, 0})), 1);
}

// Of values that none differs from, as many others may be anywhere as Wilson's interval allows.
TEST(Mean, OfEqualValuesWithinBoundsReachesAsFarAsWilsonsOfNone) {
  const auto within = [](double value, int n, double low) {
    const std::vector<double> values(static_cast<std::size_t>(n), value);
    return host::stats::mean_interval_within(sums_of(values), low, 1);
  };
  for (const int n : {2, 6, 100}) {
    EXPECT_NEAR(within(1, n, 0).low, host::stats::wilson(n, n).low, 1e-12);
    EXPECT_EQ(within(1, n, 0).high, 1);
    EXPECT_NEAR(within(0, n, 0).high, host::stats::wilson(0, n).high, 1e-12);
    const host::stats::Interval agreeing = host::stats::difference_interval(n, 0, 0);
    EXPECT_NEAR(within(0, n, -1).low, agreeing.low, 1e-9);
    EXPECT_NEAR(within(0, n, -1).high, agreeing.high, 1e-9);
  }
  const double share = host::stats::wilson(0, 10).high;  // of ten values a quarter each
  EXPECT_NEAR(within(0.25, 10, 0).low, 0.25 * (1 - share), 1e-12);
  EXPECT_NEAR(within(0.25, 10, 0).high, 0.25 + 0.75 * share, 1e-12);
}

TEST(Mean, OfValuesThatDifferWithinBoundsIsStudentsCutThere) {
  const Sums sums = sums_of({0.9, 0.8, 1});
  const host::stats::Interval student = mean_interval(sums);
  const host::stats::Interval within = host::stats::mean_interval_within(sums, 0, 1);
  ASSERT_GT(student.high, 1);
  EXPECT_EQ(within.high, 1);
  EXPECT_EQ(within.low, student.low);
}

TEST(Mean, OfFewEqualValuesTellsNothingOfOthers) {
  const auto tells = [](const std::vector<double>& values) {
    return host::stats::tells_of_others(sums_of(values));
  };
  EXPECT_FALSE(tells({}));
  EXPECT_FALSE(tells({0.5}));
  EXPECT_FALSE(tells({0.5, 0.5, 0.5, 0.5, 0.5})) << "the sign test's p is 1/16";
  EXPECT_TRUE(tells({0.5, 0.5, 0.5, 0.5, 0.5, 0.5}));
  EXPECT_TRUE(tells({0.5, 0.25}));
}

// Scores are kept in steps of 2^-30: what the steps leave of equal ones is no spread.
TEST(Mean, OfEqualValuesThatWereRoundedHasNoSpread) {
  const auto rounded = [](double value) { return std::nearbyint(value * 0x1p30) * 0x1p-30; };
  const double sixth = 1.0 / 6;
  EXPECT_EQ(mean_is_zero({2, 2 * rounded(sixth), 2 * rounded(sixth * sixth)}), 0.5);
  EXPECT_EQ(mean_is_zero({20, 20 * rounded(-sixth), 20 * rounded(sixth * sixth)}), 0x1p-19);
}

TEST(Mean, RefusesAConfidenceThatIsNone) {
  EXPECT_NE(input_error_of([] {
              mean_interval(Sums{3, 1, 1}, 1);
            }).find("confidence"),
            std::string::npos);
}

}  // namespace
}  // namespace sightline::tests
