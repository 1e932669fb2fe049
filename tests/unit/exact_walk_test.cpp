// Exact line of sight on worlds small enough to check by hand.
#include <gtest/gtest.h>

#include <vector>

#include "support/worlds.h"

namespace sightline::tests {
namespace {

using kernels::ExactRules;
using kernels::LatticePoint;
using kernels::SpacePolicy;
using kernels::TieRule;
using kernels::Visibility;
using oracle::State;

constexpr int kBits = 1;  // a lattice point is a half voxel: odd coordinates are voxel centres

/// One question, answered by both walks, and by the ops as by waves of rays; they must agree.
Visibility sight(const DenseWorld& world, LatticePoint from, LatticePoint to, ExactRules rules = {},
                 int bits = kBits) {
  const host::OccupancyGrid grid = to_grid(world);
  rules.lattice_bits = bits;
  kernels::Executor ray_by_ray;
  ray_by_ray.instructions = kernels::InstructionSet::kPortable;
  Visibility flat{}, skipping{}, alone{};
  rules.skip_empty_space = false;
  line_of_sight_exact({}, grid.view(), &from, &to, {}, rules, 1, &flat);
  rules.skip_empty_space = true;
  line_of_sight_exact({}, grid.view(), &from, &to, {}, rules, 1, &skipping);
  line_of_sight_exact(ray_by_ray, grid.view(), &from, &to, {}, rules, 1, &alone);
  EXPECT_EQ(flat, skipping);
  EXPECT_EQ(flat, alone);
  return flat;
}

ExactRules supercover() {
  ExactRules rules;
  rules.tie_rule = TieRule::kSupercover;
  return rules;
}
ExactRules unknown_is(SpacePolicy policy) {
  ExactRules rules;
  rules.unknown = policy;
  return rules;
}
ExactRules outside_is(SpacePolicy policy) {
  ExactRules rules;
  rules.outside = policy;
  return rules;
}

DenseWorld with_voxels(const oracle::Index3& dims, const std::vector<oracle::Index3>& occupied) {
  DenseWorld world(dims);
  for (const auto& voxel : occupied) world.set(voxel, State::kOccupied);
  return world;
}

TEST(ExactWalk, IsStoppedByOneVoxelHeadOn) {
  const DenseWorld world = with_voxels({8, 8, 8}, {{4, 3, 3}});
  EXPECT_EQ(sight(world, {1, 7, 7}, {15, 7, 7}), Visibility::kHidden);
  EXPECT_EQ(sight(world, {1, 9, 7}, {15, 9, 7}), Visibility::kVisible);
}

TEST(ExactWalk, DoesNotCountTheVoxelsOfTheEnds) {
  const DenseWorld world = with_voxels({8, 8, 8}, {{0, 3, 3}, {7, 3, 3}});
  EXPECT_EQ(sight(world, {1, 7, 7}, {15, 7, 7}), Visibility::kVisible);
}

TEST(ExactWalk, SeesNeighboursInASolidWorldButNothingFurther) {
  const DenseWorld world({8, 8, 8}, State::kOccupied);
  EXPECT_EQ(sight(world, {5, 5, 5}, {7, 5, 5}), Visibility::kVisible);
  EXPECT_EQ(sight(world, {5, 5, 5}, {7, 7, 7}), Visibility::kVisible);
  EXPECT_EQ(sight(world, {5, 5, 5}, {9, 5, 5}), Visibility::kHidden);
}

// Far along x while hardly moving on it: moments of faces behind the start exceed 64 bits.
TEST(ExactWalk, CrossesALongGridFarFromItsOrigin) {
  constexpr int kLatticeBits = 8;
  constexpr std::int32_t kX = 50'000, kAway = 60'000 << kLatticeBits;
  constexpr std::int32_t kFrom = (kX << kLatticeBits) + 100;
  for (const bool up : {true, false}) {
    const LatticePoint p{kFrom, -kAway, -kAway}, t{kFrom + (up ? 1 : -1), kAway, kAway};
    DenseWorld world({100'000, 8, 8});
    world.set_box({kX + 1, 0, 0}, {kX + 2, 8, 8}, State::kOccupied);
    EXPECT_EQ(sight(world, p, t, {}, kLatticeBits), Visibility::kVisible);
    world.set_box({kX, 2, 2}, {kX + 1, 4, 4}, State::kOccupied);  // in the first word
    EXPECT_EQ(sight(world, p, t, {}, kLatticeBits), Visibility::kHidden);
  }
}

// The same on an ordinary grid, by a fine lattice.
TEST(ExactWalk, CrossesAnOrdinaryGridOnAFineLattice) {
  constexpr int kLatticeBits = 16;
  const LatticePoint p{2895743, 6944171, 2030641}, t{532280, 6989266, 2874721};
  const DenseWorld world = with_voxels({129, 130, 127}, {{44, 105, 31}});  // the second on the ray
  EXPECT_EQ(sight(world, p, t, unknown_is(SpacePolicy::kUnknown), kLatticeBits),
            Visibility::kHidden);
  EXPECT_EQ(sight(world, t, p, unknown_is(SpacePolicy::kUnknown), kLatticeBits),
            Visibility::kHidden);
  const DenseWorld beside = with_voxels({129, 130, 127}, {{44, 107, 31}});
  EXPECT_EQ(sight(beside, p, t, {}, kLatticeBits), Visibility::kVisible);
}

TEST(ExactWalk, OfLengthZeroOrWithinAVoxelIsVisible) {
  const DenseWorld world({2, 2, 2}, State::kOccupied);
  EXPECT_EQ(sight(world, {2, 2, 2}, {2, 2, 2}), Visibility::kVisible);
  EXPECT_EQ(sight(world, {2, 2, 2}, {3, 3, 3}), Visibility::kVisible);
  EXPECT_EQ(sight(world, {2, 2, 2}, {2, 2, 2}, supercover()), Visibility::kVisible);
  EXPECT_EQ(sight(world, {2, 2, 2}, {3, 3, 3}, supercover()), Visibility::kVisible);
}

TEST(ExactWalk, PassesAnEdgeSharedByTwoSolidVoxelsUnlessSupercover) {
  // From the centre of (0, 0) to that of (1, 1): through the edge between (1, 0) and (0, 1).
  const DenseWorld world = with_voxels({2, 2, 1}, {{1, 0, 0}, {0, 1, 0}});
  EXPECT_EQ(sight(world, {1, 1, 1}, {3, 3, 1}), Visibility::kVisible);
  EXPECT_EQ(sight(world, {3, 3, 1}, {1, 1, 1}), Visibility::kVisible);
  EXPECT_EQ(sight(world, {1, 1, 1}, {3, 3, 1}, supercover()), Visibility::kHidden);
  EXPECT_EQ(sight(world, {3, 3, 1}, {1, 1, 1}, supercover()), Visibility::kHidden);
}

TEST(ExactWalk, PassesACornerSharedBySixSolidVoxelsUnlessSupercover) {
  DenseWorld world({2, 2, 2}, State::kOccupied);
  EXPECT_EQ(sight(world, {1, 1, 1}, {3, 3, 3}), Visibility::kVisible);
  EXPECT_EQ(sight(world, {1, 1, 1}, {3, 3, 3}, supercover()), Visibility::kHidden);
  EXPECT_EQ(sight(world, {3, 1, 1}, {1, 3, 3}), Visibility::kVisible);
  EXPECT_EQ(sight(world, {3, 1, 1}, {1, 3, 3}, supercover()), Visibility::kHidden);
}

TEST(ExactWalk, AlongAFaceIsInTheUpperVoxelOnly) {
  // The ray keeps y = 2, the face between voxels 1 and 2; half-open cells put it in voxel 2.
  const DenseWorld above = with_voxels({6, 4, 1}, {{3, 2, 0}});
  const DenseWorld below = with_voxels({6, 4, 1}, {{3, 1, 0}});
  EXPECT_EQ(sight(above, {1, 4, 1}, {11, 4, 1}), Visibility::kHidden);
  EXPECT_EQ(sight(below, {1, 4, 1}, {11, 4, 1}), Visibility::kVisible);
  EXPECT_EQ(sight(above, {1, 4, 1}, {11, 4, 1}, supercover()), Visibility::kHidden);
  EXPECT_EQ(sight(below, {1, 4, 1}, {11, 4, 1}, supercover()), Visibility::kHidden);
}

TEST(ExactWalk, FromAFaceEntersTheVoxelThatItLooksInto) {
  // The observer stands on the face x = 3, in voxel 3; looking towards -x it sees through voxel 2.
  const DenseWorld world = with_voxels({6, 1, 1}, {{2, 0, 0}});
  EXPECT_EQ(sight(world, {6, 1, 1}, {1, 1, 1}), Visibility::kHidden);
  EXPECT_EQ(sight(world, {6, 1, 1}, {11, 1, 1}), Visibility::kVisible);
  EXPECT_EQ(sight(world, {6, 1, 1}, {11, 1, 1}, supercover()), Visibility::kHidden);
}

TEST(ExactWalk, UnknownSpaceHidesSeesThroughOrMakesTheAnswerUnknown) {
  DenseWorld world({8, 3, 3});
  world.set({4, 1, 1}, State::kUnknown);
  const LatticePoint from{1, 3, 3}, to{15, 3, 3};
  EXPECT_EQ(sight(world, from, to, unknown_is(SpacePolicy::kFree)), Visibility::kVisible);
  EXPECT_EQ(sight(world, from, to, unknown_is(SpacePolicy::kBlocks)), Visibility::kHidden);
  EXPECT_EQ(sight(world, from, to, unknown_is(SpacePolicy::kUnknown)), Visibility::kUnknown);
}

TEST(ExactWalk, AnswersUnknownOnlyIfNothingOccupiedStandsBetween) {
  for (const std::int64_t occupied : {2, 6}) {  // before and behind the unknown voxel
    DenseWorld world({8, 3, 3});
    world.set({4, 1, 1}, State::kUnknown);
    world.set({occupied, 1, 1}, State::kOccupied);
    EXPECT_EQ(sight(world, {1, 3, 3}, {15, 3, 3}, unknown_is(SpacePolicy::kUnknown)),
              Visibility::kHidden);
  }
}

TEST(ExactWalk, DoesNotCountUnknownVoxelsOfTheEnds) {
  DenseWorld world({8, 3, 3});
  world.set({0, 1, 1}, State::kUnknown);
  world.set({7, 1, 1}, State::kUnknown);
  for (const SpacePolicy policy : {SpacePolicy::kBlocks, SpacePolicy::kUnknown}) {
    EXPECT_EQ(sight(world, {1, 3, 3}, {15, 3, 3}, unknown_is(policy)), Visibility::kVisible);
  }
}

TEST(ExactWalk, OutsideTheGridFollowsItsOwnPolicy) {
  const DenseWorld world({4, 4, 4});
  const LatticePoint inside{3, 3, 3}, next_to_it{-1, 3, 3}, far{-21, 3, 3}, past{21, 3, 3};
  EXPECT_EQ(sight(world, far, past), Visibility::kVisible);
  EXPECT_EQ(sight(world, far, inside, outside_is(SpacePolicy::kBlocks)), Visibility::kHidden);
  EXPECT_EQ(sight(world, far, inside, outside_is(SpacePolicy::kUnknown)), Visibility::kUnknown);
  // The end's own voxel lies outside and does not count: nothing else does.
  EXPECT_EQ(sight(world, next_to_it, inside, outside_is(SpacePolicy::kBlocks)),
            Visibility::kVisible);
  EXPECT_EQ(sight(world, {-1, 3, 3}, {9, 3, 3}, outside_is(SpacePolicy::kBlocks)),
            Visibility::kVisible);
  EXPECT_EQ(sight(world, {-1, 3, 3}, {11, 3, 3}, outside_is(SpacePolicy::kBlocks)),
            Visibility::kHidden);
  // Past the grid, never through it.
  EXPECT_EQ(sight(world, {-5, -9, 3}, {15, -9, 3}, outside_is(SpacePolicy::kUnknown)),
            Visibility::kUnknown);
}

TEST(ExactWalk, FindsAWallBetweenAnObserverAndATargetOutsideTheGrid) {
  DenseWorld world({4, 4, 4});
  world.set_box({2, 0, 0}, {3, 4, 4}, State::kOccupied);
  EXPECT_EQ(sight(world, {1, 3, 3}, {2000, 3, 3}), Visibility::kHidden);
  EXPECT_EQ(sight(world, {-2000, 3, 3}, {2000, 3, 3}), Visibility::kHidden);
  EXPECT_EQ(sight(world, {-2000, 3, 3}, {2000, 3, 3}, outside_is(SpacePolicy::kUnknown)),
            Visibility::kHidden);
  EXPECT_EQ(sight(world, {1, 3, 3}, {-2000, 3, 3}), Visibility::kVisible);
}

TEST(ExactWalk, IsExactAtTheEndsOfTheLattice) {
  constexpr std::int32_t kEnd = 1 << 30;
  DenseWorld world({3, 3, 3}, State::kOccupied);
  for (const int bits : {0, 8, 16}) {
    const std::int32_t centre = (3 << bits) / 2;
    const LatticePoint low{-kEnd, -kEnd, -kEnd}, high{kEnd, kEnd, kEnd};
    EXPECT_EQ(sight(world, low, high, {}, bits), Visibility::kHidden) << bits;
    EXPECT_EQ(sight(world, {-kEnd, centre, centre}, {kEnd, centre, centre}, {}, bits),
              Visibility::kHidden);
    EXPECT_EQ(sight(world, {-kEnd, 3 << bits, centre}, {kEnd, 3 << bits, centre}, {}, bits),
              Visibility::kVisible);
    EXPECT_EQ(
        sight(world, {-kEnd, 3 << bits, centre}, {kEnd, 3 << bits, centre}, supercover(), bits),
        Visibility::kHidden);
  }
}

TEST(ExactWalk, OfLongRaysWithAlmostEqualSlopesMatchesExactFractions) {
  // Products of 62 bits that differ in their last place decide these ties. The reaches lie on both
  // sides of the length up to which products of all three spans fit 64 bits.
  constexpr std::uint64_t kSeed = 77;
  Random random(kSeed);
  const DenseWorld world = make_world(WorldKind::kDense, {9, 9, 9}, false, random);
  for (const std::int64_t reach :
       {std::int64_t{1} << 30, std::int64_t{3} << 20, std::int64_t{1600000}, std::int64_t{1200000},
        std::int64_t{833000}, std::int64_t{820000}, std::int64_t{1} << 19}) {
    for (int i = 0; i < 400; ++i) {
      const int bits = static_cast<int>(random.integer(0, 4)) * 4;
      oracle::Segment s{};
      for (int axis = 0; axis < 3; ++axis) {
        const std::int64_t offset = random.integer(-3, 3) * ((1 << bits) / 2);
        const std::int64_t end = reach - (random.integer(0, 9) << bits);
        s.from[axis] = -reach + (8 << bits) + offset;
        s.to[axis] = random.chance(0.5) ? end : reach - 8;
        if (axis == 1 && random.chance(0.5)) std::swap(s.from[axis], s.to[axis]);
      }
      ExactRules rules = random.chance(0.5) ? ExactRules{} : supercover();
      const LatticePoint from{int(s.from[0]), int(s.from[1]), int(s.from[2])};
      const LatticePoint to{int(s.to[0]), int(s.to[1]), int(s.to[2])};
      const oracle::Rules truth{oracle::Policy::kFree, oracle::Policy::kFree,
                                static_cast<oracle::Ties>(rules.tie_rule)};
      ASSERT_EQ(sight(world, from, to, rules, bits),
                to_engine(oracle::line_of_sight(world.view(), s, bits, truth)))
          << "seed " << kSeed << ", reach " << reach << ", bits " << bits << ", ray " << i;
    }
  }
}

}  // namespace
}  // namespace sightline::tests
