// The k best of many mixes among memories that are marked, collected and copied, as a GPU does it,
// are the k best of all, bit for bit; and what is marked. Here the CPU runs the ops.
#include "host/gathered_top.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "kernels/band_ops.h"
#include "kernels/dominance.h"
#include "support/bands.h"

namespace sightline::tests {
namespace {

using kernels::DominanceRule;
using kernels::Scored;

constexpr std::uint64_t kSeed = 20261127;

const std::vector<int> kOddFeatures = {1, 3, 5, 7};

struct Gathered {
  std::int64_t num_pieces = 0, widest = 0;  ///< of gathered pieces, and memories in one at most
};

/// By pieces that most_pairs makes of the queries.
Gathered expect_same_lists(const Blend& blend, const DominanceRule& rule, int k,
                           std::int64_t most_pairs = std::int64_t{1} << 25) {
  host::BackendRooms rooms(nullptr);
  host::GatheredTop gathered(rooms, most_pairs);
  for (int again = 0; again < 2; ++again) {  // with what its rooms hold of before
    std::vector<Scored> lists;
    gathered.top_memories(call_of(blend, k, &lists), rule);
    EXPECT_TRUE(same_bytes(lists, tops_of(blend, k, {}))) << "k " << k << ", seed " << kSeed;
  }
  return {gathered.num_gathered() / 2, gathered.most_gathered()};
}

TEST(GatheredTop, HasTheBestOfAllMixes) {
  Random random(kSeed);
  BlendShape shape;
  shape.num_queries = 3;
  shape.num_mixes = 40;
  std::int64_t num_gathered = 0;
  for_each_lattice_blend(shape, kOddFeatures, random, [&](const Blend& blend, int k) {
    num_gathered += expect_same_lists(blend, rule_of(blend), k).num_pieces;
  });
  EXPECT_GT(num_gathered, 0) << "nothing but full scans was tried";
}

// Also by pieces, the last of them smaller, and features that no float holds.
TEST(GatheredTop, HasTheBestOfManyQueriesAndWideFeatures) {
  Random random(kSeed);
  for (const int bits : {18, 22, 30}) {
    BlendShape shape;
    shape.num_memories = 3000;
    shape.num_queries = 7;
    shape.feature_bits = bits;
    shape.largest_value = 1 << bits;
    shape.smallest_value = -(1 << bits);
    shape.num_features = 3;
    shape.num_mixes = 50;
    SCOPED_TRACE(describe(shape) + ", seed " + std::to_string(kSeed));
    Blend blend = make_blend(shape, random);
    give_lattice_weights(&blend, random, kOddFeatures);
    EXPECT_EQ(expect_same_lists(blend, rule_of(blend), 5).num_pieces, 1);
    EXPECT_EQ(expect_same_lists(blend, rule_of(blend), 5, 2 * 3000).num_pieces, 4);
  }
}

/// As many as host/gathered_top.cpp expects of five features at most.
void expect_few_are_left(const Blend& blend) {
  const auto memories = static_cast<double>(blend.shape.num_memories);
  const Gathered gathered = expect_same_lists(blend, all_ascend(blend.shape.num_features), 5);
  EXPECT_EQ(gathered.num_pieces, 1);
  EXPECT_LT(static_cast<double>(gathered.widest), 15 * std::sqrt(5 / memories) * memories);
}

// Also where one feature varies two hundred times less than the others: pivots are good at them all
// the same.
TEST(GatheredTop, LeavesFewOfManyMemories) {
  Random random(kSeed);
  BlendShape shape;
  shape.num_memories = effort(100'000);
  shape.num_queries = 2;
  shape.num_mixes = 30;
  Blend blend = make_blend(shape, random);
  expect_few_are_left(blend);
  for (std::int32_t& value : blend.columns[0]) value /= 200;
  expect_few_are_left(blend);
}

// Features that are the same for all are not compared; mixes of them alone tie all memories.
TEST(GatheredTop, HasTheBestUnderFeaturesThatAreNotCompared) {
  Random random(kSeed);
  for (const double kept : {1.0, 0.3}) {
    BlendShape shape;
    shape.num_memories = 1000;
    shape.num_features = 4;
    shape.num_mixes = 20;
    shape.share_kept = kept;
    SCOPED_TRACE(describe(shape) + ", seed " + std::to_string(kSeed));
    Blend blend = make_blend(shape, random);
    give_lattice_weights(&blend, random, kOddFeatures);
    std::fill(blend.columns[1].begin(), blend.columns[1].end(), 77);
    std::fill_n(blend.weights.begin() + shape.num_features, shape.num_features, 0);
    blend.weights[std::size_t(shape.num_features + 1)] = -3;  // all the weight on it
    DominanceRule rule = rule_of(blend);
    for (const bool is_compared : {true, false}) {
      if (!is_compared) rule.direction[1] = 0;
      for (const int k : {1, 5}) expect_same_lists(blend, rule, k);
    }
  }
}

TEST(GatheredTop, PaysForManyMixesOfManyMemoriesAlone) {
  const auto pays = [](std::int64_t queries, std::int64_t memories, std::int64_t mixes, int k,
                       int num_compared) {
    host::TopCall call;
    call.memories.num_memories = memories;
    call.num_queries = queries;
    call.num_mixes = mixes;
    call.k = k;
    return host::GatheredTop::pays(call, num_compared);
  };
  EXPECT_TRUE(pays(64, 1'000'000, 10'626, 5, 5));
  EXPECT_FALSE(pays(64, 1'000'000, 100, 5, 5));
  EXPECT_FALSE(pays(64, 1'000'000, 10'626, 5, 0)) << "nothing is compared";
  EXPECT_FALSE(pays(64, 1'000'000, 10'626, 64, 8)) << "most are left";
  EXPECT_FALSE(pays(600, 120, 10'626, 5, 5));
  EXPECT_FALSE(pays(0, 0, 0, 5, 5));
}

TEST(GatheredTop, OfNoQueriesMemoriesOrMixesIsNothing) {
  Random random(kSeed);
  for (const int without : {0, 1, 2}) {
    BlendShape shape;
    shape.num_features = 2;
    if (without == 0) shape.num_queries = 0;
    if (without == 1) shape.num_memories = 0;
    if (without == 2) shape.num_mixes = 0;
    expect_same_lists(make_blend(shape, random), all_ascend(shape.num_features), 5);
  }
}

struct Marking {
  std::vector<Scored> lists;  ///< of pivots, [queries, num_lists, per_list]
  int num_lists = 0, per_list = 0;
  std::vector<std::uint8_t> marks;
};

Marking marking_of(const Blend& blend, const DominanceRule& rule, int per_list, int k) {
  const BlendShape& shape = blend.shape;
  Marking made{tops_of(blend, per_list, {}), int(shape.num_mixes), per_list, {}};
  made.marks.assign(std::size_t(shape.num_queries * shape.num_memories), 7);
  const kernels::PivotLists pivots{made.lists.data(), made.num_lists, per_list};
  host::HostWorkspace room;
  kernels::mark_bands({}, blend.view(), shape.num_queries, rule, pivots, k, made.marks.data(),
                      room.reserve(kernels::mark_bands_workspace_bytes(shape.num_queries, pivots)));
  return made;
}

bool keeps(const Blend& blend, std::int64_t query, std::int64_t memory) {
  return kernels::QueryMemories(blend.view(), query).keeps(memory);
}

/// How many of a query's pivots dominate a memory; of those from `begin` on, such as have more of
/// everything alone.
int num_dominators(const Blend& blend, const DominanceRule& rule, const Marking& made,
                   std::int64_t query, std::int64_t memory, std::int64_t begin) {
  const kernels::QueryMemories of(blend.view(), query);
  std::vector<std::int32_t> pivots;
  const std::int64_t num = std::int64_t{made.num_lists} * made.per_list;
  for (std::int64_t i = 0; i < num; ++i) {
    const std::int32_t pivot = made.lists[std::size_t(query * num + i)].memory;
    if (pivot != kernels::kNoMemory) pivots.push_back(pivot);
  }
  std::sort(pivots.begin(), pivots.end());
  pivots.erase(std::unique(pivots.begin(), pivots.end()), pivots.end());
  int dominators = 0;
  for (const std::int32_t pivot : pivots) {
    bool has_more = true;
    for (int f = 0; f < blend.shape.num_features; ++f) {
      if (rule.direction[f] == 0) continue;
      has_more = has_more && rule.direction[f] * of.features[f][pivot] >
                                 rule.direction[f] * of.features[f][memory];
    }
    dominators += kernels::dominates(of, rule, blend.shape.num_features, pivot, memory) &&
                  (pivot < begin || has_more);
  }
  return dominators;
}

/// By a count of every pivot, in the words of the header. How many are left out.
std::int64_t expect_marks(const Blend& blend, const DominanceRule& rule, int k) {
  constexpr std::int64_t kTogether = kernels::MarkBands5::kTogether;
  const std::int64_t memories = blend.shape.num_memories;
  const Marking made = marking_of(blend, rule, 4, k);
  std::int64_t num_left_out = 0;
  for (std::int64_t q = 0; q < blend.shape.num_queries; ++q) {
    int first = 0;
    for (std::int64_t m = 0; m < memories; ++m) {
      const bool is_kept = keeps(blend, q, m), is_first = is_kept && first++ < k;
      const int dominators = num_dominators(blend, rule, made, q, m, m / kTogether * kTogether);
      const bool is_left = is_kept && (dominators < k || is_first);
      EXPECT_EQ(made.marks[std::size_t(q * memories + m)], is_left)
          << "memory " << m << " of query " << q;
      num_left_out += is_kept && !is_left;
    }
  }
  return num_left_out;
}

TEST(MarkBands, MarksWhatFewerThanKPivotsDominate) {
  Random random(kSeed);
  std::int64_t num_left_out = 0;
  for (const std::int64_t memories : {5, 127, 128, 129, 424}) {
    for (const std::int32_t largest : {2, 1 << 18}) {
      for (const double kept : {1.0, 0.4}) {
        for (const int features : some_of({2, 4, 6})) {
          BlendShape shape;
          shape.num_memories = memories;
          shape.num_queries = 2;
          shape.num_mixes = 11;
          shape.num_features = features;
          shape.largest_value = largest;
          shape.share_kept = kept;
          SCOPED_TRACE(describe(shape) + ", seed " + std::to_string(kSeed));
          Blend blend = make_blend(shape, random);
          give_lattice_weights(&blend, random, kOddFeatures);
          num_left_out += expect_marks(blend, rule_of(blend), 3);
        }
      }
    }
  }
  EXPECT_GT(num_left_out, 1000);
}

TEST(CollectBands, HasThePlacesOfMarks) {
  Random random(kSeed);
  for (const double share : {0.0, 0.3, 1.0}) {
    constexpr std::int64_t kQueries = 4, kMemories = 130;
    std::vector<std::uint8_t> marks;
    std::vector<std::int32_t> expected, expected_first = {0};
    for (std::int64_t i = 0; i < kQueries * kMemories; ++i) {
      const bool is_empty_row = i / kMemories == 2;
      marks.push_back(!is_empty_row && random.chance(share));
      if (marks.back() != 0) expected.push_back(std::int32_t(i));
      if (i % kMemories == kMemories - 1) expected_first.push_back(std::int32_t(expected.size()));
    }
    std::vector<std::int32_t> places(marks.size(), 7), first(kQueries + 1, 7);
    host::HostWorkspace room;
    kernels::collect_bands(
        {}, marks.data(), kQueries, kMemories, places.data(), first.data(),
        room.reserve(kernels::collect_bands_workspace_bytes({}, std::int64_t(marks.size()))));
    places.resize(expected.size());
    EXPECT_EQ(places, expected);
    EXPECT_EQ(first, expected_first);
  }
}

}  // namespace
}  // namespace sightline::tests
