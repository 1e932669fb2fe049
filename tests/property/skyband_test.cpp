// The k-skyband: what dominance means, and what is left. That the k best of what is left are the k
// best of all: banded_top_test.cpp.
#include "kernels/skyband.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "kernels/dominance.h"
#include "support/bands.h"

namespace sightline::tests {
namespace {

using kernels::BandMember;
using kernels::DominanceRule;
using kernels::Executor;

constexpr std::uint64_t kSeed = 20261123;

Executor with(kernels::InstructionSet set, int num_threads = 1) {
  Executor executor;
  executor.instructions = set;
  executor.num_threads = num_threads;
  return executor;
}

std::vector<std::int64_t> kept_of(const Blend& blend, std::int64_t q) {
  std::vector<std::int64_t> kept;
  for (std::int64_t m = 0; m < blend.shape.num_memories; ++m) {
    if (blend.query(q).keeps(m)) kept.push_back(m);
  }
  return kept;
}

/// Those of `band` that fewer than k of `by` dominate, by counting them all.
std::vector<std::int64_t> left_by_counting(const Blend& blend, const DominanceRule& rule,
                                           std::int64_t q, const std::vector<std::int64_t>& band,
                                           const std::vector<std::int64_t>& by, int k) {
  std::vector<std::int64_t> left;
  for (const std::int64_t m : band) {
    const auto num = std::count_if(by.begin(), by.end(), [&](std::int64_t other) {
      return is_ahead_everywhere(blend, rule, q, other, m);
    });
    if (num < k) left.push_back(m);
  }
  return left;
}

std::vector<std::int64_t> indices_in(const std::vector<std::uint64_t>& bits, std::int64_t q,
                                     std::int64_t num_memories) {
  std::vector<std::int64_t> indices;
  const std::int64_t words = kernels::words_of_bits(num_memories);
  for (std::int64_t m = 0; m < words * 64; ++m) {
    if ((bits[std::size_t(q * words + m / 64)] >> m % 64 & 1) != 0) indices.push_back(m);
  }
  return indices;
}

// All pairs of small values, all small weights: the rule says neither too much nor too little.
TEST(Dominance, IsToComeFirstUnderAllWeightsThatAreNotAllZero) {
  constexpr int kValues = 3, kWeights = 3;
  for (int features = 1; features <= 3; ++features) {
    Blend blend;
    blend.shape.num_features = features;
    blend.shape.num_queries = 1;
    std::int64_t num = 1;
    for (int f = 0; f < features; ++f) num *= kValues;
    blend.shape.num_memories = 2 * num;  // each twice
    blend.columns.resize(std::size_t(features));
    std::vector<oracle::Mix> mixes;
    for (std::int64_t i = 0; i < 2 * num; ++i) {
      oracle::Mix mix;
      for (std::int64_t f = 0, rest = i % num; f < features; ++f, rest /= kValues) {
        blend.columns[std::size_t(f)].push_back(std::int32_t(rest % kValues));
        mix.push_back(std::int32_t(rest % kWeights));
      }
      if (i > 0 && i < num) mixes.push_back(mix);
    }
    const kernels::QueryMemories of(blend.view(), 0);
    const oracle::RecallQuery query = blend.query(0);
    const auto score = [&](const oracle::Mix& mix, std::int64_t m) {
      std::int64_t sum = 0;
      for (int f = 0; f < features; ++f) sum += mix[std::size_t(f)] * query.feature(f, m);
      return sum;
    };
    for (std::int64_t a = 0; a < 2 * num; ++a) {
      for (std::int64_t b = 0; b < 2 * num; ++b) {
        if (a == b) continue;
        const bool always = std::all_of(mixes.begin(), mixes.end(), [&](const oracle::Mix& mix) {
          return score(mix, a) > score(mix, b) || (score(mix, a) == score(mix, b) && a < b);
        });
        EXPECT_EQ(dominates(of, all_ascend(features), features, a, b), always)
            << features << " features, memories " << a << " and " << b;
      }
    }
  }
}

/// Shapes with many ties and with few, gates, and blocks of all sizes.
std::vector<BlendShape> all_shapes() {
  std::vector<BlendShape> shapes;
  for (const std::int64_t memories : {1, 5, 63, 64, 65, 127, 128, 700}) {
    for (const std::int32_t largest : {2, 40, 1 << 18}) {
      BlendShape shape;
      shape.num_memories = memories;
      shape.largest_value = largest;
      shape.smallest_value = -largest / 2;
      shape.num_features = 3;
      shapes.push_back(shape);
      shape.share_kept = 0.6;
      shapes.push_back(shape);
    }
  }
  for (int features = 1; features <= kernels::kMaxFeatures; ++features) {
    BlendShape shape;
    shape.num_memories = 300;
    shape.num_features = features;
    shape.feature_bits = 30;
    shape.largest_value = 1 << 30;
    shape.smallest_value = -(1 << 30);
    shapes.push_back(shape);
  }
  return shapes;
}

/// Some of the features, some the other way round, some of them keys; one at least is none.
DominanceRule random_rule(int num_features, Random& random) {
  DominanceRule rule;
  for (int f = 0; f < num_features; ++f) {
    rule.direction[f] = std::int8_t(random.integer(-1, 1));
    rule.least[f] = std::int32_t(random.integer(0, 1) * random.integer(1, 3));
  }
  const auto other = random.integer(0, num_features - 1);
  rule.direction[other] = 1;
  rule.least[other] = 0;
  return rule;
}

TEST(Skyband, DropsWhatEnoughPivotsDominate) {
  Random random(kSeed);
  for (const BlendShape& shape : all_shapes()) {
    SCOPED_TRACE(describe(shape) + ", seed " + std::to_string(kSeed));
    const Blend blend = make_blend(shape, random);
    const DominanceRule rule = random_rule(shape.num_features, random);
    constexpr std::int64_t kPivots = 70;
    std::vector<std::int32_t> pivots;
    std::vector<std::vector<std::int64_t>> by;
    for (std::int64_t q = 0; q < shape.num_queries; ++q) {
      std::set<std::int64_t> some;
      const std::vector<std::int64_t> kept = kept_of(blend, q);
      for (int i = 0; i < kPivots && !kept.empty(); ++i) {
        some.insert(kept[std::size_t(random.integer(0, std::int64_t(kept.size()) - 1))]);
      }
      by.emplace_back(some.begin(), some.end());
      pivots.insert(pivots.end(), some.begin(), some.end());
      pivots.resize(std::size_t((q + 1) * kPivots), kernels::kNoMemory);
    }
    for (const int k : some_of({1, 2, 9})) {
      std::vector<std::vector<std::int64_t>> expected;
      for (std::int64_t q = 0; q < shape.num_queries; ++q) {
        expected.push_back(
            left_by_counting(blend, rule, q, kept_of(blend, q), by[std::size_t(q)], k));
      }
      for (const kernels::InstructionSet set : instruction_sets()) {
        std::vector<std::uint64_t> bits(blend.kept.size(), ~std::uint64_t{0});
        drop_dominated(with(set), blend.view(), shape.num_queries, rule, pivots.data(), kPivots, k,
                       bits.data());
        for (std::int64_t q = 0; q < shape.num_queries; ++q) {
          EXPECT_EQ(indices_in(bits, q, shape.num_memories), expected[std::size_t(q)])
              << kernels::vector_target(set) << ", k " << k;
        }
      }
    }
  }
}

/// What thin_bands() leaves of all kept memories.
std::vector<std::vector<std::int64_t>> thinned(const Blend& blend, const DominanceRule& rule, int k,
                                               std::int64_t most_tests, const Executor& executor,
                                               Random& random) {
  std::vector<BandMember> members;
  std::vector<std::int64_t> first = {0}, num_left(std::size_t(blend.shape.num_queries));
  for (std::int64_t q = 0; q < blend.shape.num_queries; ++q) {
    for (const std::int64_t m : kept_of(blend, q)) {
      members.push_back({0, std::int32_t(m), 0});
      const auto before = random.integer(first.back(), std::int64_t(members.size()) - 1);
      std::swap(members[std::size_t(before)], members.back());  // in any order
    }
    first.push_back(std::int64_t(members.size()));
  }
  std::vector<std::int32_t> scratch(std::size_t(kernels::band_scratch_values(
      first.back(), blend.shape.num_queries, blend.shape.num_features)));
  thin_bands(executor, blend.view(), blend.shape.num_queries, rule, k, most_tests,
             {first.data(), members.data()}, scratch.data(), num_left.data());
  std::vector<std::vector<std::int64_t>> left(std::size_t(blend.shape.num_queries));
  for (std::size_t q = 0; q < left.size(); ++q) {
    for (std::int64_t i = 0; i < num_left[q]; ++i) {
      left[q].push_back(members[std::size_t(first[q] + i)].memory);
    }
  }
  return left;
}

TEST(Skyband, IsWhatFewerThanKOthersDominate) {
  Random random(kSeed);
  for (const BlendShape& shape : all_shapes()) {
    SCOPED_TRACE(describe(shape) + ", seed " + std::to_string(kSeed));
    const Blend blend = make_blend(shape, random);
    const DominanceRule rule = random_rule(shape.num_features, random);
    for (const int k : {1, 5}) {
      std::vector<std::vector<std::int64_t>> expected;
      for (std::int64_t q = 0; q < shape.num_queries; ++q) {
        const std::vector<std::int64_t> kept = kept_of(blend, q);
        expected.push_back(left_by_counting(blend, rule, q, kept, kept, k));
      }
      for (const kernels::InstructionSet set : instruction_sets()) {
        const auto left = thinned(blend, rule, k, std::int64_t{1} << 40, with(set), random);
        const auto cut_short = thinned(blend, rule, k, 500, with(set), random);
        for (std::int64_t q = 0; q < shape.num_queries; ++q) {
          EXPECT_EQ(left[std::size_t(q)], expected[std::size_t(q)])
              << kernels::vector_target(set) << ", k " << k;
          const auto& more = cut_short[std::size_t(q)];
          EXPECT_TRUE(std::includes(more.begin(), more.end(), left[std::size_t(q)].begin(),
                                    left[std::size_t(q)].end()));
        }
      }
    }
  }
}

}  // namespace
}  // namespace sightline::tests
