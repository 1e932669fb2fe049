#include "kernels/line_tiles.h"

#include <algorithm>

#include "kernels/for_each_backend.h"

namespace sightline::kernels {

namespace {

constexpr int kFewFeatures = 5;
/// Memories whose words BitCounts holds the number of.
constexpr std::int64_t kMostChunk =
    BitCounts<1>::kMostWords / kMemoriesTogether * kMemoriesTogether;
static_assert(kMostChunk > BitCounts<1>::kMostWords - kMemoriesTogether, "as many as can be");

/// Do numbers of this kind hold what turns are made of?
template <class Number>
bool holds(const LineTilesView& mixes, int feature_bits) {
  constexpr auto kMost = static_cast<double>(TurnNumbers<Number>::kHolds);
  const auto difference = static_cast<double>(std::int64_t{2} << feature_bits);
  const auto sum = static_cast<double>(mixes.largest_sum) + static_cast<double>(mixes.step_sum);
  return sum * difference + 2 <= kMost && static_cast<double>(mixes.way_sum) * difference <= kMost;
}

template <class Number_, int kFeatures_, int kRuns_>
struct LineNumbers {
  using Number = Number_;
  static constexpr int kFeatures = kFeatures_, kRuns = kRuns_;
  using Turns = MemoryTurns<Number, kFeatures>;

  static RankSlabs slabs(const BlendView& memories, std::int64_t num_queries,
                         const LineTilesView& mixes) {
    return RankSlabs({num_queries, memories.num_memories, mixes.num_mixes, sizeof(Turns),
                      mixes.num_runs / kRuns, kMostChunk});
  }
};

/// Calls use(LineNumbers) with those that these mixes take.
template <class Use>
auto with_numbers(const LineTilesView& mixes, int feature_bits, const Use& use) {
  if (!holds<float>(mixes, feature_bits)) return use(LineNumbers<double, kMaxFeatures, 1>());
  if (mixes.num_features <= kFewFeatures) return use(LineNumbers<float, kFewFeatures, 2>());
  return use(LineNumbers<float, kMaxFeatures, 2>());
}

}  // namespace

bool can_rank(const LineTilesView& mixes, int feature_bits) {
  const auto difference = static_cast<double>(std::int64_t{2} << feature_bits);
  return holds<double>(mixes, feature_bits) &&
         static_cast<double>(mixes.step_sum) * difference <=
             static_cast<double>(TurnNumbers<double>::kLargestDivisor);
}

std::int64_t least_workspace_bytes(const LineTilesView& mixes) {
  return RankSlabs::least_bytes(sizeof(MemoryTurns<double, kMaxFeatures>), mixes.num_mixes);
}

std::int64_t target_ranks_workspace_bytes(const BlendView& memories, std::int64_t num_queries,
                                          const LineTilesView& mixes) {
  const std::int64_t wanted = with_numbers(mixes, memories.feature_bits, [&](auto numbers) {
    return numbers.slabs(memories, num_queries, mixes).workspace_bytes();
  });
  return std::max(wanted, least_workspace_bytes(mixes));
}

void target_ranks(const Executor& executor, const BlendView& memories, const std::int64_t* targets,
                  std::int64_t num_queries, const LineTilesView& mixes, std::int32_t* out,
                  const Workspace& workspace) {
  SL_ASSERT(can_rank(mixes, memories.feature_bits));
  SL_ASSERT(memories.num_features == mixes.num_features);
  SL_ASSERT(workspace.num_bytes >= least_workspace_bytes(mixes));
  with_numbers(mixes, memories.feature_bits, [&](auto numbers) {
    using Numbers = decltype(numbers);
    using Number = typename Numbers::Number;
    constexpr int kFeatures = Numbers::kFeatures, kRuns = Numbers::kRuns;
    const auto run = [&](const RankSlab& slab, void* room, std::int32_t* counts) {
      auto* const turns = static_cast<typename Numbers::Turns*>(room);
      for_each(executor, slab.num_queries * slab.num_memories,
               PrepareTurns<Number, kFeatures>{memories, targets, mixes, slab, turns});
      const std::int64_t num_tiles = mixes.num_runs / kRuns;
      for_each(executor, slab.num_queries * slab.chunks.num_chunks * num_tiles,
               LineRankTiles<Number, kFeatures, kRuns>{mixes, turns, slab.num_memories, slab.chunks,
                                                       counts});
      for_each(executor, slab.num_queries * mixes.num_mixes,
               SumSlabCounts{memories, targets, counts, mixes.slots, slab.first_query,
                             slab.chunks.num_chunks, mixes.num_mixes, slab.is_first, out});
    };
    numbers.slabs(memories, num_queries, mixes).for_each_slab(workspace, run);
  });
}

}  // namespace sightline::kernels
