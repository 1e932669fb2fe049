// Turning or mirroring the world and its rays together changes no exact answer.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "host/world/visibility.h"
#include "support/effort.h"
#include "support/rays.h"

namespace sightline::tests {
namespace {

using kernels::Visibility;
using oracle::Index3;

constexpr std::uint64_t kSeed = 20260303;
constexpr int kBits = 8;
constexpr std::int64_t kUnit = 1 << kBits;

/// Lattice segments of random rays, and the same seen after a map of the axes.
std::vector<oracle::Segment> make_segments(RayKind kind, const Index3& dims, int num_rays,
                                           Random& random) {
  const host::RayBatch batch = to_batch(make_rays(kind, dims, num_rays, random));
  std::vector<oracle::Segment> segments;
  for (std::size_t i = 0; i < batch.observers.size(); ++i) {
    segments.push_back(to_segment(batch, i, {}, kBits));
  }
  return segments;
}

std::vector<oracle::Segment> transformed(const std::vector<oracle::Segment>& segments,
                                         const AxisMap& map, const Index3& dims) {
  const Index3 extent{dims[0] * kUnit, dims[1] * kUnit, dims[2] * kUnit};
  std::vector<oracle::Segment> moved;
  for (const oracle::Segment& s : segments) {
    moved.push_back({map.apply(s.from, extent), map.apply(s.to, extent)});
  }
  return moved;
}

bool avoids_faces(const oracle::Segment& segment) {
  for (const Index3& end : {segment.from, segment.to}) {
    for (const std::int64_t value : end) {
      if (value % kUnit == 0) return false;
    }
  }
  return true;
}

class Invariance : public testing::TestWithParam<host::Method> {
 protected:
  std::vector<Visibility> answers(const host::World& world,
                                  const std::vector<oracle::Segment>& segments,
                                  kernels::TieRule ties) {
    host::VisibilityQuery query;
    query.method = GetParam();
    query.lattice_bits = kBits;
    query.tie_rule = ties;
    query.unknown = kernels::SpacePolicy::kUnknown;
    query.outside = kernels::SpacePolicy::kUnknown;
    return line_of_sight(world, to_batch(segments, kBits), query, 0, device_);
  }

  /// Rays of every kind in one batch, judged before and after each map.
  void expect_unchanged(const std::vector<AxisMap>& maps, bool off_faces) {
    Random random(kSeed);
    for (const WorldKind kind : {WorldKind::kScattered, WorldKind::kRooms}) {
      const DenseWorld world = make_world(kind, {23, 17, 30}, true, random);
      std::vector<oracle::Segment> segments;
      for (const RayKind ray_kind : kAllRayKinds) {
        for (const auto& segment : make_segments(ray_kind, world.dims(), effort(400), random)) {
          if (!off_faces || avoids_faces(segment)) segments.push_back(segment);
        }
      }
      for (const auto ties : {kernels::TieRule::kDiagonal, kernels::TieRule::kSupercover}) {
        const auto before = answers(to_engine(world), segments, ties);
        for (const AxisMap& map : maps) {
          const auto after = answers(to_engine(tests::transformed(world, map)),
                                     transformed(segments, map, world.dims()), ties);
          ASSERT_EQ(before, after) << "seed " << kSeed << ", " << name_of(kind) << ", axes "
                                   << map.from[0] << map.from[1] << map.from[2] << " mirrored "
                                   << map.mirrored[0] << map.mirrored[1] << map.mirrored[2];
        }
      }
    }
  }

  host::Device device_{host::DeviceChoice::kCpu};
};

TEST_P(Invariance, HoldsForEveryRayUnderThePermutationsOfTheAxes) {
  expect_unchanged(axis_permutations(), false);
}

TEST_P(Invariance, HoldsUnderAllSymmetriesForRaysThatEndOffTheFaces) {
  expect_unchanged(axis_symmetries(), true);
}

TEST_P(Invariance, DoesNotHoldUnderMirrorsForRaysThatEndOnCorners) {
  Random random(kSeed + 1);
  const DenseWorld world = make_world(WorldKind::kScattered, {24, 24, 24}, false, random);
  const auto segments = make_segments(RayKind::kCornerToCorner, world.dims(), 4000, random);
  const AxisMap mirror{{0, 1, 2}, {true, true, true}};
  const auto before = answers(to_engine(world), segments, kernels::TieRule::kDiagonal);
  const auto after =
      answers(to_engine(tests::transformed(world, mirror)),
              transformed(segments, mirror, world.dims()), kernels::TieRule::kDiagonal);
  std::int64_t changed = 0;
  for (std::size_t i = 0; i < before.size(); ++i) changed += before[i] != after[i];
  EXPECT_GT(changed, 0) << "half-open cells are not mirror-symmetric";
  EXPECT_LT(changed, std::int64_t(segments.size()) / 10);
}

std::string test_name(const testing::TestParamInfo<host::Method>& info) {
  return info.param == host::Method::kDda ? "dda" : "hdda";
}

INSTANTIATE_TEST_SUITE_P(Method, Invariance,
                         testing::Values(host::Method::kDda, host::Method::kHdda), test_name);

}  // namespace
}  // namespace sightline::tests
