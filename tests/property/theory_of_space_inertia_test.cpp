#include "host/theory_of_space/inertia.h"

#include <gtest/gtest.h>

#include <cmath>

#include "host/random.h"
#include "host/random_normal.h"
#include "support/effort.h"

namespace sightline::tests {
namespace {

using namespace host::tos;

TEST(TheoryOfSpaceInertia, AStaleBeliefHasOneAndAnExactOneNone) {
  EXPECT_DOUBLE_EQ(position_inertia({3, 4}, {3, 4}, {10, -2}, 1.5), 1);
  EXPECT_DOUBLE_EQ(position_inertia({3, 4}, {3, 4}, {10, -2}, 0), 1);
  EXPECT_EQ(position_inertia({3, 4}, {10, -2}, {10, -2}, 1.5), 0);
  EXPECT_EQ(position_inertia({3, 4}, {5, 4}, {3, 4}, 1.5), 0);   // nothing was wrong before
  EXPECT_LT(position_inertia({0, 0}, {12, 0}, {10, 0}, 20), 0);  // beyond the truth
  EXPECT_EQ(facing_inertia(Heading::kEast, Heading::kEast), 1);
  EXPECT_EQ(facing_inertia(Heading::kEast, Heading::kWest), 0);
  EXPECT_EQ(facing_inertia(std::nullopt, std::nullopt), 0);
}

/// The paper states a mean of about 0 under unbiased updating; draws gave 0.165, 0.11 and 0.003.
TEST(TheoryOfSpaceInertia, HasAMeanAboveZeroWithoutAnyBias) {
  constexpr double kOfDraws = 0.001, kTwoDigits = 0.005;
  EXPECT_NEAR(isotropic_inertia(1), 0.165, kOfDraws);
  EXPECT_NEAR(isotropic_inertia(2), 0.11, kTwoDigits);
  EXPECT_NEAR(isotropic_inertia(4), 0.003, kOfDraws);
}

TEST(TheoryOfSpaceInertia, TheMeanIsThatOfDraws) {
  const int kDraws = effort(400'000);
  for (const double offset : {1.0, 2.0, 4.0}) {
    double sum = 0, squares = 0;
    for (int i = 0; i < kDraws; ++i) {
      const host::RandomItem random(41, 1, static_cast<std::uint64_t>(i));
      host::NormalDraws normal(random);
      const double x = normal() * std::sqrt(0.5), y = normal() * std::sqrt(0.5);
      const double s = position_inertia({offset, 0}, {x, y}, {}, 1);
      sum += s, squares += s * s;
    }
    const double mean = sum / kDraws;
    const double error = std::sqrt((squares / kDraws - mean * mean) / kDraws);
    EXPECT_NEAR(mean, isotropic_inertia(offset), 4 * error) << offset;
  }
}

}  // namespace
}  // namespace sightline::tests
