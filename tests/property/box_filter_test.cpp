// What a box of mixes leaves out is beaten by k others under all of its weights, and that is most.
#include "kernels/box_filter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "support/blends.h"
#include "support/effort.h"
#include "support/mix_trees.h"

namespace sightline::tests {
namespace {

using host::MixTree;
using kernels::Candidates;
using kernels::MixBox;

constexpr std::uint64_t kSeed = 20261126;

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

/// What each instruction set leaves out, k others beat. Returns how many are left out in all.
std::int64_t expect_beaten(const Columns& values, int feature_bits, const Boxed& boxed, int k) {
  Members members(values, feature_bits, boxed.subtracted);
  std::int64_t num_left_out = 0;
  for (const kernels::InstructionSet set : instruction_sets()) {
    const auto left = members.left_by(boxed.box, k, set);
    EXPECT_TRUE(std::is_sorted(left.begin(), left.end()));
    for (int m = 0; m < members.num(); ++m) {
      if (std::binary_search(left.begin(), left.end(), m)) continue;
      ++num_left_out;
      int beaten_by = 0;
      for (int other = 0; other < members.num(); ++other) {
        beaten_by += members.beats(other, m, boxed.corners);
      }
      EXPECT_GE(beaten_by, k) << m << " by " << kernels::vector_target(set);
    }
  }
  return num_left_out;
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
    for (const int k : {1, 3, 64}) {
      SCOPED_TRACE("round " + std::to_string(round) + ", k " + std::to_string(k) + ", seed " +
                   std::to_string(kSeed));
      num_all += num * std::int64_t(instruction_sets().size());
      num_left_out += expect_beaten(values, bits, boxed, k);
    }
  }
  EXPECT_GT(num_left_out, num_all / 8);
}

// Two memories, one of which is barely ahead, or barely not, in the corner that is worst for it.
TEST(BoxFilter, LeavesNothingToRounding) {
  Random random(kSeed);
  int num_beaten = 0;
  for (int round = 0; round < effort(4000); ++round) {
    SCOPED_TRACE("round " + std::to_string(round) + ", seed " + std::to_string(kSeed));
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
    values.push_back({0, std::int32_t(behind / least + random.integer(0, 1))});
    expect_beaten(values, bits, boxed, 1);
    num_beaten += Members(values, bits, boxed.subtracted).beats(1, 0, boxed.corners);
  }
  EXPECT_GT(num_beaten, effort(1000));
}

/// Weights from -half to half, but for the last, which is one.
Mixes around_zero(int num_features, std::int64_t half, std::int64_t last) {
  Mixes two(2);
  for (int f = 0; f + 1 < num_features; ++f) {
    two[0].push_back(-half);
    two[1].push_back(half);
  }
  two[0].push_back(last);
  two[1].push_back(last);
  return two;
}

// Four memories: two that stretch the range, and two that lie on either side of the middle between
// integers, so that rounding makes nothing of what is nearly 1 in each feature.
TEST(BoxFilter, LeavesNothingToRoundedDifferences) {
  Random random(kSeed);
  constexpr std::int64_t kHalf = 500, kReach = 1 << 18;
  for (int round = 0; round < effort(2000); ++round) {
    SCOPED_TRACE("round " + std::to_string(round) + ", seed " + std::to_string(kSeed));
    const int num_features = int(random.integer(2, kernels::kMaxFeatures));
    const double step = double(kReach) * (num_features - 1) / 30000;
    Columns values;
    std::int64_t cost = 0;
    for (int f = 0; f + 1 < num_features; ++f) {
      const double integer = double(random.integer(1, std::int64_t(double(kReach) / step) - 1));
      values.push_back({0, kReach, std::int32_t((integer + 0.49) * step),
                        std::int32_t((integer - 0.49) * step) + 1});
      cost += kHalf * (values.back()[2] - values.back()[3]);
    }
    const auto lead = std::int64_t(double(cost) * random.uniform(0.6, 1.001));
    values.push_back({0, 0, std::int32_t(std::min(kReach, lead)), 0});
    expect_beaten(values, 18, Boxed(around_zero(num_features, kHalf, 1)), 1);
  }
}

// Values that float makes equal, under a box much wider than its centre is far from zero.
TEST(BoxFilter, LeavesNothingToFloatsGrain) {
  Random random(kSeed);
  constexpr std::int32_t kWhole = 1 << 30, kReach = 64;
  std::int64_t num_left_out = 0;
  for (int round = 0; round < effort(2000); ++round) {
    SCOPED_TRACE("round " + std::to_string(round) + ", seed " + std::to_string(kSeed));
    const int num_features = int(random.integer(2, kernels::kMaxFeatures));
    const std::int64_t half = round % 2 == 0 ? 50 : 1000, last = round % 4 < 2 ? 1 : 7;
    Columns values;
    std::int64_t cost = 0;
    for (int f = 0; f + 1 < num_features; ++f) {
      const auto any = [&] { return kWhole - kReach + std::int32_t(random.integer(0, kReach)); };
      values.push_back({kWhole - kReach, kWhole, any(), any()});
      cost += half * std::abs(values.back()[2] - values.back()[3]);
    }
    const auto lead =
        std::int64_t(double(cost / last) * random.uniform(0.01, round % 3 == 0 ? 1500 : 1.6));
    values.push_back({0, 0, std::int32_t(std::min<std::int64_t>(kWhole, lead)), 0});
    num_left_out += expect_beaten(values, 30, Boxed(around_zero(num_features, half, last)), 1);
  }
  EXPECT_GT(num_left_out, 0);
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

}  // namespace
}  // namespace sightline::tests
