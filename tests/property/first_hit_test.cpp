// First hits against exact fractions: random worlds, every kind of ray, every rule.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "host/world/gaze.h"
#include "support/effort.h"
#include "support/exact_scene.h"
#include "support/rays.h"
#include "support/samples.h"

namespace sightline::tests {
namespace {

using kernels::FirstHit;
using kernels::Visibility;
using oracle::Index3;

constexpr std::uint64_t kSeed = 20260401;
constexpr double kRelativeRounding = 1e-14;  ///< of a length: a division, a root and their inputs

double length_m(const oracle::Segment& segment, const oracle::Frame& frame, int bits) {
  double square = 0;
  for (int a = 0; a < 3; ++a) {
    const auto units = static_cast<double>(segment.to[a] - segment.from[a]);
    const double along_m = std::ldexp(units, -bits) * frame.voxel_m[a];
    square += along_m * along_m;
  }
  return std::sqrt(square);
}

void expect_hit(const FirstHit& hit, const oracle::FirstHit& truth, const oracle::Segment& segment,
                const oracle::Frame& frame, int bits, const oracle::Rules& rules) {
  ASSERT_EQ(hit.sight, to_engine(truth.sight));
  if (truth.voxels.empty()) {
    EXPECT_EQ(hit.distance_m, INFINITY);
    EXPECT_EQ(hit.face, kernels::Face::kNone);
    EXPECT_FALSE(hit.through_unknown);
    return;
  }
  const Index3 voxel{hit.voxel[0], hit.voxel[1], hit.voxel[2]};
  EXPECT_NE(std::find(truth.voxels.begin(), truth.voxels.end(), voxel), truth.voxels.end());
  const double distance_m = truth.fraction * length_m(segment, frame, bits);
  EXPECT_NEAR(hit.distance_m, distance_m, kRelativeRounding * distance_m);
  const Index3 normal = oracle::entered_face(segment, voxel, bits);
  const kernels::Vec3 engine_normal = host::normal_of(hit.face);
  EXPECT_EQ(engine_normal.x, static_cast<double>(normal[0]));
  EXPECT_EQ(engine_normal.y, static_cast<double>(normal[1]));
  EXPECT_EQ(engine_normal.z, static_cast<double>(normal[2]));
  if (rules.ties == oracle::Ties::kDiagonal) {  // a supercover meets several voxels at once
    EXPECT_EQ(hit.through_unknown, truth.through_unknown);
  }
  if (rules.unknown != oracle::Policy::kUnknown && rules.outside != oracle::Policy::kUnknown) {
    EXPECT_FALSE(hit.through_unknown);
  }
}

class FirstHits : public testing::TestWithParam<WorldKind> {
 protected:
  host::Device device_{host::DeviceChoice::kCpu};
};

TEST_P(FirstHits, AreWhatExactFractionsSay) {
  const std::vector<Index3> sizes{{1, 1, 1}, {24, 24, 24}, {7, 13, 5}, {65, 6, 17}, {5, 67, 23}};
  constexpr int kRaysPerBatch = 24, kRounds = effort(4), kRepeats = 3;
  Random random(kSeed);
  for (int round = 0; round < kRounds; ++round) {
    for (const Index3& size : sizes) {
      const Scene scene(GetParam(), size, round % 2 == 1, random);
      for (int repeat = 0; repeat < kRepeats; ++repeat) {
        for (const RayKind kind : kAllRayKinds) {
          const host::RayBatch batch =
              to_batch(make_rays(kind, size, kRaysPerBatch, random), scene.frame);
          const int bits = static_cast<int>(random.integer(0, 16));
          const oracle::Rules rules = random_rules(random);
          SCOPED_TRACE(std::string(name_of(kind)) + ", " + describe_rules(rules, bits));
          const auto flat =
              first_hit(scene.packed, batch, exact_query(host::Method::kDda, bits, rules), device_);
          const auto skipping = first_hit(scene.packed, batch,
                                          exact_query(host::Method::kHdda, bits, rules), device_);
          for (std::size_t i = 0; i < flat.size(); ++i) {
            SCOPED_TRACE(describe(batch, i));
            ASSERT_EQ(flat[i], skipping[i]);
            const oracle::Segment segment = to_segment(batch, i, scene.frame, bits);
            expect_hit(flat[i], oracle::first_hit(scene.dense.view(), segment, bits, rules),
                       segment, scene.frame, bits, rules);
            if (HasFailure()) return;
          }
        }
      }
    }
  }
}

/// A hidden target is hidden by what the ray to it meets first; a visible one is met, or nothing.
TEST_P(FirstHits, StopWhereLineOfSightIsBlocked) {
  Random random(kSeed + 1);
  const Scene scene(GetParam(), {120, 90, 70}, true, random);
  std::int64_t num_hidden = 0, num_visible = 0;
  for (const RayKind kind : kAllRayKinds) {
    const host::RayBatch batch =
        to_batch(make_rays(kind, scene.dense.dims(), 2000, random), scene.frame);
    oracle::Rules rules = random_rules(random);
    rules.ties = oracle::Ties::kDiagonal;  // a supercover may touch the target's voxel and others
    const host::VisibilityQuery query = exact_query(host::Method::kHdda, 8, rules);
    const auto hits = first_hit(scene.packed, batch, query, device_);
    const auto sight = line_of_sight(scene.packed, batch, query, 0, device_);
    for (std::size_t i = 0; i < hits.size(); ++i) {
      const Index3 end = oracle::voxel_of(to_segment(batch, i, scene.frame, 8).to, 8);
      const bool at_end = std::equal(hits[i].voxel, hits[i].voxel + 3, end.begin());
      const bool met = hits[i].sight == Visibility::kHidden && !at_end;
      ASSERT_EQ(met, sight[i] == Visibility::kHidden) << name_of(kind) << ' ' << describe(batch, i);
      ++(met ? num_hidden : num_visible);
    }
  }
  if (GetParam() != WorldKind::kEmpty && GetParam() != WorldKind::kFull) {
    EXPECT_GT(num_hidden, 0);
    EXPECT_GT(num_visible, 0);
  }
}

std::string test_name(const testing::TestParamInfo<WorldKind>& info) {
  std::string name = name_of(info.param);
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(World, FirstHits, testing::ValuesIn(kAllWorldKinds), test_name);

}  // namespace
}  // namespace sightline::tests
