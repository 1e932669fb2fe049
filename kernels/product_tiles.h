// Ranks under products of mixes (mix_products.h) by tiles, for GPUs: a slot runs one query, a chunk
// of its memories and a tile of heads by tails. What the heads and what the tails make of a memory
// is multiplied out once each; a mix then takes an addition and a count.
//
// A head's sum starts at what it makes of the target, and so does a tail's; both go down by weights
// times features, so that the sign of the two added says that a memory comes first, as in
// rank_tiles.h. Each is exact. The sign of their sum is too, whatever floats make of the sum
// itself: rounding keeps signs. None is -0, because a head's is not.
#pragma once

#include "kernels/blend_tiles.h"
#include "kernels/mix_products.h"

namespace sightline::kernels {

/// Counts the memories of a chunk that come before the target.
template <int kHeadFeatures, int kTailFeatures>
struct ProductRankTiles {
  BlendView heads_of, tails_of;  ///< the memories, by the features that heads weigh, or tails
  const std::int64_t* targets;
  MixProductsView mixes;
  std::int64_t num_queries;
  BlendTiling tiling;
  std::int32_t* out;  ///< the counts: [num_chunks, num_queries, num_mixes]

  SL_HD void operator()(std::int64_t i) const {
    const TilePlace place(tiling, heads_of.num_memories, i);
    const std::int64_t reach = reach_of(mixes.largest_sum << heads_of.feature_bits);
    const ProductTile& tile = mixes.tiles[place.tile];
    if (reach <= TileSums<float>::kHolds) {
      count_heads<float>(place, tile);
    } else if (2 * reach <= TileSums<std::int32_t>::kHolds) {
      count_heads<std::int32_t>(place, tile);
    } else {
      for (std::int32_t h = 0; h < tile.num_heads; ++h) count<std::int64_t, 1>(place, tile, h);
    }
  }

 private:
  static_assert(kTileHeads == 4, "a case each");

  /// No more heads than there are: products of few heads have the most tails.
  template <class Number>
  SL_HD void count_heads(const TilePlace& place, const ProductTile& tile) const {
    switch (tile.num_heads) {
      case 1:
        return count<Number, 1>(place, tile, 0);
      case 2:
        return count<Number, 2>(place, tile, 0);
      case 3:
        return count<Number, 3>(place, tile, 0);
      default:
        return count<Number, 4>(place, tile, 0);
    }
  }

  template <class Number, int kHeads>
  SL_HD void count(const TilePlace& place, const ProductTile& tile, std::int32_t head) const {
    using Heads = TileScores<Number, kHeadFeatures, kHeads>;
    using Tails = TileScores<Number, kTailFeatures, kTileTails>;
    using Part = typename Heads::Part;
    const Heads heads(heads_of, place.query, mixes.heads,
                      std::int64_t{tile.first_head} + head + kHeads,
                      std::int64_t{tile.first_head} + head, 1);
    const Tails tails(tails_of, place.query,
                      mixes.tails + std::int64_t{tile.first_tail} * tails_of.num_features,
                      tile.num_tails, tile.tail, tile.stride);
    const std::uint64_t* const kept = kept_of(heads_of, place.query);
    const auto target = static_cast<std::int32_t>(targets[place.query]);
    const bool has_rank = kept == nullptr || (kept[target / 64] >> (target % 64) & 1) != 0;

    Number head_to_beat[kHeads], tail_to_beat[kTileTails];
    std::uint32_t num_before[kHeads][kTileTails];
    Part of_heads[kHeadFeatures], of_tails[kTailFeatures];
    heads.load(target, of_heads);
    tails.load(target, of_tails);
    SL_UNROLL
    for (int h = 0; h < kHeads; ++h) {
      head_to_beat[h] = -heads.less_score(Number{0}, h, of_heads) - Number{1};
      SL_UNROLL
      for (int t = 0; t < kTileTails; ++t) num_before[h][t] = 0;
    }
    SL_UNROLL
    for (int t = 0; t < kTileTails; ++t) {
      tail_to_beat[t] = -tails.less_score(Number{0}, t, of_tails);
    }
    const auto take = [&](std::int32_t m, auto together) {
      Part head_features[together][kHeadFeatures], tail_features[together][kTailFeatures];
      SL_UNROLL
      for (int j = 0; j < together; ++j) {
        heads.load(m + j, head_features[j]);
        tails.load(m + j, tail_features[j]);
      }
      SL_UNROLL
      for (int j = 0; j < together; ++j) {
        Number tail_gap[kTileTails];
        SL_UNROLL
        for (int t = 0; t < kTileTails; ++t) {
          tail_gap[t] = tails.less_score(tail_to_beat[t], t, tail_features[j]);
        }
        SL_UNROLL
        for (int h = 0; h < kHeads; ++h) {
          const Number head_gap = heads.less_score(head_to_beat[h], h, head_features[j]);
          SL_UNROLL
          for (int t = 0; t < kTileTails; ++t) {
            num_before[h][t] += sign_bit(head_gap + tail_gap[t]);
          }
        }
      }
    };
    const std::int32_t end = has_rank ? place.end : place.begin;
    const std::int32_t middle = target < place.begin ? place.begin : target < end ? target : end;
    for (int part = 0; part < 2; ++part) {  // those that win ties against the target, the others
      for_each_kept(kept, part == 0 ? place.begin : middle, part == 0 ? middle : end, take);
      SL_UNROLL
      for (int h = 0; h < kHeads; ++h) head_to_beat[h] += Number{1};
    }
    SL_UNROLL
    for (int h = 0; h < kHeads; ++h) {
      SL_UNROLL
      for (int t = 0; t < kTileTails; ++t) {
        store(place, tile, head + h, t,
              has_rank ? static_cast<std::int32_t>(num_before[h][t]) : kNoRank);
      }
    }
  }

  SL_HD void store(const TilePlace& place, const ProductTile& tile, std::int32_t head, int t,
                   std::int32_t rank) const {
    const std::int32_t tail = tile.tail + t * tile.stride;
    if (tail >= tile.num_tails) return;
    const std::int32_t mix =
        mixes.slots[tile.first_slot + std::int64_t{head} * tile.num_tails + tail];
    out[(place.chunk * num_queries + place.query) * mixes.num_mixes + mix] = rank;
  }
};

}  // namespace sightline::kernels
