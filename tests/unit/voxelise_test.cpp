// From solids to voxels: known counts, and the promises of the two fills.
#include "host/world/voxelise.h"

#include <gtest/gtest.h>

#include "host/world/scene_builder.h"
#include "support/errors.h"

namespace sightline {
namespace {

using host::Bounds;
using host::Fill;
using host::OccupancyGrid;
using host::SceneBuilder;
using host::VoxelState;

constexpr Bounds kTenMetres{{0, 0, 0}, {10, 10, 10}};

OccupancyGrid voxels_of(SceneBuilder& builder, double voxel_m, Fill fill) {
  const host::Scene scene = builder.build();
  return host::voxelise(scene.solid, host::grid_over(scene.bounds_m, scene.frame, voxel_m), fill);
}

OccupancyGrid box_voxels(const Bounds& box, double voxel_m, Fill fill) {
  SceneBuilder builder("box", host::Frame::kSceneYUp, kTenMetres);
  builder.add_box(box);
  return voxels_of(builder, voxel_m, fill);
}

TEST(GridOverBounds, RoundsUpButNotForBinaryFractions) {
  const auto dims = [](double extent, double voxel) {
    return host::grid_over({{0, 0, 0}, {extent, 1, 1}}, host::Frame::kSceneYUp, voxel).dims[0];
  };
  EXPECT_EQ(dims(10, 0.25), 40);
  EXPECT_EQ(dims(10.1, 0.25), 41);
  EXPECT_EQ(dims(0.3, 0.1), 3);  // below 3 in binary
  EXPECT_EQ(dims(2.1, 0.7), 3);  // above 3 in binary
  EXPECT_EQ(dims(96, 0.1), 960);
  EXPECT_EQ(dims(0.01, 0.25), 1);
}

TEST(GridOverBounds, RefusesTooManyVoxels) {
  EXPECT_NE(tests::input_error_of([] {
              host::grid_over(kTenMetres, host::Frame::kSceneYUp, 1e-9);
            }).find("larger voxels"),
            std::string::npos);
}

TEST(AlignedBox, FillsItsVoxelsAndNoneOfTheirNeighbours) {
  for (const Fill fill : {Fill::kCenter, Fill::kOverlap}) {
    for (const double voxel : {0.1, 0.25, 0.5, 1.0}) {
      const double per_m = std::round(1 / voxel);
      const OccupancyGrid grid = box_voxels({{3, 0, 2}, {5, 1, 7}}, voxel, fill);
      EXPECT_EQ(grid.count().occupied, static_cast<std::int64_t>(2 * 1 * 5 * per_m * per_m * per_m))
          << voxel;
    }
  }
}

TEST(AlignedBox, EndsAtItsDecimalsAlthoughTheyAreNotBinary) {
  // 0.3 / 0.1 is below 3 and 2.1 / 0.7 above 3 in binary.
  EXPECT_EQ(box_voxels({{0.3, 0.3, 0.3}, {1, 1, 1}}, 0.1, Fill::kOverlap).count().occupied, 343);
  EXPECT_EQ(box_voxels({{0, 0, 0}, {2.1, 2.1, 2.1}}, 0.7, Fill::kOverlap).count().occupied, 27);
}

TEST(RotatedBox, MeetsTheVoxelsOfItsDiamondOnly) {
  constexpr double kEighth = 0.7853981633974483;  // 45 degrees
  for (const host::Frame frame : {host::Frame::kSceneYUp, host::Frame::kMapZUp}) {
    SceneBuilder builder("diamond", frame, kTenMetres);
    builder.add_rotated_box(builder.from_plan({{3, 0, 3}, {7, 1, 7}}), kEighth);
    // |x - 5| + |z - 5| < 2 sqrt 2: six voxels per quadrant, at distances (a, b) with a + b <= 2.
    EXPECT_EQ(voxels_of(builder, 1, Fill::kOverlap).count().occupied, 4 * 6);
  }
}

TEST(ThinWall, NeverVanishesByOverlapAndDoesByCentre) {
  // 0.2 m between the centres of voxels of 0.5 m.
  const Bounds wall{{5.3, 0, 0}, {5.5, 10, 10}};
  EXPECT_EQ(box_voxels(wall, 0.5, Fill::kOverlap).count().occupied, 20 * 20);
  EXPECT_EQ(box_voxels(wall, 0.5, Fill::kCenter).count().occupied, 0);
  const Bounds astride{{4.9, 0, 0}, {5.1, 10, 10}};
  EXPECT_EQ(box_voxels(astride, 0.5, Fill::kOverlap).count().occupied, 2 * 20 * 20);
}

TEST(Opening, FreesOnlyTheVoxelsItCoversByOverlap) {
  const auto wall_with = [](const std::vector<host::Opening>& openings) {
    SceneBuilder builder("wall", host::Frame::kSceneYUp, kTenMetres);
    builder.add_box({{4, 0, 0}, {5, 10, 10}}, openings);
    return voxels_of(builder, 1, Fill::kOverlap).count().occupied;
  };
  EXPECT_EQ(wall_with({{{{4, 2, 3}, {5, 4, 6}}}}), 100 - 2 * 3);
  EXPECT_EQ(wall_with({{{{4, 2.5, 3}, {5, 4, 6}}}}), 100 - 1 * 3) << "half-covered voxels stay";
  EXPECT_EQ(wall_with({{{{4.5, 2, 3}, {5, 4, 6}}}}), 100) << "a niche frees nothing";
  EXPECT_EQ(wall_with({{{{4, 2, 3}, {5, 4, 4.5}}}, {{{4, 2, 4.5}, {5, 4, 6}}}}), 100 - 2 * 3)
      << "two openings that only together cover a voxel";
}

TEST(Opening, LeavesOtherSolidsWhole) {
  SceneBuilder builder("walls", host::Frame::kSceneYUp, kTenMetres);
  builder.add_box({{4, 0, 0}, {5, 10, 10}}, {{{{4, 0, 3}, {5, 10, 6}}}});
  builder.add_box({{0, 0, 4}, {10, 10, 5}});
  const OccupancyGrid grid = voxels_of(builder, 1, Fill::kOverlap);
  EXPECT_EQ(grid.at(4, 2, 4), VoxelState::kOccupied);
  EXPECT_EQ(grid.at(4, 2, 3), VoxelState::kFree);
}

TEST(Opening, OfARotatedWallIsCutInItsOwnFrame) {
  const auto occupied = [](double yaw_rad) {
    SceneBuilder builder("wall", host::Frame::kSceneYUp, kTenMetres);
    const Bounds wall{{1, 0, 4.5}, {9, 4, 5.5}};
    builder.add_rotated_box(wall, yaw_rad, {{{{2, 0, 4.5}, {4, 4, 5.5}}}});
    return voxels_of(builder, 0.5, Fill::kOverlap);
  };
  constexpr double kQuarter = 1.5707963267948966;
  const OccupancyGrid straight = occupied(0), turned = occupied(kQuarter);
  EXPECT_EQ(straight.count().occupied, (16 - 4) * 8 * 2);
  EXPECT_EQ(turned.count().occupied, straight.count().occupied);
  // Yaw turns +x towards -z: what was at x = 3 is now at z = 5 + (5 - 3).
  EXPECT_EQ(straight.at(6, 2, 10), VoxelState::kFree);
  EXPECT_EQ(turned.at(10, 2, 14), VoxelState::kFree);
  EXPECT_EQ(turned.at(10, 2, 6), VoxelState::kOccupied);
}

TEST(Sphere, TouchesOnlyVoxelsThatItEnters) {
  SceneBuilder builder("ball", host::Frame::kSceneYUp, kTenMetres);
  builder.add_sphere({5, 5, 5}, 1);
  EXPECT_EQ(voxels_of(builder, 1, Fill::kOverlap).count().occupied, 8);
  SceneBuilder larger("ball", host::Frame::kSceneYUp, kTenMetres);
  larger.add_sphere({5, 5, 5}, 1.01);
  EXPECT_EQ(voxels_of(larger, 1, Fill::kOverlap).count().occupied, 8 + 6 * 4);
}

TEST(Cylinder, StandsAlongTheUpAxisOfItsFrame) {
  for (const host::Frame frame : {host::Frame::kSceneYUp, host::Frame::kMapZUp}) {
    SceneBuilder builder("trunk", frame, kTenMetres);
    builder.add_cylinder(builder.from_plan(5, 2, 5), 1, 3);
    const OccupancyGrid grid = voxels_of(builder, 1, Fill::kOverlap);
    EXPECT_EQ(grid.count().occupied, 2 * 2 * 3);
    const bool z_up = frame == host::Frame::kMapZUp;
    EXPECT_EQ(grid.at(4, z_up ? 4 : 3, z_up ? 3 : 4), VoxelState::kOccupied);
  }
}

TEST(DiagonalSlab, MeetsTheVoxelsItsBandCrosses) {
  SceneBuilder builder("diagonal", host::Frame::kSceneYUp, {{0, 0, 0}, {10, 1, 10}});
  // A sheet on x + z = 10: it crosses the interior of voxels with i + j in {9} and only those.
  builder.add_diagonal_slab({{0, 0, 0}, {10, 1, 10}}, {1, 0, 1}, 10, 1e-3);
  const OccupancyGrid grid = voxels_of(builder, 1, Fill::kOverlap);
  for (std::int64_t i = 0; i < 10; ++i) {
    for (std::int64_t k = 0; k < 10; ++k) {
      // Of thickness 1 mm it also shaves the corners of the voxels on both sides.
      const bool crossed = i + k >= 8 && i + k <= 10;
      EXPECT_EQ(grid.at(i, 0, k) == VoxelState::kOccupied, crossed) << i << ' ' << k;
    }
  }
}

TEST(CenterFill, AsksTheAnalyticSetAtEveryCentre) {
  SceneBuilder builder("half", host::Frame::kSceneYUp, kTenMetres);
  builder.add_box({{0, 0, 0}, {4.5, 10, 10}}, {}, 0);  // open: centres on its faces are free
  EXPECT_EQ(voxels_of(builder, 1, Fill::kCenter).count().occupied, 4 * 100);
  SceneBuilder closed("half", host::Frame::kSceneYUp, kTenMetres);
  closed.add_box({{0, 0, 0}, {4.5, 10, 10}});
  EXPECT_EQ(voxels_of(closed, 1, Fill::kCenter).count().occupied, 5 * 100);
}

TEST(Voxelise, RefusesAnOpeningThatIsNoBoxOfItsSolid) {
  host::AnalyticSolid set;
  kernels::Primitive ball;
  ball.kind = kernels::PrimitiveKind::kSphere;
  ball.max = {2, 2, 2};
  ball.num_openings = 1;
  set.solids = {ball};
  set.openings = {kernels::Primitive{}};
  const host::GridGeometry grid = host::grid_over(kTenMetres, host::Frame::kSceneYUp, 1);
  EXPECT_NE(tests::input_error_of([&] {
              host::voxelise(set, grid, Fill::kOverlap);
            }).find("an opening must be a box"),
            std::string::npos);
}

}  // namespace
}  // namespace sightline
