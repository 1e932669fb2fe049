// What is sent to a GPU in parts, on two streams in turn: nothing is missing, no part is written to
// while it is on its way, and what is queued on the first stream finds all of it. On a GPU in host
// memory, which sees that.
#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <vector>

#include "host/gpu_state.h"
#include "host/recall_batch.h"
#include "host/world/visibility.h"
#include "parity/gpu_in_host.h"
#include "support/worlds.h"

namespace sightline::tests {
namespace {

using kernels::Vec3;

constexpr std::size_t kMiB = std::size_t{1} << 20;

class GpuUploads : public testing::Test {
 protected:
  void SetUp() override { gpu_in_host().mend(); }
  void TearDown() override {
    EXPECT_EQ(gpu_in_host().num_spoilt_uploads, 0);
    gpu_in_host().mend();
  }
};

TEST_F(GpuUploads, OfManySizesAreWholeAndWaitedForOnTheSecondStream) {
  host::GpuState state(0, {});
  host::gpu::Buffer buffer;
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, kMiB, kMiB + 1, 4 * kMiB,
                                  4 * kMiB + 3, 8 * kMiB, 50 * kMiB + 7}) {
    std::vector<unsigned char> host(bytes);
    std::iota(host.begin(), host.end(), static_cast<unsigned char>(bytes));
    const unsigned char* const there =
        state.copy_up(buffer, host.data(), static_cast<std::int64_t>(bytes));
    EXPECT_LE(gpu_in_host().num_uploading, 1) << bytes << " bytes";
    EXPECT_TRUE(bytes == 0 || std::memcmp(there, host.data(), bytes) == 0) << bytes << " bytes";
  }
}

TEST_F(GpuUploads, OfPointsOfWhichFewRaysAskAreThoseOfTheCpu) {
  Random random(20261127);
  const DenseWorld dense = make_world(WorldKind::kRooms, {40, 30, 35}, true, random);
  const host::World world = to_engine(dense);
  constexpr std::int64_t kNumPoints = 3'000'000;  // more than two parts
  constexpr std::int64_t kNumRays = 2000;
  host::RayBatch rays;
  rays.shape = kernels::RayShape::kPairs;
  for (std::vector<Vec3>* points : {&rays.observers, &rays.targets}) {
    for (std::int64_t i = 0; i < kNumPoints; ++i) {
      points->push_back({random.uniform(0, 40), random.uniform(0, 30), random.uniform(0, 35)});
    }
  }
  for (std::int64_t ray = 0; ray < kNumRays; ++ray) {
    const std::int64_t point = ray * (kNumPoints / kNumRays);
    rays.pairs.insert(rays.pairs.end(), {point, kNumPoints - 1 - point});
  }
  host::Device cpu(host::DeviceChoice::kCpu), gpu(host::DeviceChoice::kCuda);
  EXPECT_EQ(line_of_sight(world, rays, {}, 0, gpu), line_of_sight(world, rays, {}, 0, cpu));
}

TEST_F(GpuUploads, OfEmbeddingsGiveTheCosinesOfTheCpu) {
  constexpr std::int32_t kWidth = 100;
  constexpr std::int64_t kNumMemories = 90'001;  // 36 MB; a last block that is not whole
  Random random(7);
  std::vector<float> rows(static_cast<std::size_t>(kNumMemories * kWidth));
  for (float& value : rows) value = static_cast<float>(random.uniform(-0.1, 0.1));
  const std::vector<float> asked(rows.end() - 2 * kWidth, rows.end());
  host::RecallMemories memories;
  memories.num_memories = kNumMemories;
  memories.width = kWidth;
  memories.embeddings = rows.data();
  host::RecallQueries queries;
  queries.num_queries = 2;
  queries.embeddings = asked.data();
  const auto cosines_on = [&](host::DeviceChoice choice) {
    host::Device device(choice);
    host::RecallBatch batch(device, memories);
    batch.set_queries(queries);
    return batch.values_of(batch.add_cosines());
  };
  EXPECT_EQ(cosines_on(host::DeviceChoice::kCuda), cosines_on(host::DeviceChoice::kCpu));
}

}  // namespace
}  // namespace sightline::tests
