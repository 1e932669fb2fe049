// Ranks by the matrix units of a GPU (matrix_ranks.h): a warp takes 16 memories and 8 mixes of a
// tile at a time, whose 128 scores one instruction adds up.
//
// Less what the target's are, features are whole numbers of up to 20 bits. Cut in two, 512 high +
// low, both halves are floats of 16 bits, exactly; so are a weight and 512 times a weight. Products
// of those are exact, and sums of whole numbers below 2^24 are too, however the units round what
// they have to (Fasi, Higham, Mikaitis and Pranesh, "Numerical behavior of NVIDIA tensor cores",
// PeerJ Computer Science 7, 2021): then the sign of a sum, which is never -0, says whether the
// memory comes first.
//
// Called by all lanes of a warp. Where operands lie is told by PTX's mma.m16n8k16: with g = lane /
// 4 and t = lane % 4, a lane holds of memories g and g + 8, and of mix g, terms 2t, 2t + 1, 2t + 8,
// 2t + 9; and of the sums those of memories g, g + 8 under mixes 2t, 2t + 1.
#pragma once

#include <cstdint>

#include "kernels/blend_tiles.h"
#include "kernels/matrix_ranks.h"
#include "kernels/rank_slabs.h"

namespace sightline::kernels {

constexpr int kMatrixTerms = 16;
constexpr int kMatrixMixes = 8;
constexpr int kMatrixTiles = 16;  ///< of mixes, by a warp
constexpr std::int64_t kWarpMixes = kMatrixMixes * kMatrixTiles;
/// Two terms a feature and one for ties.
constexpr int kMostMatrixFeatures = (kMatrixTerms - 1) / 2;

/// The terms of a memory or a mix, floats of 16 bits, in the order in which lanes hold them.
struct alignas(8) MatrixTerms {
  std::uint32_t words[4][2];  ///< [t]: terms 2t (the lower half) and 2t + 1; 2t + 8 and 2t + 9

  SL_HD void set(int term, float value) {
    std::uint32_t& word = words[term % 8 / 2][term / 8];
    word |= half_bits(value) << (term % 2 * 16);
  }
};

/// The term of ties, or of memories that are not there.
constexpr int kLastTerm = kMatrixTerms - 1;

/// Slot i makes memory i % num_memories of a slab ready for query i / num_memories of it: its
/// features less the target's, negative. What is not kept, or not there, comes before no target and
/// into no list.
struct PrepareMatrixMemories {
  BlendView memories;
  const std::int64_t* targets;  ///< null: less nothing
  RankSlab slab;
  MatrixTerms* out;

  SL_HD void operator()(std::int64_t i) const {
    const std::int64_t query = slab.first_query + i / slab.num_memories;
    const std::int64_t memory = slab.first_memory + i % slab.num_memories;
    MatrixTerms terms{};
    if (memory < memories.num_memories && is_kept(kept_of(memories, query), memory)) {
      SL_UNROLL
      for (int f = 0; f < kMostMatrixFeatures; ++f) {
        if (f >= memories.num_features) continue;
        const FeatureColumn& column = memories.features[f];
        const std::int32_t* const values = column.values + query * column.query_stride;
        const std::int32_t of_target = targets == nullptr ? 0 : values[targets[query]];
        const std::int32_t less = of_target - values[memory];
        terms.set(2 * f, static_cast<float>(less >> 9));
        terms.set(2 * f + 1, static_cast<float>(less & 511));
      }
      // Whole numbers: "as much at a lower index, or more" is more than one less.
      if (targets != nullptr && memory < targets[query]) terms.set(kLastTerm, -1);
    } else if (targets == nullptr) {
      terms.set(kLastTerm, kAbsent);
    }
    out[i] = terms;
  }

  /// Its square is beyond all sums.
  static constexpr float kAbsent = 32768;
};

/// Slot i is a mix; beyond the last, nothing comes before anything.
struct PrepareMatrixMixes {
  const std::int32_t* weights;  ///< [num_mixes, num_features]
  std::int64_t num_mixes;
  int num_features;
  float last;  ///< what the last term of a memory counts
  MatrixTerms* out;

  SL_HD void operator()(std::int64_t i) const {
    MatrixTerms terms{};
    if (i < num_mixes) {
      SL_UNROLL
      for (int f = 0; f < kMostMatrixFeatures; ++f) {
        if (f >= num_features) continue;
        const auto weight = static_cast<float>(weights[i * num_features + f]);
        terms.set(2 * f, 512 * weight);
        terms.set(2 * f + 1, weight);
      }
      terms.set(kLastTerm, last);
    }
    out[i] = terms;
  }
};

/// What a lane of a warp holds of a scan.
struct MatrixLane {
  std::uint32_t mixes[kMatrixTiles + 1][2];  ///< the last: some that are looked at once more
  std::uint32_t memories[4], next[4];
  float from[2];  ///< [mix 2t or 2t + 1]
  /// `from` and what the memories make of the mixes: [memory g or g + 8, mix 2t or 2t + 1].
  float less[4];
};

/// The mix of the c-th tile that a lane has sums k and k + 2 of, among those of its warp.
SL_HD inline int mix_in_warp(int lane, int c, int k) {
  return c * kMatrixMixes + lane % 4 * 2 + k % 2;
}
/// The memory that a lane has sums 2k and 2k + 1 of, among kMemoriesTogether.
SL_HD inline int memory_together(int lane, int k) { return lane / 4 + k / 2 * 8; }

/// A warp's scan: warp i takes the kWarpMixes mixes of tile i % num_tiles, in chunk i / num_tiles %
/// num_chunks of a query of the slab.
struct MatrixScan {
  const MatrixTerms* memories;  ///< [queries, num_memories]
  const MatrixTerms* mixes;     ///< [num_tiles, kWarpMixes]
  std::int64_t num_memories;    ///< a multiple of kMemoriesTogether
  MemoryChunks chunks;
  std::int64_t num_mixes, num_tiles;

  SL_HD std::int64_t first_mix(std::int64_t i) const { return i % num_tiles * kWarpMixes; }
  SL_HD std::int64_t row(std::int64_t i) const { return i / num_tiles; }
  SL_HD std::int64_t first_memory(std::int64_t i) const {
    return row(i) % chunks.num_chunks * chunks.memories_per_chunk;
  }

  /// Calls use(m) with every `stride`-th kMemoriesTogether of the chunk in the lanes, where m is
  /// the first of these.
  template <class Warp, class Lanes, class Use>
  SL_HD void run(Warp& warp, Lanes& lanes, std::int64_t i, int stride, const Use& use) const {
    const std::int64_t begin = first_memory(i), rest = num_memories - begin;
    const std::int64_t num = rest < chunks.memories_per_chunk ? rest : chunks.memories_per_chunk;
    const MatrixTerms* const of = memories + row(i) / chunks.num_chunks * num_memories + begin;
    warp.each([&](int lane) {
      MatrixLane& mine = lanes[lane];
      SL_UNROLL
      for (int c = 0; c < kMatrixTiles; ++c) load_mixes(i, c, lane, mine.mixes[c]);
      load_memories(of, lane, mine.next);
    });
    const std::int64_t step = std::int64_t{stride} * kMemoriesTogether;
    for (std::int64_t m = 0; m < num; m += step) {
      const std::int64_t next = m + step < num ? m + step : m;
      warp.each([&](int lane) {
        MatrixLane& mine = lanes[lane];
        SL_UNROLL
        for (int k = 0; k < 4; ++k) mine.memories[k] = mine.next[k];
        load_memories(of + next, lane, mine.next);  // under way while these are looked at
      });
      use(begin + m);
    }
  }

  /// What a lane holds of the c-th mixes of warp i.
  SL_HD void load_mixes(std::int64_t i, int c, int lane, std::uint32_t* to) const {
    load(mixes[first_mix(i) + c * kMatrixMixes + lane / 4], lane, to);
  }

 private:
  SL_HD static void load(const MatrixTerms& terms, int lane, std::uint32_t* to) {
    load_two(terms.words[lane % 4], to);
  }
  SL_HD static void load_memories(const MatrixTerms* from, int lane, std::uint32_t* to) {
    std::uint32_t low[2], high[2];
    load(from[lane / 4], lane, low);
    load(from[lane / 4 + 8], lane, high);
    to[0] = low[0], to[1] = high[0], to[2] = low[1], to[3] = high[1];
  }
};

/// Counts the memories of a chunk that come before the target.
struct MatrixRanks {
  MatrixScan scan;
  std::int32_t* out;  ///< [queries, num_chunks, num_mixes]

  struct Lane : MatrixLane {
    std::uint32_t num_before[kMatrixTiles][2];
  };

  template <class Warp>
  SL_HD void run(Warp& warp, std::int64_t i) const {
    typename Warp::template PerLane<Lane> lanes;
    warp.each([&](int lane) {
      Lane& mine = lanes[lane];
      mine.from[0] = mine.from[1] = 0;
      SL_UNROLL
      for (int c = 0; c < kMatrixTiles; ++c) mine.num_before[c][0] = mine.num_before[c][1] = 0;
    });
    scan.run(warp, lanes, i, 1, [&](std::int64_t) {
      SL_UNROLL
      for (int c = 0; c < kMatrixTiles; ++c) {
        warp.multiply(lanes, c);
        warp.each([&](int lane) {
          Lane& mine = lanes[lane];
          SL_UNROLL
          for (int k = 0; k < 4; ++k) mine.num_before[c][k % 2] += sign_bit(mine.less[k]);
        });
      }
    });
    std::int32_t* const to = out + scan.row(i) * scan.num_mixes;
    SL_UNROLL
    for (int c = 0; c < kMatrixTiles; ++c) {
      SL_UNROLL
      for (int k = 0; k < 2; ++k) {
        warp.add_up([&](int lane) -> std::uint32_t& { return lanes[lane].num_before[c][k]; });
        warp.each([&](int lane) {
          const std::int64_t mix = scan.first_mix(i) + mix_in_warp(lane, c, k);
          if (lane / 4 != 0 || mix >= scan.num_mixes) return;
          to[mix] = static_cast<std::int32_t>(lanes[lane].num_before[c][k]);
        });
      }
    }
  }
};

/// Queues `count` warps of a job on a cudaStream_t.
template <class Job>
void matrix_cuda(void* stream, std::int64_t count, const Job& job);

}  // namespace sightline::kernels
