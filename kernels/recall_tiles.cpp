#include "kernels/recall_tiles.h"

#include <algorithm>

#include "kernels/for_each_backend.h"

namespace sightline::kernels {

namespace {

constexpr int kFewFeatures = 5;  ///< tiles are for at most so many, or for kMaxFeatures
constexpr std::int64_t kFewMixes = 8;
constexpr int kFewPlaces = 5;
// What a slot does besides its memories costs about as much as a tenth of these.
constexpr std::int64_t kLeastRankChunk = 256, kLeastTopChunk = 1024;
constexpr std::int64_t kChunkUnit = 64;  ///< memories in a word of a gate

std::int64_t divided_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// Bytes for the chunks that num_slots slots are best split into.
std::int64_t bytes_for(std::int64_t num_memories, std::int64_t num_slots, std::int64_t wanted_slots,
                       std::int64_t least_chunk, std::int64_t chunk_bytes) {
  const std::int64_t wanted = divided_up(wanted_slots, std::max<std::int64_t>(1, num_slots));
  const std::int64_t chunks = std::clamp<std::int64_t>(num_memories / least_chunk, 1, wanted);
  return chunks == 1 ? 0 : chunks * chunk_bytes;
}

/// As many as there is room for, of whole words of a gate.
MemoryChunks chunks_in(const Workspace& workspace, std::int64_t num_memories,
                       std::int64_t chunk_bytes) {
  const std::int64_t most =
      std::max<std::int64_t>(1, workspace.num_bytes / std::max<std::int64_t>(1, chunk_bytes));
  MemoryChunks chunks;
  chunks.memories_per_chunk =
      std::max<std::int64_t>(1, divided_up(words_of_bits(num_memories), most)) * kChunkUnit;
  chunks.num_chunks =
      std::max<std::int64_t>(1, divided_up(num_memories, chunks.memories_per_chunk));
  return chunks;
}

std::int64_t count_bytes(std::int64_t num_ranks) {
  return num_ranks * static_cast<std::int64_t>(sizeof(std::int32_t));
}
std::int64_t list_bytes(std::int64_t num_lists, int k) {
  return num_lists * k * static_cast<std::int64_t>(sizeof(Scored));
}

int rank_tile_mixes(int num_features, std::int64_t num_mixes) {
  if (num_mixes <= kFewMixes) return RankTilesFew5::kMixesPerTile;
  return num_features <= kFewFeatures ? RankTiles5::kMixesPerTile : RankTiles8::kMixesPerTile;
}

int top_tile_mixes(int num_features, int k) {
  if (num_features <= kFewFeatures) {
    return k <= kFewPlaces ? TopFiveTiles5::kMixesPerTile : TopTiles5::kMixesPerTile;
  }
  return k <= kFewPlaces ? TopFiveTiles8::kMixesPerTile : TopTiles8::kMixesPerTile;
}

bool is_aligned(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer) % 16 == 0; }

}  // namespace

std::int64_t rank_workspace_bytes(const BlendView& memories, std::int64_t num_queries,
                                  std::int64_t num_mixes) {
  const int tile_mixes = rank_tile_mixes(memories.num_features, num_mixes);
  return bytes_for(memories.num_memories, num_queries * divided_up(num_mixes, tile_mixes),
                   kWantedRankSlots, kLeastRankChunk, count_bytes(num_queries * num_mixes));
}

std::int64_t top_workspace_bytes(const BlendView& memories, std::int64_t num_queries,
                                 std::int64_t num_mixes, int k) {
  const int tile_mixes = top_tile_mixes(memories.num_features, k);
  return bytes_for(memories.num_memories, num_queries * divided_up(num_mixes, tile_mixes),
                   kWantedTopSlots, kLeastTopChunk, list_bytes(num_queries * num_mixes, k));
}

void ranks_by_tiles(const Executor& executor, const TargetRanks& op, std::int64_t num_queries,
                    const Workspace& workspace) {
  const int num_features = op.memories.num_features;
  const int tile_mixes = rank_tile_mixes(num_features, op.num_mixes);
  const std::int64_t num_ranks = num_queries * op.num_mixes;
  const BlendTiling tiling{divided_up(op.num_mixes, tile_mixes),
                           chunks_in(workspace, op.memories.num_memories, count_bytes(num_ranks))};
  const bool is_split = tiling.chunks.num_chunks > 1;
  TargetRanks counting = op;
  if (is_split) counting.out = static_cast<std::int32_t*>(workspace.data);

  const std::int64_t num_slots = num_queries * tiling.chunks.num_chunks * tiling.num_tiles;
  if (num_features <= kFewFeatures) {
    if (tile_mixes == RankTiles5::kMixesPerTile) {
      for_each(executor, num_slots, RankTiles5{counting, num_queries, tiling});
    } else {
      for_each(executor, num_slots, RankTilesFew5{counting, num_queries, tiling});
    }
  } else if (tile_mixes == RankTiles8::kMixesPerTile) {
    for_each(executor, num_slots, RankTiles8{counting, num_queries, tiling});
  } else {
    for_each(executor, num_slots, RankTilesFew8{counting, num_queries, tiling});
  }
  if (!is_split) return;
  for_each(executor, num_ranks,
           SumRankCounts{counting.out, tiling.chunks.num_chunks, num_ranks, op.out});
}

void tops_by_tiles(const Executor& executor, const TopMemories& op, std::int64_t num_queries,
                   const Workspace& workspace) {
  const int num_features = op.memories.num_features;
  const int tile_mixes = top_tile_mixes(num_features, op.k);
  const std::int64_t num_lists = num_queries * op.num_mixes;
  const BlendTiling tiling{
      divided_up(op.num_mixes, tile_mixes),
      chunks_in(workspace, op.memories.num_memories, list_bytes(num_lists, op.k))};
  const bool is_split = tiling.chunks.num_chunks > 1;
  // Of chunks: neighbours write next to each other.
  const ListPlaces places =
      is_split ? ListPlaces{static_cast<Scored*>(workspace.data), op.k * num_lists, 1, num_lists}
               : ListPlaces{op.out, 0, op.k, 1};

  const std::int64_t num_slots = num_queries * tiling.chunks.num_chunks * tiling.num_tiles;
  if (num_features <= kFewFeatures) {
    if (op.k <= kFewPlaces) {
      for_each(executor, num_slots, TopFiveTiles5{op, tiling, places});
    } else {
      for_each(executor, num_slots, TopTiles5{op, tiling, places});
    }
  } else if (op.k <= kFewPlaces) {
    for_each(executor, num_slots, TopFiveTiles8{op, tiling, places});
  } else {
    for_each(executor, num_slots, TopTiles8{op, tiling, places});
  }
  if (!is_split) return;
  for_each(executor, num_lists,
           MergeTops{places.values, tiling.chunks.num_chunks, num_lists, op.k, op.out});
}

void cosines_by_tiles(const Executor& executor, const Cosines& op, std::int64_t num_queries,
                      const Workspace& workspace) {
  const std::int32_t width = op.memories.width;
  auto* const queries = static_cast<float*>(workspace.data);
  for_each(executor, packed_query_floats(num_queries, width),
           PackQueries{op.queries, num_queries, width, queries});
  CosineTiling tiling;
  tiling.num_queries = num_queries;
  while (tiling.query_tiles < CosineTiling::kMostQueryTiles &&
         tiling.query_tiles * kTileQueries < num_queries) {
    tiling.query_tiles *= 2;
  }
  tiling.writes_by_four = op.memories.num_rows % 4 == 0 && is_aligned(op.out);
  const std::int64_t rows = std::int64_t{CosineTiling::kSquare / tiling.query_tiles} * kTileRows;
  const std::int64_t num_slots =
      divided_up(op.memories.num_rows, rows) * tiling.squares_of_queries() * CosineTiling::kSquare;
  if (is_aligned(op.memories.values) && is_aligned(queries)) {
    for_each(executor, num_slots, CosineTilesByFour{op, queries, tiling});
  } else {
    for_each(executor, num_slots, CosineTilesByOne{op, queries, tiling});
  }
}

}  // namespace sightline::kernels
