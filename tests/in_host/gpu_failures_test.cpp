// A GPU that runs out of memory, or is lost: the same answers in smaller pieces and one warning, or
// one error. On a GPU in host memory, which does as it is told.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "host/error.h"
#include "host/world/area_target.h"
#include "host/world/view.h"
#include "host/world/visibility.h"
#include "parity/gpu_in_host.h"
#include "support/rays.h"
#include "support/samples.h"

namespace sightline::tests {
namespace {

constexpr std::uint64_t kSeed = 20261123;
constexpr int kNumRays = 20000;

class GpuFailures : public testing::Test {
 protected:
  void SetUp() override {
    gpu_.set_on_warning([this](const std::string& text) { warnings_.push_back(text); });
    dense_ = make_world(WorldKind::kRooms, {60, 40, 50}, true, random_);
    world_ = to_engine(dense_);
    rays_ = to_batch(make_rays(RayKind::kRandom, dense_.dims(), kNumRays, random_));
  }
  void TearDown() override { gpu_in_host().mend(); }

  std::vector<kernels::Visibility> seen_on(host::Device& device) {
    return line_of_sight(world_, rays_, query_, 0, device);
  }

  auto seen_on_by_march(host::Device& device) {
    return line_of_sight_steps(world_, rays_, query_, {0.1, 0.5, 1}, device);
  }

  Random random_{kSeed};
  DenseWorld dense_{{1, 1, 1}};
  host::World world_;
  host::RayBatch rays_;
  host::VisibilityQuery query_;
  std::vector<std::string> warnings_;
  host::Device cpu_{host::DeviceChoice::kCpu};
  host::Device gpu_{host::DeviceChoice::kCuda};
};

TEST_F(GpuFailures, AreThoseOfTheFirstGpu) { EXPECT_EQ(gpu_.gpu_index(), 0); }

TEST_F(GpuFailures, OfMemoryMakePiecesSmallerAndWarnOnce) {
  gpu_in_host().leave(300000);  // not enough for all rays
  EXPECT_EQ(seen_on(gpu_), seen_on(cpu_));
  EXPECT_GT(gpu_in_host().num_refusals, 0);
  ASSERT_EQ(warnings_.size(), 1u);
  EXPECT_NE(warnings_[0].find("smaller pieces"), std::string::npos) << warnings_[0];

  query_.method = host::Method::kMarch;
  EXPECT_EQ(seen_on_by_march(gpu_), seen_on_by_march(cpu_));
  EXPECT_EQ(warnings_.size(), 1u);
}

TEST_F(GpuFailures, DoNotHappenWhereItSaysHowLittleIsFree) {
  gpu_in_host().leave(600000);
  gpu_in_host().claimed_bytes = 600000;
  query_.method = host::Method::kMarch;
  EXPECT_EQ(seen_on_by_march(gpu_), seen_on_by_march(cpu_));
  EXPECT_EQ(gpu_in_host().num_refusals, 0);
  EXPECT_TRUE(warnings_.empty());
}

TEST_F(GpuFailures, OfMemoryLeaveTheNextBatchAlone) {
  gpu_in_host().leave(300000);
  seen_on(gpu_);
  gpu_in_host().mend();
  EXPECT_EQ(seen_on(gpu_), seen_on(cpu_));
  EXPECT_EQ(gpu_in_host().num_refusals, 0);
}

// Points of crosses and pairs cannot go up in pieces.
TEST_F(GpuFailures, OfMemoryForPointsTakeThatOfEarlierPieces) {
  seen_on(gpu_);  // what the lanes keep
  host::RayBatch pairs;
  pairs.shape = kernels::RayShape::kPairs;
  pairs.observers.assign(rays_.observers.begin(), rays_.observers.begin() + kNumRays / 4);
  pairs.targets.assign(rays_.targets.begin(), rays_.targets.begin() + kNumRays / 4);
  for (std::int64_t i = 0; i < kNumRays / 4; ++i) {
    pairs.pairs.insert(pairs.pairs.end(), {i, kNumRays / 4 - 1 - i});
  }
  const auto seen = [&](host::Device& device) {
    return line_of_sight(world_, pairs, query_, 0, device);
  };
  gpu_in_host().leave(0);
  EXPECT_EQ(seen(gpu_), seen(cpu_));
  EXPECT_GT(gpu_in_host().num_refusals, 0);
}

TEST_F(GpuFailures, OfMemoryForLabelsTakeThatOfEarlierPieces) {
  seen_on(gpu_);
  const host::OccupancyGrid grid = to_grid(dense_);
  host::VoxelLabels labels;
  for (std::int64_t x = 0; x < 20; ++x) {
    for (std::int64_t z = 0; z < 50; ++z) labels.add_voxel(grid, {x, 20, z}, 7);
  }
  const kernels::Pose pose = make_pose_deg(host::Frame::kSceneYUp, {30, 20, 25}, 20, 0);
  const auto ids = [&](host::Device& device) {
    return render_views(world_, {pose}, {70, 60, 90, 80, 50}, {}, labels, device).ids;
  };
  gpu_in_host().leave(0);
  EXPECT_EQ(ids(gpu_), ids(cpu_));
  EXPECT_GT(gpu_in_host().num_refusals, 0);
}

TEST_F(GpuFailures, OfMemoryForNotEvenARayAreErrors) {
  gpu_in_host().leave(0);
  EXPECT_THROW(seen_on(gpu_), host::GpuOutOfMemory);
  gpu_in_host().mend();
  EXPECT_EQ(seen_on(gpu_), seen_on(cpu_)) << "and it goes on afterwards";
}

// A kernel takes memory when it is launched: for its stack, or to be loaded.
TEST_F(GpuFailures, OfMemoryForALaunchAreTriedAgainInSmallerPieces) {
  const auto expected = seen_on(cpu_);
  seen_on(gpu_);  // the world lies there
  int num_tried_again = 0;
  for (int check = 0; check < 8; ++check) {
    gpu_in_host().mend();
    gpu_in_host().num_checks_to_pass = check;
    try {
      EXPECT_EQ(seen_on(gpu_), expected) << check;
      num_tried_again += static_cast<int>(gpu_in_host().num_refusals);
    } catch (const host::GpuOutOfMemory&) {
      EXPECT_EQ(gpu_in_host().num_refusals, 1) << "of what was queued before the batch";
    }
  }
  EXPECT_GT(num_tried_again, 0);
  EXPECT_EQ(warnings_.size(), 1u);
  gpu_in_host().mend();
  EXPECT_EQ(seen_on(gpu_), expected);
}

TEST_F(GpuFailures, OfMemoryForOneRayTakeThatOfEarlierPieces) {
  seen_on(gpu_);  // what the lanes keep
  rays_.observers.resize(1);
  rays_.targets.resize(1);
  const host::AreaTarget area{{20, 20, 20}, {16, 16, 16}};
  visible_samples(world_, rays_, area, query_, 0, gpu_);  // the points of its target lie there
  query_.method = host::Method::kMarch;
  const auto counted_on = [&](host::Device& device) {
    return visible_samples_steps(world_, rays_, area, query_, {0.1, 0.5, 1}, device);
  };
  const auto expected = counted_on(cpu_);
  gpu_in_host().leave(0);  // marches take a buffer that there was none of
  EXPECT_EQ(counted_on(gpu_), expected);
  EXPECT_GT(gpu_in_host().num_refusals, 0);
}

TEST_F(GpuFailures, OfTheGpuItselfAreTheMachinesFault) {
  gpu_in_host().is_lost = true;
  try {
    seen_on(gpu_);
    FAIL() << "the GPU is lost";
  } catch (const host::EnvironmentError& error) {
    EXPECT_EQ(host::exit_code_of_current(), 3);
    EXPECT_NE(std::string(error.what()).find("lost"), std::string::npos);
  }
}

TEST_F(GpuFailures, OfMemoryChangeNoPicture) {
  const kernels::Pose pose = make_pose_deg(host::Frame::kSceneYUp, {30, 20, 25}, 20, 0);
  const auto pictures = [&](host::Device& device) {
    return render_views(world_, std::vector<kernels::Pose>(3, pose), {70, 60, 90, 80, 50}, {}, {},
                        device);
  };
  gpu_in_host().leave(200000);
  const auto on_gpu = pictures(gpu_), on_cpu = pictures(cpu_);
  EXPECT_GT(gpu_in_host().num_refusals, 0);
  EXPECT_EQ(on_gpu.hits, on_cpu.hits);
  EXPECT_EQ(on_gpu.ids, on_cpu.ids);
}

}  // namespace
}  // namespace sightline::tests
