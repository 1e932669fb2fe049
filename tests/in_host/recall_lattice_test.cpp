// Ranks under a lattice of mixes on a GPU: by matrix units, until enough was ranked to pay for the
// search for lines, then by these; and lists by matrix units. The ranks and lists of the CPU. On a
// GPU in host memory.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "host/line_tiles.h"
#include "host/mix_lines.h"
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

/// 12 lines of 16, not in their order: fewer mixes are ranked one by one. Weights up to 11 and 18,
/// times `scale`.
std::vector<std::int32_t> lattice(std::int32_t scale) {
  std::vector<std::int32_t> weights;
  for (std::int32_t i = 0; i < 192; ++i) {
    weights.insert(weights.end(), {scale * (i % 12), scale * (3 + i / 12)});
  }
  return weights;
}

/// Of two batches under the same mixes, the lists of the first.
Answers answers_on(host::DeviceChoice choice, std::int32_t scale) {
  Random random(kSeed);
  host::Device device(choice);
  host::RecallMemories memories;
  memories.num_memories = kMemories;
  host::RecallBatch batch(device, memories);
  host::RecallMixes mixes;
  mixes.weights = lattice(scale);
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
    // Else nothing is ranked by lines, and all that follows looks at other ops.
    ASSERT_TRUE(host::find_mix_lines(lattice(scale), 2));
    ASSERT_TRUE(host::find_line_tiles(lattice(scale), 2));
    const Answers expected = answers_on(host::DeviceChoice::kCpu, scale);
    const Answers answers = answers_on(host::DeviceChoice::kCuda, scale);
    EXPECT_EQ(answers.ranks, expected.ranks);
    EXPECT_TRUE(same_bytes(answers.tops, expected.tops));
  }
}

}  // namespace
}  // namespace sightline::tests
