// Two streams of a GPU in turn: neither waits for the other's copies, and no copy is spoilt. On a
// GPU in host memory, which sees what a real one would read too early or too late.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "host/world/view.h"
#include "host/world/visibility.h"
#include "parity/gpu_in_host.h"
#include "support/rays.h"
#include "support/samples.h"

namespace sightline::tests {
namespace {

constexpr std::uint64_t kSeed = 20261125;
constexpr int kNumRays = 5000;
constexpr int kRaysOfPiece = 300;  // a last piece that is not whole

class GpuOverlap : public testing::Test {
 protected:
  void SetUp() override {
    gpu_in_host().mend();
    gpu_.set_max_rays_per_batch(kRaysOfPiece);
    dense_ = make_world(WorldKind::kRooms, {40, 30, 35}, true, random_);
    world_ = to_engine(dense_);
    rays_ = to_batch(make_rays(RayKind::kRandom, dense_.dims(), kNumRays, random_));
  }
  void TearDown() override {
    EXPECT_EQ(gpu_in_host().num_spoilt_uploads, 0);
    EXPECT_EQ(gpu_in_host().most_downloading, 2)
        << "a download is queued with its launch, not when its turn to be read comes";
    EXPECT_EQ(gpu_in_host().num_downloading, 0);
    gpu_in_host().mend();
  }

  /// The same rays as pairs of points.
  void make_pairs() {
    rays_.shape = kernels::RayShape::kPairs;
    for (std::int64_t ray = 0; ray < kNumRays; ++ray) {
      rays_.pairs.insert(rays_.pairs.end(), {ray, kNumRays - 1 - ray});
    }
  }
  std::vector<kernels::Visibility> seen_on(host::Device& device) {
    return line_of_sight(world_, rays_, query_, 0, device);
  }

  Random random_{kSeed};
  DenseWorld dense_{{1, 1, 1}};
  host::World world_;
  host::RayBatch rays_;
  host::VisibilityQuery query_;
  host::Device cpu_{host::DeviceChoice::kCpu};
  host::Device gpu_{host::DeviceChoice::kCuda};
};

TEST_F(GpuOverlap, OfPointsThatGoUpWithTheirRays) { EXPECT_EQ(seen_on(gpu_), seen_on(cpu_)); }

TEST_F(GpuOverlap, OfPairs) {
  make_pairs();
  EXPECT_EQ(seen_on(gpu_), seen_on(cpu_));
}

TEST_F(GpuOverlap, OfAnswersThatAreNoBits) {
  query_.method = host::Method::kMarch;
  const std::vector<double> steps_m{0.1, 0.5};
  EXPECT_EQ(line_of_sight_steps(world_, rays_, query_, steps_m, gpu_),
            line_of_sight_steps(world_, rays_, query_, steps_m, cpu_));
}

TEST_F(GpuOverlap, OfPicturesWithLabels) {
  const std::vector<kernels::Pose> poses(
      3, make_pose_deg(host::Frame::kSceneYUp, {20, 15, 17}, 20, 0));
  host::VoxelLabels labels;
  const kernels::Vec3 far{40, 30, 35};
  labels.add_box(*world_.grid, {0, 0, 0}, {far.x / 2, far.y, far.z}, 3);
  labels.add_box(*world_.grid, {0, 0, 0}, far, 8);
  const auto pictures = [&](host::Device& device) {
    return render_views(world_, poses, {70, 60, 2, 2, 50}, {}, labels, device);
  };
  const auto on_gpu = pictures(gpu_), on_cpu = pictures(cpu_);
  EXPECT_EQ(on_gpu.hits, on_cpu.hits);
  EXPECT_EQ(on_gpu.ids, on_cpu.ids);
  for (const std::int32_t id : {3, 8}) {
    EXPECT_GT(std::count(on_cpu.ids.begin(), on_cpu.ids.end(), id), 0);
  }
}

}  // namespace
}  // namespace sightline::tests
