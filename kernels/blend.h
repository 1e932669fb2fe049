// The ops of blended scores: the rank of a target, the k best. Each slot is one query and one mix.
//
// A score is a sum of products of integers. Where no sum can reach 2^24, float holds it exactly;
// the weights tell (their absolute values add up to 63 or less at 18 bits), and the ranks are the
// same. Scores are compared with each other, never subtracted.
#pragma once

#include "kernels/hd.h"
#include "kernels/recall.h"

namespace sightline::kernels {

/// A query's memories: its features and which of them take part.
struct QueryMemories {
  const std::int32_t* features[kMaxFeatures];
  const std::uint64_t* kept;  ///< null: all

  SL_HD QueryMemories(const BlendView& memories, std::int64_t query)
      : kept(memories.kept == nullptr
                 ? nullptr
                 : memories.kept + query * words_of_bits(memories.num_memories)) {
    for (int f = 0; f < memories.num_features; ++f) {
      features[f] = memories.features[f].values + query * memories.features[f].query_stride;
    }
  }

  SL_HD bool keeps(std::int64_t memory) const {
    return kept == nullptr || (kept[memory / 64] >> (memory % 64) & 1) != 0;
  }

  template <class Number>
  SL_HD Number score(const std::int32_t* weights, int num_features, std::int64_t memory) const {
    Number sum = 0;
    for (int f = 0; f < num_features; ++f) {
      sum += static_cast<Number>(weights[f]) * static_cast<Number>(features[f][memory]);
    }
    return sum;
  }
};

/// No sum on the way to a score under these weights exceeds this in absolute value.
SL_HD inline std::int64_t largest_score(const std::int32_t* mix, const BlendView& memories) {
  std::int64_t sum = 0;
  for (int f = 0; f < memories.num_features; ++f) {
    sum += mix[f] < 0 ? -std::int64_t{mix[f]} : std::int64_t{mix[f]};
  }
  return sum << memories.feature_bits;
}

/// The same under any of num_mixes mixes from first_mix on.
inline std::int64_t largest_score(const std::int32_t* weights, const BlendView& memories,
                                  std::int64_t first_mix, std::int64_t num_mixes) {
  std::int64_t largest = 0;
  for (std::int64_t c = first_mix; c < first_mix + num_mixes; ++c) {
    const std::int64_t score = largest_score(weights + c * memories.num_features, memories);
    if (score > largest) largest = score;
  }
  return largest;
}

constexpr std::int64_t kFloatHolds = std::int64_t{1} << 24;   ///< integers up to this, exactly
constexpr std::int64_t kDoubleHolds = std::int64_t{1} << 53;  ///< likewise

SL_HD inline bool fits_float(const std::int32_t* mix, const BlendView& memories) {
  return largest_score(mix, memories) < kFloatHolds;
}

/// Slot i is mix i % num_mixes for query i / num_mixes; likewise below.
struct TargetRanks {
  BlendView memories;
  const std::int64_t* targets;
  const std::int32_t* weights;
  std::int64_t num_mixes;
  std::int32_t* out;

  SL_HD void operator()(std::int64_t i) const {
    const std::int64_t query = i / num_mixes;
    const std::int32_t* mix = weights + i % num_mixes * memories.num_features;
    out[i] = fits_float(mix, memories) ? rank<float>(query, mix) : rank<std::int64_t>(query, mix);
  }

  template <class Number>
  SL_HD std::int32_t rank(std::int64_t query, const std::int32_t* mix) const {
    const QueryMemories of(memories, query);
    const std::int64_t target = targets[query];
    if (!of.keeps(target)) return kNoRank;
    const Number mark = of.score<Number>(mix, memories.num_features, target);
    std::int32_t rank = 0;
    for (std::int64_t m = 0; m < memories.num_memories; ++m) {
      if (!of.keeps(m)) continue;
      const Number score = of.score<Number>(mix, memories.num_features, m);
      rank += m < target ? score >= mark : score > mark;
    }
    return rank;
  }
};

/// Puts a memory in its place among the k best, `list`, which hold only lower indices: it comes
/// after those that score as much. It must score more than the last.
SL_HD inline void insert_scored(Scored* list, int k, std::int64_t score, std::int32_t memory) {
  int place = k - 1;
  for (; place > 0 && list[place - 1].score < score; --place) list[place] = list[place - 1];
  list[place] = {score, memory, 0};
}

struct TopMemories {
  BlendView memories;
  const std::int32_t* weights;
  std::int64_t num_mixes;
  int k;
  Scored* out;

  SL_HD void operator()(std::int64_t i) const {
    const std::int32_t* mix = weights + i % num_mixes * memories.num_features;
    const QueryMemories of(memories, i / num_mixes);
    if (fits_float(mix, memories)) {
      fill<float>(of, mix, out + i * k);
    } else {
      fill<std::int64_t>(of, mix, out + i * k);
    }
  }

  template <class Number>
  SL_HD void fill(const QueryMemories& of, const std::int32_t* mix, Scored* list) const {
    fill<Number>(of, mix, 0, memories.num_memories, list);
  }
  /// From memories begin to end - 1.
  template <class Number>
  SL_HD void fill(const QueryMemories& of, const std::int32_t* mix, std::int64_t begin,
                  std::int64_t end, Scored* list) const {
    for (int place = 0; place < k; ++place) list[place] = Scored();
    Number worst = static_cast<Number>(kNoScore);  // a power of two: float holds it
    for (std::int64_t m = begin; m < end; ++m) {
      if (!of.keeps(m)) continue;
      const Number score = of.score<Number>(mix, memories.num_features, m);
      if (!(score > worst)) continue;
      insert_scored(list, k, static_cast<std::int64_t>(score), static_cast<std::int32_t>(m));
      worst = static_cast<Number>(list[k - 1].score);
    }
  }
};

}  // namespace sightline::kernels
