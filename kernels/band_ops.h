// The ops of band_columns.h.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/band_columns.h"
#include "kernels/blend_tiles.h"
#include "kernels/hd.h"
#include "kernels/intrinsics.h"

namespace sightline::kernels {

/// The features that are compared, more of each being better; beyond the last, such as every memory
/// has enough of.
struct alignas(16) Pivot {
  std::int32_t feature[kMaxFeatures];
  std::int32_t memory;
  std::int32_t unused[3];
};

/// Where the features that a rule compares are, and which way.
struct ComparedColumns {
  FeatureColumn columns[kMaxFeatures];
  std::int32_t direction[kMaxFeatures] = {};
  int num = 0;

  ComparedColumns(const BlendView& memories, const DominanceRule& rule) {
    for (int f = 0; f < memories.num_features; ++f) {
      SL_ASSERT(rule.least[f] == 0);
      if (rule.direction[f] == 0) continue;
      columns[num] = memories.features[f];
      direction[num++] = rule.direction[f];
    }
  }

  SL_HD std::int32_t value(int c, std::int64_t query, std::int64_t memory) const {
    return direction[c] * columns[c].values[query * columns[c].query_stride + memory];
  }
};

/// Slot i is place i % per_query() of query i / per_query(), the first of all lists before the
/// second: a memory that no place before it has, or none.
struct FirstPlaces {
  PivotLists pivots;
  std::int32_t* out;

  SL_HD void operator()(std::int64_t i) const {
    const auto num = static_cast<std::int32_t>(pivots.per_query());
    const auto place = static_cast<std::int32_t>(i % num);
    const Scored* const lists = pivots.lists + i / num * num;
    const std::int32_t memory =
        lists[place % pivots.num_lists * pivots.per_list + place / pivots.num_lists].memory;
    bool is_first = true;
    std::int32_t at = 0;  // of place p: after the last list the next place of the first
    for (std::int32_t p = 0; p < place && is_first; ++p) {
      is_first = lists[at].memory != memory;
      at += pivots.per_list;
      if (at >= num) at -= num - 1;
    }
    out[i] = is_first ? memory : kNoMemory;
  }
};

/// Slot i is a place as above: puts its memory, if any, after those of the places before it.
struct PlacePivots {
  ComparedColumns of;
  const std::int32_t* memories;  ///< as FirstPlaces writes them
  std::int64_t per_query;
  Pivot* out;                ///< [num_queries, per_query]
  std::int32_t* num_pivots;  ///< [num_queries]

  SL_HD void operator()(std::int64_t i) const {
    const std::int64_t query = i / per_query, place = i % per_query;
    const std::int32_t* const row = memories + query * per_query;
    std::int32_t num = 0;
    for (std::int64_t p = 0; p < place; ++p) num += row[p] != kNoMemory;
    const std::int32_t memory = row[place];
    if (place == per_query - 1) num_pivots[query] = num + (memory != kNoMemory);
    if (memory == kNoMemory) return;
    Pivot pivot{};
    for (int c = 0; c < kMaxFeatures; ++c) {
      pivot.feature[c] = c < of.num ? of.value(c, query, memory) : INT32_MAX;
    }
    pivot.memory = memory;
    out[query * per_query + num] = pivot;
  }
};

/// Slot i is query i: where the k kept memories of the lowest indices end.
struct EndOfFirst {
  BlendView memories;
  int k;
  std::int64_t* out;

  SL_HD void operator()(std::int64_t i) const {
    const std::uint64_t* const kept = kept_of(memories, i);
    if (kept == nullptr) {
      out[i] = k < memories.num_memories ? k : memories.num_memories;
      return;
    }
    int rest = k;
    for (std::int64_t word = 0; word < words_of_bits(memories.num_memories); ++word) {
      for (std::uint64_t bits = kept[word]; bits != 0; bits &= bits - 1) {
        if (--rest > 0) continue;
        out[i] = word * 64 + lowest_bit(bits) + 1;
        return;
      }
    }
    out[i] = memories.num_memories;
  }
};

/// What marking knows.
struct BandMarking {
  BlendView memories;
  ComparedColumns compared;
  const Pivot* pivots;             ///< [num_queries, most_pivots]
  const std::int32_t* num_pivots;  ///< [num_queries]
  std::int64_t most_pivots;
  const std::int64_t* ends_of_first;  ///< [num_queries]
  int k;
  std::uint8_t* out;
};

/// 32 slots, a warp of a GPU, look at kTogether memories of a query, each at every 32nd of them: a
/// pivot is read once for all, from where its neighbours read it at the same moment.
template <int kFeatures>
struct MarkBands {
  static constexpr std::int64_t kLanes = 32;
  static constexpr int kEach = 4;
  static constexpr std::int64_t kTogether = kLanes * kEach;
  static constexpr int kLook = 8;  ///< pivots between two looks whether all are left out

  BandMarking of;

  SL_HD static std::int64_t groups(std::int64_t num_memories) {
    return (num_memories + kTogether - 1) / kTogether;
  }

  SL_HD void operator()(std::int64_t i) const {
    const std::int64_t num = of.memories.num_memories;
    const std::int64_t query = i / kLanes / groups(num);
    const std::int64_t begin = i / kLanes % groups(num) * kTogether, first = begin + i % kLanes;
    const std::uint64_t* const kept = kept_of(of.memories, query);
    std::int32_t feature[kEach][kFeatures], dominators[kEach];
    SL_UNROLL
    for (int j = 0; j < kEach; ++j) {
      const std::int64_t m = first + j * kLanes;
      SL_UNROLL
      for (int c = 0; c < kFeatures; ++c) {
        feature[j][c] = m < num && c < of.compared.num ? of.compared.value(c, query, m) : INT32_MIN;
      }
      dominators[j] = m < num && is_kept(kept, m) ? 0 : of.k;
    }
    count_dominators(of.pivots + query * of.most_pivots, of.num_pivots[query],
                     static_cast<std::int32_t>(begin), feature, dominators);
    SL_UNROLL
    for (int j = 0; j < kEach; ++j) {
      const std::int64_t m = first + j * kLanes;
      if (m >= num) continue;
      const bool is_first = m < of.ends_of_first[query] && is_kept(kept, m);
      of.out[query * num + m] = dominators[j] < of.k || is_first;
    }
  }

 private:
  SL_HD void count_dominators(const Pivot* pivot, std::int32_t num, std::int32_t begin,
                              const std::int32_t (&feature)[kEach][kFeatures],
                              std::int32_t (&dominators)[kEach]) const {
    for (std::int32_t p = 0; p < num; ++p, ++pivot) {
      if (p % kLook == 0 && are_enough(dominators)) return;
      const Pivot by = *pivot;
      // One of a lower index has to have as much; one among them, or after them, has to have more.
      const std::int32_t more = by.memory < begin ? 0 : 1;
      std::int32_t least[kFeatures];
      SL_UNROLL
      for (int c = 0; c < kFeatures; ++c) least[c] = by.feature[c] - more;
      SL_UNROLL
      for (int j = 0; j < kEach; ++j) {
        bool is_dominated = true;
        SL_UNROLL
        for (int c = 0; c < kFeatures; ++c) {
          is_dominated = is_dominated && least[c] >= feature[j][c];
        }
        if (is_dominated) ++dominators[j];
      }
    }
  }

  SL_HD bool are_enough(const std::int32_t (&dominators)[kEach]) const {
    bool are = true;
    SL_UNROLL
    for (int j = 0; j < kEach; ++j) are = are && dominators[j] >= of.k;
    return are;
  }
};

constexpr int kFewCompared = 5;
using MarkBands5 = MarkBands<kFewCompared>;
using MarkBands8 = MarkBands<kMaxFeatures>;

/// Slot i is query i, or after the last: the first of its places.
struct FindFirstPlaces {
  const std::int32_t* places;
  const std::int32_t* num_places;
  std::int64_t num_memories;
  std::int32_t* out;

  SL_HD void operator()(std::int64_t i) const {
    std::int32_t low = 0, high = *num_places;
    while (low < high) {
      const std::int32_t middle = low + (high - low) / 2;
      if (places[middle] < i * num_memories) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    out[i] = low;
  }
};

/// Slot i is member i % width of query i / width.
struct GatherBands {
  BlendView memories;
  std::int64_t num_queries;
  PlacesView bands;
  std::int64_t width;
  std::int32_t* columns;

  SL_HD void operator()(std::int64_t i) const {
    const std::int64_t query = i / width, place = bands.first[query] + i % width;
    const bool is_one = place < bands.first[query + 1];
    const std::int64_t memory = is_one ? bands.places[place] - query * memories.num_memories : 0;
    for (int f = 0; f < memories.num_features; ++f) {
      const FeatureColumn& from = memories.features[f];
      columns[f * num_queries * width + i] =
          is_one ? from.values[query * from.query_stride + memory] : 0;
    }
  }
};

/// Slot i is word i % words of query i / words.
struct KeepMembers {
  PlacesView bands;
  std::int64_t words;
  std::uint64_t* out;

  SL_HD void operator()(std::int64_t i) const {
    const std::int64_t query = i / words;
    const std::int64_t rest = bands.first[query + 1] - bands.first[query] - i % words * 64;
    out[i] = rest <= 0 ? 0 : ~std::uint64_t{0} >> (rest < 64 ? 64 - rest : 0);
  }
};

/// Slot i is item i % per_query of query i / per_query.
struct NameMembers {
  PlacesView bands;
  std::int64_t num_memories, per_query;
  Scored* lists;

  SL_HD void operator()(std::int64_t i) const {
    const std::int64_t query = i / per_query;
    std::int32_t& memory = lists[i].memory;
    if (memory == kNoMemory) return;
    memory =
        static_cast<std::int32_t>(bands.places[bands.first[query] + memory] - query * num_memories);
  }
};

/// Queues the collecting of what is marked: places of marks that are 1, ascending, and how many.
/// The scratch has collect_cuda_scratch_bytes(). Returns 0, or CUDA's code of why nothing is
/// queued. CUB clears errors that are pending: launches before this must have been checked.
int collect_cuda(void* stream, const std::uint8_t* marks, std::int64_t count, std::int32_t* places,
                 std::int32_t* num_places, void* scratch, std::size_t scratch_bytes);
std::size_t collect_cuda_scratch_bytes(std::int64_t count);

/// As SIGHTLINE_FOR_EVERY_OP of ops.h.
#define SIGHTLINE_FOR_EVERY_BAND_OP(DO) \
  DO(FirstPlaces)                       \
  DO(PlacePivots)                       \
  DO(EndOfFirst)                        \
  DO(MarkBands5)                        \
  DO(MarkBands8)                        \
  DO(FindFirstPlaces)                   \
  DO(GatherBands)                       \
  DO(KeepMembers)                       \
  DO(NameMembers)

}  // namespace sightline::kernels
