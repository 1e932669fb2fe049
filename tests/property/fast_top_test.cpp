// The k best of many mixes by whatever is cheapest are the k best of all, bit for bit; and what is
// cheapest.
#include "host/fast_top.h"

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

// Mixes of four patterns of signs, two of them with enough mixes for bands of their own.
TEST(FastTop, HasTheBestWhereSignsDiffer) {
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
TEST(FastTop, HasTheBestWhereSignsAreMany) {
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

TEST(FastTop, BandsPayWhereMemoriesAndMixesAreMany) {
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

TEST(FastTop, LeavesManyPatternsOfSignsToBlocks) {
  const host::ListCosts costs{1000000, 1000000, 5};
  EXPECT_TRUE(costs.blocks_pay(groups_of(32, 332)));
  EXPECT_TRUE(costs.blocks_pay(groups_of(32, 31)));  // too few for bands
  EXPECT_FALSE(costs.blocks_pay(groups_of(1, 10626)));
  EXPECT_FALSE(costs.blocks_pay(groups_of(32, 1)));
  EXPECT_FALSE((host::ListCosts{1000000, 4000, 5}).blocks_pay(groups_of(32, 332)));
}

TEST(FastTop, OfNoQueriesIsNothing) {
  Random random(kSeed);
  BlendShape shape;
  shape.num_memories = 5000;
  shape.num_mixes = 4000;
  Blend blend = make_blend(shape, random);
  kernels::BlendView view = blend.view();
  for (int f = 0; f < shape.num_features; f += 2) view.features[f].values = nullptr;
  const kernels::Scored untouched{7, 7, 7};
  std::vector<kernels::Scored> out(5, untouched);
  host::fast_top_memories(
      {{}, view, 0, blend.weights.data(), shape.num_mixes, 5, [] {}, out.data()});
  EXPECT_TRUE(same_bytes(out, std::vector<kernels::Scored>(5, untouched)));
}

}  // namespace
}  // namespace sightline::tests
