// Lines of mixes in tiles: what a GPU ranks by, on the CPU. Each mix has its place, and ranks are
// those of the plain ops, also where a memory scores as much as the target, or 1 more, or 1 less.
#include "host/line_tiles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <numeric>

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

// As many as a chunk can be of, all of them before the target, none, and some.
TEST(LineTiles, CountAllOfAChunk) {
  Random random(kSeed);
  constexpr std::int64_t kChunk = 2032;
  using Turns = kernels::MemoryTurns<float, 5>;
  for (const std::int32_t of_target : {9, 1000, 500}) {
    BlendShape shape;
    shape.num_memories = 2 * kChunk - 20;
    shape.num_queries = 1;
    shape.num_features = 2;
    const Mixes mixes = box(2, 0, 25);
    Blend blend = under(mixes, make_blend(shape, random));
    for (std::vector<std::int32_t>& column : blend.columns) {
      for (std::int32_t& x : column) x = std::int32_t(random.integer(100, 900));
      column.back() = of_target;
    }
    blend.targets = {shape.num_memories - 1};
    const auto tiles = host::find_line_tiles(flat(mixes), 2);
    ASSERT_TRUE(tiles.has_value());
    const kernels::LineTilesView by = tiles->view();
    const kernels::BlendView view = blend.view();
    const std::int64_t num = (shape.num_memories + 15) / 16 * 16;
    const kernels::MemoryChunks chunks{2, kChunk};
    std::vector<Turns> turns(std::size_t(num), Turns{});
    std::vector<std::int32_t> counts(std::size_t(2 * by.num_mixes)), ranks(mixes.size());
    for (std::int64_t i = 0; i < num; ++i) {
      kernels::PrepareTurns<float, 5>{
          view, blend.targets.data(), by, {0, 1, 0, num, chunks, true}, turns.data()}(i);
    }
    for (std::int64_t i = 0; i < by.num_runs; ++i) {
      kernels::LineRankTiles<float, 5, 2>{by, turns.data(), num, chunks, counts.data()}(i);
    }
    for (std::int64_t i = 0; i < by.num_mixes; ++i) {
      kernels::SumSlabCounts{view, blend.targets.data(), counts.data(), by.slots,    0,
                             2,    by.num_mixes,         true,          ranks.data()}(i);
    }
    EXPECT_EQ(ranks, plain_ranks(blend)) << "target " << of_target;
  }
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

/// Parts of lines of any step and way, with holes, whose sums are as large as `most_sum`.
struct AnyTiles {
  std::vector<std::int32_t> step, way, firsts, slots;
  std::vector<kernels::LinePart> parts;
  Mixes mixes;  ///< by slot
  kernels::LineTilesView view;

  AnyTiles(int num_features, std::int64_t most_step, std::int64_t most_sum, Random& random) {
    const auto weights = [&](std::int64_t most) {
      std::vector<std::int32_t> all;
      std::int64_t left = random.chance(.4) ? most : random.integer(0, most);
      for (int f = 0; f < num_features; ++f) {
        const std::int64_t one = f + 1 == num_features ? left : random.integer(0, left);
        left -= one;
        all.push_back(std::int32_t(random.chance(.5) ? one : -one));
      }
      return all;
    };
    const auto size_of = [](const std::vector<std::int32_t>& all) {
      std::int64_t sum = 0;
      for (const std::int64_t weight : all) sum += std::abs(weight);
      return sum;
    };
    step = weights(most_step);
    way = weights(most_sum / 8);
    for (int r = 0; r < 4; ++r) {
      const std::vector<std::int32_t> first = weights(most_sum / 2);
      firsts.insert(firsts.end(), first.begin(), first.end());
      for (int p = 0; p < kernels::kRunParts; ++p) {
        kernels::LinePart part;
        part.first_slot = std::int32_t(mixes.size());
        part.num_mixes = std::int32_t(random.integer(0, kernels::kPartMixes));
        parts.push_back(part);
        std::vector<std::int32_t> at = first;
        for (std::size_t f = 0; f < at.size(); ++f) at[f] += p * way[f];
        view.largest_sum = std::max(view.largest_sum, size_of(at));
        for (std::int32_t i = 0; i < part.num_mixes; ++i) {
          mixes.emplace_back();
          for (std::size_t f = 0; f < at.size(); ++f) mixes.back().push_back(at[f] + i * step[f]);
        }
      }
    }
    slots.resize(mixes.size());
    std::iota(slots.begin(), slots.end(), 0);
    view.num_features = num_features;
    view.step = step.data();
    view.way = way.data();
    view.firsts = firsts.data();
    view.parts = parts.data();
    view.num_runs = 4;
    view.slots = slots.data();
    view.num_mixes = std::int64_t(slots.size());
    view.step_sum = size_of(step);
    view.way_sum = size_of(way);
  }
};

// Up to the sums and the steps that each number holds, and beyond those of float.
TEST(LineTiles, OfAnyStepAndWayRankTargetsAsMixesDo) {
  Random random(kSeed);
  int num_ranked = 0;
  for (int i = 0; i < effort(3000); ++i) {
    BlendShape shape;
    shape.num_features = int(random.integer(1, 8));
    shape.feature_bits = int(random.integer(2, 30));
    shape.num_memories = random.integer(1, 120);
    shape.num_queries = 2;
    shape.largest_value = 1 << shape.feature_bits;
    shape.smallest_value = -shape.largest_value;
    const std::int64_t difference = std::int64_t{2} << shape.feature_bits;
    // What float holds, a little more than that, and what double holds.
    const int sum_bits = i % 3 == 0 ? 24 : i % 3 == 1 ? 25 : 52;
    const std::int64_t most_sum =
        std::clamp<std::int64_t>((std::int64_t{1} << sum_bits) / difference, 16, 1 << 28);
    const std::int64_t most_step = std::clamp<std::int64_t>(
        (std::int64_t{1} << (sum_bits == 52 ? 46 : 22)) / difference, 1, 1 << 26);
    const AnyTiles tiles(shape.num_features, most_step, most_sum, random);
    if (tiles.mixes.empty() || !can_rank(tiles.view, shape.feature_bits)) continue;
    ++num_ranked;
    Blend blend = under(tiles.mixes, make_blend(shape, random));
    bring_close(&blend, random);
    SCOPED_TRACE(describe(blend.shape) + ", bits " + std::to_string(shape.feature_bits) +
                 ", case " + std::to_string(i) + ", seed " + std::to_string(kSeed));
    std::vector<std::int32_t> ranks(std::size_t(2 * tiles.view.num_mixes), -7);
    const std::int64_t bytes = target_ranks_workspace_bytes(blend.view(), 2, tiles.view);
    std::vector<std::max_align_t> room(std::size_t(bytes) / sizeof(std::max_align_t) + 1);
    kernels::target_ranks({}, blend.view(), blend.targets.data(), 2, tiles.view, ranks.data(),
                          {room.data(), bytes});
    ASSERT_EQ(ranks, plain_ranks(blend));
  }
  EXPECT_GT(num_ranked, effort(500));
}

/// A turn that is a whole number, and one short of it by a memory's least difference, for divisors
/// up to the largest that the numbers take.
template <class Number>
void expect_turns_at_whole_numbers() {
  Random random(kSeed);
  using Numbers = kernels::TurnNumbers<Number>;
  for (int i = 0; i < effort(20000); ++i) {
    const std::int64_t largest = Numbers::kLargestDivisor;
    const std::int64_t by =
        i % 2 == 0 ? random.integer(largest - 3000, largest) : random.integer(1, largest);
    const Number per = Numbers::kPerScale * kernels::one_per(Number(by));
    for (std::int64_t turn = 0; turn <= kernels::kPartMixes; ++turn) {
      const auto bits_of = [&](std::int64_t over) {
        return Numbers::bits(Numbers::kOverScale * Number(over), per, ~0u) & 0xffffu;
      };
      ASSERT_EQ(bits_of(turn * by), (1u << turn) - 1) << turn << " times " << by;
      const std::int64_t less = turn == 0 ? 0 : turn - 1;
      ASSERT_EQ(bits_of(turn * by - 1), (1u << less) - 1) << turn << " times " << by << ", less 1";
    }
  }
}

TEST(LineTiles, TurnAtWholeNumbers) {
  expect_turns_at_whole_numbers<float>();
  expect_turns_at_whole_numbers<double>();
}

/// The room that ranks by these take tells which numbers they are computed in.
TEST(LineTiles, TakeNumbersThatHoldStepAndWayToo) {
  constexpr int kBits = 10;
  constexpr std::int64_t kDifference = std::int64_t{2} << kBits;
  Random random(kSeed);
  BlendShape shape;
  shape.num_memories = 20000;
  shape.num_queries = 4;
  shape.num_features = 2;
  shape.feature_bits = kBits;
  const Blend blend = make_blend(shape, random);
  const auto tiles = host::find_line_tiles(flat(box(2, 0, 30)), 2);
  ASSERT_TRUE(tiles.has_value());
  const auto with_sums = [&](std::int64_t largest, std::int64_t step, std::int64_t way) {
    kernels::LineTilesView view = tiles->view();
    view.largest_sum = largest;
    view.step_sum = step;
    view.way_sum = way;
    return view;
  };
  const auto bytes = [&](std::int64_t largest, std::int64_t step, std::int64_t way) {
    return target_ranks_workspace_bytes(blend.view(), shape.num_queries,
                                        with_sums(largest, step, way));
  };
  const auto narrow = kernels::TurnNumbers<float>::kHolds / kDifference;
  const std::int64_t in_float = bytes(1, 1, 1), in_double = bytes(narrow + 1, 1, 1);
  ASSERT_NE(in_float, in_double);
  EXPECT_EQ(bytes(narrow - 5, 4, 1), in_float);
  EXPECT_EQ(bytes(narrow - 5, 6, 1), in_double) << "a sum and its step together";
  EXPECT_EQ(bytes(1, 1, narrow), in_float);
  EXPECT_EQ(bytes(1, 1, narrow + 1), in_double);
  const auto wide = kernels::TurnNumbers<double>::kHolds / kDifference;
  EXPECT_TRUE(can_rank(with_sums(wide - 5, 4, 1), kBits));
  EXPECT_FALSE(can_rank(with_sums(wide - 5, 6, 1), kBits));
  EXPECT_TRUE(can_rank(with_sums(1, 1, wide), kBits));
  EXPECT_FALSE(can_rank(with_sums(1, 1, wide + 1), kBits));
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
  kernels::LineTilesView steep = tiles->view();
  steep.largest_sum = steep.way_sum = 1;
  steep.step_sum = std::int64_t{1} << 27;  // times differences of 2^19
  EXPECT_TRUE(can_rank(steep, 18));
  ++steep.step_sum;
  EXPECT_FALSE(can_rank(steep, 18)) << "divisors beyond 2^46";
}

}  // namespace
}  // namespace sightline::tests
