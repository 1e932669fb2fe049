// The k best of many mixes of any signs through blocks of memories are the k best of all, bit for
// bit.
#include "host/blocked_top.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/blends.h"
#include "support/effort.h"
#include "support/mixes.h"

namespace sightline::tests {
namespace {

using kernels::Executor;
using kernels::InstructionSet;
using kernels::Scored;

constexpr std::uint64_t kSeed = 20261125;

Executor plain() {
  Executor executor;
  executor.instructions = InstructionSet::kPortable;
  return executor;
}

host::TopCall call_of(const Blend& blend, int k, const Executor& executor,
                      std::vector<Scored>* lists) {
  return {executor,
          blend.view(),
          blend.shape.num_queries,
          blend.weights.data(),
          blend.shape.num_mixes,
          k,
          [] {},
          lists->data()};
}

void expect_same_lists(const Blend& blend, int k) {
  const std::vector<Scored> expected = tops_of(blend, k, plain());
  for (const InstructionSet set : instruction_sets()) {
    for (const int threads : {1, 3}) {
      Executor executor;
      executor.instructions = set;
      executor.num_threads = threads;
      std::vector<Scored> lists(expected.size(), {7, 7, 7});
      const host::TopCall call = call_of(blend, k, executor, &lists);
      if (!host::blocks_serve(call)) {
        EXPECT_EQ(set, InstructionSet::kPortable);
        continue;
      }
      host::blocked_top_memories(call);
      EXPECT_TRUE(same_bytes(lists, expected))
          << kernels::vector_target(set) << ", k " << k << ", " << threads << " threads";
    }
  }
}

/// Weights of any signs; some are 0, all of the first mix.
void give_weights(Blend* blend, std::int32_t largest, Random& random) {
  for (std::int32_t& weight : blend->weights) {
    weight = random.chance(0.2) ? 0 : std::int32_t(random.integer(-largest, largest));
  }
  std::fill_n(blend->weights.begin(), blend->shape.num_features, 0);
}

// One block and less, a group of 16 blocks, 16 groups, and more; floats for 18 bits, else doubles.
TEST(BlockedTop, HasTheBestOfAllMixes) {
  Random random(kSeed);
  for (const std::int64_t memories : {0, 1, 31, 33, 513, 8193, 20'000}) {
    for (const int bits : {18, 22}) {
      for (const std::int32_t largest : {1, 1 << bits}) {
        for (const double kept : {1.0, 0.4, 0.002}) {
          BlendShape shape;
          shape.num_memories = memories;
          shape.num_queries = 3;
          shape.num_features = memories % 2 == 0 ? 4 : 5;
          shape.feature_bits = bits;
          shape.largest_value = largest;
          shape.smallest_value = -largest;
          shape.share_kept = kept;
          shape.num_mixes = effort<std::int64_t>(90);
          SCOPED_TRACE(describe(shape) + ", seed " + std::to_string(kSeed));
          Blend blend = make_blend(shape, random);
          give_weights(&blend, 12, random);
          for (const int k : some_of({1, 5, 64})) expect_same_lists(blend, k);
        }
      }
    }
  }
}

TEST(BlockedTop, HasTheBestOfAnyNumberOfFeatures) {
  Random random(kSeed);
  for (int features = 1; features <= kernels::kMaxFeatures; ++features) {
    BlendShape shape;
    shape.num_memories = 3000;
    shape.num_queries = 1;
    shape.num_features = features;
    shape.feature_bits = kernels::kMaxFeatureBits;
    shape.largest_value = 1 << kernels::kMaxFeatureBits;
    shape.smallest_value = -shape.largest_value;
    shape.num_mixes = 70;
    SCOPED_TRACE(describe(shape) + ", seed " + std::to_string(kSeed));
    Blend blend = make_blend(shape, random);
    give_weights(&blend, 1 << 19, random);
    expect_same_lists(blend, 7);
  }
}

// Features that are the same for all memories, and memories that are all the same.
TEST(BlockedTop, HasTheBestWhereMemoriesAreAlike) {
  Random random(kSeed);
  BlendShape shape;
  shape.num_memories = 2000;
  shape.num_queries = 2;
  shape.num_features = 3;
  shape.num_mixes = 80;
  SCOPED_TRACE(describe(shape) + ", seed " + std::to_string(kSeed));
  Blend blend = make_blend(shape, random);
  give_weights(&blend, 12, random);
  for (std::vector<std::int32_t>& column : blend.columns) {
    std::fill(column.begin(), column.end(), -77);
    expect_same_lists(blend, 5);
  }
}

TEST(BlockedTop, ServesSumsThatDoublesHold) {
  Random random(kSeed);
  BlendShape shape;
  shape.num_features = 1;
  shape.num_mixes = 1;
  shape.feature_bits = 30;
  Blend blend = make_blend(shape, random);
  std::vector<Scored> lists(3);
  blend.weights = {(1 << 23) - 1};
  EXPECT_TRUE(host::blocks_serve(call_of(blend, 1, {}, &lists)));
  blend.weights = {-(1 << 23)};
  EXPECT_FALSE(host::blocks_serve(call_of(blend, 1, {}, &lists)));
}

}  // namespace
}  // namespace sightline::tests
