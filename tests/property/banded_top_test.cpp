// The k best of many mixes through the k-skyband are the k best of all, bit for bit.
#include "host/banded_top.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/bands.h"

namespace sightline::tests {
namespace {

using kernels::Scored;

constexpr std::uint64_t kSeed = 20261123;

void expect_same_lists(const Blend& blend, int k) {
  for (const kernels::InstructionSet set : instruction_sets()) {
    for (const int threads : {1, 2}) {
      kernels::Executor executor;
      executor.instructions = set;
      executor.num_threads = threads;
      std::vector<Scored> lists;
      host::banded_top_memories(call_of(blend, k, &lists, executor), rule_of(blend));
      EXPECT_TRUE(same_bytes(lists, tops_of(blend, k, executor)))
          << kernels::vector_target(set) << ", k " << k << ", " << threads << " threads, seed "
          << kSeed;
    }
  }
}

TEST(BandedTop, HasTheBestOfAllMixes) {
  Random random(kSeed);
  BlendShape shape;
  shape.num_queries = 18;  // beyond one group
  shape.num_mixes = 6;
  for_each_lattice_blend(shape, {}, random, expect_same_lists);
}

// With so many mixes that they stand in boxes within boxes, features of all widths.
TEST(BandedTop, HasTheBestOfManyMixes) {
  Random random(kSeed);
  for (const int bits : {18, 22, 30}) {
    BlendShape shape;
    shape.num_memories = 500;
    shape.num_queries = 2;
    shape.feature_bits = bits;
    shape.largest_value = 1 << bits;
    shape.smallest_value = -(1 << bits);
    shape.num_features = 3;
    shape.num_mixes = 6100;
    SCOPED_TRACE(describe(shape) + ", seed " + std::to_string(kSeed));
    Blend blend = make_blend(shape, random);
    give_lattice_weights(&blend, random, {1});
    expect_same_lists(blend, 5);
  }
}

// Constant features are not compared; mixes of them alone tie all memories.
TEST(BandedTop, HasTheBestUnderFeaturesThatAreTheSameForAll) {
  Random random(kSeed);
  for (const double kept : {1.0, 0.3}) {
    BlendShape shape;
    shape.num_memories = 1000;
    shape.num_features = 4;
    shape.num_mixes = 20;
    shape.share_kept = kept;
    SCOPED_TRACE(describe(shape) + ", seed " + std::to_string(kSeed));
    Blend blend = make_blend(shape, random);
    give_lattice_weights(&blend, random);
    std::fill(blend.columns[1].begin(), blend.columns[1].end(), 77);
    std::fill(blend.columns[2].begin(), blend.columns[2].end(), 5);
    for (const int f : {1, 2}) {  // all the weight on one of them
      std::fill_n(blend.weights.begin() + f * shape.num_features, shape.num_features, 0);
      blend.weights[std::size_t(f * shape.num_features + f)] = 3;
    }
    for (const int k : {1, 5}) expect_same_lists(blend, k);
    std::fill(blend.columns[0].begin(), blend.columns[0].end(), 9);
    std::fill(blend.columns[3].begin(), blend.columns[3].end(), 0);
    expect_same_lists(blend, 5);
  }
}

}  // namespace
}  // namespace sightline::tests
