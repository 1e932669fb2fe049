// Trees of boxes of mixes: each holds its mixes; what a box leaves out is beaten by k others under
// all of its weights; and the lists made so are those of the plain ops.
#include "host/mix_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>

#include "kernels/box_filter.h"
#include "support/blends.h"
#include "support/effort.h"
#include "support/mixes.h"

namespace sightline::tests {
namespace {

using host::MixTree;
using kernels::Candidates;
using kernels::Executor;
using kernels::MixBox;
using kernels::Scored;

constexpr std::uint64_t kSeed = 20261126;

std::vector<double> even_spread(std::size_t num_features) {
  return std::vector<double>(num_features, 1.0);
}

MixTree tree_of(const Mixes& mixes, const std::vector<double>& spread) {
  return host::make_mix_tree(flat(mixes).data(), std::int64_t(mixes.size()), spread);
}

/// A mix's weight as boxes hold it.
std::int64_t boxed_weight(const MixTree& tree, const oracle::Mix& mix, int f) {
  return f == tree.subtracted ? std::accumulate(mix.begin(), mix.end(), std::int64_t{0})
                              : mix[std::size_t(f)];
}

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

using Columns = std::vector<std::vector<std::int32_t>>;  ///< [num_features][num_members]

/// Memories as candidates of a box.
class Members {
 public:
  Members(Columns values, int feature_bits, int subtracted)
      : values_(std::move(values)), feature_bits_(feature_bits), subtracted_(subtracted) {
    const std::size_t room = values_[0].size() + kernels::kCandidatePad;
    for (std::size_t f = 0; f < values_.size(); ++f) {
      std::vector<float>& column = columns_[f];
      column.assign(room, 0.0f);
      for (std::size_t i = 0; i < values_[0].size(); ++i) {
        column[i] = float(values_[f][i]);
        if (subtracted >= 0 && int(f) != subtracted) {
          column[i] -= float(values_[std::size_t(subtracted)][i]);
        }
      }
      const auto last = column.begin() + std::ptrdiff_t(values_[0].size());
      least_[f] = *std::min_element(column.begin(), last);
      range_[f] = *std::max_element(column.begin(), last) - least_[f];
      all_.features[f] = column.data();
      left_columns_[f].resize(room);
      left_.features[f] = left_columns_[f].data();
    }
    member_.resize(room);
    left_member_.resize(room);
    std::iota(member_.begin(), member_.end(), 0);
    all_.member = member_.data();
    left_.member = left_member_.data();
    all_.num = std::int32_t(values_[0].size());
    scores_.resize(room);
  }

  int num() const { return all_.num; }

  /// Those that the box leaves, or all.
  std::vector<std::int32_t> left_by(const MixBox& box, int k, kernels::InstructionSet set) {
    const int num_features = int(values_.size());
    const kernels::BoxFilter filter{&box, num_features, feature_bits_, k, least_, range_};
    if (!kernels::leave_out_beaten(filter, all_, scores_.data(), &left_, set)) {
      return {member_.begin(), member_.begin() + all_.num};
    }
    for (std::int32_t i = 0; i < left_.num; ++i) {
      for (int f = 0; f < num_features; ++f) {
        EXPECT_EQ(left_.features[f][i], all_.features[f][left_.member[i]]);
      }
    }
    return {left_.member, left_.member + left_.num};
  }

  /// Does a score more than b under every weight of the box, in whole numbers? It does if it does
  /// in all corners.
  bool beats(int a, int b, const Mixes& corners) const {
    return std::all_of(corners.begin(), corners.end(), [&](const oracle::Mix& corner) {
      std::int64_t ahead = 0;
      for (std::size_t f = 0; f < values_.size(); ++f) ahead += corner[f] * apart(f, a, b);
      return ahead > 0;
    });
  }

 private:
  std::int64_t apart(std::size_t f, int a, int b) const {
    const auto of = [&](std::size_t g) {
      return std::int64_t{values_[g][std::size_t(a)]} - values_[g][std::size_t(b)];
    };
    const bool is_less = subtracted_ >= 0 && int(f) != subtracted_;
    return of(f) - (is_less ? of(std::size_t(subtracted_)) : 0);
  }

  Columns values_;
  int feature_bits_, subtracted_;
  std::array<std::vector<float>, kernels::kMaxFeatures> columns_, left_columns_;
  std::vector<std::int32_t> member_, left_member_;
  std::vector<float> scores_;
  float least_[kernels::kMaxFeatures] = {}, range_[kernels::kMaxFeatures] = {};
  Candidates all_, left_;
};

/// Corners of the least box around some mixes, and the box as a tree makes it.
struct Boxed {
  Mixes corners = {{}};
  MixBox box;
  int subtracted;

  explicit Boxed(const Mixes& mixes) {
    const MixTree tree = tree_of(mixes, even_spread(mixes[0].size()));
    box = tree.boxes[0];
    subtracted = tree.subtracted;
    for (int f = 0; f < tree.num_features; ++f) {
      std::int64_t low = boxed_weight(tree, mixes[0], f), high = low;
      for (const oracle::Mix& mix : mixes) {
        low = std::min(low, boxed_weight(tree, mix, f));
        high = std::max(high, boxed_weight(tree, mix, f));
      }
      Mixes more;
      for (const oracle::Mix& corner : corners) {
        for (const std::int64_t weight : {low, high}) {
          more.push_back(corner);
          more.back().push_back(weight);
          if (low == high) break;
        }
      }
      corners = more;
    }
  }
};

/// Mixes near one another, of any signs, whose sums are the same or not.
Mixes mixes_nearby(int num_features, std::int64_t largest, bool equal_sums, Random& random) {
  oracle::Mix middle;
  for (int f = 0; f < num_features; ++f) middle.push_back(random.integer(-largest, largest));
  const std::int64_t reach = std::max<std::int64_t>(1, largest / 8);
  Mixes mixes;
  for (int i = 0; i < 12; ++i) {
    oracle::Mix mix = middle;
    for (int f = 0; f < num_features; ++f) {
      const std::int64_t more = random.integer(-reach, reach);
      mix[std::size_t(f)] += more;
      if (equal_sums) mix[std::size_t((f + 1) % num_features)] -= more;
    }
    mixes.push_back(mix);
  }
  return mixes;
}

// With values far apart, and so close to one another that float cannot tell them apart.
TEST(BoxFilter, LeavesOutOnlyWhatKOthersBeatInAllCorners) {
  Random random(kSeed);
  std::int64_t num_left_out = 0, num_all = 0;
  for (int round = 0; round < effort(160); ++round) {
    const int num_features = int(random.integer(1, kernels::kMaxFeatures));
    const int bits = round % 2 == 0 ? 18 : 30;
    const std::int64_t reach = std::int64_t{1} << (round % 4 < 2 ? bits : round % 8 < 4 ? 1 : 8);
    Columns values;
    values.resize(std::size_t(num_features));
    const auto num = random.integer(1, 300);
    for (auto& column : values) {
      const std::int64_t least =
          random.integer(-(std::int64_t{1} << bits), (std::int64_t{1} << bits) - reach);
      for (std::int64_t i = 0; i < num; ++i) {
        column.push_back(std::int32_t(random.integer(least, least + reach)));
      }
    }
    const std::int64_t largest =
        std::array<std::int64_t, 4>{1, 20, 3000, 1 << 26}[std::size_t(round / 4 % 4)];
    const Boxed boxed(mixes_nearby(num_features, largest, round % 3 == 0, random));
    Members members(values, bits, boxed.subtracted);
    for (const int k : {1, 3, 64}) {
      for (const kernels::InstructionSet set : instruction_sets()) {
        SCOPED_TRACE("round " + std::to_string(round) + ", k " + std::to_string(k) + ", " +
                     kernels::vector_target(set) + ", seed " + std::to_string(kSeed));
        const auto left = members.left_by(boxed.box, k, set);
        ASSERT_TRUE(std::is_sorted(left.begin(), left.end()));
        num_all += members.num();
        for (int m = 0; m < members.num(); ++m) {
          if (std::binary_search(left.begin(), left.end(), m)) continue;
          ++num_left_out;
          int beaten_by = 0;
          for (int other = 0; other < members.num(); ++other) {
            beaten_by += members.beats(other, m, boxed.corners);
          }
          ASSERT_GE(beaten_by, k) << m;
        }
      }
    }
  }
  EXPECT_GT(num_left_out, num_all / 8);
}

// Two memories, one of which is barely ahead, or barely not, in the corner that is worst for it.
TEST(BoxFilter, LeavesNothingToRounding) {
  Random random(kSeed);
  int num_beaten = 0;
  for (int round = 0; round < effort(4000); ++round) {
    const int bits = round % 2 == 0 ? 18 : 26, num_features = int(random.integer(2, 5));
    Mixes two(2);  // of weights > 0
    for (int f = 0; f < num_features; ++f) {
      two[0].push_back(random.integer(600, 900));
      two[1].push_back(random.integer(600, 900));
    }
    const Boxed boxed(two);
    if (boxed.subtracted >= 0) continue;
    // The second is ahead in the last feature, by what makes up for the others.
    Columns values;
    std::int64_t behind = 0;
    for (int f = 0; f + 1 < num_features; ++f) {
      const auto ahead = std::int32_t(random.integer(0, 1 << (bits - 3)));
      const std::int32_t value = std::int32_t(random.integer(0, 1 << (bits - 1)));
      values.push_back({value + ahead, value});
      behind += ahead * std::max(two[0][std::size_t(f)], two[1][std::size_t(f)]);
    }
    const std::int64_t least = std::min(two[0].back(), two[1].back());
    const std::int64_t needed = behind / least + random.integer(0, 1);
    values.push_back({0, std::int32_t(needed)});
    Members members(values, bits, boxed.subtracted);
    const bool is_beaten = members.beats(1, 0, boxed.corners);
    for (const kernels::InstructionSet set : instruction_sets()) {
      const bool is_left_out = members.left_by(boxed.box, 1, set).size() < 2;
      num_beaten += is_beaten;
      EXPECT_TRUE(!is_left_out || is_beaten) << "round " << round << ", seed " << kSeed;
    }
  }
  EXPECT_GT(num_beaten, effort(1000));
}

TEST(BoxFilter, KeepsEquals) {
  const Boxed boxed({{1, 2}, {2, 2}, {1, 3}, {2, 3}});
  for (const kernels::InstructionSet set : instruction_sets()) {
    for (const int bits : {18, 30}) {
      const std::int32_t high = (1 << bits) - 3;
      const Columns values = {std::vector<std::int32_t>(200, high),
                              std::vector<std::int32_t>(200, -high)};
      Members members(values, bits, boxed.subtracted);
      EXPECT_EQ(members.left_by(boxed.box, 1, set).size(), 200u);
    }
  }
}

// Narrow boxes leave little of memories that vary; a box of one mix not much more than its list.
TEST(BoxFilter, LeavesLittle) {
  Random random(kSeed);
  Columns values(5);
  for (auto& column : values) {
    for (int i = 0; i < 20000; ++i) column.push_back(std::int32_t(random.integer(0, 1 << 18)));
  }
  for (const kernels::InstructionSet set : instruction_sets()) {
    const Boxed narrow({{4, 3, 5, 4, 4}, {5, 4, 4, 4, 3}, {4, 4, 4, 5, 3}});
    Members of_narrow(values, 18, narrow.subtracted);
    EXPECT_LT(of_narrow.left_by(narrow.box, 5, set).size(), 600u);
    const Boxed one(Mixes{{4, -3, 5, 4, 4}});
    Members of_one(values, 18, one.subtracted);
    EXPECT_LT(of_one.left_by(one.box, 5, set).size(), 8u);
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
      std::vector<std::byte> room(std::size_t(bytes) + kernels::Workspace::kAlignment);
      std::size_t space = room.size();
      void* data = room.data();
      std::align(kernels::Workspace::kAlignment, std::size_t(bytes), data, space);
      std::vector<Scored> lists(expected.size(), {7, 7, 7});
      kernels::band_tops(executor, blend.view(), shape.num_queries, bands.view(), tree.view(), k,
                         lists.data(), {data, bytes});
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
        for (const int k : {1, 5, 64}) expect_plain_lists(blend, bands, k);
      }
    }
  }
}

}  // namespace
}  // namespace sightline::tests
