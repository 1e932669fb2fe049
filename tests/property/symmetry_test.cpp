// Seen from the other end: equal by dda, hdda and march_uniform; not by march, on purpose.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "host/world/visibility.h"
#include "support/rays.h"

namespace sightline::tests {
namespace {

using host::Method;
using kernels::Visibility;

constexpr std::uint64_t kSeed = 20260202;

class Symmetry : public testing::TestWithParam<RayKind> {
 protected:
  Random random_{kSeed};
  host::Device device_{host::DeviceChoice::kCpu};

  /// Both directions of random rays through worlds with unknown space, under random policies.
  void expect_same_from_both_ends(host::VisibilityQuery query, double step_m) {
    for (const WorldKind kind : {WorldKind::kScattered, WorldKind::kRooms, WorldKind::kDense}) {
      const DenseWorld dense = make_world(kind, {37, 22, 41}, true, random_);
      const oracle::Frame frame{{-3.1, 0.7, 12}, {0.3, 0.25, 0.11}};
      const host::World world = to_engine(dense, frame);
      for (int round = 0; round < 6; ++round) {
        const host::RayBatch batch =
            to_batch(make_rays(GetParam(), dense.dims(), 500, random_), frame);
        query.unknown = static_cast<kernels::SpacePolicy>(random_.integer(0, 2));
        query.outside = static_cast<kernels::SpacePolicy>(random_.integer(0, 2));
        query.lattice_bits = static_cast<int>(random_.integer(0, 16));
        const auto there = line_of_sight(world, batch, query, step_m, device_);
        const auto back = line_of_sight(world, reversed(batch), query, step_m, device_);
        for (std::size_t i = 0; i < there.size(); ++i) {
          ASSERT_EQ(there[i], back[i]) << "seed " << kSeed << ", " << name_of(kind) << ", "
                                       << describe(batch, i) << " bits " << query.lattice_bits;
        }
      }
    }
  }
};

TEST_P(Symmetry, OfTheFlatWalkHoldsForEveryRay) {
  host::VisibilityQuery query;
  query.method = Method::kDda;
  expect_same_from_both_ends(query, 0);
  query.tie_rule = kernels::TieRule::kSupercover;
  expect_same_from_both_ends(query, 0);
}

TEST_P(Symmetry, OfTheSkippingWalkHoldsForEveryRay) {
  host::VisibilityQuery query;
  query.method = Method::kHdda;
  expect_same_from_both_ends(query, 0);
  query.tie_rule = kernels::TieRule::kSupercover;
  expect_same_from_both_ends(query, 0);
}

TEST_P(Symmetry, OfTheUniformMarchHoldsForEveryRay) {
  host::VisibilityQuery query;
  query.method = Method::kMarchUniform;
  expect_same_from_both_ends(query, 0.13);
  expect_same_from_both_ends(query, 0.5);
}

INSTANTIATE_TEST_SUITE_P(Rays, Symmetry, testing::ValuesIn(kAllRayKinds));

/// A wall one metre thick with a gap of two, and targets on a lattice before, in and behind it:
/// Pilot 2 of What Spatial Memory Must Store (2026), section 5, in the setting of this project.
class Pilot2 : public testing::Test {
 protected:
  Pilot2() {
    kernels::Primitive wall, gap;
    wall.min = {9.5, 0, 0};
    wall.max = {10.5, 10, 20};
    wall.num_openings = 1;
    gap.min = {9.5, 0, 9};
    gap.max = {10.5, 10, 11};
    world_.analytic = host::AnalyticSolid{{wall}, {gap}};
    for (int x = 3; x <= 30; ++x) {
      for (int y = 0; y < 7; ++y) {
        for (int z = 4; z <= 16; z += 2) add_target({double(x), 1.5 + y, double(z)});
      }
    }
  }

  /// Targets in a cone about +x of 0.7 in cosine; none inside the wall.
  void add_target(kernels::Vec3 target) {
    const kernels::Vec3 observer{0, 1.6, 5};
    const kernels::Vec3 d{target.x - observer.x, target.y - observer.y, target.z - observer.z};
    if (d.x < 0.7 * std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z)) return;
    if (world_.analytic->view().solid_at(target)) return;
    rays_.observers.push_back(observer);
    rays_.targets.push_back(target);
  }

  std::vector<Visibility> sight(const host::RayBatch& rays, Method method, double step_m) {
    host::VisibilityQuery query;
    query.method = method;
    query.geometry = host::Geometry::kAnalytic;
    return line_of_sight(world_, rays, query, step_m, device_);
  }

  /// Rays that `answers` call visible and a uniform march of 0.05 m calls hidden.
  std::int64_t count_false_visible(const std::vector<Visibility>& answers) {
    const auto truth = sight(rays_, Method::kMarchUniform, 0.05);
    std::int64_t count = 0;
    for (std::size_t i = 0; i < truth.size(); ++i) {
      if (answers[i] == Visibility::kVisible && truth[i] == Visibility::kHidden) ++count;
    }
    return count;
  }

  host::World world_;
  host::RayBatch rays_;
  host::Device device_{host::DeviceChoice::kCpu};
};

TEST_F(Pilot2, MarchMissesOtherTargetsFromTheOtherEnd) {
  ASSERT_EQ(rays_.num_rays(), 1144);
  EXPECT_EQ(count_false_visible(sight(rays_, Method::kMarch, 0.5)), 15);
  EXPECT_EQ(count_false_visible(sight(reversed(rays_), Method::kMarch, 0.5)), 20);
}

TEST_F(Pilot2, UniformMarchMissesTheSameTargetsFromBothEnds) {
  const auto there = sight(rays_, Method::kMarchUniform, 0.5);
  EXPECT_EQ(count_false_visible(there), 22);
  EXPECT_EQ(there, sight(reversed(rays_), Method::kMarchUniform, 0.5));
}

}  // namespace
}  // namespace sightline::tests
