// Cosines, ranks and the k best by tiles: what a GPU runs in place of the ops of feature_ops.h and
// blend.h, with the same answers, bit for bit. They run on the CPU too, where tests compare them.
#pragma once

#include <cstdint>

#include "kernels/blend.h"
#include "kernels/cosine_tiles.h"
#include "kernels/executor.h"
#include "kernels/rank_tiles.h"
#include "kernels/top_tiles.h"

namespace sightline::kernels {

/// Does the executor run tiles? On a GPU, unless it is asked for the plain ops.
inline bool uses_tiles(const Executor& executor) {
  return executor.backend == Backend::kCuda && executor.instructions != InstructionSet::kPortable;
}

/// Slots that fill any GPU a few times over. Where tiles of queries and mixes are fewer, each
/// query's memories are dealt in chunks, but in none of fewer memories than are worth a slot: the
/// functions below say how much workspace the counts, or lists, of so many chunks take; 0 for one.
/// That depends on sizes alone. Counts are small: with more chunks of them, one stays in the
/// nearest cache for all tiles. Lists are long, and a chunk fills its own first.
constexpr std::int64_t kWantedRankSlots = std::int64_t{1} << 20;
constexpr std::int64_t kWantedTopSlots = std::int64_t{1} << 18;
std::int64_t rank_workspace_bytes(const BlendView& memories, std::int64_t num_queries,
                                  std::int64_t num_mixes);
std::int64_t top_workspace_bytes(const BlendView& memories, std::int64_t num_queries,
                                 std::int64_t num_mixes, int k);

/// Answers an op's slots for num_queries queries, their memories dealt in as many chunks as the
/// workspace has room for, though in none of fewer than 64.
void ranks_by_tiles(const Executor& executor, const TargetRanks& op, std::int64_t num_queries,
                    const Workspace& workspace);
void tops_by_tiles(const Executor& executor, const TopMemories& op, std::int64_t num_queries,
                   const Workspace& workspace);
/// The rows must be packed; the workspace has room for the packed queries.
void cosines_by_tiles(const Executor& executor, const Cosines& op, std::int64_t num_queries,
                      const Workspace& workspace);

// Features, mixes and places of the tiles that there are: with as many mixes as registers hold.
using RankTiles5 = RankTiles<5, 12>;
using RankTiles8 = RankTiles<8, 8>;
using RankTilesFew5 = RankTiles<5, 4>;
using RankTilesFew8 = RankTiles<8, 4>;
using TopFiveTiles5 = TopTiles<5, 8, 5>;
using TopFiveTiles8 = TopTiles<8, 4, 5>;
using TopTiles5 = TopTiles<5, 16, 0>;
using TopTiles8 = TopTiles<8, 8, 0>;
using CosineTilesByOne = CosineTiles<false>;
using CosineTilesByFour = CosineTiles<true>;

/// As SIGHTLINE_FOR_EVERY_OP of ops.h.
#define SIGHTLINE_FOR_EVERY_TILE_OP(DO) \
  DO(RankTiles5)                        \
  DO(RankTiles8)                        \
  DO(RankTilesFew5)                     \
  DO(RankTilesFew8)                     \
  DO(SumRankCounts)                     \
  DO(TopFiveTiles5)                     \
  DO(TopFiveTiles8)                     \
  DO(TopTiles5)                         \
  DO(TopTiles8)                         \
  DO(MergeTops)                         \
  DO(PackQueries)                       \
  DO(CosineTilesByOne)                  \
  DO(CosineTilesByFour)

}  // namespace sightline::kernels
