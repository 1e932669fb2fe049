// Line of sight through voxels by cutting the line: by hand, and against exact fractions.
#include "host/truth/voxel_sight.h"

#include <gtest/gtest.h>

#include "support/rays.h"

namespace sightline::tests {
namespace {

using host::VoxelSight;
using host::VoxelState;
using kernels::Vec3;

host::OccupancyGrid yard() {
  host::GridGeometry geometry;
  geometry.dims = {10, 10, 10};
  host::OccupancyGrid grid(geometry);
  grid.set_box({4, 0, 0}, {5, 6, 10}, VoxelState::kOccupied);
  return grid;
}

TEST(TruthVoxelSight, AWallStandsInTheWayUpToItsTop) {
  const VoxelSight sight(yard());
  EXPECT_FALSE(sight.is_clear({1.5, 3.5, 5.5}, {8.5, 3.5, 5.5}));
  EXPECT_FALSE(sight.is_clear({8.5, 3.5, 5.5}, {1.5, 3.5, 5.5})) << "back";
  EXPECT_TRUE(sight.is_clear({1.5, 6.5, 5.5}, {8.5, 6.5, 5.5})) << "above it";
  EXPECT_FALSE(sight.is_clear({1.5, 6.5, 5.5}, {8.5, 4.5, 5.5})) << "down into it";
  EXPECT_TRUE(sight.is_clear({1.5, 3.5, 5.5}, {3.9, 3.5, 5.5})) << "before it";
}

TEST(TruthVoxelSight, TheVoxelsOfTheEndsDoNotCount) {
  const VoxelSight sight(yard());
  EXPECT_TRUE(sight.is_clear({1.5, 3.5, 5.5}, {4.5, 3.5, 5.5})) << "to a thing in the wall";
  EXPECT_TRUE(sight.is_clear({4.5, 3.5, 5.5}, {8.5, 3.5, 5.5})) << "from it";
  EXPECT_FALSE(sight.is_clear({4.5, 3.5, 5.5}, {5.5, 3.5, 9.5})) << "along it first";
  EXPECT_TRUE(sight.is_clear({2.5, 3.5, 5.5}, {2.5, 3.5, 5.5})) << "a point";
}

TEST(TruthVoxelSight, AnEdgeThatIsTouchedIsFree) {
  host::GridGeometry geometry;
  geometry.dims = {4, 4, 1};
  host::OccupancyGrid grid(geometry);
  grid.set(1, 1, 0, VoxelState::kOccupied);
  const VoxelSight sight(grid);
  EXPECT_TRUE(sight.is_clear({0.5, 1.5, 0.5}, {1.5, 0.5, 0.5})) << "past the corner at 1, 1";
  EXPECT_FALSE(sight.is_clear({0.5, 1.6, 0.5}, {1.6, 0.5, 0.5}));
}

TEST(TruthVoxelSight, UnknownSpaceAndWhatLiesOutsideAreSeenThroughAndNotStoodIn) {
  host::OccupancyGrid grid = yard();
  grid.set_box({4, 0, 0}, {5, 6, 10}, VoxelState::kUnknown);
  const VoxelSight sight(grid);
  EXPECT_TRUE(sight.is_clear({1.5, 3.5, 5.5}, {8.5, 3.5, 5.5}));
  EXPECT_TRUE(sight.is_clear({-3, 3.5, 5.5}, {12, 3.5, 5.5}));
  EXPECT_FALSE(sight.is_free({4.5, 3.5, 5.5}));
  EXPECT_FALSE(sight.is_free({-0.5, 3.5, 5.5}));
  EXPECT_TRUE(sight.is_free({3.5, 3.5, 5.5}));
}

TEST(TruthVoxelSight, AgreesWithExactFractions) {
  constexpr std::uint64_t kSeed = 20260402;
  constexpr int kBits = 8;
  constexpr std::int64_t kRays = 60;
  Random random(kSeed);
  for (const WorldKind kind : {WorldKind::kScattered, WorldKind::kRooms, WorldKind::kSparse}) {
    const DenseWorld dense = make_world(kind, {19, 23, 11}, true, random);
    const VoxelSight sight(to_grid(dense));
    for (const RayKind ray_kind : kAllRayKinds) {
      const host::RayBatch rays = to_batch(make_rays(ray_kind, dense.dims(), kRays, random));
      for (std::size_t i = 0; i < rays.observers.size(); ++i) {
        const oracle::Segment segment = to_segment(rays, i, {}, kBits);
        const auto on_lattice = [](const oracle::Index3& p) {
          constexpr double kUnit = 1.0 / (1 << kBits);
          return Vec3{kUnit * static_cast<double>(p[0]), kUnit * static_cast<double>(p[1]),
                      kUnit * static_cast<double>(p[2])};
        };
        const bool truth =
            oracle::line_of_sight(dense.view(), segment, kBits, {}) == oracle::Answer::kVisible;
        EXPECT_EQ(sight.is_clear(on_lattice(segment.from), on_lattice(segment.to)), truth)
            << name_of(kind) << ", " << name_of(ray_kind) << ", " << describe(rays, i);
      }
    }
  }
}

}  // namespace
}  // namespace sightline::tests
