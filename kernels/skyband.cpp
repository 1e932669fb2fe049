#include "kernels/skyband.h"

#include <algorithm>

#include "kernels/dominance.h"
#include "kernels/for_each_backend.h"
#include "kernels/skyband_wave.h"

namespace sightline::kernels {
namespace {

/// Makes keys count for about as much as features of kDefaultFeatureBits: 2^14 for each doubling.
/// A dominator of a higher index still has the greater sum: its other features all exceed.
constexpr std::int64_t kKeyUnits = 512;

}  // namespace

void ThinBands::sort_by_strength(std::int64_t query) const {
  const QueryMemories of(memories, query);
  BandMember* const begin = bands.members + bands.first[query];
  BandMember* const end = bands.members + bands.first[query + 1];
  for (BandMember* member = begin; member != end; ++member) {
    member->strength = 0;
    for (int f = 0; f < memories.num_features; ++f) {
      const std::int64_t value = std::int64_t{rule.direction[f]} * of.features[f][member->memory];
      member->strength += rule.least[f] > 0 ? value / kKeyUnits : value;
    }
  }
  std::sort(begin, end, [](const BandMember& a, const BandMember& b) {
    return a.strength != b.strength ? a.strength > b.strength : a.memory < b.memory;
  });
}

void ThinBands::finish(std::int64_t query, std::int64_t num) const {
  BandMember* const begin = bands.members + bands.first[query];
  std::sort(begin, begin + num,
            [](const BandMember& a, const BandMember& b) { return a.memory < b.memory; });
  num_left[query] = num;
}

// A dominator of a member comes before it, and is left unless k others dominate it, which dominate
// the member too: it suffices to look among those left so far.
void ThinBands::operator()(std::int64_t query) const {
  sort_by_strength(query);
  const QueryMemories of(memories, query);
  BandMember* const members = bands.members + bands.first[query];
  const std::int64_t num = bands.first[query + 1] - bands.first[query];
  std::int64_t left = 0, tests = 0;
  for (std::int64_t i = 0; i < num; ++i) {
    int dominators = 0;
    if ((tests += left) <= most_tests) {
      for (std::int64_t j = 0; j < left && dominators < k; ++j) {
        dominators +=
            dominates(of, rule, memories.num_features, members[j].memory, members[i].memory);
      }
    }
    if (dominators < k) members[left++] = members[i];
  }
  finish(query, left);
}

void drop_dominated(const Executor& executor, const BlendView& memories, std::int64_t num_queries,
                    const DominanceRule& rule, const std::int32_t* pivots, std::int64_t num_pivots,
                    int k, std::uint64_t* out_bits) {
  SL_ASSERT(executor.backend == Backend::kCpu);
  SL_ASSERT(num_pivots <= kMaxPivots);
  const std::int64_t words = words_of_bits(memories.num_memories);
  const DropDominated op{memories, rule, pivots, num_pivots, k, out_bits};
  if (!uses_vectors(executor)) return for_each_cpu(executor, num_queries * words, op);
  const auto run = [&](std::int64_t query, std::int64_t begin, std::int64_t end) {
    drop_dominated_wave(op, query, begin, end, executor.instructions);
  };
  for_each_piece_of_rows(executor, num_queries, words, 256, run);
}

void thin_bands(const Executor& executor, const BlendView& memories, std::int64_t num_queries,
                const DominanceRule& rule, int k, std::int64_t most_tests,
                const BandMembersView& bands, std::int32_t* scratch, std::int64_t* num_left) {
  SL_ASSERT(executor.backend == Backend::kCpu);
  const ThinBands op{memories, rule, k, most_tests, bands, scratch, num_left};
  const auto run = [&](std::int64_t query, std::int64_t) {
    if (uses_vectors(executor)) return thin_band_wave(op, query, executor.instructions);
    op(query);
  };
  for_each_piece(executor, num_queries, run, 1);
}

}  // namespace sightline::kernels
