#include "host/stats/correlation.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "support/errors.h"

namespace sightline::tests {
namespace {

using host::stats::Correlation;
using host::stats::pearson;

constexpr double kTolerance = 1e-12;

/// Anscombe's first set; numbers of SciPy 1.10, pearsonr().
TEST(Pearson, IsThatOfAnscombe) {
  const Correlation c =
      pearson({10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5},
              {8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68});
  EXPECT_EQ(c.n, 11);
  EXPECT_NEAR(c.r, 0.81642051634484, kTolerance);
  EXPECT_NEAR(c.p, 0.002169628873078783, kTolerance);
  EXPECT_NEAR(c.interval.low, 0.4243912133932165, kTolerance);
  EXPECT_NEAR(c.interval.high, 0.9506932537865606, kTolerance);
}

TEST(Pearson, IsNegativeWhereOneFallsAsTheOtherRises) {
  const Correlation c = pearson({1, 2, 3, 4, 5}, {5, 3, 4, 1, 2});
  EXPECT_NEAR(c.r, -0.8, kTolerance);
  EXPECT_NEAR(c.p, 0.10408803866182803, kTolerance);
}

TEST(Pearson, OfALineIsOne) {
  const Correlation c = pearson({1, 2, 3, 4}, {2, 4, 6, 8});
  EXPECT_EQ(c.r, 1);
  EXPECT_EQ(c.p, 0);
  EXPECT_EQ(c.interval.low, 1);
  EXPECT_EQ(pearson({1, 2, 3}, {2, 4, 6}).interval.low, -1) << "of three pairs";
}

TEST(Pearson, RefusesWhatHasNone) {
  EXPECT_NE(input_error_of([] { pearson({1, 2, 3}, {1, 2}); }), "no error");
  EXPECT_NE(input_error_of([] {
              pearson({1, 2, 3}, {1, 2, 3, 4});
            }).find("must pair up"),
            std::string::npos);
  EXPECT_NE(input_error_of([] {
              pearson({1, 1, 1}, {1, 2, 3});
            }).find("the same"),
            std::string::npos);
}

host::stats::Sums sums_of(const std::vector<double>& values) {
  host::stats::Sums sums;
  for (const double value : values) ++sums.n, sums.sum += value, sums.squares += value * value;
  return sums;
}

std::optional<Correlation> of_sums(const std::vector<double>& x, const std::vector<double>& y) {
  std::vector<double> differences;
  for (std::size_t i = 0; i < x.size(); ++i) differences.push_back(x[i] - y[i]);
  return host::stats::correlation_of_sums(sums_of(x), sums_of(y), sums_of(differences));
}

TEST(CorrelationOfSums, IsPearsons) {
  const std::vector<double> x{0.1, 0.9, 0.4, 0.35, 0.8, 0.2}, rises{0.2, 0.7, 0.5, 0.1, 0.9, 0.4},
      falls{0.9, 0.1, 0.6, 0.8, 0.3, 0.7};
  for (const std::vector<double>& y : {rises, falls}) {
    const Correlation expected = pearson(x, y);
    const std::optional<Correlation> found = of_sums(x, y);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->n, 6);
    EXPECT_NEAR(found->r, expected.r, kTolerance);
    EXPECT_NEAR(found->p, expected.p, kTolerance);
    EXPECT_NEAR(found->interval.low, expected.interval.low, kTolerance);
    EXPECT_NEAR(found->interval.high, expected.interval.high, kTolerance);
  }
}

TEST(CorrelationOfSums, IsNoneOfFewPairsAndOfValuesThatDoNotVary) {
  EXPECT_FALSE(of_sums({0.1, 0.2}, {0.3, 0.2}));
  EXPECT_FALSE(of_sums({0.5, 0.5, 0.5}, {0.1, 0.2, 0.3}));
  EXPECT_FALSE(of_sums({0.1, 0.2, 0.3}, {0.5, 0.5, 0.5}));
  EXPECT_NE(input_error_of([] {
              host::stats::correlation_of_sums({3, 1, 1}, {4, 1, 1}, {3, 0, 0});
            }).find("must pair up"),
            std::string::npos);
}

}  // namespace
}  // namespace sightline::tests
