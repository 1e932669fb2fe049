// Ranks under a lattice of mixes on a GPU: by matrix units, until enough was ranked to pay for the
// search for lines, then by these; and lists by matrix units. The ranks and lists of the CPU. On a
// GPU in host memory.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "host/recall_batch.h"
#include "parity/gpu_in_host.h"
#include "support/blends.h"
#include "support/effort.h"
#include "support/random.h"

namespace sightline::tests {
namespace {

constexpr std::uint64_t kSeed = 20261125;
constexpr std::int64_t kMemories = 12'000;
/// The second batch pays for the search. A sanitizer would take minutes for it, and sees lines
/// ranked in parity/recall_mixes_test.cpp.
const std::vector<std::int64_t> kQueries =
    kSanitized ? std::vector<std::int64_t>{2} : std::vector<std::int64_t>{2, 840};

struct Answers {
  std::vector<std::vector<std::int32_t>> ranks;
  std::vector<kernels::Scored> tops;
};

/// Of two batches under the same mixes, the lists of the first; weights up to 5 and 18, times
/// `scale`.
Answers answers_on(host::DeviceChoice choice, std::int32_t scale) {
  Random random(kSeed);
  host::Device device(choice);
  host::RecallMemories memories;
  memories.num_memories = kMemories;
  host::RecallBatch batch(device, memories);
  host::RecallMixes mixes;
  for (std::int32_t i = 0; i < 96; ++i) {  // 6 lines, not in their order
    mixes.weights.insert(mixes.weights.end(), {scale * (i % 6), scale * (3 + i / 6)});
  }
  std::vector<std::vector<double>> values(2);
  for (std::vector<double>& column : values) {
    for (std::int64_t m = 0; m < kMemories; ++m) column.push_back(random.uniform(0, 1));
  }
  Answers answers;
  for (const std::int64_t num_queries : kQueries) {
    host::RecallQueries queries;
    queries.num_queries = num_queries;
    batch.set_queries(queries);
    mixes.columns = {batch.add_values(values[0]), batch.add_values(values[1])};
    std::vector<std::int64_t> targets;
    for (std::int64_t q = 0; q < num_queries; ++q) {
      targets.push_back(random.integer(0, kMemories - 1));
    }
    answers.ranks.push_back(batch.target_ranks(mixes, targets));
    if (answers.tops.empty()) answers.tops = batch.top_memories(mixes, 5);
  }
  return answers;
}

TEST(RecallLattice, OnAGpuChangesNoRankAndNoList) {
  for (const std::int32_t scale : {1, 50}) {  // 50: more than matrix units hold
    SCOPED_TRACE("scale " + std::to_string(scale) + ", seed " + std::to_string(kSeed));
    const Answers expected = answers_on(host::DeviceChoice::kCpu, scale);
    const Answers answers = answers_on(host::DeviceChoice::kCuda, scale);
    EXPECT_EQ(answers.ranks, expected.ranks);
    EXPECT_TRUE(same_bytes(answers.tops, expected.tops));
  }
}

}  // namespace
}  // namespace sightline::tests
