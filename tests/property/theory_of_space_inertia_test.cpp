#include "host/theory_of_space/inertia.h"

#include <gtest/gtest.h>

#include "host/theory_of_space/false_belief_phase.h"
#include "host/theory_of_space/scene_generator.h"
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

/// In one turn most of what changed is not seen again: no inertia, as nothing of it was revised.
TEST(TheoryOfSpaceInertia, IsOfWhatWasSeenAgainAlone) {
  int num_unseen = 0;
  for (std::uint64_t number = 0; number < 20; ++number) {
    const Scene scene = generate_scene({}, 31, number);
    const std::vector<SceneChange> changes = draw_changes(scene, {}, 31, number);
    FalseBeliefSettings settings;
    settings.believer = Believer::kExact;
    settings.budget = 1;
    const FalseBeliefResult result = run_false_belief(scene, changes, settings);
    EXPECT_EQ(result.inertia, 0) << number;
    EXPECT_EQ(result.facing_inertia, 0) << number;
    num_unseen += static_cast<int>(changes.size()) - result.num_moved - result.num_rotated;
  }
  EXPECT_GT(num_unseen, 0);
}

/// The paper states a mean of about 0 under unbiased updating; draws gave 0.165, 0.11 and 0.003.
TEST(TheoryOfSpaceInertia, HasAMeanAboveZeroWithoutAnyBias) {
  constexpr double kOfDraws = 0.001, kTwoDigits = 0.005;
  EXPECT_NEAR(isotropic_inertia(1), 0.165, kOfDraws);
  EXPECT_NEAR(isotropic_inertia(2), 0.11, kTwoDigits);
  EXPECT_NEAR(isotropic_inertia(4), 0.003, kOfDraws);
}

TEST(TheoryOfSpaceInertia, TheMeanIsThatOfDraws) {
  const std::int64_t kDraws = effort(400'000);
  for (const double offset : {1.0, 2.0, 4.0}) {
    const DrawnInertia drawn = drawn_isotropic_inertia(offset, kDraws, 41);
    EXPECT_GT(drawn.standard_error, 0);
    EXPECT_LT(drawn.standard_error, 0.003) << offset;
    EXPECT_NEAR(drawn.mean, isotropic_inertia(offset), 4 * drawn.standard_error) << offset;
  }
}

}  // namespace
}  // namespace sightline::tests
