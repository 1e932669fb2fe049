#include "kernels/line_tiles.h"

#include <algorithm>

#include "kernels/for_each_backend.h"

namespace sightline::kernels {

namespace {

constexpr int kFewFeatures = 5;
/// Slots that fill any GPU a few times over, and chunks that are worth a slot.
constexpr std::int64_t kWantedSlots = std::int64_t{1} << 20;
constexpr std::int64_t kLeastChunk = 256;
constexpr std::int64_t kMostChunk =
    BitCounts<1>::kMostWords / kMemoriesTogether * kMemoriesTogether;

std::int64_t rounded_up(std::int64_t number, std::int64_t unit) {
  return (number + unit - 1) / unit * unit;
}

std::int64_t padded(std::int64_t num_memories) {
  return rounded_up(std::max<std::int64_t>(1, num_memories), kMemoriesTogether);
}

/// Do numbers of this kind hold what turns are made of?
template <class Number>
bool holds(const LineTilesView& mixes, int feature_bits) {
  constexpr auto kMost = static_cast<double>(TurnNumbers<Number>::kHolds);
  const auto difference = static_cast<double>(std::int64_t{2} << feature_bits);
  const auto sum = static_cast<double>(mixes.largest_sum) + static_cast<double>(mixes.step_sum);
  return sum * difference + 2 <= kMost && static_cast<double>(mixes.way_sum) * difference <= kMost;
}

/// How many queries, and how many chunks of how many memories of each, are done at once.
struct Slabs {
  std::int64_t memories_per_chunk, num_chunks, num_queries;
};

std::int64_t counts_bytes(const LineTilesView& mixes) {
  return mixes.num_mixes * static_cast<std::int64_t>(sizeof(std::int32_t));
}

template <class Number, int kFeatures, int kRuns>
class LineRanking {
  using Turns = MemoryTurns<Number, kFeatures>;

 public:
  LineRanking(const BlendView& memories, std::int64_t num_queries, const LineTilesView& mixes)
      : memories_(memories),
        num_queries_(num_queries),
        mixes_(mixes),
        num_padded_(padded(memories.num_memories)),
        num_tiles_(mixes.num_runs / kRuns),
        wanted_chunk_(wanted_chunk()) {}

  std::int64_t workspace_bytes() const {
    const std::int64_t num_chunks = (num_padded_ + wanted_chunk_ - 1) / wanted_chunk_;
    const std::int64_t wanted = (kWantedSlots + num_tiles_ - 1) / num_tiles_;
    // Whole queries, and at least one.
    const std::int64_t queries = std::clamp<std::int64_t>(wanted / num_chunks, 1, num_queries_);
    return queries * num_chunks * chunk_bytes(wanted_chunk_);
  }

  void run(const Executor& executor, const std::int64_t* targets, std::int32_t* out,
           const Workspace& workspace) const {
    const Slabs slabs = slabs_in(workspace.num_bytes);
    auto* const turns = static_cast<Turns*>(workspace.data);
    auto* const counts = reinterpret_cast<std::int32_t*>(
        turns + slabs.num_queries * slabs.num_chunks * slabs.memories_per_chunk);
    const std::int64_t memories_per_slab = slabs.num_chunks * slabs.memories_per_chunk;
    for (std::int64_t query = 0; query < num_queries_; query += slabs.num_queries) {
      const std::int64_t queries = std::min(slabs.num_queries, num_queries_ - query);
      for (std::int64_t memory = 0; memory < num_padded_; memory += memories_per_slab) {
        const std::int64_t num = std::min(memories_per_slab, num_padded_ - memory);
        const MemoryChunks chunks{(num + slabs.memories_per_chunk - 1) / slabs.memories_per_chunk,
                                  slabs.memories_per_chunk};
        for_each(
            executor, queries * num,
            PrepareTurns<Number, kFeatures>{memories_, targets, mixes_, query, memory, num, turns});
        for_each(executor, queries * chunks.num_chunks * num_tiles_,
                 LineRankTiles<Number, kFeatures, kRuns>{mixes_, turns, num, chunks, counts});
        for_each(executor, queries * mixes_.num_mixes,
                 SumLineCounts{memories_, targets, mixes_, counts, query, chunks.num_chunks,
                               memory == 0, out});
      }
    }
  }

 private:
  /// The memories of a slot, such that there are enough slots.
  std::int64_t wanted_chunk() const {
    const std::int64_t for_slots =
        rounded_up(num_queries_ * num_padded_ * num_tiles_ / kWantedSlots, kMemoriesTogether);
    return std::min(num_padded_, std::clamp(for_slots, kLeastChunk, kMostChunk));
  }

  std::int64_t chunk_bytes(std::int64_t num_memories) const {
    return num_memories * static_cast<std::int64_t>(sizeof(Turns)) + counts_bytes(mixes_);
  }

  Slabs slabs_in(std::int64_t num_bytes) const {
    Slabs slabs{wanted_chunk_, num_bytes / chunk_bytes(wanted_chunk_), 1};
    if (slabs.num_chunks == 0) {
      const std::int64_t room =
          (num_bytes - counts_bytes(mixes_)) / static_cast<std::int64_t>(sizeof(Turns));
      slabs.memories_per_chunk = room / kMemoriesTogether * kMemoriesTogether;
      slabs.num_chunks = 1;
      SL_ASSERT(room >= kMemoriesTogether);
    }
    const std::int64_t all =
        (num_padded_ + slabs.memories_per_chunk - 1) / slabs.memories_per_chunk;
    if (slabs.num_chunks > all) {
      slabs.num_queries = std::min(num_queries_, slabs.num_chunks / all);
      slabs.num_chunks = all;
    }
    return slabs;
  }

  const BlendView memories_;
  const std::int64_t num_queries_;
  const LineTilesView mixes_;
  const std::int64_t num_padded_, num_tiles_, wanted_chunk_;
};

/// Calls use(ranking) with the numbers and features that these mixes take.
template <class Use>
auto with_ranking(const BlendView& memories, std::int64_t num_queries, const LineTilesView& mixes,
                  const Use& use) {
  if (!holds<float>(mixes, memories.feature_bits)) {
    return use(LineRanking<double, kMaxFeatures, 1>(memories, num_queries, mixes));
  }
  if (mixes.num_features <= kFewFeatures) {
    return use(LineRanking<float, kFewFeatures, 2>(memories, num_queries, mixes));
  }
  return use(LineRanking<float, kMaxFeatures, 2>(memories, num_queries, mixes));
}

}  // namespace

bool can_rank(const LineTilesView& mixes, int feature_bits) {
  const auto difference = static_cast<double>(std::int64_t{2} << feature_bits);
  return holds<double>(mixes, feature_bits) &&
         static_cast<double>(mixes.step_sum) * difference <=
             static_cast<double>(TurnNumbers<double>::kLargestDivisor);
}

std::int64_t least_workspace_bytes(const LineTilesView& mixes) {
  return kMemoriesTogether * static_cast<std::int64_t>(sizeof(MemoryTurns<double, kMaxFeatures>)) +
         counts_bytes(mixes);
}

std::int64_t target_ranks_workspace_bytes(const BlendView& memories, std::int64_t num_queries,
                                          const LineTilesView& mixes) {
  if (num_queries == 0) return 0;
  return with_ranking(memories, num_queries, mixes,
                      [](const auto& ranking) { return ranking.workspace_bytes(); });
}

void target_ranks(const Executor& executor, const BlendView& memories, const std::int64_t* targets,
                  std::int64_t num_queries, const LineTilesView& mixes, std::int32_t* out,
                  const Workspace& workspace) {
  SL_ASSERT(can_rank(mixes, memories.feature_bits));
  SL_ASSERT(memories.num_features == mixes.num_features);
  SL_ASSERT(workspace.num_bytes >= least_workspace_bytes(mixes));
  if (num_queries == 0) return;
  with_ranking(memories, num_queries, mixes,
               [&](const auto& ranking) { ranking.run(executor, targets, out, workspace); });
}

}  // namespace sightline::kernels
