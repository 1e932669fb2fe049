// Lines among mixes: found in lattices whatever their order, and ranks under them are those of the
// plain ops, also where a memory scores as much as the target, or 1 more, or 1 less.
#include "host/mix_lines.h"

#include <gtest/gtest.h>

#include <set>

#include "support/blends.h"
#include "support/close_calls.h"
#include "support/effort.h"
#include "support/mixes.h"

namespace sightline::tests {
namespace {

using host::MixLines;
using kernels::Executor;

constexpr std::uint64_t kSeed = 20261125;

/// The mixes that lines stand for, times `scale`, by slot; each slot must be taken once, and ways
/// must lead where they say.
Mixes laid_out(const MixLines& lines, std::int64_t scale = 1) {
  const auto width = std::size_t(lines.num_features);
  Mixes mixes(lines.slots.size());
  std::size_t next_slot = 0;
  for (std::size_t l = 0; l < lines.lines.size(); ++l) {
    const kernels::MixLine& line = lines.lines[l];
    EXPECT_EQ(line.first_slot, std::int64_t(next_slot));
    EXPECT_GE(line.num_mixes, 1);
    EXPECT_LE(line.num_mixes, kernels::kMostOnLine);
    for (std::size_t f = 0; f < width && line.way >= 0; ++f) {
      EXPECT_EQ(lines.ways[std::size_t(line.way) * width + f],
                lines.firsts[l * width + f] - lines.firsts[(l - 1) * width + f]);
    }
    for (std::int32_t i = 0; i < line.num_mixes; ++i) {
      oracle::Mix& mix = mixes[std::size_t(lines.slots[next_slot++])];
      EXPECT_TRUE(mix.empty());
      for (std::size_t f = 0; f < width; ++f) {
        mix.push_back((lines.firsts[l * width + f] + i * lines.step[f]) * scale);
      }
    }
  }
  EXPECT_EQ(next_slot, mixes.size());
  return mixes;
}

TEST(MixLines, AreFoundInTheLatticeOfFiveWeights) {
  const Mixes lattice = simplex(5, 20);
  const auto lines = host::find_mix_lines(flat(lattice), 5);
  ASSERT_TRUE(lines.has_value());
  EXPECT_EQ(lines->lines.size(), 1771u);
  EXPECT_EQ(lines->lines[0].num_mixes, 21);
  EXPECT_EQ(lines->largest_sum, 20);
  EXPECT_EQ(lines->step_sum, 2);
  EXPECT_EQ(laid_out(*lines), lattice);
  int num_apart = 0;  // that no way leads to
  for (const kernels::MixLine& line : lines->lines) num_apart += line.way < 0;
  EXPECT_LE(num_apart, 10);
}

TEST(MixLines, StandForTheMixesInAnyOrder) {
  Random random(kSeed);
  for (const Mixes& lattice :
       {simplex(4, 30), simplex(6, 8), box(3, -3, 6), box(2, 0, 20), box(1, -700, 900)}) {
    for (const std::int64_t scale : {1, 35, 1 << 21}) {
      Mixes mixes = shuffled(lattice, random);
      for (oracle::Mix& mix : mixes) {
        for (std::int64_t& weight : mix) weight *= scale;
      }
      const auto lines = host::find_mix_lines(flat(mixes), int(mixes[0].size()));
      ASSERT_TRUE(lines.has_value()) << mixes.size() << " mixes, seed " << kSeed;
      EXPECT_EQ(laid_out(*lines, scale), mixes);
    }
  }
}

// An axis in steps of 5 beside one in steps of 1; lists that are not even; a mix that occurs twice.
TEST(MixLines, StandForMixesThatAreNotALattice) {
  Mixes mixes;
  for (const std::int64_t a : {0, 5, 10, 15, 20, 25, 30}) {
    for (const std::int64_t b : {0, 1, 2, 3, 4, 5, 7, 11, 12, 13, 14, 15}) {
      for (const std::int64_t c : {1, 9, 10}) mixes.push_back({a, b, c});
    }
  }
  mixes.push_back(mixes[7]);
  const auto lines = host::find_mix_lines(flat(mixes), 3);
  ASSERT_TRUE(lines.has_value());
  EXPECT_EQ(laid_out(*lines), mixes);
  EXPECT_EQ(lines->step, (std::vector<std::int32_t>{5, 0, 0}));
}

TEST(MixLines, AreNotFoundWhereThereAreNoneOrTooFew) {
  Random random(kSeed);
  std::vector<std::int32_t> weights;
  for (int i = 0; i < 500 * 5; ++i) weights.push_back(std::int32_t(random.integer(0, 1000)));
  EXPECT_FALSE(host::find_mix_lines(weights, 5).has_value()) << "seed " << kSeed;
  EXPECT_FALSE(host::find_mix_lines(flat(simplex(5, 2)), 5).has_value());
  EXPECT_FALSE(host::find_mix_lines({1, 2, 3}, 1).has_value());
  EXPECT_FALSE(host::find_mix_lines({}, 5).has_value());
  EXPECT_FALSE(host::find_mix_lines({0, 0, 0, 0}, 2).has_value());
  Mixes large = box(3, 0, 12);
  for (oracle::Mix& mix : large) mix[0] = (mix[0] << 24) + 1;
  EXPECT_FALSE(host::find_mix_lines(flat(large), 3).has_value());
}

/// Under each instruction set.
void expect_plain_ranks(const Blend& of, const Mixes& mixes, const MixLines& lines) {
  const Blend blend = under(mixes, of);
  const BlendShape& shape = blend.shape;
  const std::vector<std::int32_t> expected = plain_ranks(blend);
  ASSERT_TRUE(can_rank(lines.view(), shape.feature_bits));
  for (const kernels::InstructionSet set : instruction_sets()) {
    for (const int threads : {1, 3}) {
      Executor executor;
      executor.instructions = set;
      executor.num_threads = threads;
      std::vector<std::int32_t> ranks(expected.size(), -7);
      kernels::target_ranks(executor, blend.view(), blend.targets.data(), shape.num_queries,
                            lines.view(), ranks.data());
      EXPECT_EQ(ranks, expected) << kernels::vector_target(set) << ", " << threads << " threads";
    }
  }
}

void expect_plain_ranks(const Blend& blend, const Mixes& mixes) {
  const auto lines = host::find_mix_lines(flat(mixes), blend.shape.num_features);
  ASSERT_TRUE(lines.has_value());
  expect_plain_ranks(blend, mixes, *lines);
}

TEST(MixLines, RankTargetsAsMixesDo) {
  Random random(kSeed);
  for (const std::int64_t memories : {1, 2, 31, 33, 63, 64, 65, 120, 128, 129, 511, 700}) {
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

// Lines longer than bytes can tell apart, of one to eight features, more lines than a part has,
// and more queries than threads.
TEST(MixLines, OfAllSizesRankTargetsAsMixesDo) {
  Random random(kSeed);
  const Mixes lattices[] = {box(1, -400, 300),
                            simplex(2, 500),
                            box(3, 0, 13),
                            box(4, 0, 5),
                            simplex(5, kSanitized ? 8 : 20),
                            simplex(6, 8),
                            simplex(7, 6),
                            box(8, 0, 1)};
  for (const Mixes& mixes : lattices) {
    BlendShape shape;
    shape.num_memories = 140;
    shape.num_queries = 5;
    shape.num_features = int(mixes[0].size());
    SCOPED_TRACE(describe(shape) + ", seed " + std::to_string(kSeed));
    for (const std::int64_t queries : {1, 5}) {
      shape.num_queries = queries;
      const Blend blend = make_blend(shape, random);
      auto lines = host::find_mix_lines(flat(mixes), shape.num_features);
      ASSERT_TRUE(lines.has_value());
      expect_plain_ranks(blend, mixes, *lines);
      for (kernels::MixLine& line : lines->lines) line.way = -1;
      expect_plain_ranks(blend, mixes, *lines);
    }
  }
}

// From weights that 31 bits hold turns of to those that only double does; features of 18 to 29
// bits.
TEST(MixLines, AreExactForCloseCalls) {
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

// Features as far apart as they can be, under weights around those where 31 bits end.
TEST(MixLines, AreExactWhereEachNumberEnds) {
  Random random(kSeed);
  for (const std::int32_t w : {20, 21, 22, 29, 30, 31, 43, 44, 45, 61, 62, 63, 1000, 10000}) {
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

TEST(MixLines, OfWeightsTooLargeAreRefused) {
  Mixes mixes = box(2, 0, 30);
  for (oracle::Mix& mix : mixes) mix[0] = 1'000'000 - mix[0];
  const auto lines = host::find_mix_lines(flat(mixes), 2);
  ASSERT_TRUE(lines.has_value());
  EXPECT_FALSE(can_rank(lines->view(), 30));
  EXPECT_FALSE(can_rank(lines->view(), 18));
  EXPECT_TRUE(can_rank(lines->view(), 6));
}

}  // namespace
}  // namespace sightline::tests
