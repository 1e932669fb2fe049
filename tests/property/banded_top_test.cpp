// The k best of many mixes through the k-skyband are the k best of all, bit for bit.
#include "host/banded_top.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/blends.h"

namespace sightline::tests {
namespace {

using kernels::Scored;

constexpr std::uint64_t kSeed = 20261123;

TEST(SignGroups, AreOfMixesWhoseWeightsHaveOneSignPerFeature) {
  const std::vector<std::int32_t> weights = {0, 0, 0, 1, 0, -2, -1, 3, 0, 0, 4, -1, 0, -1, 0};
  const auto groups = host::group_by_sign(weights.data(), 5, 3);
  ASSERT_EQ(groups.size(), 3u);
  EXPECT_EQ(groups[0].mixes, (std::vector<std::int64_t>{0, 1, 3}));
  EXPECT_EQ(groups[1].mixes, (std::vector<std::int64_t>{2}));
  EXPECT_EQ(groups[2].mixes, (std::vector<std::int64_t>{4}));
  const std::int8_t directions[3][3] = {{1, 1, -1}, {-1, 1, 0}, {0, -1, 0}};
  for (std::size_t g = 0; g < 3; ++g) {
    for (std::size_t f = 0; f < 3; ++f) {
      EXPECT_EQ(groups[g].rule.direction[f], directions[g][f])
          << "group " << g << ", feature " << f;
    }
  }
}

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
      for (const double kept : {1.0, 0.5, 0.01}) {
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
          for (const int k : {1, 5, 64}) expect_same_lists(blend, k);
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

// Mixes of four patterns of signs, two of them with enough mixes for bands of their own.
TEST(BandedTop, HasTheBestWhereSignsDiffer) {
  Random random(kSeed);
  for (const double kept : {1.0, 0.9}) {
    BlendShape shape;
    shape.num_memories = 6000;
    shape.num_queries = 3;
    shape.num_features = 3;
    shape.num_mixes = 2000;
    shape.share_kept = kept;
    shape.smallest_weight = 1;
    SCOPED_TRACE(describe(shape) + ", seed " + std::to_string(kSeed));
    Blend blend = make_blend(shape, random);
    for (std::size_t c = 0; c < 2000; ++c) {
      if (c % 2 == 1) blend.weights[c * 3] *= -1;
      if (c % 32 == 7 || c % 32 == 8) blend.weights[c * 3 + 2] *= -1;
    }
    EXPECT_EQ(host::group_by_sign(blend.weights.data(), 2000, 3).size(), 4u);
    std::vector<Scored> lists(std::size_t(3 * 2000 * 5), {7, 7, 7});
    int looks = 0;
    host::fast_top_memories(
        {{}, blend.view(), 3, blend.weights.data(), 2000, 5, [&] { ++looks; }, lists.data()});
    EXPECT_GT(looks, 0);  // through bands, not by a full scan
    EXPECT_TRUE(same_bytes(lists, tops_of(blend, 5, {})));
  }
}

// Mixes of 32 patterns of signs: through blocks.
TEST(BandedTop, HasTheBestWhereSignsAreMany) {
  Random random(kSeed);
  BlendShape shape;
  shape.num_memories = 60'000;
  shape.num_queries = 2;
  shape.num_mixes = 1280;
  shape.smallest_weight = 1;
  SCOPED_TRACE(describe(shape) + ", seed " + std::to_string(kSeed));
  Blend blend = make_blend(shape, random);
  for (std::size_t i = 0; i < blend.weights.size(); ++i) {
    if ((i / 5 >> i % 5 & 1) != 0) blend.weights[i] *= -1;
  }
  const auto groups = host::group_by_sign(blend.weights.data(), shape.num_mixes, 5);
  EXPECT_EQ(groups.size(), 32u);
  EXPECT_TRUE((host::ListCosts{shape.num_memories, shape.num_memories, 5}).blocks_pay(groups));
  std::vector<Scored> lists(std::size_t(2 * 1280 * 5), {7, 7, 7});
  host::fast_top_memories(
      {{}, blend.view(), 2, blend.weights.data(), 1280, 5, [] {}, lists.data()});
  EXPECT_TRUE(same_bytes(lists, tops_of(blend, 5, {})));
}

TEST(BandedTop, PaysWhereMemoriesAndMixesAreMany) {
  const auto pays = [](std::int64_t memories, std::int64_t kept, std::int64_t mixes) {
    return host::ListCosts{memories, kept, 5}.band_pays(mixes);
  };
  EXPECT_TRUE(pays(1000000, 1000000, 1000));
  EXPECT_FALSE(pays(1000000, 1000000, 10));
  EXPECT_FALSE(pays(5000, 5000, 500));
  EXPECT_FALSE(pays(120, 120, 10626));
  EXPECT_FALSE(pays(1000000, 10000, 1000));  // a gate leaves one in a hundred
}

std::vector<host::SignGroup> groups_of(std::size_t num_groups, std::size_t num_mixes) {
  std::vector<host::SignGroup> groups(num_groups);
  for (host::SignGroup& group : groups) group.mixes.resize(num_mixes);
  return groups;
}

TEST(BandedTop, LeavesManyPatternsOfSignsToBlocks) {
  const host::ListCosts costs{1000000, 1000000, 5};
  EXPECT_TRUE(costs.blocks_pay(groups_of(32, 332)));
  EXPECT_TRUE(costs.blocks_pay(groups_of(32, 31)));  // too few for bands
  EXPECT_FALSE(costs.blocks_pay(groups_of(1, 10626)));
  EXPECT_FALSE(costs.blocks_pay(groups_of(32, 1)));
  EXPECT_FALSE((host::ListCosts{1000000, 4000, 5}).blocks_pay(groups_of(32, 332)));
}

TEST(BandedTop, OfNoQueriesIsNothing) {
  Random random(kSeed);
  BlendShape shape;
  shape.num_memories = 5000;
  shape.num_mixes = 4000;
  Blend blend = make_blend(shape, random);
  kernels::BlendView view = blend.view();
  for (int f = 0; f < shape.num_features; f += 2) view.features[f].values = nullptr;
  host::fast_top_memories({{}, view, 0, blend.weights.data(), shape.num_mixes, 5, [] {}, nullptr});
}

}  // namespace
}  // namespace sightline::tests
