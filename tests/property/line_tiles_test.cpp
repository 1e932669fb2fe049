// Lines of mixes in tiles: what a GPU ranks by, on the CPU. Each mix has its place, and ranks are
// those of the plain ops, also where a memory scores as much as the target, or 1 more, or 1 less.
#include "host/line_tiles.h"

#include <gtest/gtest.h>

#include "kernels/line_tiles.h"
#include "support/close_calls.h"
#include "support/effort.h"

namespace sightline::tests {
namespace {

using host::LineTiles;

constexpr std::uint64_t kSeed = 20261126;

/// The mixes that tiles stand for, by slot; each slot must be taken once.
Mixes laid_out(const LineTiles& tiles) {
  const auto width = std::size_t(tiles.num_features);
  Mixes mixes(tiles.slots.size());
  for (std::size_t p = 0; p < tiles.parts.size(); ++p) {
    const std::size_t run = p / kernels::kRunParts;
    const auto in_run = std::int32_t(p % kernels::kRunParts);
    const kernels::LinePart& part = tiles.parts[p];
    EXPECT_GE(part.num_mixes, 0);
    EXPECT_LE(part.num_mixes, kernels::kPartMixes);
    for (std::int32_t i = 0; i < part.num_mixes; ++i) {
      oracle::Mix& mix = mixes[std::size_t(tiles.slots[std::size_t(part.first_slot + i)])];
      EXPECT_TRUE(mix.empty());
      for (std::size_t f = 0; f < width; ++f) {
        mix.push_back(tiles.firsts[run * width + f] + in_run * tiles.way[f] + i * tiles.step[f]);
      }
    }
  }
  return mixes;
}

TEST(LineTiles, OfTheLatticeOfFiveWeightsAreFourFifthsFull) {
  const Mixes lattice = simplex(5, 20);
  const auto tiles = host::find_line_tiles(flat(lattice), 5);
  ASSERT_TRUE(tiles.has_value());
  EXPECT_EQ(laid_out(*tiles), lattice);
  EXPECT_EQ(tiles->largest_sum, 20);
  EXPECT_EQ(tiles->step_sum, 2);
  EXPECT_EQ(tiles->way_sum, 2);
  const auto num_full = std::count_if(tiles->parts.begin(), tiles->parts.end(),
                                      [](const auto& part) { return part.num_mixes > 0; });
  EXPECT_EQ(num_full, 1771 + 35) << "35 lines have more than 16 mixes";
  EXPECT_GT(double(num_full), .8 * double(tiles->parts.size()));
}

TEST(LineTiles, StandForTheMixesInAnyOrder) {
  Random random(kSeed);
  Mixes twice = box(3, 0, 7);
  twice.push_back(twice[7]);
  for (const Mixes& lattice :
       {simplex(4, 30), simplex(6, 8), box(3, -3, 6), box(2, 0, 20), box(1, -700, 900), twice}) {
    const Mixes mixes = shuffled(lattice, random);
    const auto tiles = host::find_line_tiles(flat(mixes), int(mixes[0].size()));
    ASSERT_TRUE(tiles.has_value()) << mixes.size() << " mixes, seed " << kSeed;
    EXPECT_EQ(laid_out(*tiles), mixes);
  }
}

TEST(LineTiles, AreNotFoundWhereThereAreNoLines) {
  Random random(kSeed);
  std::vector<std::int32_t> weights;
  for (int i = 0; i < 500 * 5; ++i) weights.push_back(std::int32_t(random.integer(0, 1000)));
  EXPECT_FALSE(host::find_line_tiles(weights, 5).has_value()) << "seed " << kSeed;
  EXPECT_FALSE(host::find_line_tiles({}, 5).has_value());
}

/// In so many bytes.
std::vector<std::int32_t> tiled_ranks(const Blend& blend, const LineTiles& tiles,
                                      std::int64_t num_bytes) {
  const auto num_ranks = std::size_t(blend.shape.num_queries) * tiles.slots.size();
  std::vector<std::int32_t> ranks(num_ranks, -7);
  std::vector<std::max_align_t> room(std::size_t(num_bytes) / sizeof(std::max_align_t) + 1);
  kernels::target_ranks({}, blend.view(), blend.targets.data(), blend.shape.num_queries,
                        tiles.view(), ranks.data(), {room.data(), num_bytes});
  return ranks;
}

/// With as much room as there can be, with half of it, and with the least.
void expect_plain_ranks(const Blend& of, const Mixes& mixes) {
  const Blend blend = under(mixes, of);
  const auto tiles = host::find_line_tiles(flat(mixes), blend.shape.num_features);
  ASSERT_TRUE(tiles.has_value());
  ASSERT_TRUE(can_rank(tiles->view(), blend.shape.feature_bits));
  const std::vector<std::int32_t> expected = plain_ranks(blend);
  const std::int64_t least = least_workspace_bytes(tiles->view());
  const std::int64_t most =
      target_ranks_workspace_bytes(blend.view(), blend.shape.num_queries, tiles->view());
  for (const std::int64_t bytes : {std::max(least, most), std::max(least, most / 2), least}) {
    EXPECT_EQ(tiled_ranks(blend, *tiles, bytes), expected) << bytes << " bytes";
  }
}

TEST(LineTiles, RankTargetsAsMixesDo) {
  Random random(kSeed);
  for (const std::int64_t memories : {1, 2, 15, 16, 17, 120, 255, 700}) {
    for (const std::int32_t largest : {3, 1 << 18}) {  // 3: ties everywhere
      for (const double kept : {1.0, 0.4}) {
        for (const Mixes& lattice : {simplex(5, 6), box(3, -4, 4), box(2, 0, 25)}) {
          BlendShape shape;
          shape.num_memories = memories;
          shape.num_queries = 3;
          shape.num_features = int(lattice[0].size());
          shape.largest_value = largest;
          shape.smallest_value = -largest;
          shape.share_kept = kept;
          SCOPED_TRACE(describe(shape) + ", seed " + std::to_string(kSeed));
          expect_plain_ranks(make_blend(shape, random), shuffled(lattice, random));
        }
      }
    }
  }
}

// More memories than a chunk can count of, all before the target and none.
TEST(LineTiles, CountAllOfAChunk) {
  Random random(kSeed);
  BlendShape shape;
  shape.num_memories = 5000;
  shape.num_queries = 2;
  shape.num_features = 2;
  Blend blend = make_blend(shape, random);
  for (std::vector<std::int32_t>& column : blend.columns) {
    for (std::size_t m = 0; m < column.size(); ++m) {
      const bool is_first_query = m < std::size_t(shape.num_memories);
      column[m] = is_first_query ? 1000 : 10;
    }
  }
  blend.targets = {2345, 2345};
  blend.columns[0][2345] = blend.columns[1][2345] = 9;
  expect_plain_ranks(blend, box(2, 0, 25));
  Mixes against = box(2, -25, 0);
  expect_plain_ranks(blend, against);
}

TEST(LineTiles, OfAllSizesRankTargetsAsMixesDo) {
  Random random(kSeed);
  const Mixes lattices[] = {box(1, -400, 300),
                            simplex(2, 500),
                            box(3, 0, 13),
                            box(4, 0, 5),
                            simplex(5, kSanitized ? 8 : 20),
                            simplex(6, 8),
                            simplex(7, 6),
                            box(8, 0, 2)};
  for (const Mixes& mixes : lattices) {
    BlendShape shape;
    shape.num_memories = 140;
    shape.num_queries = 5;
    shape.num_features = int(mixes[0].size());
    SCOPED_TRACE(describe(shape) + ", seed " + std::to_string(kSeed));
    expect_plain_ranks(make_blend(shape, random), mixes);
  }
}

// From weights whose sums float holds to those that only double does; features of 10 to 29 bits.
TEST(LineTiles, AreExactForCloseCalls) {
  Random random(kSeed);
  const Mixes lattices[] = {simplex(5, 12),  simplex(3, 30), simplex(3, 62), simplex(3, 90),
                            simplex(2, 400), box(3, -6, 6),  box(2, -40, 3)};
  for (const Mixes& mixes : lattices) {
    for (const int bits : {10, 18, 22, 29}) {
      SCOPED_TRACE(std::to_string(mixes.size()) + " mixes of " + std::to_string(mixes[0].size()) +
                   ", bits " + std::to_string(bits) + ", seed " + std::to_string(kSeed));
      for (int repeat = 0; repeat < effort(3); ++repeat) {
        expect_plain_ranks(close_calls(mixes, bits, kSanitized ? 150 : 500, random), mixes);
      }
    }
  }
}

// Features as far apart as they can be, so that divisors are as large as float takes, and beyond,
// under weights around those where its sums end.
TEST(LineTiles, AreExactWhereEachNumberEnds) {
  Random random(kSeed);
  for (const std::int32_t w : {20, 21, 22, 29, 30, 31, 61, 62, 63, 1000, 10000}) {
    BlendShape shape;
    shape.num_memories = 200;
    shape.num_queries = 3;
    shape.num_features = 2;
    SCOPED_TRACE("weight " + std::to_string(w) + ", seed " + std::to_string(kSeed));
    Blend blend = make_blend(shape, random);
    for (std::vector<std::int32_t>& column : blend.columns) {
      for (std::int32_t& x : column) {
        x = ((1 << shape.feature_bits) - static_cast<std::int32_t>(random.integer(0, 1))) *
            (random.chance(.5) ? 1 : -1);
      }
    }
    expect_plain_ranks(blend, box(2, w - 18, w));
  }
}

// A turn that is a whole number, and one short of it by a memory's least difference, for divisors
// up to the largest that float takes.
TEST(LineTiles, TurnAtWholeNumbers) {
  Random random(kSeed);
  using Numbers = kernels::TurnNumbers<float>;
  for (int i = 0; i < effort(20000); ++i) {
    const std::int64_t largest = Numbers::kLargestDivisor;
    const std::int64_t by =
        i % 2 == 0 ? random.integer(largest - 3000, largest) : random.integer(1, largest);
    const float per = Numbers::kPerScale * kernels::one_per(float(by));
    for (std::int64_t turn = 0; turn <= kernels::kPartMixes; ++turn) {
      const auto bits_of = [&](std::int64_t over) {
        return Numbers::bits(Numbers::kOverScale * float(over), per, ~0u) & 0xffffu;
      };
      ASSERT_EQ(bits_of(turn * by), (1u << turn) - 1) << turn << " times " << by;
      const std::int64_t less = turn == 0 ? 0 : turn - 1;
      ASSERT_EQ(bits_of(turn * by - 1), (1u << less) - 1) << turn << " times " << by << ", less 1";
    }
  }
}

TEST(LineTiles, OfWeightsTooLargeAreRefused) {
  Mixes mixes = box(2, 0, 30);
  for (oracle::Mix& mix : mixes) mix[0] = 1'000'000 - mix[0];
  const auto tiles = host::find_line_tiles(flat(mixes), 2);
  ASSERT_TRUE(tiles.has_value());
  EXPECT_TRUE(can_rank(tiles->view(), 30));
  kernels::LineTilesView large = tiles->view();
  large.largest_sum = std::int64_t{1} << 40;
  EXPECT_FALSE(can_rank(large, 18));
  large = tiles->view();
  large.step_sum = std::int64_t{1} << 33;
  EXPECT_FALSE(can_rank(large, 18));
}

}  // namespace
}  // namespace sightline::tests
