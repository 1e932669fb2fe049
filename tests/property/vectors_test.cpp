// Waves of rays on vector units (kernels/wave.h): on every instruction set of this machine the
// answers are those of the ops, ray by ray, bit for bit.
#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <string>
#include <vector>

#include "kernels/kernels.h"
#include "kernels/wave.h"
#include "support/rays.h"

namespace sightline::tests {
namespace {

constexpr std::uint64_t kSeed = 20261122;
constexpr kernels::Executor kRayByRay{kernels::Backend::kCpu, 1, nullptr,
                                      kernels::InstructionSet::kPortable};
constexpr kernels::Executor kInWaves{kernels::Backend::kCpu, 1, nullptr};
constexpr double kSteps_m[] = {0.02, 0.11, 0.3, 1, 2.5};
constexpr int kNumSteps = 5;

/// Lets the kernels use one instruction set only while it lives.
class OnlyTarget {
 public:
  explicit OnlyTarget(std::int64_t target) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
  ~OnlyTarget() {
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
};

class Vectors : public testing::TestWithParam<std::int64_t> {
 protected:
  void SetUp() override {
    if ((hwy::SupportedTargets() & GetParam()) == 0) {
      GTEST_SKIP() << "this CPU has no " << hwy::TargetName(GetParam());
    }
  }

  void expect_equal_exact(const host::OccupancyGrid& grid, const host::RayBatch& rays,
                          const oracle::Frame& frame, const kernels::ExactRules& rules) {
    std::vector<kernels::LatticePoint> from, to;
    for (std::size_t i = 0; i < rays.observers.size(); ++i) {
      const oracle::Segment s = to_segment(rays, i, frame, rules.lattice_bits);
      from.push_back({int(s.from[0]), int(s.from[1]), int(s.from[2])});
      to.push_back({int(s.to[0]), int(s.to[1]), int(s.to[2])});
    }
    const auto num_rays = static_cast<std::int64_t>(from.size());
    std::vector<kernels::Visibility> plain(from.size()), waves(from.size());
    const auto run = [&](const kernels::Executor& executor, kernels::Visibility* out) {
      line_of_sight_exact(executor, grid.view(), from.data(), to.data(), {}, rules, num_rays, out);
    };
    run(kRayByRay, plain.data());
    run(in_waves_, waves.data());
    for (std::size_t i = 0; i < plain.size(); ++i) {
      ASSERT_EQ(plain[i], waves[i]) << "seed " << kSeed << ", " << describe(rays, i);
    }
  }

  void expect_equal_march(const host::OccupancyGrid& grid, const host::RayBatch& rays,
                          const kernels::MarchRules& rules) {
    const auto num_rays = static_cast<std::int64_t>(rays.observers.size());
    std::vector<kernels::StepAnswers> plain(rays.observers.size()), waves(plain.size());
    const auto run = [&](const kernels::Executor& executor, kernels::StepAnswers* out) {
      line_of_sight_march(executor, grid.view(), grid.voxel_frame(), rays.observers.data(),
                          rays.targets.data(), {}, rules, kSteps_m, kNumSteps, num_rays, out);
    };
    run(kRayByRay, plain.data());
    run(in_waves_, waves.data());
    for (std::size_t i = 0; i < plain.size(); ++i) {
      ASSERT_EQ(plain[i].hidden, waves[i].hidden) << "seed " << kSeed << ", " << describe(rays, i);
      ASSERT_EQ(plain[i].unknown, waves[i].unknown)
          << "seed " << kSeed << ", " << describe(rays, i);
    }
  }

  kernels::SpacePolicy any_policy() {
    return static_cast<kernels::SpacePolicy>(random_.integer(0, 2));
  }
  kernels::ExactRules any_exact_rules() {
    kernels::ExactRules rules;
    rules.lattice_bits = static_cast<int>(random_.integer(0, 16));
    rules.unknown = any_policy();
    rules.outside = any_policy();
    return rules;
  }
  kernels::MarchRules any_march_rules() {
    kernels::MarchRules rules;
    rules.uniform = random_.chance(0.5);
    rules.end_rule = static_cast<kernels::EndRule>(random_.integer(0, 2));
    rules.unknown = any_policy();
    rules.outside = any_policy();
    return rules;
  }

  kernels::Executor in_waves_ = kInWaves;
  Random random_{kSeed};
};

TEST_P(Vectors, AnswerAsTheOpsDoForEveryWorldAndRay) {
  const OnlyTarget only(GetParam());
  ASSERT_EQ(kernels::vector_target(), std::string(hwy::TargetName(GetParam())));
  const oracle::Frame frame{{-3, 1.5, 7}, {0.08, 0.11, 0.25}};
  for (const WorldKind kind : kAllWorldKinds) {
    const DenseWorld dense = make_world(kind, {90, 70, 150}, true, random_);
    const host::World world = to_engine(dense, frame);
    for (const RayKind ray_kind : kAllRayKinds) {
      SCOPED_TRACE(std::string(name_of(kind)) + ", " + name_of(ray_kind));
      const host::RayBatch rays = to_batch(make_rays(ray_kind, dense.dims(), 3000, random_), frame);
      expect_equal_exact(*world.grid, rays, frame, any_exact_rules());
      expect_equal_march(*world.grid, rays, any_march_rules());
      if (HasFatalFailure()) return;
    }
  }
}

TEST_P(Vectors, AnswerAsTheOpsDoForAwkwardNumbersOfRays) {
  const OnlyTarget only(GetParam());
  const DenseWorld dense = make_world(WorldKind::kRooms, {60, 40, 50}, false, random_);
  const host::World world = to_engine(dense);
  for (const int num_rays : {0, 1, 3, 7, 8, 9, 31, 32, 33, 95, 96, 97, 1023, 1024, 1025}) {
    const host::RayBatch rays =
        to_batch(make_rays(RayKind::kRandom, dense.dims(), num_rays, random_));
    expect_equal_exact(*world.grid, rays, {}, any_exact_rules());
    expect_equal_march(*world.grid, rays, any_march_rules());
  }
}

TEST_P(Vectors, AnswerAsTheOpsDoWhereAnExecutorNamesTheirSet) {
  using kernels::InstructionSet;
  in_waves_.instructions = GetParam() == HWY_AVX2 ? InstructionSet::kAvx2 : InstructionSet::kAvx512;
  ASSERT_TRUE(kernels::has_instruction_set(in_waves_.instructions));
  const DenseWorld dense = make_world(WorldKind::kRooms, {60, 40, 50}, true, random_);
  const host::World world = to_engine(dense);
  const host::RayBatch rays = to_batch(make_rays(RayKind::kRandom, dense.dims(), 3000, random_));
  expect_equal_exact(*world.grid, rays, {}, any_exact_rules());
  expect_equal_march(*world.grid, rays, any_march_rules());
}

// Or the tests above would compare the ops with themselves.
TEST_P(Vectors, AnswerOrdinaryRaysThemselves) {
  const OnlyTarget only(GetParam());
  constexpr int kNumRays = 2000;
  const DenseWorld dense = make_world(WorldKind::kRooms, {60, 40, 50}, true, random_);
  const host::World world = to_engine(dense);
  for (const RayKind kind : {RayKind::kRandom, RayKind::kCentreToCentre}) {
    const host::RayBatch rays = to_batch(make_rays(kind, dense.dims(), kNumRays, random_));
    std::vector<kernels::LatticePoint> from, to;
    for (std::size_t i = 0; i < kNumRays; ++i) {
      const oracle::Segment s = to_segment(rays, i, {}, 8);
      from.push_back({int(s.from[0]), int(s.from[1]), int(s.from[2])});
      to.push_back({int(s.to[0]), int(s.to[1]), int(s.to[2])});
    }
    for (const kernels::SpacePolicy unknown :
         {kernels::SpacePolicy::kFree, kernels::SpacePolicy::kBlocks,
          kernels::SpacePolicy::kUnknown}) {
      std::vector<kernels::Visibility> exact(kNumRays);
      kernels::ExactRules exact_rules;
      exact_rules.unknown = unknown;
      const kernels::ExactLineOfSight exact_op{world.grid->view(), from.data(), to.data(), {},
                                               exact_rules,        exact.data()};
      EXPECT_GT(kernels::exact_wave(exact_op, 0, kNumRays), kNumRays * 9 / 10) << name_of(kind);
      for (const bool uniform : {false, true}) {
        std::vector<kernels::StepAnswers> march(kNumRays);
        kernels::MarchRules rules;
        rules.unknown = unknown;
        rules.uniform = uniform;
        const kernels::MarchGrid op{world.grid->view(),
                                    world.grid->voxel_frame(),
                                    rays.observers.data(),
                                    rays.targets.data(),
                                    {},
                                    rules,
                                    {{0.3}, 1},
                                    march.data()};
        EXPECT_GT(kernels::march_wave(op, 0, kNumRays), kNumRays * 9 / 10) << name_of(kind);
      }
    }
  }
}

// Rays as long as moments allow, and longer: those must go another way, and do.
TEST_P(Vectors, AnswerAsTheOpsDoForVeryLongRays) {
  const OnlyTarget only(GetParam());
  for (const oracle::Index3& dims :
       {oracle::Index3{3000, 3000, 3000}, oracle::Index3{4096, 4096, 4096},
        oracle::Index3{100000, 40, 60}}) {
    host::GridGeometry geometry;
    geometry.dims = {dims[0], dims[1], dims[2]};
    host::World world;
    world.grid = host::OccupancyGrid(geometry);
    for (int k = 0; k < 300; ++k) {
      std::array<std::int64_t, 3> low, high;
      for (std::size_t a = 0; a < 3; ++a) {
        low[a] = random_.integer(0, dims[a] - 1);
        high[a] = low[a] + random_.integer(1, 20);
      }
      world.grid->set_box(low, high, host::VoxelState::kOccupied);
    }
    const host::RayBatch rays = to_batch(make_rays(RayKind::kRandom, dims, 1000, random_));
    for (const int bits : {0, 8, 13}) {
      kernels::ExactRules rules;
      rules.lattice_bits = bits;
      expect_equal_exact(*world.grid, rays, {}, rules);
    }
    expect_equal_march(*world.grid, rays, any_march_rules());
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, Vectors, testing::Values(HWY_AVX2, HWY_AVX3),
                         [](const auto& target) { return hwy::TargetName(target.param); });

}  // namespace
}  // namespace sightline::tests
