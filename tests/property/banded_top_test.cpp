// The k best of many mixes through the k-skyband are the k best of all, bit for bit.
#include "host/banded_top.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "host/fast_top.h"
#include "support/blends.h"
#include "support/effort.h"

namespace sightline::tests {
namespace {

using kernels::Scored;

constexpr std::uint64_t kSeed = 20261123;

void expect_same_lists(const Blend& blend, int k) {
  const BlendShape& shape = blend.shape;
  const auto groups =
      host::group_by_sign(blend.weights.data(), shape.num_mixes, shape.num_features);
  ASSERT_EQ(groups.size(), 1u);
  for (const kernels::InstructionSet set : instruction_sets()) {
    for (const int threads : {1, 2}) {
      kernels::Executor executor;
      executor.instructions = set;
      executor.num_threads = threads;
      std::vector<Scored> lists(std::size_t(shape.num_queries * shape.num_mixes * k), {7, 7, 7});
      host::banded_top_memories({executor, blend.view(), shape.num_queries, blend.weights.data(),
                                 shape.num_mixes, k, [] {}, lists.data()},
                                groups[0].rule);
      EXPECT_TRUE(same_bytes(lists, tops_of(blend, k, executor)))
          << kernels::vector_target(set) << ", k " << k << ", " << threads << " threads";
    }
  }
}

/// Weights of a lattice: many are 0, all of a mix too.
void give_lattice_weights(Blend* blend, Random& random) {
  for (std::int32_t& weight : blend->weights) {
    weight = random.chance(0.5) ? 0 : std::int32_t(random.integer(1, 6));
  }
  std::fill_n(blend->weights.begin(), blend->shape.num_features, 0);
}

TEST(BandedTop, HasTheBestOfAllMixes) {
  Random random(kSeed);
  for (const std::int64_t memories : {1, 30, 200, 1500}) {
    for (const std::int32_t largest : {1, 30, 1 << 18}) {
      for (const double kept : some_of({1.0, 0.5, 0.01})) {
        for (const int features : {1, 2, 4}) {
          BlendShape shape;
          shape.num_memories = memories;
          shape.num_queries = 18;  // beyond one group
          shape.largest_value = largest;
          shape.num_features = features;
          shape.share_kept = kept;
          shape.num_mixes = 6;
          SCOPED_TRACE(describe(shape) + ", seed " + std::to_string(kSeed));
          Blend blend = make_blend(shape, random);
          give_lattice_weights(&blend, random);
          for (const int k : some_of({1, 5, 64})) expect_same_lists(blend, k);
        }
      }
    }
  }
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
    give_lattice_weights(&blend, random);
    for (std::int64_t c = 0; c < shape.num_mixes; ++c) {
      blend.weights[std::size_t(c * 3 + 1)] *= -1;  // less is better
    }
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
