// Ranks on a GPU whose memories are made ready first: some queries and chunks of their memories at
// a time, as many as a workspace has room for. Host only.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/blend_tiles.h"
#include "kernels/hd.h"
#include "kernels/recall.h"

namespace sightline::kernels {

/// Memories of a slab and of a chunk are multiples of so many: whoever makes them ready fills up
/// with some that come before no target.
constexpr std::int32_t kMemoriesTogether = 16;

/// Some of the queries with some of their memories.
struct RankSlab {
  std::int64_t first_query, num_queries;
  std::int64_t first_memory, num_memories;
  MemoryChunks chunks;
  bool is_first;  ///< of these queries
};

/// What ranking takes of each query.
struct RankingSizes {
  std::int64_t num_queries, num_memories, num_mixes;
  std::int64_t memory_bytes;     ///< of one that is ready
  std::int64_t slots_per_chunk;  ///< of a GPU
  std::int64_t most_per_chunk;   ///< memories, a multiple of kMemoriesTogether
};

/// How ranking is dealt. In the workspace lie memories [queries, memories of the slab], then counts
/// [queries, chunks, mixes].
class RankSlabs {
 public:
  explicit RankSlabs(const RankingSizes& sizes)
      : sizes_(sizes),
        num_padded_(rounded_up(std::max<std::int64_t>(1, sizes.num_memories))),
        wanted_chunk_(wanted_chunk()) {}

  /// Room for kMemoriesTogether of one query.
  static std::int64_t least_bytes(std::int64_t memory_bytes, std::int64_t num_mixes) {
    return kMemoriesTogether * memory_bytes + num_mixes * kCountBytes;
  }

  /// As much as is of use: for whole queries, and at least one.
  std::int64_t workspace_bytes() const {
    if (sizes_.num_queries == 0) return 0;
    const std::int64_t num_chunks = divided_up(num_padded_, wanted_chunk_);
    const std::int64_t wanted = divided_up(kWantedSlots, sizes_.slots_per_chunk);
    const std::int64_t queries =
        std::clamp<std::int64_t>(wanted / num_chunks, 1, sizes_.num_queries);
    return queries * num_chunks * chunk_bytes(wanted_chunk_);
  }

  /// Calls run(slab, memories, counts) for each slab; memories and counts lie in the workspace,
  /// which has at least least_bytes().
  template <class Run>
  void for_each_slab(const Workspace& workspace, const Run& run) const {
    std::int64_t per_chunk = wanted_chunk_,
                 num_chunks = workspace.num_bytes / chunk_bytes(per_chunk);
    if (num_chunks == 0) {
      const std::int64_t room = workspace.num_bytes - sizes_.num_mixes * kCountBytes;
      per_chunk = room / (kMemoriesTogether * sizes_.memory_bytes) * kMemoriesTogether;
      num_chunks = 1;
      SL_ASSERT(per_chunk > 0);
    }
    const std::int64_t all = divided_up(num_padded_, per_chunk);
    const std::int64_t queries_at_once = std::max<std::int64_t>(1, num_chunks / all);
    num_chunks = std::min(num_chunks, all);
    const std::int64_t at_once = num_chunks * per_chunk;
    auto* const memories = static_cast<unsigned char*>(workspace.data);
    auto* const counts = reinterpret_cast<std::int32_t*>(
        memories + std::min(queries_at_once, sizes_.num_queries) * at_once * sizes_.memory_bytes);
    for (std::int64_t query = 0; query < sizes_.num_queries; query += queries_at_once) {
      for (std::int64_t memory = 0; memory < num_padded_; memory += at_once) {
        RankSlab slab;
        slab.first_query = query;
        slab.num_queries = std::min(queries_at_once, sizes_.num_queries - query);
        slab.first_memory = memory;
        slab.num_memories = std::min(at_once, num_padded_ - memory);
        slab.chunks = {divided_up(slab.num_memories, per_chunk), per_chunk};
        slab.is_first = memory == 0;
        run(slab, static_cast<void*>(memories), counts);
      }
    }
  }

 private:
  /// Slots that fill any GPU a few times over, and memories that are worth a slot.
  static constexpr std::int64_t kWantedSlots = std::int64_t{1} << 20;
  static constexpr std::int64_t kLeastChunk = 256;
  static constexpr std::int64_t kCountBytes = sizeof(std::int32_t);

  static std::int64_t divided_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }
  static std::int64_t rounded_up(std::int64_t memories) {
    return divided_up(memories, kMemoriesTogether) * kMemoriesTogether;
  }

  /// Such that there are enough slots.
  std::int64_t wanted_chunk() const {
    const std::int64_t for_slots =
        rounded_up(sizes_.num_queries * num_padded_ * sizes_.slots_per_chunk / kWantedSlots);
    return std::min(num_padded_, std::clamp(for_slots, kLeastChunk, sizes_.most_per_chunk));
  }

  std::int64_t chunk_bytes(std::int64_t num_memories) const {
    return num_memories * sizes_.memory_bytes + sizes_.num_mixes * kCountBytes;
  }

  const RankingSizes sizes_;
  const std::int64_t num_padded_, wanted_chunk_;
};

/// Adds up the counts of a slab's chunks, and those of the slabs before. Slot i is count i %
/// num_mixes of query i / num_mixes of the slab.
struct SumSlabCounts {
  BlendView memories;
  const std::int64_t* targets;
  const std::int32_t* counts;
  const std::int32_t* mix_of_count;  ///< null: count m is of mix m
  std::int64_t first_query, num_chunks, num_mixes;
  bool is_first;
  std::int32_t* out;

  SL_HD void operator()(std::int64_t i) const {
    const std::int64_t row = i / num_mixes, place = i % num_mixes;
    const std::int64_t query = first_query + row;
    const std::int64_t mix = mix_of_count == nullptr ? place : mix_of_count[place];
    std::int32_t& rank = out[query * num_mixes + mix];
    if (!is_kept(kept_of(memories, query), targets[query])) {
      rank = kNoRank;
      return;
    }
    std::int32_t sum = is_first ? 0 : rank;
    for (std::int64_t chunk = 0; chunk < num_chunks; ++chunk) {
      sum += counts[(row * num_chunks + chunk) * num_mixes + place];
    }
    rank = sum;
  }
};

}  // namespace sightline::kernels
