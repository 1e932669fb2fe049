// Ranks under mixes on lines (mix_lines.h, where turns are told of) by tiles, for GPUs: a slot runs
// one query, a chunk of its memories and a few runs of parts of lines.
//
// A part has at most kPartMixes mixes, of which a memory comes before the target under the first
// `turn`, or under all but these: 16 bits, made by one shift. Words of two parts are counted place
// by place, by adders of bits (Harley and Seal; Warren, Hacker's Delight, 2nd edition, 5-1), which
// take two instructions for each of three words, whatever the mixes. A lattice of five weights in
// steps of 1/20 has 6 mixes on a line on average; mix by mix each takes an instruction per weight.
//
// With g what a memory's features exceed the target's by, first the first mix of a part, tie = 1
// where the memory has the lower index, else 0, and b = |step . g|, at least 1, the turn is
//
//   floor((first . g + tie - 1 + b) / b)   where step . g < 0: these come before the target;
//   floor((-first . g - tie + b) / b)      otherwise: all but these do,
//
// and none where it is negative. From part to part of a run it changes by way . g / b, so that one
// addition, a product, a shift and what packs and counts the bits are all that a part takes.
//
// The product is with the least number that is not below 1 / b, and rounded down. Of a whole k, at
// most kPartMixes, k b still gives k; and k b - 1 gives less, as long as k b does not exceed 2^23
// in float, and by far in double. Memories beyond that are done in double: with features of 18
// bits, and a step that moves 1 from one weight to another, those that differ from the target by
// more than 2 in the two features together, of 4.
#pragma once

#include <cmath>
#include <cstdint>

#include "kernels/blend_tiles.h"
#include "kernels/mix_lines.h"
#include "kernels/rank_slabs.h"

namespace sightline::kernels {

/// The numbers that turns are computed in.
template <class Number>
struct TurnNumbers;

template <>
struct TurnNumbers<float> {
  /// No sum on the way to a turn's dividend may exceed this, and no divisor the other.
  static constexpr std::int64_t kHolds = kFloatHolds;
  static constexpr std::int64_t kLargestDivisor = (std::int64_t{1} << 23) / kPartMixes;
  static constexpr bool kIsNarrow = true;
  // A product of both is a whole number of the least floats, whose bits are that number.
  static constexpr float kOverScale = 0x1p-75f, kPerScale = 0x1p-74f;

  SL_HD static std::uint32_t bits(float over, float per, std::uint32_t before) {
    return shifted_bits(before, whole_bits_of_product(over, per));
  }
};

template <>
struct TurnNumbers<double> {
  static constexpr std::int64_t kHolds = kDoubleHolds >> 1;
  static constexpr std::int64_t kLargestDivisor = (std::int64_t{1} << 50) / kPartMixes;
  static constexpr bool kIsNarrow = false;
  static constexpr double kOverScale = 1, kPerScale = 1;

  /// Rounding to the nearest does as well. A turn that is a whole k is not below it, and k is a
  /// double; one that is short of it is so by 1 / b at least, less an error of 2^-47, and b is at
  /// most 2^46.
  SL_HD static std::uint32_t bits(double over, double per, std::uint32_t before) {
    const double turn = over * per;
    return shifted_bits(before, turn < 0 ? 0 : turn > 32 ? 32 : static_cast<std::uint32_t>(turn));
  }
};

/// What turns of a memory are made of: eight numbers where features are five, for two loads. Those
/// of a memory that is not there come to no turn.
template <class Number, int kFeatures>
struct alignas(16) MemoryTurns {
  Number gap[kFeatures];  ///< g, or -g where 1 / b is negative; times kOverScale, as start and way
  Number start;           ///< what to add to first . gap
  Number way;             ///< way . gap
  /// 1 / b, times kPerScale, negative where all but the first mixes put the memory before the
  /// target. 0 where b exceeds kLargestDivisor: then gap is g, and start is the tie.
  Number per;
};

/// The least number that is not below 1 / b; b > 0.
template <class Number>
SL_HD Number one_per(Number b) {
  const Number per = Number{1} / b;
  return std::fma(per, b, Number{-1}) < 0 ? std::nextafter(per, Number{2}) : per;
}

/// Slot i makes memory i % num_memories of the slab, for query i / num_memories of it. What is not
/// kept, or not there, comes before no target.
template <class Number, int kFeatures>
struct PrepareTurns {
  using Numbers = TurnNumbers<Number>;

  BlendView memories;
  const std::int64_t* targets;
  LineTilesView mixes;
  RankSlab slab;
  MemoryTurns<Number, kFeatures>* out;

  SL_HD void operator()(std::int64_t i) const {
    const std::int64_t query = slab.first_query + i / slab.num_memories;
    const std::int64_t memory = slab.first_memory + i % slab.num_memories;
    MemoryTurns<Number, kFeatures> turns{};
    turns.per = Numbers::kPerScale;
    if (memory < memories.num_memories && is_kept(kept_of(memories, query), memory)) {
      fill(query, memory, &turns);
    }
    out[i] = turns;
  }

 private:
  SL_HD void fill(std::int64_t query, std::int64_t memory,
                  MemoryTurns<Number, kFeatures>* turns) const {
    const std::int64_t target = targets[query];
    std::int64_t along = 0, way = 0, gap[kFeatures];
    SL_UNROLL
    for (int f = 0; f < kFeatures; ++f) {
      const bool is_one = f < mixes.num_features;
      const FeatureColumn& column = memories.features[is_one ? f : 0];
      const std::int32_t* const values = column.values + query * column.query_stride;
      gap[f] = is_one ? std::int64_t{values[memory]} - values[target] : 0;
      along += is_one ? mixes.step[f] * gap[f] : 0;
      way += is_one ? mixes.way[f] * gap[f] : 0;
    }
    const bool is_before = along < 0;
    const std::int64_t by = is_before ? -along : along > 0 ? along : 1;
    const bool is_large = by > Numbers::kLargestDivisor;
    const Number scale = is_before || is_large ? Numbers::kOverScale : -Numbers::kOverScale;
    SL_UNROLL
    for (int f = 0; f < kFeatures; ++f) turns->gap[f] = scale * static_cast<Number>(gap[f]);
    turns->way = scale * static_cast<Number>(way);
    const std::int64_t tie = memory < target ? 1 : 0;
    const std::int64_t start = is_large ? tie : is_before ? tie - 1 + by : by - tie;
    turns->start = Numbers::kOverScale * static_cast<Number>(start);
    // Under no step does what is not before become so: a turn beyond all mixes.
    const Number per = is_large     ? Number{0}
                       : along == 0 ? Number{2 * kPartMixes}
                                    : one_per(static_cast<Number>(by));
    turns->per = (is_before || is_large ? Numbers::kPerScale : -Numbers::kPerScale) * per;
  }
};

/// How often each bit of words was set.
template <int kWords>
struct BitCounts {
  static constexpr int kPlanes = 11;
  static constexpr std::int32_t kMostWords = (1 << kPlanes) - 1;

  std::uint32_t plane[kPlanes][kWords];  ///< bit p of the counts
  std::uint32_t waiting[4][kWords];      ///< worth 2^level each, for another such

  SL_HD BitCounts() {
    SL_UNROLL
    for (int p = 0; p < kPlanes; ++p) {
      SL_UNROLL
      for (int w = 0; w < kWords; ++w) plane[p][w] = 0;
    }
  }

  /// The j-th words of kMemoriesTogether. On a GPU j is known when this is compiled, so that of all
  /// these branches none is left.
  SL_HD void add(int j, const std::uint32_t* words) {
    SL_UNROLL
    for (int w = 0; w < kWords; ++w) {
      std::uint32_t carry = words[w];
      bool is_waiting = false;
      SL_UNROLL
      for (int level = 0; level < 4; ++level) {
        if (is_waiting) continue;
        if ((j >> level & 1) == 0) {
          waiting[level][w] = carry;
          is_waiting = true;
        } else {
          carry = full_add(waiting[level][w], carry, &plane[level][w]);
        }
      }
      if (!is_waiting) ripple(4, w, carry);
    }
  }

  /// Words out of turn.
  SL_HD void add_one(const std::uint32_t* words) {
    SL_UNROLL
    for (int w = 0; w < kWords; ++w) ripple(0, w, words[w]);
  }

  /// The counts of bits i and i + 16 of a word, in the halves of one.
  SL_HD std::uint32_t of(int w, int i) const {
    std::uint32_t counts = 0;
    SL_UNROLL
    for (int p = 0; p < kPlanes; ++p) counts += (plane[p][w] >> i & 0x10001u) << p;
    return counts;
  }

 private:
  SL_HD static std::uint32_t full_add(std::uint32_t a, std::uint32_t b, std::uint32_t* sum) {
    const std::uint32_t c = *sum;
    *sum = a ^ b ^ c;
    return (a & b) | (a & c) | (b & c);
  }
  SL_HD void ripple(int from, int w, std::uint32_t carry) {
    SL_UNROLL
    for (int p = 0; p < kPlanes; ++p) {
      if (p < from) continue;
      const std::uint32_t both = plane[p][w] & carry;
      plane[p][w] ^= carry;
      carry = both;
    }
  }
};

/// Slot i counts what comes before the target among the memories of a chunk, under the mixes of
/// kRuns runs: tile i % num_tiles of chunk i / num_tiles % num_chunks of a query of the slab.
template <class Number, int kFeatures, int kRuns>
struct LineRankTiles {
  using Numbers = TurnNumbers<Number>;
  using Turns = MemoryTurns<Number, kFeatures>;
  static constexpr int kWords = kRuns * kRunParts / 2;
  /// As for_each.cuh has it.
  static constexpr int kLeastBlocks = kFeatures <= 5 ? 3 : 2;

  LineTilesView mixes;
  const Turns* memories;      ///< [queries, num_memories]
  std::int64_t num_memories;  ///< a multiple of kMemoriesTogether
  MemoryChunks chunks;
  std::int32_t* out;  ///< [queries, num_chunks, num_mixes], in the order of `mixes.slots`

  SL_HD void operator()(std::int64_t i) const {
    const std::int64_t num_tiles = mixes.num_runs / kRuns;
    const std::int64_t tile = i % num_tiles, row = i / num_tiles;
    const std::int64_t query = row / chunks.num_chunks;
    const std::int64_t begin = row % chunks.num_chunks * chunks.memories_per_chunk;
    const std::int64_t rest = num_memories - begin;
    const std::int64_t num = rest < chunks.memories_per_chunk ? rest : chunks.memories_per_chunk;
    const Turns* const of = memories + query * num_memories + begin;

    Number first[kRuns][kFeatures];
    SL_UNROLL
    for (int r = 0; r < kRuns; ++r) {
      const std::int32_t* const from = mixes.firsts + (tile * kRuns + r) * mixes.num_features;
      SL_UNROLL
      for (int f = 0; f < kFeatures; ++f) {
        first[r][f] = static_cast<Number>(f < mixes.num_features ? from[f] : 0);
      }
    }
    BitCounts<kWords> counts;
    if constexpr (Numbers::kIsNarrow) {
      for (std::int64_t m = 0; m < num; m += kMemoriesTogether) {
        // The slots beside this one look at one each of those that come next, which brings them
        // near in time.
        const std::int64_t next = m + kMemoriesTogether < num ? m + kMemoriesTogether : m;
        const Number ahead = std::abs(of[next + tile % kMemoriesTogether].per);
        const Number least = add_together(first, of + m, &counts);
        if (lesser_of_positive(least, ahead) == 0) add_large(first, of + m, &counts);
      }
    } else {  // of more than one at a time, there are not the registers
      for (std::int64_t m = 0; m < num; ++m) {
        std::uint32_t words[kWords];
        fill_words(first, of[m], words);
        counts.add_one(words);
      }
    }
    store(counts, tile, out + row * mixes.num_mixes);
  }

 private:
  using Firsts = Number[kRuns][kFeatures];

  /// Returns the least |per| of these.
  SL_HD static Number add_together(const Firsts& first, const Turns* of,
                                   BitCounts<kWords>* counts) {
    Number least = 1;
    SL_UNROLL
    for (int j = 0; j < kMemoriesTogether; ++j) {
      const Turns turns = of[j];
      least = lesser_of_positive(least, std::abs(turns.per));
      std::uint32_t words[kWords];
      fill_words(first, turns, words);
      counts->add(j, words);
    }
    return least;
  }

  SL_HD static void fill_words(const Firsts& first, const Turns& turns, std::uint32_t* words) {
    const Number per = std::abs(turns.per);
    const std::uint32_t before = ~sign_bits(turns.per);
    SL_UNROLL
    for (int r = 0; r < kRuns; ++r) {
      Number over = over_of(first[r], turns);
      SL_UNROLL
      for (int p = 0; p < kRunParts; p += 2) {
        const std::uint32_t even = Numbers::bits(over, per, before);
        over += turns.way;
        const std::uint32_t odd = Numbers::bits(over, per, before);
        over += turns.way;
        words[(r * kRunParts + p) / 2] = low_halves(even, odd);
      }
    }
  }

  SL_HD static Number over_of(const Number* first, const Turns& turns) {
    Number over = turns.start;
    SL_UNROLL
    for (int f = 0; f < kFeatures; ++f) over = multiply_add(first[f], turns.gap[f], over);
    return over;
  }
  SL_HD static float multiply_add(float a, float b, float c) { return exact_multiply_add(a, b, c); }
  SL_HD static double multiply_add(double a, double b, double c) { return a * b + c; }

  /// The memories of kMemoriesTogether whose divisors are large, in double.
  SL_HD void add_large(const Firsts& first, const Turns* of, BitCounts<kWords>* counts) const {
    constexpr double kWhole = 1 / static_cast<double>(Numbers::kOverScale);
    for (int j = 0; j < kMemoriesTogether; ++j) {
      const Turns& turns = of[j];
      if (turns.per != 0) continue;
      double along = 0;
      for (int f = 0; f < mixes.num_features; ++f) {
        along += mixes.step[f] * (kWhole * static_cast<double>(turns.gap[f]));
      }
      const bool is_before = along < 0;
      const double by = is_before ? -along : along;
      const double per = one_per(by);
      std::uint32_t words[kWords];
      SL_UNROLL
      for (int r = 0; r < kRuns; ++r) {
        Number sum = over_of(first[r], turns);  // first . g + tie
        SL_UNROLL
        for (int p = 0; p < kRunParts; ++p, sum += turns.way) {
          const double whole = kWhole * static_cast<double>(sum);
          const std::uint32_t bits = TurnNumbers<double>::bits(
              is_before ? whole - 1 + by : by - whole, per, is_before ? ~std::uint32_t{0} : 0);
          std::uint32_t& word = words[(r * kRunParts + p) / 2];
          word = p % 2 == 0 ? bits : low_halves(word, bits);
        }
      }
      counts->add_one(words);
    }
  }

  SL_HD void store(const BitCounts<kWords>& counts, std::int64_t tile, std::int32_t* to) const {
    SL_UNROLL
    for (int w = 0; w < kWords; ++w) {
      const LinePart even = mixes.parts[(tile * kWords + w) * 2];
      const LinePart odd = mixes.parts[(tile * kWords + w) * 2 + 1];
      for (std::int32_t i = 0; i < even.num_mixes || i < odd.num_mixes; ++i) {
        const std::uint32_t both = counts.of(w, i);
        if (i < even.num_mixes) to[even.first_slot + i] = static_cast<std::int32_t>(both & 0xffffu);
        if (i < odd.num_mixes) to[odd.first_slot + i] = static_cast<std::int32_t>(both >> 16);
      }
    }
  }
};

// Of few features, and of as many as there can be; in double, where sums are large.
using PrepareTurns5 = PrepareTurns<float, 5>;
using PrepareTurns8 = PrepareTurns<float, kMaxFeatures>;
using PrepareLargeTurns = PrepareTurns<double, kMaxFeatures>;
using LineRankTiles5 = LineRankTiles<float, 5, 2>;
using LineRankTiles8 = LineRankTiles<float, kMaxFeatures, 2>;
using LargeLineRankTiles = LineRankTiles<double, kMaxFeatures, 1>;

/// As SIGHTLINE_FOR_EVERY_OP of ops.h.
#define SIGHTLINE_FOR_EVERY_LINE_OP(DO) \
  DO(PrepareTurns5)                     \
  DO(PrepareTurns8)                     \
  DO(PrepareLargeTurns)                 \
  DO(LineRankTiles5)                    \
  DO(LineRankTiles8)                    \
  DO(LargeLineRankTiles)

}  // namespace sightline::kernels
