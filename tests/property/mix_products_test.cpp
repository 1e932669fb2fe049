// Products among mixes: found in lattices whatever their order, and ranks under them are those of
// the integer oracle.
#include "host/mix_products.h"

#include <gtest/gtest.h>

#include <set>

#include "kernels/recall_tiles.h"
#include "support/blends.h"
#include "support/mixes.h"

namespace sightline::tests {
namespace {

using host::MixProducts;

constexpr std::uint64_t kSeed = 20261124;

/// The mixes that products stand for, by slot; each slot must be taken once.
Mixes multiplied_out(const MixProducts& products) {
  const int num_tail = products.num_tail_features;
  const int num_head = products.num_features - num_tail;
  Mixes mixes(std::size_t(products.num_mixes));
  for (const host::MixProduct& product : products.products) {
    for (std::int32_t h = 0; h < product.num_heads; ++h) {
      for (std::int32_t t = 0; t < product.num_tails; ++t) {
        const auto head = products.heads.begin() + (product.first_head + h) * num_head;
        const auto tail = products.tails.begin() + (product.first_tail + t) * num_tail;
        const std::int64_t slot = product.first_slot + h * product.num_tails + t;
        oracle::Mix& mix = mixes[std::size_t(products.slots[std::size_t(slot)])];
        EXPECT_TRUE(mix.empty());
        mix.assign(head, head + num_head);
        mix.insert(mix.end(), tail, tail + num_tail);
      }
    }
  }
  return mixes;
}

TEST(MixProducts, AreFoundInTheLatticeOfFiveWeights) {
  const Mixes lattice = simplex(5, 20);
  ASSERT_EQ(lattice.size(), 10626u);
  const auto products = host::find_mix_products(flat(lattice), 5);
  ASSERT_TRUE(products.has_value());
  EXPECT_EQ(products->num_tail_features, 3);
  EXPECT_EQ(products->products.size(), 21u);
  EXPECT_EQ(products->largest_sum, 20);
  EXPECT_EQ(multiplied_out(*products), lattice);
}

TEST(MixProducts, StandForTheMixesInAnyOrder) {
  Random random(kSeed);
  for (const Mixes& lattice : {simplex(4, 30), simplex(6, 8), box(3, -3, 4), box(2, 0, 20)}) {
    const Mixes mixes = shuffled(lattice, random);
    const auto products = host::find_mix_products(flat(mixes), int(mixes[0].size()));
    ASSERT_TRUE(products.has_value()) << mixes.size() << " mixes, seed " << kSeed;
    EXPECT_EQ(multiplied_out(*products), mixes);
  }
}

// A GPU runs 32 neighbours as one: those with other numbers of heads wait for each other.
TEST(MixProducts, HaveTilesOfAsManyHeadsSideBySide) {
  const auto products = host::find_mix_products(flat(simplex(5, 20)), 5);
  ASSERT_TRUE(products.has_value());
  std::set<std::int32_t> numbers;
  int changes = 0;
  for (std::size_t i = 0; i < products->tiles.size(); ++i) {
    const std::int32_t num_heads = products->tiles[i].num_heads;
    numbers.insert(num_heads);
    changes += i == 0 || num_heads != products->tiles[i - 1].num_heads;
  }
  EXPECT_GT(numbers.size(), 1u);
  EXPECT_EQ(static_cast<std::size_t>(changes), numbers.size());
}

TEST(MixProducts, AreNotFoundWhereThereAreNone) {
  Random random(kSeed);
  std::vector<std::int32_t> weights;
  for (int i = 0; i < 500 * 5; ++i) weights.push_back(std::int32_t(random.integer(0, 1000)));
  EXPECT_FALSE(host::find_mix_products(weights, 5).has_value()) << "seed " << kSeed;
  Mixes twice = simplex(5, 10);
  EXPECT_TRUE(host::find_mix_products(flat(twice), 5).has_value());
  twice.push_back(twice[7]);
  EXPECT_FALSE(host::find_mix_products(flat(twice), 5).has_value());
  EXPECT_FALSE(host::find_mix_products({1, 2, 3}, 1).has_value());
  EXPECT_FALSE(host::find_mix_products({}, 5).has_value());
}

/// What a GPU runs, on the CPU: in so many chunks if the memories are enough for them.
std::vector<std::int32_t> tiled_ranks(const Blend& blend, const MixProducts& products,
                                      std::int64_t num_chunks) {
  const auto num_ranks = std::size_t(blend.shape.num_queries * products.num_mixes);
  std::vector<std::int32_t> ranks(num_ranks, -7), room;
  if (num_chunks > 1) room.resize(num_ranks * std::size_t(num_chunks), -9);
  product_ranks_by_tiles({}, blend.view(), blend.targets.data(), blend.shape.num_queries,
                         products.view(), ranks.data(),
                         {room.data(), std::int64_t(room.size() * sizeof(room[0]))});
  return ranks;
}

void expect_plain_ranks(const Blend& of, const Mixes& mixes, const MixProducts& products) {
  const Blend blend = under(mixes, of);
  const BlendShape& shape = blend.shape;
  const std::vector<std::int32_t> expected = plain_ranks(blend);
  ASSERT_TRUE(can_rank(products.view(), shape.feature_bits));
  for (const std::int64_t chunks : {1, 2, 1000}) {
    EXPECT_EQ(tiled_ranks(blend, products, chunks), expected) << chunks << " chunks";
  }
  std::vector<std::int32_t> ranks(expected.size(), -7);
  kernels::target_ranks({}, blend.view(), blend.targets.data(), shape.num_queries, products.view(),
                        ranks.data());
  EXPECT_EQ(ranks, expected);
}

TEST(MixProducts, RankTargetsAsMixesDo) {
  Random random(kSeed);
  for (const std::int64_t memories : {1, 2, 15, 17, 120, 511, 513}) {
    for (const std::int32_t largest : {3, 1 << 18}) {  // 3: ties everywhere
      for (const double kept : {1.0, 0.4}) {
        for (const Mixes& lattice : {simplex(5, 8), box(3, -2, 3), box(2, 0, 11)}) {
          BlendShape shape;
          shape.num_memories = memories;
          shape.num_queries = 3;
          shape.num_features = int(lattice[0].size());
          shape.largest_value = largest;
          shape.smallest_value = -largest;
          shape.share_kept = kept;
          SCOPED_TRACE(describe(shape) + ", seed " + std::to_string(kSeed));
          const Mixes mixes = shuffled(lattice, random);
          const auto products = host::find_mix_products(flat(mixes), shape.num_features);
          ASSERT_TRUE(products.has_value());
          expect_plain_ranks(make_blend(shape, random), mixes, *products);
        }
      }
    }
  }
}

// Of one to four weights in a tail, and more heads and tails than a tile has.
TEST(MixProducts, OfAllSizesRankTargetsAsMixesDo) {
  Random random(kSeed);
  const Mixes lattices[] = {box(2, 0, 22), box(3, 0, 17), box(4, 0, 4), simplex(6, 8),
                            box(8, 0, 1)};
  std::set<int> tails;
  for (const Mixes& mixes : lattices) {
    BlendShape shape;
    shape.num_memories = 70;
    shape.num_queries = 37;
    shape.num_features = int(mixes[0].size());
    SCOPED_TRACE(describe(shape) + ", seed " + std::to_string(kSeed));
    const auto products = host::find_mix_products(flat(mixes), shape.num_features);
    ASSERT_TRUE(products.has_value());
    tails.insert(products->num_tail_features);
    expect_plain_ranks(make_blend(shape, random), mixes, *products);
  }
  EXPECT_EQ(tails, (std::set<int>{1, 2, 3, 4}));
}

/// Memories that score 1 less than, as much as, and 1 more than the target under weights (w, w -
/// 1), though head and tail differ from its as far as they can: w a - (w - 1) b is `over` where a =
/// (w - 1) t + over and b = w t + over.
Blend close_scores(std::int32_t w, int bits) {
  const std::int32_t one = 1 << bits;
  Blend blend;
  blend.shape.num_queries = 1;
  blend.shape.num_features = 2;
  blend.shape.feature_bits = bits;
  blend.columns = {{-one}, {one}};
  for (std::int32_t t = (one / w) * 2 - 60; t < (one / w) * 2 - 1; ++t) {
    for (std::int32_t over = -1; over <= 1; ++over) {
      blend.columns[0].push_back(-one + (w - 1) * t + over);
      blend.columns[1].push_back(one - w * t - over);
    }
  }
  blend.shape.num_memories = std::int64_t(blend.columns[0].size());
  blend.targets = {0};
  return blend;
}

// The last weights whose differences float holds, and the first beyond; features of 30 bits.
TEST(MixProducts, AreExactWhereFloatEnds) {
  for (const std::int32_t w : {16, 30, 31, 32, 33, 46, 63, 64, 400}) {
    for (const int bits : {18, 29}) {
      SCOPED_TRACE("weight " + std::to_string(w) + ", bits " + std::to_string(bits));
      Mixes mixes = box(2, w - 15, w);
      const auto products = host::find_mix_products(flat(mixes), 2);
      ASSERT_TRUE(products.has_value());
      EXPECT_EQ(products->largest_sum, w);
      expect_plain_ranks(close_scores(w, bits), mixes, *products);
    }
  }
}

// Weights of heads and of tails up to which each number holds what both make of the features
// furthest apart, and the first beyond.
TEST(MixProducts, AreExactWhereEachNumberEnds) {
  Random random(kSeed);
  for (const std::int32_t w : {31, 32, 1023, 1024, 2047, 2048, 4095, 4096, 8191, 8192, 1 << 20}) {
    SCOPED_TRACE("weight " + std::to_string(w) + ", seed " + std::to_string(kSeed));
    BlendShape shape;
    shape.num_memories = 100;
    shape.num_queries = 4;
    shape.num_features = 2;
    Blend blend = make_blend(shape, random);
    for (std::vector<std::int32_t>& column : blend.columns) {
      for (std::int32_t& x : column) {
        x = ((1 << shape.feature_bits) - static_cast<std::int32_t>(random.integer(0, 1))) *
            (random.chance(.5) ? 1 : -1);
      }
    }
    const Mixes mixes = box(2, w - 11, w);
    const auto products = host::find_mix_products(flat(mixes), 2);
    ASSERT_TRUE(products.has_value());
    expect_plain_ranks(blend, mixes, *products);
  }
}

TEST(MixProducts, OfWeightsTooLargeAreRefused) {
  Mixes mixes = box(2, 0, 15);
  for (oracle::Mix& mix : mixes) {
    for (std::int64_t& weight : mix) weight <<= 24;
  }
  const auto products = host::find_mix_products(flat(mixes), 2);
  ASSERT_TRUE(products.has_value());
  EXPECT_FALSE(can_rank(products->view(), 30));
  EXPECT_TRUE(can_rank(products->view(), 18));
}

}  // namespace
}  // namespace sightline::tests
