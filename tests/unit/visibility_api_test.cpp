// The public door: shapes of batches, rounding, geometry, helpers.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "host/error.h"
#include "host/world/visibility.h"
#include "support/rays.h"

namespace sightline::tests {
namespace {

using host::Geometry;
using host::Method;
using host::RayBatch;
using kernels::RayShape;
using kernels::Vec3;
using kernels::Visibility;
using oracle::State;

class VisibilityApi : public testing::Test {
 protected:
  /// Eight voxels in a row along x; voxel 4 is solid.
  static host::World corridor() {
    DenseWorld world({8, 1, 1});
    world.set({4, 0, 0}, State::kOccupied);
    return to_engine(world);
  }
  static Vec3 at(double x) { return {x, 0.5, 0.5}; }

  host::Device device_{host::DeviceChoice::kCpu};
};

TEST_F(VisibilityApi, AnswersACrossRowByRow) {
  RayBatch rays;
  rays.shape = RayShape::kCross;
  rays.observers = {at(0.5), at(7.5)};
  rays.targets = {at(1.5), at(6.5), at(3.5)};
  EXPECT_EQ(rays.num_rays(), 6);
  const auto answers = line_of_sight(corridor(), rays, {}, 0, device_);
  constexpr auto V = Visibility::kVisible, H = Visibility::kHidden;
  EXPECT_EQ(answers, (std::vector<Visibility>{V, H, V, H, V, H}));
}

TEST_F(VisibilityApi, AnswersPairsInTheirOrder) {
  RayBatch rays;
  rays.shape = RayShape::kPairs;
  rays.observers = {at(0.5), at(7.5)};
  rays.targets = {at(1.5), at(6.5)};
  rays.pairs = {0, 1, 1, 1, 0, 0};
  EXPECT_EQ(rays.num_rays(), 3);
  const auto answers = line_of_sight(corridor(), rays, {}, 0, device_);
  EXPECT_EQ(answers, (std::vector<Visibility>{Visibility::kHidden, Visibility::kVisible,
                                              Visibility::kVisible}));
}

TEST_F(VisibilityApi, SkipsEmptySpaceByDefaultAndAnswersExactly) {
  const host::VisibilityQuery query;
  EXPECT_EQ(query.method, Method::kHdda);
  EXPECT_EQ(query.lattice_bits, 8);
  EXPECT_EQ(query.tie_rule, kernels::TieRule::kDiagonal);
  EXPECT_EQ(query.unknown, kernels::SpacePolicy::kFree);
  EXPECT_EQ(query.outside, kernels::SpacePolicy::kFree);
}

TEST_F(VisibilityApi, RoundsEndsForExactMethodsOnly) {
  // The target lies 0.001 voxel short of the solid voxel's far face: within its voxel, so nothing
  // stands between. At 8 bits it rounds to the face and belongs to the next voxel: hidden.
  RayBatch rays;
  rays.observers = {at(0.5)};
  rays.targets = {at(4.999)};
  host::VisibilityQuery query;
  EXPECT_EQ(line_of_sight(corridor(), rays, query, 0, device_)[0], Visibility::kHidden);
  query.lattice_bits = 16;
  EXPECT_EQ(line_of_sight(corridor(), rays, query, 0, device_)[0], Visibility::kVisible);
  query.method = Method::kMarch;
  query.lattice_bits = 0;
  EXPECT_EQ(line_of_sight(corridor(), rays, query, 0.01, device_)[0], Visibility::kVisible);
}

TEST_F(VisibilityApi, FindsVoxelsByOriginAndAnisotropicSize) {
  DenseWorld dense({4, 4, 4});
  dense.set({2, 1, 3}, State::kOccupied);
  const oracle::Frame frame{{10, -20, 30}, {0.5, 2, 0.25}};
  const host::World world = to_engine(dense, frame);
  RayBatch rays;  // along x through row y = 1, z = 3; then one row beside it
  rays.observers = {{10.1, -17.5, 30.9}, {10.1, -17.5, 30.7}};
  rays.targets = {{11.9, -17.5, 30.9}, {11.9, -17.5, 30.7}};
  for (const Method method : {Method::kMarch, Method::kMarchUniform, Method::kDda, Method::kHdda}) {
    host::VisibilityQuery query;
    query.method = method;
    const auto answers = line_of_sight(world, rays, query, 0.05, device_);
    EXPECT_EQ(answers[0], Visibility::kHidden);
    EXPECT_EQ(answers[1], Visibility::kVisible);
  }
}

TEST_F(VisibilityApi, MarchesTheGeometryThatTheQueryNames) {
  host::World world = corridor();
  world.analytic = host::AnalyticSolid{};  // nothing solid, unlike the grid
  RayBatch rays;
  rays.observers = {at(0.5)};
  rays.targets = {at(7.5)};
  host::VisibilityQuery query;
  query.method = Method::kMarch;
  EXPECT_EQ(line_of_sight(world, rays, query, 0.1, device_)[0], Visibility::kHidden);
  query.geometry = Geometry::kAnalytic;
  EXPECT_EQ(line_of_sight(world, rays, query, 0.1, device_)[0], Visibility::kVisible);
}

TEST_F(VisibilityApi, NeedsTheGeometryThatTheQueryNames) {
  host::World world;
  RayBatch rays;
  rays.observers = rays.targets = {at(0.5)};
  host::VisibilityQuery query;
  EXPECT_THROW(line_of_sight(world, rays, query, 0, device_), host::InputError);
  query.method = Method::kMarch;
  EXPECT_THROW(line_of_sight(world, rays, query, 0.1, device_), host::InputError);
  query.geometry = Geometry::kAnalytic;
  EXPECT_THROW(line_of_sight(world, rays, query, 0.1, device_), host::InputError);
  world.analytic = host::AnalyticSolid{};
  EXPECT_NO_THROW(line_of_sight(world, rays, query, 0.1, device_));
  query.method = Method::kHdda;  // walks voxels
  EXPECT_THROW(line_of_sight(world, rays, query, 0, device_), host::InputError);
}

TEST_F(VisibilityApi, AnalyticSolidsKnowNoUnknownAndNoOutside) {
  host::World world;
  world.analytic = host::AnalyticSolid{};
  RayBatch rays;
  rays.observers = {{-1e5, 0, 0}};
  rays.targets = {{1e5, 0, 0}};
  host::VisibilityQuery query;
  query.method = Method::kMarch;
  query.geometry = Geometry::kAnalytic;
  query.unknown = query.outside = kernels::SpacePolicy::kBlocks;
  EXPECT_EQ(line_of_sight(world, rays, query, 10, device_)[0], Visibility::kVisible);
}

TEST(RaysFromOrigin, ReachTheRangeAlongEachDirection) {
  const RayBatch rays = host::rays_from_origin({1, 2, 3}, {{2, 0, 0}, {0, -0.1, 0}, {3, 0, 4}}, 10);
  ASSERT_EQ(rays.num_rays(), 3);
  ASSERT_EQ(rays.observers.size(), 1u);
  EXPECT_DOUBLE_EQ(rays.targets[0].x, 11);
  EXPECT_DOUBLE_EQ(rays.targets[1].y, -8);
  EXPECT_DOUBLE_EQ(rays.targets[2].x, 7);
  EXPECT_DOUBLE_EQ(rays.targets[2].z, 11);
}

TEST_F(VisibilityApi, AnswersRaysFromOneOrigin) {
  const RayBatch rays = host::rays_from_origin(at(2.5), {{1, 0, 0}, {-1, 0, 0}}, 4);
  const auto answers = line_of_sight(corridor(), rays, {}, 0, device_);
  EXPECT_EQ(answers, (std::vector<Visibility>{Visibility::kHidden, Visibility::kVisible}));
}

TEST(SolidAt, ReadsHalfOpenVoxelsAndNothingOutside) {
  DenseWorld dense({4, 4, 4}, State::kUnknown);
  dense.set({1, 2, 3}, State::kOccupied);
  dense.set({0, 0, 0}, State::kOccupied);
  const oracle::Frame frame{{-1, -2, -3}, {0.5, 1, 2}};
  const host::World world = to_engine(dense, frame);
  const auto solid = host::solid_at(world, Geometry::kGrid,
                                    {{-0.5, 0, 3},      // the voxel's low corner
                                     {-0.25, 0.5, 4},   // its middle
                                     {0, 0.5, 4},       // its high face: the next voxel, unknown
                                     {-1, -2, -3},      // the grid's low corner
                                     {-1.001, -2, -3},  // just outside
                                     {1e12, 0, 0}});
  EXPECT_EQ(solid, (std::vector<std::uint8_t>{1, 1, 0, 1, 0, 0}));
}

}  // namespace
}  // namespace sightline::tests
