// Ranks and the k best by tiles, for GPUs: a slot runs one query, a chunk of its memories and a few
// mixes. What it knows of its mixes stays in registers; a memory's features are read once for all
// of them, and the slots beside it read the same ones at the same time. Chunks give a GPU enough
// slots where queries and mixes are few; a second op puts their answers together.
//
// The answers are those of blend.h, bit for bit: scores are exact in each of the numbers below.
#pragma once

#include <type_traits>

#include "kernels/blend.h"
#include "kernels/hd.h"
#include "kernels/intrinsics.h"

namespace sightline::kernels {

/// How the sums of a tile are taken: exactly where none on the way exceeds kHolds in absolute
/// value.
template <class Number>
struct TileSums;

template <>
struct TileSums<float> {
  using Part = float;  ///< a weight, or a feature
  static constexpr std::int64_t kHolds = kFloatHolds;
  SL_HD static float add(float sum, float weight, float feature) {
    return exact_multiply_add(weight, feature, sum);
  }
};

template <>
struct TileSums<std::int32_t> {
  using Part = std::int32_t;
  static constexpr std::int64_t kHolds = INT32_MAX;
  SL_HD static std::int32_t add(std::int32_t sum, std::int32_t weight, std::int32_t feature) {
    return sum + weight * feature;
  }
};

template <>
struct TileSums<std::int64_t> {
  using Part = std::int32_t;
  static constexpr std::int64_t kHolds = INT64_MAX;
  SL_HD static std::int64_t add(std::int64_t sum, std::int32_t weight, std::int32_t feature) {
    return wide_multiply_add(weight, feature, sum);
  }
};

/// Memories dealt in chunks of equal size, a multiple of 64 but for the last.
struct MemoryChunks {
  std::int64_t num_chunks = 1, memories_per_chunk = 0;
};

/// Which slot is whose: slot i runs tile i % num_tiles of chunk i / num_tiles % num_chunks of a
/// query; mix c of a tile is c * num_tiles + tile, so that neighbours have neighbouring mixes.
struct BlendTiling {
  std::int64_t num_tiles = 0;
  MemoryChunks chunks;
};

/// Scores are told from each other by the sign of a difference with one whole number more or less
/// between them: what a number must hold for that.
SL_HD inline std::int64_t reach_of(std::int64_t largest_score) { return 2 * largest_score + 1; }

/// What slot i works on.
struct TilePlace {
  std::int64_t tile, chunk, query;
  std::int32_t begin, end;  ///< of the chunk's memories

  SL_HD TilePlace(const BlendTiling& tiling, std::int64_t num_memories, std::int64_t i)
      : tile(i % tiling.num_tiles),
        chunk(i / tiling.num_tiles % tiling.chunks.num_chunks),
        query(i / tiling.num_tiles / tiling.chunks.num_chunks) {
    const std::int64_t first = chunk * tiling.chunks.memories_per_chunk;
    const std::int64_t rest = num_memories - first;
    const std::int64_t num =
        rest < tiling.chunks.memories_per_chunk ? rest : tiling.chunks.memories_per_chunk;
    begin = static_cast<std::int32_t>(first);
    end = static_cast<std::int32_t>(first + num);
  }
};

/// The bits of a query's memories that take part; null: all do.
SL_HD inline const std::uint64_t* kept_of(const BlendView& memories, std::int64_t query) {
  if (memories.kept == nullptr) return nullptr;
  return memories.kept + query * words_of_bits(memories.num_memories);
}

/// Does a memory take part? kept: as kept_of() says.
SL_HD inline bool is_kept(const std::uint64_t* kept, std::int64_t memory) {
  return kept == nullptr || (kept[memory / 64] >> (memory % 64) & 1) != 0;
}

/// The largest score of the mixes of a tile, in absolute value.
SL_HD inline std::int64_t largest_score(const std::int32_t* weights, const BlendView& memories,
                                        std::int64_t num_mixes, const BlendTiling& tiling,
                                        std::int64_t tile) {
  std::int64_t largest = 0;
  for (std::int64_t mix = tile; mix < num_mixes; mix += tiling.num_tiles) {
    const std::int64_t score = largest_score(weights + mix * memories.num_features, memories);
    if (score > largest) largest = score;
  }
  return largest;
}

/// Calls take(m) for each kept memory of [begin, end), in order; most often four at a time, so that
/// their loads are under way together.
template <class Take>
SL_HD void for_each_kept(const std::uint64_t* kept, std::int32_t begin, std::int32_t end,
                         const Take& take) {
  constexpr int kTogether = 4;
  for (std::int32_t first = begin; first < end;) {
    std::int32_t stop = end;
    std::uint64_t live = 0;
    bool is_whole = true;
    if (kept != nullptr) {
      const std::int32_t rest_of_word = 64 - first % 64;
      stop = end - first < rest_of_word ? end : first + rest_of_word;
      const std::uint64_t all = ~std::uint64_t{0} >> (64 - (stop - first));
      live = kept[first / 64] >> (first % 64) & all;
      is_whole = live == all;
    }
    std::int32_t m = first;
    if (is_whole) {
      for (; stop - m >= kTogether; m += kTogether)
        take(m, std::integral_constant<int, kTogether>());
      live = (std::uint64_t{1} << (stop - m)) - 1;
    }
    for (; live != 0; live &= live - 1)
      take(m + lowest_bit(live), std::integral_constant<int, 1>());
    first = stop;
  }
}

/// The columns of a query and the weights of a tile's mixes, in registers. Features beyond those
/// that there are count for nothing.
template <class Number, int kFeatures, int kMixes>
struct TileScores {
  using Sums = TileSums<Number>;
  using Part = typename Sums::Part;

  const std::int32_t* column[kFeatures];
  Part weight[kMixes][kFeatures];

  /// Mixes `first`, `first + stride` and so on of `mixes`; beyond the last, zeros.
  SL_HD TileScores(const BlendView& memories, std::int64_t query, const std::int32_t* mixes,
                   std::int64_t num_mixes, std::int64_t first, std::int64_t stride) {
    SL_UNROLL
    for (int f = 0; f < kFeatures; ++f) {
      const FeatureColumn& from = memories.features[f < memories.num_features ? f : 0];
      column[f] = from.values + query * from.query_stride;
    }
    SL_UNROLL
    for (int c = 0; c < kMixes; ++c) {
      const std::int64_t mix = first + c * stride;
      const bool is_one = mix < num_mixes;
      const std::int32_t* const from = mixes + (is_one ? mix : 0) * memories.num_features;
      SL_UNROLL
      for (int f = 0; f < kFeatures; ++f) {
        weight[c][f] = static_cast<Part>(is_one && f < memories.num_features ? from[f] : 0);
      }
    }
  }

  /// The features of a memory, negative.
  SL_HD void load(std::int32_t memory, Part* minus_feature) const {
    SL_UNROLL
    for (int f = 0; f < kFeatures; ++f) minus_feature[f] = -static_cast<Part>(column[f][memory]);
  }

  /// `start` less the score under mix c. Below zero, that is, if the score is above `start`.
  SL_HD Number less_score(Number start, int c, const Part* minus_feature) const {
    Number sum = start;
    SL_UNROLL
    for (int f = 0; f < kFeatures; ++f) sum = Sums::add(sum, weight[c][f], minus_feature[f]);
    return sum;
  }
};

}  // namespace sightline::kernels
