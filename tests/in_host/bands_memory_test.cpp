// Lists of the memories alone that a list can hold, on a GPU that has no room for what finds them:
// full scans, and the same lists. On a GPU in host memory, which does as it is told.
#include <gtest/gtest.h>

#include <vector>

#include "host/gathered_top.h"
#include "host/gpu_state.h"
#include "parity/gpu_in_host.h"
#include "support/bands.h"
#include "support/placed_batch.h"

namespace sightline::tests {
namespace {

using kernels::Scored;

TEST(BandsMemory, TooSmallForBandsLeavesTheListsAsTheyAre) {
  constexpr std::int64_t kMemories = 20'000, kQueries = 4, kMixes = 45'000;
  constexpr int kBest = 5;
  constexpr auto kListBytes = std::size_t(kQueries * kMixes * kBest) * sizeof(Scored);
  Random random(20261127);
  host::Device cpu(host::DeviceChoice::kCpu), gpu(host::DeviceChoice::kCuda, 1);
  const PlacedBatch on_cpu(cpu, kMemories, kQueries, random);
  const PlacedBatch on_gpu(gpu, kMemories, kQueries, random);
  ASSERT_TRUE(on_gpu.gathers(kMixes, kBest));
  const host::RecallMixes mixes = on_cpu.mixes(kMixes, 0, false, random);
  const std::vector<Scored> expected = on_cpu.batch->top_memories(mixes, kBest);
  // Its lists and weights have room, and of what finds the memories first little, then all.
  int num_refused = 0, num_served = 0;
  for (const std::size_t more : {0, 100'000, 700'000, 40'000'000}) {
    gpu_in_host().mend();
    gpu_in_host().leave(kListBytes + mixes.weights.size() * 4 + more);
    EXPECT_TRUE(same_bytes(on_gpu.batch->top_memories(mixes, kBest), expected)) << more;
    ++(gpu_in_host().num_refusals > 0 ? num_refused : num_served);
  }
  EXPECT_GT(num_refused, 0);
  EXPECT_GT(num_served, 0);
  gpu_in_host().mend();
}

// Where a GPU says that so little is free that no workspace has room for what marks them, nothing
// is marked: all is scanned.
TEST(BandsMemory, TooSmallForTheirWorkspaceIsScanned) {
  Random random(20261127);
  BlendShape shape;
  shape.num_memories = 3000;
  shape.num_queries = 4;
  shape.num_mixes = 30;
  const Blend blend = make_blend(shape, random);
  for (const bool is_small : {false, true}) {
    gpu_in_host().mend();
    if (is_small) gpu_in_host().claimed_bytes = 300'000;
    host::GpuState gpu(0, {});
    host::BackendBuffers buffers(&gpu);
    host::GatheredTop gathered(buffers);
    std::vector<Scored> lists;
    gathered.top_memories(call_of(blend, 5, &lists), all_ascend(shape.num_features));
    EXPECT_TRUE(same_bytes(lists, tops_of(blend, 5, {})));
    EXPECT_EQ(gathered.num_gathered(), is_small ? 0 : 1);
  }
  gpu_in_host().mend();
}

}  // namespace
}  // namespace sightline::tests
