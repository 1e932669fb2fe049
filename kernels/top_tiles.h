// The k best by tiles (blend_tiles.h): a scan against the worst score of each list, which few
// memories pass once the lists are good. Sums start at that score and go down, and the signs of all
// that a memory has under a tile's mixes are looked at together.
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
  std::int64_t floor;  ///< below every score

  SL_HD Scored& at(int c, int p) const { return first[c * mix_stride + p * place_stride]; }
};

/// The kRoom best of each mix, at least k, in registers.
template <class Number, int kMixes, int kRoom>
class TopLists {
 public:
  SL_HD explicit TopLists(const TileLists& lists) {
    SL_UNROLL
    for (int c = 0; c < kMixes; ++c) {
      SL_UNROLL
      for (int p = 0; p < kRoom; ++p) {
        score_[c][p] = static_cast<Number>(lists.floor);
        memory_[c][p] = kNoMemory;
      }
    }
  }

  SL_HD Number worst(int c) const { return score_[c][kRoom - 1]; }

  /// Takes a memory into the lists where less[c], the worst of mix c less the memory's score, is
  /// below zero. Earlier offers had lower indices.
  SL_HD void offer(const TileLists&, const Number (&less)[kMixes], std::int32_t memory) {
    SL_UNROLL
    for (int c = 0; c < kMixes; ++c) {
      if (less[c] < 0) insert(score_[c], memory_[c], worst(c) - less[c], memory);
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
    for (int c = 0; c < kMixes; ++c) {  // beyond the last mix every score is 0, and none passes
      worst_[c] = static_cast<Number>(c < lists.num_mixes ? lists.floor : 0);
    }
    for (int c = 0; c < lists.num_mixes; ++c) {
      for (int p = 0; p < lists.k; ++p) lists.at(c, p) = Scored();
    }
  }

  SL_HD Number worst(int c) const { return worst_[c]; }

  SL_HD void offer(const TileLists& lists, const Number (&less)[kMixes], std::int32_t memory) {
    std::uint64_t passes = 0;
    SL_UNROLL
    for (int c = 0; c < kMixes; ++c) {
      if (less[c] < 0) passes |= std::uint64_t{1} << c;
    }
    for (; passes != 0; passes &= passes - 1) {
      const int mix = lowest_bit(passes);
      Number score = 0;
      // An array in registers has no index that varies.
      SL_UNROLL
      for (int c = 0; c < kMixes; ++c) score = c == mix ? worst_[c] - less[c] : score;
      const Number worst = insert(lists, mix, score, memory);
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
    return static_cast<Number>(last.memory == kNoMemory ? lists.floor : last.score);
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
    const std::int64_t reach = reach_of(largest), floor = -largest - 1;
    if (reach <= TileSums<float>::kHolds) {
      fill<float, kMixes>(place, floor);
    } else if (reach <= TileSums<std::int32_t>::kHolds) {
      fill<std::int32_t, kMixes>(place, floor);
    } else {
      fill<std::int64_t, 4>(place, floor);
    }
  }

 private:
  template <class Number, int kTogether>
  SL_HD void fill(const TilePlace& place, std::int64_t floor) const {
    for (int c = 0; c < kMixes; c += kTogether) {
      fill<Number, kTogether>(place, floor, place.tile + c * tiling.num_tiles);
    }
  }

  template <class Number, int kTogether>
  SL_HD void fill(const TilePlace& place, std::int64_t floor, std::int64_t first_mix) const {
    using Scores = TileScores<Number, kFeatures, kTogether>;
    using Part = typename Scores::Part;
    const Scores scores(op.memories, place.query, op.weights, op.num_mixes, first_mix,
                        tiling.num_tiles);
    const std::int64_t slot = place.query * op.num_mixes + first_mix;
    const std::int64_t mixes_left =
        (op.num_mixes - first_mix + tiling.num_tiles - 1) / tiling.num_tiles;
    const TileLists lists{
        places.values + place.chunk * places.chunk_stride + slot * places.slot_stride,
        tiling.num_tiles * places.slot_stride,
        places.place_stride,
        static_cast<int>(mixes_left < kTogether ? mixes_left : kTogether),
        op.k,
        floor};
    TopLists<Number, kTogether, kRoom> best(lists);
    const auto take = [&](std::int32_t m, auto together) {
      Part features[together][kFeatures];
      SL_UNROLL
      for (int j = 0; j < together; ++j) scores.load(m + j, features[j]);
      SL_UNROLL
      for (int j = 0; j < together; ++j) {
        Number less[kTogether];
        std::int32_t any = 0;
        SL_UNROLL
        for (int c = 0; c < kTogether; ++c) {
          less[c] = scores.less_score(best.worst(c), c, features[j]);
          any |= sign_word(less[c]);
        }
        if (any < 0) best.offer(lists, less, m + j);
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
