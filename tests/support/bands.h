// What tests of bands ask: blends with weights of a lattice, the rule of their signs, calls of all
// their mixes.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "host/fast_top.h"
#include "host/top_call.h"
#include "support/blends.h"
#include "support/effort.h"

namespace sightline::tests {

inline kernels::DominanceRule all_ascend(int num_features) {
  kernels::DominanceRule rule;
  std::fill_n(rule.direction, num_features, std::int8_t{1});
  return rule;
}

/// Many weights are 0, all of the first mix too; of the features of `falling`, less is better.
inline void give_lattice_weights(Blend* blend, Random& random,
                                 const std::vector<int>& falling = {}) {
  for (std::int32_t& weight : blend->weights) {
    weight = random.chance(0.5) ? 0 : static_cast<std::int32_t>(random.integer(1, 6));
  }
  const auto num_features = static_cast<std::size_t>(blend->shape.num_features);
  std::fill_n(blend->weights.begin(), num_features, 0);
  for (const int f : falling) {
    if (f >= blend->shape.num_features) continue;
    for (auto i = static_cast<std::size_t>(f); i < blend->weights.size(); i += num_features) {
      blend->weights[i] *= -1;
    }
  }
}

/// The rule of skyband.h, in other words than dominance.h: b never gets ahead.
inline bool is_ahead_everywhere(const Blend& blend, const kernels::DominanceRule& rule,
                                std::int64_t q, std::int64_t a, std::int64_t b) {
  const oracle::RecallQuery query = blend.query(q);
  std::int64_t least = std::int64_t{1} << 40;
  for (int f = 0; f < blend.shape.num_features; ++f) {
    if (rule.direction[f] == 0) continue;
    const std::int64_t ahead = rule.direction[f] * (query.feature(f, a) - query.feature(f, b));
    if (rule.least[f] == 0) least = std::min(least, ahead);
    if (ahead < rule.least[f]) return false;
  }
  return least > 0 || (least == 0 && a < b);
}

/// Of all mixes, which agree in their signs.
inline kernels::DominanceRule rule_of(const Blend& blend) {
  const std::vector<host::SignGroup> groups =
      host::group_by_sign(blend.weights.data(), blend.shape.num_mixes, blend.shape.num_features);
  EXPECT_EQ(groups.size(), 1u);
  return groups[0].rule;
}

/// A call for the k best of all mixes, into `lists`, which holds nonsense until then.
inline host::TopCall call_of(const Blend& blend, int k, std::vector<kernels::Scored>* lists,
                             const kernels::Executor& executor = {}) {
  const BlendShape& shape = blend.shape;
  lists->assign(static_cast<std::size_t>(shape.num_queries * shape.num_mixes * k), {7, 7, 7});
  return {executor, blend.view(), shape.num_queries, blend.weights.data(), shape.num_mixes,
          k,        [] {},        lists->data()};
}

/// Calls visit(blend, k) for blends of few memories and many, with ties and without, gated and not,
/// otherwise of the shape of `of`.
template <class Visit>
void for_each_lattice_blend(BlendShape of, const std::vector<int>& falling, Random& random,
                            const Visit& visit) {
  for (const std::int64_t memories : {1, 30, 129, 200, 1500}) {
    for (const std::int32_t largest : {1, 30, 1 << 18}) {
      for (const double kept : some_of({1.0, 0.5, 0.01})) {
        for (const int features : {1, 2, 4, 7}) {
          of.num_memories = memories;
          of.largest_value = largest;
          of.num_features = features;
          of.share_kept = kept;
          SCOPED_TRACE(describe(of));
          Blend blend = make_blend(of, random);
          give_lattice_weights(&blend, random, falling);
          for (const int k : some_of({1, 5, 64})) visit(blend, k);
        }
      }
    }
  }
}

}  // namespace sightline::tests
