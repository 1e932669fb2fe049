// The fixed-step marches on a grid: by hand where the samples are exact, else by the oracle.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "host/world/visibility.h"
#include "support/effort.h"
#include "support/rays.h"

namespace sightline::tests {
namespace {

using host::Method;
using kernels::EndRule;
using kernels::SpacePolicy;
using kernels::Vec3;
using kernels::Visibility;
using oracle::State;

constexpr std::uint64_t kSeed = 20260505;

class GridMarch : public testing::Test {
 protected:
  Visibility sight(const DenseWorld& world, Vec3 from, Vec3 to, double step_m,
                   const host::VisibilityQuery& query) {
    host::RayBatch ray;
    ray.observers = {from};
    ray.targets = {to};
    return line_of_sight(to_engine(world), ray, query, step_m, device_)[0];
  }
  static host::VisibilityQuery by(Method method) {
    host::VisibilityQuery query;
    query.method = method;
    return query;
  }

  host::Device device_{host::DeviceChoice::kCpu};
};

TEST_F(GridMarch, SamplesEveryStepFromTheObserver) {
  DenseWorld world({16, 1, 1});
  world.set({5, 0, 0}, State::kOccupied);
  // From x = 0.5 by 1.5: samples at 2, 3.5, 5, 6.5, ...
  EXPECT_EQ(sight(world, {0.5, 0.5, 0.5}, {15.5, 0.5, 0.5}, 1.5, by(Method::kMarch)),
            Visibility::kHidden);
  // By 2: samples at 2.5, 4.5, 6.5, ...
  EXPECT_EQ(sight(world, {0.5, 0.5, 0.5}, {15.5, 0.5, 0.5}, 2, by(Method::kMarch)),
            Visibility::kVisible);
  // By 2 from the other end: samples at 13.5, 11.5, ..., 5.5.
  EXPECT_EQ(sight(world, {15.5, 0.5, 0.5}, {0.5, 0.5, 0.5}, 2, by(Method::kMarch)),
            Visibility::kHidden);
}

TEST_F(GridMarch, MeetsVoxelsOnARayThatAllButStandsStillOnAnAxis) {
  DenseWorld world({3, 1, 1});
  world.set({1, 0, 0}, State::kOccupied);
  for (const double aside : {0.0, 5e-324, 1e-310, 1e-301, 1e-299}) {
    for (const Method method : {Method::kMarch, Method::kMarchUniform}) {
      const Vec3 left{-0.5, 0, 0}, right{2.5, aside, aside};
      EXPECT_EQ(sight(world, left, right, 0.25, by(method)), Visibility::kHidden) << aside;
      EXPECT_EQ(sight(world, right, left, 0.25, by(method)), Visibility::kHidden) << aside;
      const Vec3 below{-0.5, -aside / 10, 0};  // and across the face at 0
      EXPECT_EQ(sight(world, below, right, 0.25, by(method)), Visibility::kHidden) << aside;
      EXPECT_EQ(sight(world, right, below, 0.25, by(method)), Visibility::kHidden) << aside;
    }
  }
}

TEST_F(GridMarch, StopsWhereTheEndRuleSays) {
  // The wall fills voxel 9, next to the target's voxel 10; the ray is 10 m long, the step 0.5 m.
  DenseWorld world({16, 1, 1});
  world.set({9, 0, 0}, State::kOccupied);
  host::VisibilityQuery query = by(Method::kMarch);
  const Vec3 from{0.25, 0.5, 0.5}, to{10.25, 0.5, 0.5};
  const auto answer = [&](EndRule rule, double step_m) {
    query.end_rule = rule;
    return sight(world, from, to, step_m, query);
  };
  // Step 3: samples at 3.25, 6.25, 9.25; 9 < 10, but 9 >= 10 - 3, and 9 > 10 - 1.5.
  EXPECT_EQ(answer(EndRule::kBeforeTarget, 3), Visibility::kHidden);
  EXPECT_EQ(answer(EndRule::kStepBefore, 3), Visibility::kVisible);
  EXPECT_EQ(answer(EndRule::kHalfStepBefore, 3), Visibility::kVisible);
  // Step 1: the last samples at 10.25 - 2, 10.25 - 1 and 10.25 - 1; 9 >= 10 - 1 but 9 <= 10 - 0.5.
  EXPECT_EQ(answer(EndRule::kBeforeTarget, 1), Visibility::kHidden);
  EXPECT_EQ(answer(EndRule::kStepBefore, 1), Visibility::kVisible);
  EXPECT_EQ(answer(EndRule::kHalfStepBefore, 1), Visibility::kHidden);
}

TEST_F(GridMarch, HalfStepRuleIncludesItsBound) {
  DenseWorld world({16, 1, 1});
  world.set({9, 0, 0}, State::kOccupied);
  host::VisibilityQuery query = by(Method::kMarch);
  query.end_rule = EndRule::kHalfStepBefore;
  // Length 10.5, step 1: the sample at 10 = 10.5 - 0.5 counts; it lies at x = 9.75.
  EXPECT_EQ(sight(world, {-0.25, 0.5, 0.5}, {10.25, 0.5, 0.5}, 1, query), Visibility::kHidden);
  world.set({9, 0, 0}, State::kFree);
  world.set({10, 0, 0}, State::kOccupied);
  // Length 11, step 1: the sample at 10.5 would be the bound; 10 counts, 11 does not.
  EXPECT_EQ(sight(world, {0.25, 0.5, 0.5}, {11.25, 0.5, 0.5}, 1, query), Visibility::kHidden);
}

TEST_F(GridMarch, DoesNotSampleTheTargetItself) {
  // Samples at 1, 2, 3; the fourth would be the target, on the near face of the solid voxel 4.
  DenseWorld world({8, 1, 1});
  world.set({4, 0, 0}, State::kOccupied);
  EXPECT_EQ(sight(world, {0, 0.5, 0.5}, {4, 0.5, 0.5}, 1, by(Method::kMarch)),
            Visibility::kVisible);
}

TEST_F(GridMarch, UniformDividesTheRayIntoEqualParts) {
  DenseWorld world({16, 1, 1});
  world.set({5, 0, 0}, State::kOccupied);
  // 15 m by at most 4 m: 4 parts of 3.75 m, samples at 4.25, 8, 11.75. By 3 m: at 3.5, 6.5, ...
  // By 3.5 m: 5 parts of 3 m, the same. By 2.9 m: 6 parts of 2.5 m, at 3, 5.5, 8, ...
  const Vec3 from{0.5, 0.5, 0.5}, to{15.5, 0.5, 0.5};
  EXPECT_EQ(sight(world, from, to, 4, by(Method::kMarchUniform)), Visibility::kVisible);
  EXPECT_EQ(sight(world, from, to, 3, by(Method::kMarchUniform)), Visibility::kVisible);
  EXPECT_EQ(sight(world, from, to, 3.5, by(Method::kMarchUniform)), Visibility::kVisible);
  EXPECT_EQ(sight(world, from, to, 2.9, by(Method::kMarchUniform)), Visibility::kHidden);
  EXPECT_EQ(sight(world, from, to, 100, by(Method::kMarchUniform)), Visibility::kVisible);
}

TEST_F(GridMarch, DoesNotCountTheVoxelsOfTheEnds) {
  DenseWorld world({8, 1, 1});
  world.set({0, 0, 0}, State::kOccupied);
  world.set({7, 0, 0}, State::kOccupied);
  for (const Method method : {Method::kMarch, Method::kMarchUniform}) {
    EXPECT_EQ(sight(world, {0.1, 0.5, 0.5}, {7.9, 0.5, 0.5}, 0.1, by(method)),
              Visibility::kVisible);
    EXPECT_EQ(sight(world, {0.1, 0.5, 0.5}, {0.1, 0.5, 0.5}, 0.1, by(method)),
              Visibility::kVisible);
  }
}

TEST_F(GridMarch, FollowsThePoliciesOfUnknownAndOutsideSpace) {
  DenseWorld world({8, 1, 1});
  world.set({4, 0, 0}, State::kUnknown);
  for (const Method method : {Method::kMarch, Method::kMarchUniform}) {
    host::VisibilityQuery query = by(method);
    const auto within = [&](SpacePolicy policy) {
      query.unknown = policy;
      return sight(world, {0.5, 0.5, 0.5}, {7.5, 0.5, 0.5}, 0.1, query);
    };
    EXPECT_EQ(within(SpacePolicy::kFree), Visibility::kVisible);
    EXPECT_EQ(within(SpacePolicy::kBlocks), Visibility::kHidden);
    EXPECT_EQ(within(SpacePolicy::kUnknown), Visibility::kUnknown);
    query = by(method);
    const auto from_outside = [&](SpacePolicy policy) {
      query.outside = policy;
      return sight(world, {-3.5, 0.5, 0.5}, {1.5, 0.5, 0.5}, 0.1, query);
    };
    EXPECT_EQ(from_outside(SpacePolicy::kFree), Visibility::kVisible);
    EXPECT_EQ(from_outside(SpacePolicy::kBlocks), Visibility::kHidden);
    EXPECT_EQ(from_outside(SpacePolicy::kUnknown), Visibility::kUnknown);
  }
}

/// Random rays against the oracle, which says where rounding decides; there, either answer will do.
class MarchOracle : public testing::TestWithParam<RayKind> {
 protected:
  void expect_same_as_oracle(Method method, EndRule end_rule) {
    constexpr int kRaysPerWorld = effort(60);
    std::int64_t doubtful = 0, asked = 0;
    const oracle::Frame frame{{-1.7, 4.3, 0.9}, {0.25, 0.31, 0.2}};
    for (const WorldKind kind : kAllWorldKinds) {
      const DenseWorld dense = make_world(kind, {37, 21, 70}, true, random_);
      const host::World world = to_engine(dense, frame);
      host::VisibilityQuery query;
      query.method = method;
      query.end_rule = end_rule;
      oracle::Rules rules;
      rules.unknown = static_cast<oracle::Policy>(random_.integer(0, 2));
      rules.outside = static_cast<oracle::Policy>(random_.integer(0, 2));
      query.unknown = to_engine(rules.unknown);
      query.outside = to_engine(rules.outside);
      const host::RayBatch rays =
          to_batch(make_rays(GetParam(), dense.dims(), kRaysPerWorld, random_), frame);
      for (const double step_m : {0.07, 0.3, 1.1}) {
        const auto answers = line_of_sight(world, rays, query, step_m, device_);
        for (std::size_t i = 0; i < answers.size(); ++i, ++asked) {
          const oracle::Sampled truth = judge(dense, frame, rays, i, rules, query, step_m);
          if (truth.doubtful) {
            ++doubtful;
            continue;
          }
          ASSERT_EQ(answers[i], to_engine(truth.answer))
              << "seed " << kSeed << ", " << name_of(kind) << ", step " << step_m << " m, "
              << describe(rays, i);
        }
      }
    }
    // Only rays with ends on faces or centres put many samples exactly on a face.
    const bool free_ends = GetParam() == RayKind::kRandom || GetParam() == RayKind::kShort;
    EXPECT_LT(doubtful, free_ends ? asked / 100 : asked / 2) << "the oracle judges too few";
  }

  static oracle::Sampled judge(const DenseWorld& dense, const oracle::Frame& frame,
                               const host::RayBatch& rays, std::size_t i,
                               const oracle::Rules& rules, const host::VisibilityQuery& query,
                               double step_m) {
    const Vec3 a = rays.observers[i], b = rays.targets[i];
    const oracle::Point3 from{a.x, a.y, a.z}, to{b.x, b.y, b.z};
    const oracle::Sampler sampler = grid_sampler(dense.view(), frame, from, to, rules);
    if (query.method == Method::kMarchUniform) return march_uniform(sampler, from, to, step_m);
    return march(sampler, from, to, step_m, static_cast<oracle::EndRule>(query.end_rule));
  }

  Random random_{kSeed};
  host::Device device_{host::DeviceChoice::kCpu};
};

TEST_P(MarchOracle, AgreesForEveryEndRule) {
  expect_same_as_oracle(Method::kMarch, EndRule::kBeforeTarget);
  expect_same_as_oracle(Method::kMarch, EndRule::kStepBefore);
  expect_same_as_oracle(Method::kMarch, EndRule::kHalfStepBefore);
}

TEST_P(MarchOracle, AgreesWithTheUniformMarch) {
  expect_same_as_oracle(Method::kMarchUniform, EndRule::kBeforeTarget);
}

INSTANTIATE_TEST_SUITE_P(Rays, MarchOracle, testing::ValuesIn(kAllRayKinds));

TEST_F(GridMarch, TendsToTheExactWalkAsItsStepShrinks) {
  Random random(kSeed + 1);
  const DenseWorld dense = make_world(WorldKind::kScattered, {48, 48, 48}, false, random);
  const host::World world = to_engine(dense);
  const host::RayBatch rays = to_batch(make_rays(RayKind::kRandom, dense.dims(), 3000, random));
  host::VisibilityQuery exact;
  exact.lattice_bits = 16;
  const auto truth = line_of_sight(world, rays, exact, 0, device_);
  std::vector<std::int64_t> wrong;
  for (const double step_m : {1.0, 0.25, 0.05, 0.01, 0.001}) {
    const auto marched = line_of_sight(world, rays, by(Method::kMarch), step_m, device_);
    std::int64_t count = 0;
    for (std::size_t i = 0; i < truth.size(); ++i) count += marched[i] != truth[i];
    wrong.push_back(count);
  }
  EXPECT_GT(wrong[0], 30) << "a step of one voxel must miss corners";
  for (std::size_t k = 1; k < wrong.size(); ++k) EXPECT_LT(wrong[k], wrong[k - 1]) << "step " << k;
  EXPECT_LE(wrong.back(), 1);  // a corner cut shorter than 0.001 voxel
}

}  // namespace
}  // namespace sightline::tests
