// The k best of many mixes among memories that are marked, collected and copied, as a GPU does it,
// are the k best of all, bit for bit; and what is marked. Here the CPU runs the ops.
#include "host/gathered_top.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

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
  host::BackendBuffers buffers(nullptr);
  host::GatheredTop gathered(buffers, most_pairs);
  for (int again = 0; again < 2; ++again) {  // with what its buffers hold of before
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

/// How many of n memories fewer than k others dominate, by expectation, where d features are
/// independent: the share of all memories that dominates one is the product of d numbers uniform in
/// [0, 1], which is exp(-t) with t of a gamma distribution; how many these are is of a Poisson one.
double expected_skyband(double n, int d, int k) {
  constexpr double kStep = 0.01, kEnd = 50;  // of t: beyond, nobody dominates
  double share = 0;
  for (double t = kStep / 2; t < kEnd; t += kStep) {
    const double mean = n * std::exp(-t);
    double probability = std::exp(-mean), fewer = 0;
    for (int j = 0; j < k; ++j) {
      fewer += probability;
      probability *= mean / (j + 1);
    }
    share += fewer * std::pow(t, d - 1) * std::exp(-t) / std::tgamma(d) * kStep;
  }
  return n * share;
}

/// All that may be in a list, and what some pivots do not rule out: they are the best of a thousand
/// lists, not all memories.
void expect_few_are_left(const Blend& blend) {
  constexpr double kByPivots = 3.5;  // times as many; measured: 2.2, of a narrow feature 3.2
  constexpr int kBest = 5;
  const int features = blend.shape.num_features;
  const Gathered gathered = expect_same_lists(blend, all_ascend(features), kBest);
  EXPECT_EQ(gathered.num_pieces, 1);
  const double skyband =
      expected_skyband(static_cast<double>(blend.shape.num_memories), features, kBest);
  EXPECT_LT(static_cast<double>(gathered.widest), kByPivots * skyband);
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
  host::HostWorkspace workspace;
  kernels::mark_bands(
      {}, blend.view(), shape.num_queries, rule, pivots, k, made.marks.data(),
      workspace.reserve(kernels::mark_bands_workspace_bytes(shape.num_queries, pivots)));
  return made;
}

/// A query's pivots, each once.
std::vector<std::int64_t> pivots_of(const Marking& made, std::int64_t query) {
  std::set<std::int64_t> pivots;
  const std::int64_t num = std::int64_t{made.num_lists} * made.per_list;
  for (std::int64_t i = 0; i < num; ++i) {
    const std::int32_t pivot = made.lists[std::size_t(query * num + i)].memory;
    if (pivot != kernels::kNoMemory) pivots.insert(pivot);
  }
  return {pivots.begin(), pivots.end()};
}

/// Has memory a more of everything that is compared?
bool has_more(const Blend& blend, const DominanceRule& rule, std::int64_t q, std::int64_t a,
              std::int64_t b) {
  const oracle::RecallQuery query = blend.query(q);
  bool has = true;
  for (int f = 0; f < blend.shape.num_features; ++f) {
    if (rule.direction[f] == 0) continue;
    has = has && rule.direction[f] * (query.feature(f, a) - query.feature(f, b)) > 0;
  }
  return has;
}

/// By a count of every pivot, in the words of the header. A memory that fewer than k of them
/// dominate may be in a list and must be left. One that k dominate must be left out where each of
/// them has more of everything or stands well before it; what ties with a neighbour may be left.
/// How many are left out.
std::int64_t expect_marks(const Blend& blend, const DominanceRule& rule, int k) {
  constexpr std::int64_t kWellBefore = 128;  // memories: what the header calls next to it
  const std::int64_t memories = blend.shape.num_memories;
  const Marking made = marking_of(blend, rule, 4, k);
  std::int64_t num_left_out = 0;
  for (std::int64_t q = 0; q < blend.shape.num_queries; ++q) {
    const std::vector<std::int64_t> pivots = pivots_of(made, q);
    int first = 0;
    for (std::int64_t m = 0; m < memories; ++m) {
      const bool is_kept = blend.query(q).keeps(m), is_first = is_kept && first++ < k;
      int dominators = 0, plain_ones = 0;
      for (const std::int64_t pivot : pivots) {
        if (!is_ahead_everywhere(blend, rule, q, pivot, m)) continue;
        ++dominators;
        plain_ones += pivot + kWellBefore <= m || has_more(blend, rule, q, pivot, m);
      }
      const std::uint8_t mark = made.marks[std::size_t(q * memories + m)];
      const bool must_be_left = is_kept && (dominators < k || is_first);
      const bool must_go = !is_kept || (plain_ones >= k && !is_first);
      EXPECT_TRUE(mark == 1 || (mark == 0 && !must_be_left)) << "memory " << m << " of query " << q;
      EXPECT_TRUE(mark == 0 || !must_go) << "memory " << m << " of query " << q;
      num_left_out += is_kept && mark == 0;
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
    host::HostWorkspace workspace;
    kernels::collect_bands(
        {}, marks.data(), kQueries, kMemories, places.data(), first.data(),
        workspace.reserve(kernels::collect_bands_workspace_bytes({}, std::int64_t(marks.size()))));
    places.resize(expected.size());
    EXPECT_EQ(places, expected);
    EXPECT_EQ(first, expected_first);
  }
}

}  // namespace
}  // namespace sightline::tests
