// Counter-based random numbers: published answers, independence of order, unbiased ranges.
#include "host/random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

#include "host/random_normal.h"

namespace {

using sightline::host::philox4x32_10;
using sightline::host::PhiloxCounter;
using sightline::host::RandomItem;

// kat_vectors of Random123 (Salmon et al. 2011), philox4x32 with 10 rounds.
TEST(Philox, GivesThePublishedAnswers) {
  EXPECT_EQ(philox4x32_10({0, 0, 0, 0}, {0, 0}),
            (PhiloxCounter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(
      philox4x32_10({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}),
      (PhiloxCounter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(
      philox4x32_10({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
      (PhiloxCounter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(RandomItem, DependsOnSeedStreamItemAndDrawAlone) {
  RandomItem first(1, 2, 3), again(1, 2, 3);
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 5; ++i) {
    const std::uint64_t bits = first();
    EXPECT_EQ(bits, again());
    seen.insert(bits);
  }
  for (RandomItem other : {RandomItem(2, 2, 3), RandomItem(1, 3, 3), RandomItem(1, 2, 4),
                           RandomItem(2, 1, 3), RandomItem(1ull << 32, 2, 3)}) {
    seen.insert(other());
  }
  EXPECT_EQ(seen.size(), 10u) << "two draws are equal";
}

TEST(RandomItem, UniformFillsTheUnitIntervalEvenly) {
  constexpr int kDraws = 100000, kBins = 10;
  // Five standard deviations of a binomial count: a correct generator fails once in a million.
  const double tolerance = 5 * std::sqrt(kDraws * 0.1 * 0.9);
  std::vector<int> bins(kBins);
  for (int i = 0; i < kDraws; ++i) {
    const double u = RandomItem(7, 0, static_cast<std::uint64_t>(i)).uniform();
    ASSERT_GE(u, 0.0);
    ASSERT_LT(u, 1.0);
    ++bins[static_cast<std::size_t>(u * kBins)];
  }
  for (const int count : bins) EXPECT_NEAR(count, kDraws / kBins, tolerance);
}

TEST(RandomItem, BelowHasNoBias) {
  // With n = 3 * 2^62 a plain remainder gives [0, 2^62) twice as often as each other quarter.
  constexpr std::uint64_t kQuarter = std::uint64_t{1} << 62;
  constexpr int kDraws = 30000;
  const double tolerance = 5 * std::sqrt(kDraws / 3.0 * (2.0 / 3));
  int low = 0;
  RandomItem random(11, 0, 0);
  for (int i = 0; i < kDraws; ++i) {
    const std::uint64_t value = random.below(3 * kQuarter);
    ASSERT_LT(value, 3 * kQuarter);
    low += value < kQuarter ? 1 : 0;
  }
  EXPECT_NEAR(low, kDraws / 3.0, tolerance);
}

TEST(RandomItem, BelowReachesEveryValue) {
  std::set<std::uint64_t> seen;
  RandomItem random(5, 0, 0);
  for (int i = 0; i < 200; ++i) seen.insert(random.below(6));
  EXPECT_EQ(seen, (std::set<std::uint64_t>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(random.below(1), 0u);
}

TEST(PortableLog, IsTheLogarithmToTheLastDigits) {
  constexpr double kRelativeError = 1e-15;  // four units in the last place
  for (double x = 1e-300; x < 1e300; x *= 1.37) {
    EXPECT_NEAR(sightline::host::portable_log(x), std::log(x),
                kRelativeError * std::fabs(std::log(x)))
        << x;
  }
  for (double x = 0.9; x < 1.1; x += 0.0003) {
    EXPECT_NEAR(sightline::host::portable_log(x), std::log(x), 1e-16) << x;
  }
  EXPECT_EQ(sightline::host::portable_log(1), 0);
  EXPECT_NEAR(sightline::host::portable_log(5e-324), std::log(5e-324), 1e-12);
}

TEST(NormalDraws, HaveTheMomentsOfTheStandardNormal) {
  constexpr int kDraws = 200000;
  double sums[4] = {0, 0, 0, 0};
  int beyond_two = 0;
  sightline::host::NormalDraws draw(RandomItem(11, 0, 0));
  for (int i = 0; i < kDraws; ++i) {
    const double z = draw();
    double power = 1;
    for (double& sum : sums) sum += power *= z;
    beyond_two += std::fabs(z) > 2;
  }
  // Five standard deviations of each mean: of z^k it is the root of E z^2k over the draws.
  const double root = std::sqrt(static_cast<double>(kDraws));
  EXPECT_NEAR(sums[0] / kDraws, 0, 5 / root);
  EXPECT_NEAR(sums[1] / kDraws, 1, 5 * std::sqrt(2.0) / root);
  EXPECT_NEAR(sums[2] / kDraws, 0, 5 * std::sqrt(15.0) / root);
  EXPECT_NEAR(sums[3] / kDraws, 3, 5 * std::sqrt(96.0) / root);
  const double share = 0.0455002638963584;  // P(|Z| > 2)
  EXPECT_NEAR(beyond_two / static_cast<double>(kDraws), share, 5 * std::sqrt(share) / root);
}

}  // namespace
