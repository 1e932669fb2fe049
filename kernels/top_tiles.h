// The k best by tiles (blend_tiles.h): a scan against the score of the last in each list, which few
// memories pass once the lists are good. One test says whether any of a tile's mixes takes a
// memory.
#pragma once

#include "kernels/blend_tiles.h"

namespace sightline::kernels {

/// Where lists lie: place p of the list of slot s (query, mix) of a chunk is
/// values[chunk * chunk_stride + s * slot_stride + p * place_stride].
struct ListPlaces {
  Scored* values;
  std::int64_t chunk_stride, slot_stride, place_stride;
};

/// The lists of a tile: that of mix c is first[c * mix_stride + p * place_stride].
struct TileLists {
  Scored* first;
  std::int64_t mix_stride, place_stride;
  int num_mixes, k;

  SL_HD Scored& at(int c, int p) const { return first[c * mix_stride + p * place_stride]; }
};

/// The kRoom best of each mix, at least k, in registers.
template <class Number, int kMixes, int kRoom>
class TopLists {
 public:
  SL_HD explicit TopLists(const TileLists&) {
    SL_UNROLL
    for (int c = 0; c < kMixes; ++c) {
      SL_UNROLL
      for (int p = 0; p < kRoom; ++p) {
        score_[c][p] = TileSums<Number>::kLowest;
        memory_[c][p] = kNoMemory;
      }
    }
  }

  SL_HD Number worst(int c) const { return score_[c][kRoom - 1]; }

  /// Takes a memory into the lists whose worst it passes. Earlier offers had lower indices.
  SL_HD void offer(const TileLists&, const Number (&score)[kMixes], std::int32_t memory) {
    SL_UNROLL
    for (int c = 0; c < kMixes; ++c) {
      if (score[c] > worst(c)) insert(score_[c], memory_[c], score[c], memory);
    }
  }

  SL_HD void write(const TileLists& lists) const {
    SL_UNROLL
    for (int c = 0; c < kMixes; ++c) {
      SL_UNROLL
      for (int p = 0; p < kRoom; ++p) {
        if (c >= lists.num_mixes || p >= lists.k) continue;
        lists.at(c, p) = memory_[c][p] == kNoMemory
                             ? Scored()
                             : Scored{static_cast<std::int64_t>(score_[c][p]), memory_[c][p], 0};
      }
    }
  }

 private:
  SL_HD static void insert(Number (&scores)[kRoom], std::int32_t (&memories)[kRoom], Number score,
                           std::int32_t memory) {
    bool passes = true;
    SL_UNROLL
    for (int p = kRoom - 1; p > 0; --p) {
      const bool passes_before = score > scores[p - 1];
      scores[p] = passes_before ? scores[p - 1] : passes ? score : scores[p];
      memories[p] = passes_before ? memories[p - 1] : passes ? memory : memories[p];
      passes = passes_before;
    }
    scores[0] = passes ? score : scores[0];
    memories[0] = passes ? memory : memories[0];
  }

  Number score_[kMixes][kRoom];
  std::int32_t memory_[kMixes][kRoom];
};

/// Lists of any length, kept where they are to be written; only the scores to pass in registers.
template <class Number, int kMixes>
class TopLists<Number, kMixes, 0> {
 public:
  SL_HD explicit TopLists(const TileLists& lists) {
    SL_UNROLL
    for (int c = 0; c < kMixes; ++c) worst_[c] = TileSums<Number>::kLowest;
    for (int c = 0; c < lists.num_mixes; ++c) {
      for (int p = 0; p < lists.k; ++p) lists.at(c, p) = Scored();
    }
  }

  SL_HD Number worst(int c) const { return worst_[c]; }

  SL_HD void offer(const TileLists& lists, const Number (&score)[kMixes], std::int32_t memory) {
    std::uint64_t passes = 0;
    SL_UNROLL
    for (int c = 0; c < kMixes; ++c) {
      if (c < lists.num_mixes) passes |= std::uint64_t{score[c] > worst_[c]} << c;
    }
    for (; passes != 0; passes &= passes - 1) {
      const int mix = lowest_bit(passes);
      Number its = 0;
      SL_UNROLL  // arrays in registers have no index that varies
          for (int c = 0; c < kMixes; ++c) its = c == mix ? score[c] : its;
      const Number worst = insert(lists, mix, its, memory);
      SL_UNROLL
      for (int c = 0; c < kMixes; ++c) worst_[c] = c == mix ? worst : worst_[c];
    }
  }

  SL_HD void write(const TileLists&) const {}

 private:
  /// Returns the score that is the worst now.
  SL_HD static Number insert(const TileLists& lists, int mix, Number score, std::int32_t memory) {
    const auto wide = static_cast<std::int64_t>(score);
    int p = lists.k - 1;
    for (; p > 0 && lists.at(mix, p - 1).score < wide; --p) {
      lists.at(mix, p) = lists.at(mix, p - 1);
    }
    lists.at(mix, p) = {wide, memory, 0};
    const Scored last = lists.at(mix, lists.k - 1);
    return last.memory == kNoMemory ? TileSums<Number>::kLowest : static_cast<Number>(last.score);
  }

  Number worst_[kMixes];
};

/// The k best of a chunk. kRoom 0: any k; otherwise k <= kRoom.
template <int kFeatures, int kMixes, int kRoom>
struct TopTiles {
  static constexpr int kMixesPerTile = kMixes;

  TopMemories op;  ///< its `out` is not used
  BlendTiling tiling;
  ListPlaces places;

  SL_HD void operator()(std::int64_t i) const {
    const TilePlace place(tiling, op.memories.num_memories, i);
    const std::int64_t largest =
        largest_score(op.weights, op.memories, op.num_mixes, tiling, place.tile);
    if (largest <= TileSums<float>::kHolds) {
      fill<float, kMixes>(place);
    } else if (largest <= TileSums<std::int32_t>::kHolds) {
      fill<std::int32_t, kMixes>(place);
    } else {
      fill<std::int64_t, 4>(place);
    }
  }

 private:
  template <class Number, int kTogether>
  SL_HD void fill(const TilePlace& place) const {
    for (int c = 0; c < kMixes; c += kTogether) {
      fill<Number, kTogether>(place, place.tile + c * tiling.num_tiles);
    }
  }

  template <class Number, int kTogether>
  SL_HD void fill(const TilePlace& place, std::int64_t first_mix) const {
    using Scores = TileScores<Number, kFeatures, kTogether>;
    using Part = typename Scores::Part;
    const Scores scores(op.memories, place.query, op.weights, op.num_mixes, first_mix,
                        tiling.num_tiles);
    const std::int64_t slot = place.query * op.num_mixes + first_mix;
    const std::int64_t mixes_left =
        (op.num_mixes - first_mix + tiling.num_tiles - 1) / tiling.num_tiles;
    const TileLists lists{
        places.values + place.chunk * places.chunk_stride + slot * places.slot_stride,
        tiling.num_tiles * places.slot_stride, places.place_stride,
        static_cast<int>(mixes_left < kTogether ? mixes_left : kTogether), op.k};
    TopLists<Number, kTogether, kRoom> best(lists);
    const auto take = [&](std::int64_t m, auto together) {
      Part features[together][kFeatures];
      SL_UNROLL
      for (int j = 0; j < together; ++j) scores.load(m + j, features[j]);
      SL_UNROLL
      for (int j = 0; j < together; ++j) {
        Number score[kTogether];
        bool any = false;
        SL_UNROLL
        for (int c = 0; c < kTogether; ++c) {
          score[c] = scores.add(Number{0}, c, features[j]);
          any |= score[c] > best.worst(c);
        }
        if (any) best.offer(lists, score, static_cast<std::int32_t>(m + j));
      }
    };
    for_each_kept(kept_of(op.memories, place.query), place.begin, place.end, take);
    best.write(lists);
  }
};

/// Puts the lists of all chunks together, best first and equals in the order of their indices, as
/// the chunks are. Slot i is that of a list.
struct MergeTops {
  const Scored* lists;  ///< [num_chunks, k, num_lists]
  std::int64_t num_chunks, num_lists;
  int k;
  Scored* out;  ///< [num_lists, k]

  SL_HD void operator()(std::int64_t i) const {
    Scored* const best = out + i * k;
    for (int p = 0; p < k; ++p) best[p] = lists[p * num_lists + i];
    for (std::int64_t chunk = 1; chunk < num_chunks; ++chunk) {
      for (int p = 0; p < k; ++p) {
        const Scored next = lists[(chunk * k + p) * num_lists + i];
        if (!(next.score > best[k - 1].score)) break;  // nor does what follows
        insert_scored(best, k, next.score, next.memory);
      }
    }
  }
};

}  // namespace sightline::kernels
