// Ranks of targets by tiles (blend_tiles.h).
//
// A sum starts at the score to beat and goes down by weights times features, so that its sign bit
// says that a memory comes first: one instruction counts it, no comparison. With whole numbers, "as
// much at a lower index, or more" is one score to beat before the target and another behind it.
#pragma once

#include "kernels/blend_tiles.h"

namespace sightline::kernels {

/// Counts the memories of a chunk that come before the target.
template <int kFeatures, int kMixes>
struct RankTiles {
  static constexpr int kMixesPerTile = kMixes;
  /// As for_each.cuh has it: as many as take no register out to memory.
  static constexpr int kLeastBlocks = kFeatures <= 5 ? 3 : 1;

  TargetRanks op;  ///< its `out` takes the counts: [num_chunks, num_queries, num_mixes]
  std::int64_t num_queries;
  BlendTiling tiling;

  SL_HD void operator()(std::int64_t i) const {
    const TilePlace place(tiling, op.memories.num_memories, i);
    const auto target = static_cast<std::int32_t>(op.targets[place.query]);
    const std::int64_t reach =
        reach_of(largest_score(op.weights, op.memories, op.num_mixes, tiling, place.tile));
    if (reach <= TileSums<float>::kHolds) {
      count<float, kMixes>(place, target);
    } else if (reach <= TileSums<std::int32_t>::kHolds) {
      count<std::int32_t, kMixes>(place, target);
    } else {
      count<std::int64_t, 4>(place, target);
    }
  }

 private:
  template <class Number, int kTogether>
  SL_HD void count(const TilePlace& place, std::int32_t target) const {
    for (int c = 0; c < kMixes; c += kTogether) {
      count<Number, kTogether>(place, target, place.tile + c * tiling.num_tiles);
    }
  }

  template <class Number, int kTogether>
  SL_HD void count(const TilePlace& place, std::int32_t target, std::int64_t first_mix) const {
    using Scores = TileScores<Number, kFeatures, kTogether>;
    const Scores scores(op.memories, place.query, op.weights, op.num_mixes, first_mix,
                        tiling.num_tiles);
    const std::uint64_t* const kept = kept_of(op.memories, place.query);
    const bool has_rank = is_kept(kept, target);
    Number to_beat[kTogether];
    std::uint32_t num_before[kTogether];
    typename Scores::Part of_target[kFeatures];
    scores.load(target, of_target);
    SL_UNROLL
    for (int c = 0; c < kTogether; ++c) {
      to_beat[c] = -scores.less_score(Number{0}, c, of_target) - Number{1};
      num_before[c] = 0;
    }
    const auto take = [&](std::int32_t m, auto together) {
      typename Scores::Part features[together][kFeatures];
      SL_UNROLL
      for (int j = 0; j < together; ++j) scores.load(m + j, features[j]);
      SL_UNROLL
      for (int j = 0; j < together; ++j) {
        SL_UNROLL
        for (int c = 0; c < kTogether; ++c) {
          num_before[c] += sign_bit(scores.less_score(to_beat[c], c, features[j]));
        }
      }
    };
    const std::int32_t end = has_rank ? place.end : place.begin;
    const std::int32_t middle = target < place.begin ? place.begin : target < end ? target : end;
    for (int part = 0; part < 2; ++part) {  // those that win ties against the target, the others
      for_each_kept(kept, part == 0 ? place.begin : middle, part == 0 ? middle : end, take);
      SL_UNROLL
      for (int c = 0; c < kTogether; ++c) to_beat[c] += Number{1};
    }
    std::int32_t* const out = op.out + (place.chunk * num_queries + place.query) * op.num_mixes;
    SL_UNROLL
    for (int c = 0; c < kTogether; ++c) {
      const std::int64_t mix = first_mix + c * tiling.num_tiles;
      if (mix >= op.num_mixes) continue;
      out[mix] = has_rank ? static_cast<std::int32_t>(num_before[c]) : kNoRank;
    }
  }
};

/// Adds up the counts of all chunks. Slot i is that of a rank.
struct SumRankCounts {
  const std::int32_t* counts;  ///< [num_chunks, num_ranks]
  std::int64_t num_chunks, num_ranks;
  std::int32_t* out;

  SL_HD void operator()(std::int64_t i) const {
    std::int32_t rank = counts[i];
    for (std::int64_t chunk = 1; chunk < num_chunks && rank != kNoRank; ++chunk) {
      rank += counts[chunk * num_ranks + i];
    }
    out[i] = rank;
  }
};

}  // namespace sightline::kernels
