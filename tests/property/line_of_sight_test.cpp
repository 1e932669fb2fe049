// Exact line of sight against exact fractions: random worlds, every kind of ray, every rule.
#include <gtest/gtest.h>

#include <cctype>
#include <string>
#include <vector>

#include "host/world/visibility.h"
#include "support/effort.h"
#include "support/exact_scene.h"
#include "support/rays.h"

namespace sightline::tests {
namespace {

using oracle::Answer;
using oracle::Index3;
using oracle::Policy;
using oracle::Ties;

constexpr std::uint64_t kSeed = 20260101;

/// Compares dda and hdda on the whole batch, and both with the oracle on its first rays.
void check_batch(const Scene& scene, RayKind kind, std::int64_t num_rays, std::size_t num_judged,
                 host::Device& device, Random& random) {
  const host::RayBatch batch =
      to_batch(make_rays(kind, scene.dense.dims(), num_rays, random), scene.frame);
  const int bits = static_cast<int>(random.integer(0, 16));
  const oracle::Rules rules = random_rules(random);
  SCOPED_TRACE(std::string(name_of(kind)) + ", " + describe_rules(rules, bits));
  const auto flat =
      line_of_sight(scene.packed, batch, exact_query(host::Method::kDda, bits, rules), 0, device);
  const auto skipping =
      line_of_sight(scene.packed, batch, exact_query(host::Method::kHdda, bits, rules), 0, device);
  const oracle::VoxelWorld truth = scene.dense.view();
  for (std::size_t i = 0; i < flat.size(); ++i) {
    ASSERT_EQ(flat[i], skipping[i]) << "hdda, " << describe(batch, i);
    if (i >= num_judged) continue;
    const oracle::Segment segment = to_segment(batch, i, scene.frame, bits);
    ASSERT_EQ(flat[i], to_engine(oracle::line_of_sight(truth, segment, bits, rules)))
        << describe(batch, i);
  }
}

class ExactLineOfSight : public testing::TestWithParam<WorldKind> {
 protected:
  host::Device device_{host::DeviceChoice::kCpu};
};

TEST_P(ExactLineOfSight, MatchesExactFractionsOnSmallWorlds) {
  const std::vector<Index3> sizes{{1, 1, 1},   {24, 24, 24}, {7, 13, 5},  {16, 16, 16},
                                  {3, 2, 130}, {65, 6, 17},  {5, 67, 23}, {20, 1, 20}};
  constexpr int kRaysPerBatch = 24;
  constexpr int kRounds = 4;
  constexpr int kRepeats = 4;  // each with other rules and another lattice
  Random random(kSeed);
  for (int round = 0; round < kRounds; ++round) {
    for (const Index3& size : sizes) {
      const Scene scene(GetParam(), size, round % 2 == 1, random);
      SCOPED_TRACE("seed " + std::to_string(kSeed) + ", round " + std::to_string(round) +
                   ", dims " + std::to_string(size[0]) + " x " + std::to_string(size[1]) + " x " +
                   std::to_string(size[2]));
      for (const RayKind kind : kAllRayKinds) {
        for (int repeat = 0; repeat < kRepeats; ++repeat) {
          check_batch(scene, kind, kRaysPerBatch, kRaysPerBatch, device_, random);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

TEST_P(ExactLineOfSight, SkippingEmptySpaceChangesNoAnswerOnLargeWorlds) {
  const bool dense = GetParam() == WorldKind::kDense;
  const Index3 large = kSanitized ? Index3{100, 70, 130} : Index3{300, 270, 290};
  const std::vector<Index3> sizes{dense ? Index3{150, 90, 70} : large, {65, 259, 34}};
  constexpr std::int64_t kRaysPerBatch = effort(2000);
  constexpr std::size_t kJudged = 25;
  Random random(kSeed + 1);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const Scene scene(GetParam(), sizes[i], i % 2 == 1, random);
    SCOPED_TRACE("seed " + std::to_string(kSeed + 1) + ", size " + std::to_string(i));
    for (const RayKind kind : kAllRayKinds) {
      check_batch(scene, kind, kRaysPerBatch, kJudged, device_, random);
      if (HasFatalFailure()) return;
    }
  }
}

std::string test_name(const testing::TestParamInfo<WorldKind>& info) {
  std::string name = name_of(info.param);
  for (char& letter : name) {
    if (std::isalnum(static_cast<unsigned char>(letter)) == 0) letter = '_';
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(World, ExactLineOfSight, testing::ValuesIn(kAllWorldKinds), test_name);

TEST(LineOfSightOracle, FindsTheSameVoxelsWithAndWithoutHalving) {
  Random random(kSeed + 2);
  for (const RayKind kind : kAllRayKinds) {
    const host::RayBatch batch = to_batch(make_rays(kind, {5, 4, 6}, 30, random));
    for (std::size_t i = 0; i < batch.observers.size(); ++i) {
      const int bits = static_cast<int>(random.integer(0, 16));
      const oracle::Segment segment = to_segment(batch, i, {}, bits);
      for (const Ties ties : {Ties::kDiagonal, Ties::kSupercover}) {
        EXPECT_EQ(oracle::visited_voxels(segment, bits, ties),
                  oracle::visited_voxels_one_by_one(segment, bits, ties))
            << name_of(kind) << " " << describe(batch, i);
      }
    }
  }
}

TEST(LineOfSightOracle, GivesEveryAnswerOnTheRandomWorlds) {
  Random random(kSeed + 3);
  const DenseWorld world = make_world(WorldKind::kScattered, {24, 24, 24}, true, random);
  const host::RayBatch batch = to_batch(make_rays(RayKind::kRandom, world.dims(), 300, random));
  oracle::Rules rules;
  rules.unknown = Policy::kUnknown;
  std::int64_t counts[3] = {0, 0, 0};
  for (std::size_t i = 0; i < batch.observers.size(); ++i) {
    const Answer answer =
        oracle::line_of_sight(world.view(), to_segment(batch, i, {}, 8), 8, rules);
    ++counts[static_cast<int>(answer)];
  }
  for (const std::int64_t count : counts) EXPECT_GT(count, 20);
}

}  // namespace
}  // namespace sightline::tests
