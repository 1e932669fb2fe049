// The ops of dominance between memories: skyband.h says what it is.
#pragma once

#include "kernels/blend.h"
#include "kernels/skyband.h"

namespace sightline::kernels {

/// Does a come before b under every mix that the rule is for?
SL_HD inline bool dominates(const QueryMemories& of, const DominanceRule& rule, int num_features,
                            std::int64_t a, std::int64_t b) {
  bool all_above = true;
  for (int f = 0; f < num_features; ++f) {
    if (rule.direction[f] == 0) continue;
    const std::int32_t of_a = rule.direction[f] * of.features[f][a] - rule.least[f];
    const std::int32_t of_b = rule.direction[f] * of.features[f][b];
    if (of_a < of_b) return false;
    all_above = all_above && (of_a > of_b || rule.least[f] > 0);
  }
  return all_above || a < b;
}

/// Slot i is word i % words of query i / words.
struct DropDominated {
  BlendView memories;
  DominanceRule rule;
  const std::int32_t* pivots;
  std::int64_t num_pivots;
  int k;
  std::uint64_t* out;

  SL_HD void operator()(std::int64_t i) const {
    const std::int64_t words = words_of_bits(memories.num_memories);
    const std::int64_t query = i / words, begin = i % words * 64;
    const QueryMemories of(memories, query);
    std::uint64_t left = 0;
    for (std::int64_t m = begin; m < begin + 64 && m < memories.num_memories; ++m) {
      if (of.keeps(m) && !is_dropped(of, pivots + query * num_pivots, m)) {
        left |= std::uint64_t{1} << (m - begin);
      }
    }
    out[i] = left;
  }

  SL_HD bool is_dropped(const QueryMemories& of, const std::int32_t* by, std::int64_t m) const {
    int num = 0;
    for (std::int64_t p = 0; p < num_pivots && num < k; ++p) {
      num += by[p] != kNoMemory && dominates(of, rule, memories.num_features, by[p], m);
    }
    return num >= k;
  }
};

/// Slot i is query i. Runs on the host, which sorts.
struct ThinBands {
  BlendView memories;
  DominanceRule rule;
  int k;
  std::int64_t most_tests;
  BandMembersView bands;
  std::int32_t* scratch;
  std::int64_t* num_left;

  /// Strongest first: no member is dominated by one that comes after it.
  void sort_by_strength(std::int64_t query) const;
  /// Leaves the first num of the query's band, by ascending index.
  void finish(std::int64_t query, std::int64_t num) const;
  void operator()(std::int64_t query) const;
};

}  // namespace sightline::kernels
