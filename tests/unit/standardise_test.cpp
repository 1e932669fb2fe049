// Parts of a score scaled among the memories that take part, by hand.
#include "host/sweep/standardise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace sightline::host {
namespace {

constexpr int kBits = 18;
constexpr double kOne = 1 << kBits;
constexpr double kQuantum = 1;  // rounding of one feature

std::vector<std::int32_t> scaled(Standardise how, const std::vector<std::int32_t>& values,
                                 std::uint64_t kept, double times = 1) {
  std::vector<std::int32_t> out(values.size(), -7);
  standardise(how, values.data(), &kept, static_cast<std::int64_t>(values.size()), times, kBits,
              out.data());
  return out;
}

TEST(Standardise, MinMaxGoesFromZeroToOneAmongTheKept) {
  // The second is not kept: neither the least nor the most.
  const std::vector<std::int32_t> out =
      scaled(Standardise::kMinMax, {100, 100000, 300, 500, -100}, 0b11101);
  EXPECT_NEAR(out[0], kOne * 200 / 600, kQuantum);
  EXPECT_EQ(out[1], 0);
  EXPECT_NEAR(out[2], kOne * 400 / 600, kQuantum);
  EXPECT_EQ(out[3], static_cast<std::int32_t>(kOne));
  EXPECT_EQ(out[4], 0);
}

TEST(Standardise, MinMaxOfEqualValuesIsAHalf) {
  const std::vector<std::int32_t> out = scaled(Standardise::kMinMax, {9, 9, 4}, 0b011);
  EXPECT_EQ(out, (std::vector<std::int32_t>{1 << (kBits - 1), 1 << (kBits - 1), 0}));
}

TEST(Standardise, StandardScoresHaveTheirMeanAtZero) {
  // Kept: 2, 4, 4, 4, 5, 5, 7, 9: mean 5, deviation 2.
  const std::vector<std::int32_t> out =
      scaled(Standardise::kZScore, {2, 4, 1000, 4, 4, 5, 5, 7, 9}, 0b111111011);
  const double unit = kOne / kMostStandardScore;
  const std::vector<double> expected{-1.5, -0.5, 0, -0.5, -0.5, 0, 0, 1, 2};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(out[i], expected[i] * unit, kQuantum) << i;
  }
  for (const std::int32_t value : scaled(Standardise::kZScore, {3, 3, 3}, 0b111)) {
    EXPECT_EQ(value, 0);
  }
}

TEST(Standardise, IsTimesAFactor) {
  const std::vector<std::int32_t> whole = scaled(Standardise::kMinMax, {0, 5, 10}, 0b111);
  const std::vector<std::int32_t> quarter = scaled(Standardise::kMinMax, {0, 5, 10}, 0b111, 0.25);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    EXPECT_NEAR(quarter[i], 0.25 * whole[i], kQuantum);
  }
}

TEST(DistanceSpread, IsTheMedianOverTheLeast) {
  const std::vector<kernels::Vec3> anchors{{1, 0, 0}, {0, 3, 0}, {0, 0, 100}, {5, 0, 0}};
  const auto spread = [&](std::uint64_t kept) { return distance_spread(anchors, {}, &kept); };
  EXPECT_DOUBLE_EQ(spread(0b1011), (3.0 - 1) / 3);
  EXPECT_DOUBLE_EQ(spread(0b1001), (3.0 - 1) / 3);  // the mean of 1 and 5
  EXPECT_EQ(spread(0b0001), 0);
  EXPECT_EQ(spread(0), 0);
}

}  // namespace
}  // namespace sightline::host
