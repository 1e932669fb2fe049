// First hits with answers known by hand: distances, faces, ends, space outside the grid.
#include <gtest/gtest.h>

#include <cmath>

#include "host/error.h"
#include "host/world/gaze.h"
#include "support/errors.h"

namespace sightline::tests {
namespace {

using kernels::Face;
using kernels::FirstHit;
using kernels::SpacePolicy;
using kernels::Vec3;
using kernels::Visibility;

/// 10 x 6 x 8 voxels of 0.5 x 0.25 x 1 m from (-1, 2, 3): a wall at i = 6, a crate at (8, 0, 0).
host::World walled() {
  host::GridGeometry geometry;
  geometry.dims = {10, 6, 8};
  geometry.origin_m = {-1, 2, 3};
  geometry.voxel_m = {0.5, 0.25, 1};
  host::World world;
  world.name = "walled";
  world.grid.emplace(geometry);
  world.grid->set_box({6, 0, 0}, {7, 6, 8}, host::VoxelState::kOccupied);
  world.grid->set(8, 0, 0, host::VoxelState::kOccupied);
  return world;
}

class Gaze : public testing::Test {
 protected:
  FirstHit look(Vec3 from, Vec3 to) {
    host::RayBatch rays;
    rays.observers = {from};
    rays.targets = {to};
    return first_hit(world_, rays, query_, device_)[0];
  }

  host::World world_ = walled();
  host::VisibilityQuery query_;
  host::Device device_{host::DeviceChoice::kCpu};
};

void expect_voxel(const FirstHit& hit, int i, int j, int k) {
  EXPECT_EQ(hit.voxel[0], i);
  EXPECT_EQ(hit.voxel[1], j);
  EXPECT_EQ(hit.voxel[2], k);
}

TEST_F(Gaze, MeetsTheWallAtItsFace) {
  const FirstHit hit = look({-0.75, 2.5, 5.5}, {3.75, 2.5, 5.5});
  EXPECT_EQ(hit.sight, Visibility::kHidden);
  expect_voxel(hit, 6, 2, 2);
  EXPECT_EQ(hit.face, Face::kMinusX);
  EXPECT_DOUBLE_EQ(hit.distance_m, 2.75);  // the face is at x = 2
}

TEST_F(Gaze, MeetsTheOtherSideFromTheOtherSide) {
  const FirstHit hit = look({3.75, 2.5, 5.5}, {-0.75, 2.5, 5.5});
  expect_voxel(hit, 6, 2, 2);
  EXPECT_EQ(hit.face, Face::kPlusX);
  EXPECT_DOUBLE_EQ(hit.distance_m, 1.25);  // the face is at x = 2.5
}

TEST_F(Gaze, MeasuresAlongTheRayWhenVoxelsAreNoCubes) {
  const FirstHit hit = look({-0.75, 2.125, 3.5}, {3.25, 2.125, 6.5});
  EXPECT_EQ(hit.face, Face::kMinusX);
  EXPECT_DOUBLE_EQ(hit.distance_m, 2.75 / 4 * 5);  // 2.75 m of the 4 along x, of 5 in all
}

TEST_F(Gaze, EndsAtItsRange) {
  const FirstHit hit = look({-0.75, 2.5, 5.5}, {1.5, 2.5, 5.5});
  EXPECT_EQ(hit.sight, Visibility::kVisible);
  EXPECT_EQ(hit.face, Face::kNone);
  EXPECT_EQ(hit.distance_m, INFINITY);
  expect_voxel(hit, -1, -1, -1);
}

TEST_F(Gaze, CountsTheVoxelOfItsEndAndNotThatOfItsStart) {
  expect_voxel(look({-0.75, 2.5, 5.5}, {2.25, 2.5, 5.5}), 6, 2, 2);
  EXPECT_EQ(look({2.25, 2.5, 5.5}, {2.75, 2.5, 5.5}).sight, Visibility::kVisible);
  EXPECT_EQ(look({2.25, 2.5, 5.5}, {2.25, 2.5, 5.5}).sight, Visibility::kVisible);
}

TEST_F(Gaze, EntersAtNoDistanceFromAFace) {
  const FirstHit hit = look({2.5, 2.5, 5.5}, {0, 2.5, 5.5});  // on the wall's far face
  expect_voxel(hit, 6, 2, 2);
  EXPECT_EQ(hit.face, Face::kPlusX);
  EXPECT_EQ(hit.distance_m, 0);
}

TEST_F(Gaze, SaysWhetherUnknownSpaceCameBefore) {
  world_.grid->set_box({3, 0, 0}, {4, 6, 8}, host::VoxelState::kUnknown);
  expect_voxel(look({-0.75, 2.5, 5.5}, {3.75, 2.5, 5.5}), 6, 2, 2);
  query_.unknown = SpacePolicy::kUnknown;
  const FirstHit through = look({-0.75, 2.5, 5.5}, {3.75, 2.5, 5.5});
  expect_voxel(through, 6, 2, 2);
  EXPECT_TRUE(through.through_unknown);
  const FirstHit only = look({-0.75, 2.5, 5.5}, {1.75, 2.5, 5.5});
  EXPECT_EQ(only.sight, Visibility::kUnknown);
  EXPECT_EQ(only.distance_m, INFINITY);
  query_.unknown = SpacePolicy::kBlocks;
  expect_voxel(look({-0.75, 2.5, 5.5}, {3.75, 2.5, 5.5}), 3, 2, 2);
}

TEST_F(Gaze, StopsOutsideTheGridIfThatBlocks) {
  query_.outside = SpacePolicy::kBlocks;
  const FirstHit out = look({-0.75, 2.5, 5.5}, {-2.75, 2.5, 5.5});
  expect_voxel(out, -1, 2, 2);
  EXPECT_EQ(out.sight, Visibility::kHidden);
  EXPECT_EQ(out.face, Face::kPlusX);
  EXPECT_DOUBLE_EQ(out.distance_m, 0.25);
  expect_voxel(look({-2.25, 2.5, 5.5}, {3.75, 2.5, 5.5}), -2, 2, 2);  // starts in -3
  query_.outside = SpacePolicy::kUnknown;
  EXPECT_EQ(look({-0.75, 2.5, 5.5}, {-2.75, 2.5, 5.5}).sight, Visibility::kUnknown);
  EXPECT_TRUE(look({-2.25, 2.5, 5.5}, {3.75, 2.5, 5.5}).through_unknown);
}

TEST_F(Gaze, FollowsAPose) {
  const auto quarter_turn = std::acos(0.0);
  const kernels::Pose pose = make_pose(host::Frame::kSceneYUp, {-0.75, 2.5, 5.5}, quarter_turn, 0);
  const host::RayBatch rays = host::gaze_rays({pose}, 4.5);
  EXPECT_EQ(rays.targets[0].x, 3.75);
  expect_voxel(first_hit(world_, rays, query_, device_)[0], 6, 2, 2);
}

TEST_F(Gaze, RefusesAMarchAndABadRange) {
  query_.method = host::Method::kMarch;
  EXPECT_EQ(input_error_of([&] {
              look({0, 2.5, 5.5}, {1, 2.5, 5.5});
            }),
            "first hit: a march skips voxels; use dda or hdda");
  for (const double range_m : {0.0, -1.0, static_cast<double>(NAN)}) {
    EXPECT_NE(input_error_of([&] { host::gaze_rays({}, range_m); }).find("range_m is"),
              std::string::npos);
  }
}

TEST(FaceNormal, PointsOutward) {
  EXPECT_EQ(host::normal_of(Face::kMinusY).y, -1);
  EXPECT_EQ(host::normal_of(Face::kPlusZ).z, 1);
  EXPECT_EQ(host::normal_of(Face::kNone).x, 0);
}

}  // namespace
}  // namespace sightline::tests
