// Ranks under products of mixes on a GPU, which are looked for once enough was ranked to pay for
// that: the ranks of the CPU, before and after. On a GPU in host memory.
#include <gtest/gtest.h>

#include <vector>

#include "host/recall_batch.h"
#include "parity/gpu_in_host.h"
#include "support/random.h"

namespace sightline::tests {
namespace {

constexpr std::uint64_t kSeed = 20261125;
constexpr std::int64_t kMemories = 100'000, kQueries = 300;  // twice, to pay for the search

/// Ranks of two batches under the same mixes.
std::vector<std::vector<std::int32_t>> ranks_on(host::DeviceChoice choice) {
  Random random(kSeed);
  host::Device device(choice);
  host::RecallMemories memories;
  memories.num_memories = kMemories;
  host::RecallBatch batch(device, memories);
  host::RecallMixes mixes;
  for (std::int32_t i = 0; i < 96; ++i) {  // 6 heads with 16 tails, not in the order of products
    mixes.weights.insert(mixes.weights.end(), {i % 6, 3 + i / 6});
  }
  std::vector<std::vector<double>> values(2);
  for (std::vector<double>& column : values) {
    for (std::int64_t m = 0; m < kMemories; ++m) column.push_back(random.uniform(0, 1));
  }
  std::vector<std::vector<std::int32_t>> ranks;
  for (int repeat = 0; repeat < 2; ++repeat) {
    host::RecallQueries queries;
    queries.num_queries = kQueries;
    batch.set_queries(queries);
    mixes.columns = {batch.add_values(values[0]), batch.add_values(values[1])};
    std::vector<std::int64_t> targets;
    for (std::int64_t q = 0; q < kQueries; ++q) {
      targets.push_back(random.integer(0, kMemories - 1));
    }
    ranks.push_back(batch.target_ranks(mixes, targets));
  }
  return ranks;
}

TEST(RecallProducts, OnAGpuChangeNoRank) {
  EXPECT_EQ(ranks_on(host::DeviceChoice::kCuda), ranks_on(host::DeviceChoice::kCpu))
      << "seed " << kSeed;
}

}  // namespace
}  // namespace sightline::tests
