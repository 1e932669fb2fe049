// Rendered views: every pixel is the gaze through it; labels, pieces and threads change no pixel.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "host/error.h"
#include "host/world/gaze.h"
#include "host/world/view.h"
#include "kernels/view.h"
#include "support/rays.h"
#include "support/samples.h"

namespace sightline::tests {
namespace {

using kernels::FirstHit;
using kernels::Visibility;

constexpr std::uint64_t kSeed = 20260411;

class RenderedViews : public testing::TestWithParam<WorldKind> {
 protected:
  RenderedViews() : dense_(make_world(GetParam(), {50, 30, 45}, true, random_)) {
    world_ = to_engine(dense_, {{-3, 1.5, 7}, {0.5, 0.25, 0.4}});
    query_.unknown = kernels::SpacePolicy::kUnknown;
    for (int i = 0; i < 7; ++i) {
      const kernels::Vec3 at{random_.uniform(-5, 24), random_.uniform(0, 10),
                             random_.uniform(5, 26)};
      poses_.push_back(make_pose(host::Frame::kSceneYUp, at, random_.uniform(-4, 4),
                                 random_.uniform(-1.2, 1.2)));
    }
    // Random owners of some occupied voxels.
    for (int i = 0; i < 20'000; ++i) {
      const std::array<std::int64_t, 3> voxel{random_.integer(0, 49), random_.integer(0, 29),
                                              random_.integer(0, 44)};
      const auto id = static_cast<std::int32_t>(random_.integer(0, 9));
      labels_.add_voxel(*world_.grid, voxel, id);
      const auto [known, is_new] = owner_.emplace(voxel, id);
      if (!is_new) known->second = std::min(known->second, id);
    }
  }

  host::Views render() {
    return render_views(world_, poses_, host::make_camera({19, 11, 80, 0, 30}), query_, labels_,
                        device_);
  }

  Random random_{kSeed};
  DenseWorld dense_;
  host::World world_;
  host::VisibilityQuery query_;
  std::vector<kernels::Pose> poses_;
  host::VoxelLabels labels_;
  std::map<std::array<std::int64_t, 3>, std::int32_t> owner_;
  host::Device device_{host::DeviceChoice::kCpu};
};

TEST_P(RenderedViews, ProjectAPlaceToThePixelThatLooksAtIt) {
  const kernels::Camera camera = host::make_camera({19, 11, 80, 0, 30});
  constexpr std::int64_t kPixels = 19 * 11;
  host::RayBatch rays;
  rays.shape = kernels::RayShape::kPairs;
  for (std::size_t view = 0; view < poses_.size(); ++view) {
    for (std::int64_t pixel = 0; pixel < kPixels; ++pixel) {
      rays.pairs.insert(rays.pairs.end(), {static_cast<std::int64_t>(view),
                                           static_cast<std::int64_t>(rays.targets.size())});
      rays.targets.push_back(pixel_end(camera, poses_[view], pixel));
    }
  }
  const std::vector<kernels::Projection> places = project(poses_, rays, camera, device_);
  ASSERT_EQ(places.size(), rays.targets.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto pixel = static_cast<std::int64_t>(i) % kPixels;
    EXPECT_NEAR(places[i].column, static_cast<double>(pixel % 19) + 0.5, 1e-9);
    EXPECT_NEAR(places[i].row, static_cast<double>(pixel / 19) + 0.5, 1e-9);
    EXPECT_GT(places[i].ahead_m, 0);
    EXPECT_LE(places[i].ahead_m, 30 * (1 + 1e-12));
    EXPECT_TRUE(places[i].is_inside);
  }
}

TEST_P(RenderedViews, ProjectOnlyWhatAFrustumOfTheCameraHolds) {
  const kernels::Camera camera = host::make_camera({19, 11, 80, 0, 30});
  host::RayBatch rays;
  rays.shape = kernels::RayShape::kCross;
  for (int i = 0; i < 500; ++i) {
    rays.targets.push_back(
        {random_.uniform(-9, 28), random_.uniform(-3, 14), random_.uniform(0, 30)});
  }
  kernels::FieldOfView frustum;
  frustum.kind = kernels::FieldOfViewKind::kFrustum;
  frustum.tan_horizontal = camera.tan_horizontal;
  frustum.tan_vertical = camera.tan_vertical;
  const auto inside = in_field_of_view(poses_, rays, {frustum}, device_).front();
  const std::vector<kernels::Projection> places = project(poses_, rays, camera, device_);
  ASSERT_EQ(places.size(), inside.size());
  int num_inside = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    EXPECT_EQ(places[i].is_inside, inside[i] == 1) << i;
    num_inside += inside[i];
  }
  EXPECT_GT(num_inside, 50);
}

TEST_P(RenderedViews, AreTheFirstHitsThroughTheirPixels) {
  for (const kernels::SpacePolicy unknown :
       {kernels::SpacePolicy::kUnknown, kernels::SpacePolicy::kBlocks,
        kernels::SpacePolicy::kFree}) {
    query_.unknown = unknown;
    const host::Views views = render();
    host::RayBatch rays;
    for (const kernels::Pose& pose : poses_) {
      for (std::int64_t pixel = 0; pixel < views.pixels_per_view(); ++pixel) {
        rays.observers.push_back(pose.position);
        rays.targets.push_back(pixel_end(views.camera, pose, pixel));
      }
    }
    host::VisibilityQuery voxel_by_voxel = query_;
    voxel_by_voxel.method = host::Method::kDda;
    EXPECT_EQ(views.hits, first_hit(world_, rays, voxel_by_voxel, device_));
  }
}

TEST_P(RenderedViews, NameTheOwnerOfEveryVoxelTheyShow) {
  const host::Views views = render();
  std::vector<std::map<std::int32_t, std::int64_t>> pixels(poses_.size());
  for (std::size_t i = 0; i < views.hits.size(); ++i) {
    const FirstHit& hit = views.hits[i];
    std::int32_t expected = kernels::kNoLabel;
    if (hit.sight == Visibility::kHidden) {
      const auto found = owner_.find({hit.voxel[0], hit.voxel[1], hit.voxel[2]});
      if (found != owner_.end()) expected = found->second;
    }
    ASSERT_EQ(views.ids[i], expected) << "pixel " << i << ": " << hit;
    if (expected != kernels::kNoLabel) {
      ++pixels[i / static_cast<std::size_t>(views.pixels_per_view())][expected];
    }
  }
  for (std::size_t v = 0; v < poses_.size(); ++v) {
    EXPECT_EQ(pixels_by_id(views, static_cast<std::int64_t>(v)), pixels[v]);
  }
}

TEST_P(RenderedViews, DoNotDependOnPiecesAndThreads) {
  const host::Views whole = render();
  for (const std::int64_t most : {std::int64_t{1}, std::int64_t{100}, std::int64_t{209}}) {
    device_.set_max_rays_per_batch(most);
    const host::Views pieces = render();
    EXPECT_EQ(pieces.hits, whole.hits) << "pieces of " << most;
    EXPECT_EQ(pieces.ids, whole.ids) << "pieces of " << most;
  }
  host::Device threads(host::DeviceChoice::kCpu, 3);
  const host::Views others = render_views(world_, poses_, whole.camera, query_, labels_, threads);
  EXPECT_EQ(others.hits, whole.hits);
  EXPECT_EQ(others.ids, whole.ids);
}

TEST_P(RenderedViews, ComeInBlocksThatFitTheMemory) {
  const host::Views whole = render();
  constexpr std::int64_t kViewBytes = 19 * 11 * 28;
  for (const auto& [max_bytes, most] : std::vector<std::pair<std::int64_t, std::int64_t>>{
           {1, 1}, {2 * kViewBytes - 1, 1}, {3 * kViewBytes, 3}, {100 * kViewBytes, 7}}) {
    host::Views all;
    const auto take = [&, most = most](const host::Views& views) {
      EXPECT_EQ(views.num_views(),
                std::min<std::int64_t>(most, 7 - static_cast<std::int64_t>(all.hits.size()) / 209));
      all.hits.insert(all.hits.end(), views.hits.begin(), views.hits.end());
      all.ids.insert(all.ids.end(), views.ids.begin(), views.ids.end());
    };
    render_views_in_blocks(world_, poses_, whole.camera, query_, labels_, max_bytes, device_, take);
    EXPECT_EQ(all.hits, whole.hits);
    EXPECT_EQ(all.ids, whole.ids);
  }
}

TEST_P(RenderedViews, AreCheckedBeforeTheFirstBlock) {
  poses_.back().position.x = 1e12;
  int num_blocks = 0;
  const kernels::Camera camera = host::make_camera({19, 11, 80, 0, 30});
  EXPECT_THROW(render_views_in_blocks(world_, poses_, camera, query_, labels_, 1, device_,
                                      [&](const host::Views&) { ++num_blocks; }),
               host::InputError);
  EXPECT_EQ(num_blocks, 0);
}

INSTANTIATE_TEST_SUITE_P(World, RenderedViews,
                         testing::Values(WorldKind::kRooms, WorldKind::kScattered,
                                         WorldKind::kSparse),
                         [](const auto& of) { return std::string(name_of(of.param)); });

}  // namespace
}  // namespace sightline::tests
