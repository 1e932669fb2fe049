// Each ray is asked of its own version: then and now in one batch.
#include "host/world/sight_at.h"

#include <gtest/gtest.h>

#include <cmath>

#include "host/world/area_target.h"
#include "host/world/view.h"
#include "support/errors.h"
#include "support/rays.h"

namespace sightline::tests {
namespace {

using host::Method;
using host::VoxelState;
using kernels::RayShape;
using kernels::Visibility;

class SightAt : public testing::Test {
 protected:
  SightAt() {
    Random random(311);
    const DenseWorld dense = make_world(WorldKind::kRooms, {60, 40, 50}, true, random);
    world_ = to_engine(dense);
    host::VersionedGrid& versions = start_versions(world_);
    for (int edit = 0; edit < 6; ++edit) {
      const std::int64_t at = random.integer(0, 50);
      versions.edit({{{at, 0, 0}, {at + 3, 40, 50}, static_cast<VoxelState>(edit % 3)}});
    }
    rays_ = to_batch(make_rays(RayKind::kRandom, dense.dims(), 700, random));
    for (int i = 0; i < 700; ++i) asked_.push_back(random.integer(0, versions.latest()));
  }

  /// Ray by ray, each on its version alone.
  std::vector<Visibility> one_by_one(const host::RayBatch& rays, const host::VisibilityQuery& query,
                                     const std::vector<std::int64_t>& asked) {
    std::vector<std::vector<Visibility>> all;
    for (std::int64_t v = 0; v < world_.versions->num_versions(); ++v) {
      all.push_back(line_of_sight(at_version(world_, v), rays, query, 0.4, device_));
    }
    std::vector<Visibility> answers;
    for (std::size_t i = 0; i < asked.size(); ++i) {
      answers.push_back(all[static_cast<std::size_t>(asked[i])][i]);
    }
    return answers;
  }

  host::World world_;
  host::RayBatch rays_;
  std::vector<std::int64_t> asked_;
  host::Device device_{host::DeviceChoice::kCpu};
};

TEST_F(SightAt, AnswersEachRayOnItsVersionForEveryMethod) {
  for (const Method method : {Method::kMarch, Method::kMarchUniform, Method::kDda, Method::kHdda}) {
    host::VisibilityQuery query;
    query.method = method;
    query.unknown = kernels::SpacePolicy::kUnknown;
    const auto answers = line_of_sight_at(world_, rays_, asked_, query, 0.4, device_);
    EXPECT_EQ(answers, one_by_one(rays_, query, asked_));
    EXPECT_NE(answers, line_of_sight(world_, rays_, query, 0.4, device_));  // versions differ
  }
}

TEST_F(SightAt, AnswersEveryShapeOfABatch) {
  host::RayBatch cross = rays_;
  cross.observers.resize(20);
  cross.targets.resize(35);
  cross.shape = RayShape::kCross;
  EXPECT_EQ(line_of_sight_at(world_, cross, asked_, {}, 0, device_), one_by_one(cross, {}, asked_));
  host::RayBatch pairs = rays_;
  pairs.shape = RayShape::kPairs;
  for (std::int64_t i = 0; i < 700; ++i) {
    pairs.pairs.insert(pairs.pairs.end(), {(i * 37) % 700, (i * 101) % 700});
  }
  EXPECT_EQ(line_of_sight_at(world_, pairs, asked_, {}, 0, device_), one_by_one(pairs, {}, asked_));
}

TEST_F(SightAt, SeesThroughADoorThatWasOpenThen) {
  host::World world;
  host::GridGeometry geometry;
  geometry.dims = {9, 5, 5};
  world.grid.emplace(geometry);
  start_versions(world).edit({{{4, 0, 0}, {5, 5, 5}, VoxelState::kOccupied}});
  host::RayBatch rays;
  rays.observers = {{1.5, 2.5, 2.5}, {1.5, 2.5, 2.5}};
  rays.targets = {{7.5, 2.5, 2.5}, {7.5, 2.5, 2.5}};
  EXPECT_EQ(line_of_sight_at(world, rays, {0, 1}, {}, 0, device_),
            (std::vector<Visibility>{Visibility::kVisible, Visibility::kHidden}));
}

TEST_F(SightAt, RefusesVersionsThatDoNotFit) {
  EXPECT_EQ(input_error_of([&] {
              line_of_sight_at(world_, rays_, {0, 1}, {}, 0, device_);
            }),
            "versions: 2 for 700 rays; give one for each ray");
  asked_[33] = 7;
  EXPECT_EQ(input_error_of([&] { line_of_sight_at(world_, rays_, asked_, {}, 0, device_); }),
            "versions row 33: version 7 does not exist; the world has 7, counted from 0");
  asked_[33] = 0;
  rays_.targets[650].y = std::nan("");
  EXPECT_NE(input_error_of([&] {
              line_of_sight_at(world_, rays_, asked_, {}, 0, device_);
            }).find("targets row 650"),
            std::string::npos);
  host::VisibilityQuery analytic;
  analytic.method = Method::kMarch;
  analytic.geometry = host::Geometry::kAnalytic;
  EXPECT_THROW(line_of_sight_at(world_, rays_, asked_, analytic, 0.4, device_), host::InputError);
}

TEST_F(SightAt, TakesAWorldThatWasNeverEditedAsVersion0) {
  host::World plain;
  plain.grid = world_.versions->checkout(0);
  EXPECT_EQ(line_of_sight_at(plain, rays_, std::vector<std::int64_t>(700, 0), {}, 0, device_),
            line_of_sight(at_version(world_, 0), rays_, {}, 0, device_));
  EXPECT_EQ(line_of_sight(at_version(plain, 0), rays_, {}, 0, device_),
            line_of_sight(plain, rays_, {}, 0, device_));
  EXPECT_THROW(at_version(plain, 1), host::InputError);
}

TEST_F(SightAt, AreasAndViewsAskTheChosenVersionToo) {
  for (const std::int64_t v : {std::int64_t{0}, std::int64_t{3}, world_.versions->latest()}) {
    const host::World there = at_version(world_, v);
    host::World rebuilt;
    rebuilt.grid = world_.versions->checkout(v);
    const auto a = visible_samples(there, rays_, {}, {}, 0, device_);
    const auto b = visible_samples(rebuilt, rays_, {}, {}, 0, device_);
    for (std::size_t i = 0; i < a.size(); ++i) ASSERT_EQ(a[i].visible, b[i].visible) << i;
    kernels::Camera camera;
    camera.width = camera.height = 24;
    camera.range_m = 80;
    const std::vector<kernels::Pose> poses{
        make_pose(host::Frame::kSceneYUp, {30, 20, 25}, 0.5, -0.1)};
    const host::Views here = render_views(there, poses, camera, {}, {}, device_);
    const host::Views same = render_views(rebuilt, poses, camera, {}, {}, device_);
    ASSERT_EQ(here.hits.size(), same.hits.size());
    for (std::size_t i = 0; i < here.hits.size(); ++i) {
      ASSERT_EQ(here.hits[i].distance_m, same.hits[i].distance_m) << i;
    }
  }
}

}  // namespace
}  // namespace sightline::tests
