// Blended ranks and lists are the integer oracle's, for every shape, weight, gate, instruction set
// and number of threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "support/blends.h"

namespace sightline::tests {
namespace {

using kernels::Executor;
using kernels::InstructionSet;
using kernels::Scored;

constexpr std::uint64_t kSeed = 20261122;

/// Shapes that meet every path: all blocks of memories and groups of mixes, float, double and
/// 64-bit sums, ties, signs, gates.
std::vector<BlendShape> all_shapes() {
  std::vector<BlendShape> shapes;
  for (const std::int64_t memories :
       {1, 2, 15, 16, 17, 64, 65, 120, 254, 255, 256, 257, 511, 512, 513, 1100}) {
    BlendShape shape;
    shape.num_memories = memories;
    shapes.push_back(shape);
    shape.largest_value = 3;  // ties everywhere
    shape.smallest_weight = -20;
    shape.share_kept = 0.5;
    shapes.push_back(shape);
    shape.num_mixes = 90;  // vectors of these, and some over
    shapes.push_back(shape);
  }
  for (const std::int64_t mixes : {1, 3, 4, 17, 255, 256, 257}) {
    BlendShape shape;
    shape.num_mixes = mixes;
    shape.num_memories = 40;
    shapes.push_back(shape);
  }
  for (int i = 0; i < 2 * kernels::kMaxFeatures; ++i) {
    BlendShape shape;
    shape.num_features = i / 2 + 1;
    shape.num_mixes = i % 2 == 0 ? 5 : 90;
    shape.smallest_value = -(1 << 18);
    shape.smallest_weight = -7;
    shape.largest_weight = 7;
    shapes.push_back(shape);
    shape.largest_weight = 4095;  // beyond float
    shapes.push_back(shape);
    shape.feature_bits = 30;  // beyond double
    shape.largest_value = 1 << 30;
    shape.smallest_weight = -(1 << 24);
    shape.largest_weight = 1 << 24;
    shapes.push_back(shape);
  }
  for (const double kept : {0.0, 0.01, 0.1, 0.99}) {
    BlendShape shape;
    shape.num_memories = 1500;
    shape.num_queries = 9;
    shape.share_kept = kept;
    shapes.push_back(shape);
  }
  return shapes;
}

void expect_oracle_ranks(const Blend& blend, const std::vector<std::int32_t>& ranks) {
  for (std::int64_t q = 0; q < blend.shape.num_queries; ++q) {
    for (std::int64_t c = 0; c < blend.shape.num_mixes; ++c) {
      const std::int64_t expected =
          oracle::rank_of(blend.query(q), blend.mix(c), blend.targets[std::size_t(q)]);
      ASSERT_EQ(ranks[std::size_t(q * blend.shape.num_mixes + c)], expected)
          << "query " << q << ", mix " << c << ", seed " << kSeed;
    }
  }
}

void expect_oracle_tops(const Blend& blend, int k, const std::vector<Scored>& tops) {
  for (std::int64_t q = 0; q < blend.shape.num_queries; ++q) {
    for (std::int64_t c = 0; c < blend.shape.num_mixes; ++c) {
      const auto expected = oracle::ranking(blend.query(q), blend.mix(c));
      const Scored* list = tops.data() + (q * blend.shape.num_mixes + c) * k;
      for (std::size_t i = 0; i < std::size_t(k); ++i) {
        const bool there = i < expected.size();
        ASSERT_EQ(list[i].memory, there ? expected[i].second : kernels::kNoMemory)
            << "place " << i << ", query " << q << ", mix " << c << ", seed " << kSeed;
        ASSERT_EQ(list[i].score, there ? expected[i].first : kernels::kNoScore);
        ASSERT_EQ(list[i].unused, 0);
      }
    }
  }
}

Executor with(InstructionSet set, int num_threads = 1) {
  Executor executor;
  executor.instructions = set;
  executor.num_threads = num_threads;
  return executor;
}

TEST(Blends, RankTargetsAsTheIntegerOracleDoes) {
  Random random(kSeed);
  for (const BlendShape& shape : all_shapes()) {
    SCOPED_TRACE(describe(shape));
    const Blend blend = make_blend(shape, random);
    for (const InstructionSet set : instruction_sets()) {
      SCOPED_TRACE(kernels::vector_target(set));
      expect_oracle_ranks(blend, ranks_of(blend, with(set)));
      if (HasFatalFailure()) return;
    }
  }
}

TEST(Blends, ListTheBestAsTheIntegerOracleDoes) {
  Random random(kSeed);
  for (const BlendShape& shape : all_shapes()) {
    SCOPED_TRACE(describe(shape));
    const Blend blend = make_blend(shape, random);
    for (const int k : {1, 3, 5, 8, 10, 11, 64}) {  // 64: more than some have
      for (const InstructionSet set : instruction_sets()) {
        SCOPED_TRACE(kernels::vector_target(set));
        expect_oracle_tops(blend, k, tops_of(blend, k, with(set)));
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(Blends, OfNoMemoriesAreEmptyLists) {
  Random random(kSeed);
  BlendShape shape;
  shape.num_memories = 0;
  const Blend blend = make_blend(shape, random);
  for (const InstructionSet set : instruction_sets()) {
    expect_oracle_tops(blend, 5, tops_of(blend, 5, with(set)));
  }
}

TEST(Blends, OfIdenticalMemoriesAreInOrderOfTheirIndices) {
  Random random(kSeed);
  BlendShape shape;
  shape.num_memories = 100;
  shape.smallest_value = shape.largest_value = 1234;
  shape.smallest_weight = -20;
  const Blend blend = make_blend(shape, random);
  for (const InstructionSet set : instruction_sets()) {
    const std::vector<std::int32_t> ranks = ranks_of(blend, with(set));
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      EXPECT_EQ(ranks[i], blend.targets[i / std::size_t(shape.num_mixes)]);
    }
    const std::vector<Scored> tops = tops_of(blend, 5, with(set));
    for (std::size_t i = 0; i < tops.size(); ++i) EXPECT_EQ(tops[i].memory, std::int32_t(i % 5));
  }
}

// The last step before float no longer holds every score, and the first beyond.
TEST(Blends, AreExactWhereFloatEnds) {
  for (const std::int32_t weight : {31, 32, 63, 64, 65}) {
    Blend blend;
    blend.shape.num_memories = 3;
    blend.shape.num_features = 2;
    blend.shape.num_queries = blend.shape.num_mixes = 1;
    constexpr std::int32_t kOne = 1 << 18;
    blend.columns = {{kOne - 1, kOne, kOne}, {kOne, kOne - 1, kOne - 2}};
    blend.targets = {1};
    blend.weights = {weight - 1, 1};
    for (const InstructionSet set : instruction_sets()) {
      expect_oracle_ranks(blend, ranks_of(blend, with(set)));
      expect_oracle_tops(blend, 3, tops_of(blend, 3, with(set)));
    }
  }
}

// The furthest that scores may lie apart for keys that hold them in 31 bits with an index
// (kernels/top_network-inl.h), and a step further; signs of either kind.
TEST(Blends, AreExactWhereKeysEnd) {
  constexpr std::int32_t kFurthest = 8323071;
  for (const std::int32_t spread : {kFurthest - 1, kFurthest, kFurthest + 1, kFurthest + 500}) {
    for (const std::int32_t weight : {1, -1}) {
      Blend blend;
      blend.shape.num_memories = 8;
      blend.shape.num_features = blend.shape.num_queries = blend.shape.num_mixes = 1;
      blend.shape.feature_bits = 23;
      const std::int32_t low = -spread / 2, high = low + spread;
      blend.columns = {{high - 1, low, high, low + 1, 0, high, low, 1}};
      blend.targets = {0};
      blend.weights = {weight};
      for (const InstructionSet set : instruction_sets()) {
        for (const int k : {3, 8}) expect_oracle_tops(blend, k, tops_of(blend, k, with(set)));
      }
    }
  }
}

TEST(Blends, DoNotDependOnThreads) {
  Random random(kSeed);
  for (const std::int64_t queries : {1, 7, 70}) {
    BlendShape shape;
    shape.num_queries = queries;
    shape.num_mixes = 300;
    shape.share_kept = 0.7;
    const Blend blend = make_blend(shape, random);
    for (const InstructionSet set : instruction_sets()) {
      const std::vector<std::int32_t> ranks = ranks_of(blend, with(set));
      const std::vector<Scored> tops = tops_of(blend, 5, with(set));
      for (const int threads : {2, 4}) {
        EXPECT_EQ(ranks, ranks_of(blend, with(set, threads)));
        EXPECT_TRUE(same_bytes(tops, tops_of(blend, 5, with(set, threads))));
      }
    }
  }
}

// A batch may be split where the host likes.
TEST(Blends, DoNotDependOnTheBatch) {
  Random random(kSeed);
  BlendShape shape;
  shape.num_queries = 10;
  shape.share_kept = 0.5;
  const Blend blend = make_blend(shape, random);
  const std::vector<std::int32_t> whole = ranks_of(blend, {});
  for (std::int64_t q = 0; q < shape.num_queries; ++q) {
    kernels::BlendView one = blend.view();
    for (kernels::FeatureColumn& column : one.features) column.values += q * column.query_stride;
    one.kept += q * kernels::words_of_bits(shape.num_memories);
    std::vector<std::int32_t> ranks(std::size_t(shape.num_mixes));
    target_ranks({}, one, &blend.targets[std::size_t(q)], 1, blend.weights.data(), shape.num_mixes,
                 ranks.data());
    EXPECT_TRUE(std::equal(ranks.begin(), ranks.end(), whole.begin() + q * shape.num_mixes));
  }
}

TEST(InstructionSets, AreNamedWhereTheyAreThere) {
  EXPECT_TRUE(kernels::has_instruction_set(InstructionSet::kBest));
  EXPECT_TRUE(kernels::has_instruction_set(InstructionSet::kPortable));
  EXPECT_STREQ(kernels::vector_target(InstructionSet::kPortable), "scalar");
  if (kernels::has_instruction_set(InstructionSet::kAvx2)) {
    EXPECT_STREQ(kernels::vector_target(InstructionSet::kAvx2), "AVX2");
  }
  if (kernels::has_instruction_set(InstructionSet::kAvx512)) {
    EXPECT_STREQ(kernels::vector_target(InstructionSet::kAvx512), "AVX3");
  }
}

}  // namespace
}  // namespace sightline::tests
