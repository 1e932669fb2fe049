// Trees of boxes of mixes: each holds its mixes, and the lists made so are those of the plain ops.
// What a box leaves out: box_filter_test.cpp.
#include "host/mix_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "host/host_workspace.h"
#include "support/blends.h"
#include "support/effort.h"
#include "support/mix_trees.h"

namespace sightline::tests {
namespace {

using host::MixTree;
using kernels::Executor;
using kernels::MixBox;
using kernels::Scored;

constexpr std::uint64_t kSeed = 20261126;

void expect_whole(const MixTree& tree, const Mixes& mixes) {
  std::vector<std::int32_t> places = tree.places;
  std::sort(places.begin(), places.end());
  std::vector<std::int32_t> all(mixes.size());
  std::iota(all.begin(), all.end(), 0);
  ASSERT_EQ(places, all);
  Mixes in_order;
  for (const std::int32_t mix : tree.places) in_order.push_back(mixes[std::size_t(mix)]);
  EXPECT_EQ(tree.weights, flat(in_order));
  for (const MixBox& box : tree.boxes) {
    for (std::int32_t i = 0; i < box.num_mixes; ++i) {
      for (int f = 0; f < tree.num_features; ++f) {
        const auto weight = double(boxed_weight(tree, in_order[std::size_t(box.first_mix + i)], f));
        EXPECT_LE(std::abs(weight - double{box.centre[f]}), double{box.half_width[f]});
      }
    }
    if (box.halves == 0) continue;
    const MixBox& a = tree.boxes[std::size_t(box.halves)];
    const MixBox& b = tree.boxes[std::size_t(box.halves) + 1];
    EXPECT_EQ(a.first_mix, box.first_mix);
    EXPECT_EQ(b.first_mix, a.first_mix + a.num_mixes);
    EXPECT_EQ(a.num_mixes + b.num_mixes, box.num_mixes);
    EXPECT_GT(std::min(a.num_mixes, b.num_mixes), 0);
  }
  std::vector<int> times(mixes.size());
  for (const std::int32_t root : tree.roots) {
    const MixBox& box = tree.boxes[std::size_t(root)];
    for (std::int32_t i = 0; i < box.num_mixes; ++i) ++times[std::size_t(box.first_mix + i)];
  }
  EXPECT_EQ(times, std::vector<int>(mixes.size(), 1));
}

Mixes random_mixes(std::size_t num, int num_features, std::int64_t largest, Random& random) {
  Mixes mixes(num);
  for (oracle::Mix& mix : mixes) {
    for (int f = 0; f < num_features; ++f) mix.push_back(random.integer(-largest, largest));
  }
  return mixes;
}

TEST(MixTree, HoldsEachMixInItsBoxes) {
  Random random(kSeed);
  for (const Mixes& mixes :
       {simplex(5, 20), simplex(3, 4), box(3, -6, 6), Mixes(700, oracle::Mix{1, 2}),
        random_mixes(3000, 4, std::int64_t{1} << 30, random), random_mixes(1, 8, 9, random)}) {
    SCOPED_TRACE(std::to_string(mixes.size()) + " mixes, seed " + std::to_string(kSeed));
    expect_whole(tree_of(mixes, even_spread(mixes[0].size())), mixes);
  }
}

TEST(MixTree, TakesLessTheFeatureThatVariesLeastWhereSumsAreTheSame) {
  EXPECT_EQ(tree_of(simplex(3, 20), {2, 0.5, 1}).subtracted, 1);
  EXPECT_EQ(tree_of(box(3, 0, 6), {2, 0.5, 1}).subtracted, -1);
  Mixes nearly = simplex(3, 20);
  nearly[7][0] += 1;
  EXPECT_EQ(tree_of(nearly, {2, 0.5, 1}).subtracted, -1);
  for (const MixBox& box : tree_of(simplex(3, 40), {2, 0.5, 1}).boxes) {
    EXPECT_EQ(box.centre[1], 40);
    EXPECT_EQ(box.half_width[1], 0);
  }
}

/// Some of each query's memories.
struct Bands {
  std::vector<std::int64_t> first = {0};
  std::vector<std::int32_t> members;

  Bands(const BlendShape& shape, double share, Random& random) {
    for (std::int64_t q = 0; q < shape.num_queries; ++q) {
      for (std::int64_t m = 0; m < shape.num_memories; ++m) {
        if (random.chance(share)) members.push_back(std::int32_t(m));
      }
      first.push_back(std::int64_t(members.size()));
    }
  }

  kernels::BandsView view() const { return {first.data(), members.data()}; }
};

void expect_plain_lists(Blend blend, const Bands& bands, int k) {
  const BlendShape& shape = blend.shape;
  blend.shape.share_kept = 0.5;  // those of the bands
  blend.kept.assign(std::size_t(shape.num_queries * kernels::words_of_bits(shape.num_memories)), 0);
  for (std::int64_t q = 0; q < shape.num_queries; ++q) {
    for (std::int64_t i = bands.first[std::size_t(q)]; i < bands.first[std::size_t(q) + 1]; ++i) {
      const std::int64_t m = bands.members[std::size_t(i)];
      const std::int64_t word = q * kernels::words_of_bits(shape.num_memories) + m / 64;
      blend.kept[std::size_t(word)] |= std::uint64_t{1} << m % 64;
    }
  }
  Executor plain;
  plain.instructions = kernels::InstructionSet::kPortable;
  const std::vector<Scored> expected = tops_of(blend, k, plain);
  const MixTree tree = host::make_mix_tree(blend.weights.data(), shape.num_mixes,
                                           even_spread(std::size_t(shape.num_features)));
  for (const kernels::InstructionSet set : instruction_sets()) {
    for (const int threads : {1, 3}) {
      Executor executor;
      executor.instructions = set;
      executor.num_threads = threads;
      const std::int64_t bytes = kernels::band_tops_workspace_bytes(
          executor, blend.view(), shape.num_queries, bands.view(), tree.view(), k);
      host::HostWorkspace workspace;
      std::vector<Scored> lists(expected.size(), {7, 7, 7});
      kernels::band_tops(executor, blend.view(), shape.num_queries, bands.view(), tree.view(), k,
                         lists.data(), workspace.reserve(bytes));
      EXPECT_TRUE(same_bytes(lists, expected))
          << kernels::vector_target(set) << ", k " << k << ", " << threads << " threads";
    }
  }
}

TEST(BandTops, AreThoseOfThePlainOps) {
  Random random(kSeed);
  for (const auto& [mixes, bits] :
       {std::pair(simplex(5, 11), 18), std::pair(simplex(4, 34), 18), std::pair(box(3, -5, 5), 18),
        std::pair(random_mixes(700, 4, 100'000, random), 22),
        std::pair(random_mixes(600, 2, 1 << 28, random), 30)}) {
    for (const std::int32_t largest : {2, 60, 1 << bits}) {
      for (const double share : {0.0, 0.004, 0.2, 1.0}) {
        BlendShape shape;
        shape.num_queries = 2;
        shape.num_memories = effort<std::int64_t>(1200);
        shape.num_features = int(mixes[0].size());
        shape.feature_bits = bits;
        shape.largest_value = largest;
        shape.smallest_value = -largest;
        SCOPED_TRACE(describe(shape) + ", " + std::to_string(mixes.size()) + " mixes, share " +
                     std::to_string(share) + ", seed " + std::to_string(kSeed));
        const Blend blend = under(mixes, make_blend(shape, random));
        const Bands bands(shape, share, random);
        for (const int k : some_of({1, 5, 64})) expect_plain_lists(blend, bands, k);
      }
    }
  }
}

// Memories on a sphere, most of which are best somewhere: box after box leaves nearly all of them,
// until there is no room for what another would leave.
TEST(BandTops, OfTreesTooDeepForTheirRoomAreThoseOfThePlainOps) {
  Random random(kSeed);
  for (const std::int64_t memories : some_of<std::int64_t>({60, 110, 170})) {
    BlendShape shape;
    shape.num_queries = 1;
    shape.num_memories = memories;
    shape.num_features = 4;
    Blend blend = make_blend(shape, random);
    for (std::size_t m = 0; m < std::size_t(memories); ++m) {
      double point[4], square = 0;
      for (double& along : point) {
        along = random.uniform(-1, 1);
        square += along * along;
      }
      for (std::size_t f = 0; f < 4; ++f) {
        blend.columns[f][m] = std::int32_t(std::ldexp(point[f] / std::sqrt(square), 18));
      }
    }
    blend = under(random_mixes(effort<std::size_t>(270'000), 4, 1000, random), blend);
    expect_plain_lists(blend, Bands(blend.shape, 1, random), 3);
  }
}

}  // namespace
}  // namespace sightline::tests
