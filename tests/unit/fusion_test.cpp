// Fusion of rankings: normalisations by hand, sums and reciprocal ranks against plain ones.
#include "index/fusion.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "support/search.h"

namespace sightline::tests {
namespace {

using index::Decay;
using index::Hit;
using index::Hits;
using index::Normalisation;
using index::normalise;
using index::WeightedList;

constexpr std::uint64_t kSeed = 20240906;
constexpr double kTolerance = 1e-13;  // of values near 1: a few units in the last place
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

using Scores = std::vector<double>;

TEST(Normalise, FollowsItsDefinition) {
  const Scores scores{2, 6, 4, 6};
  EXPECT_EQ(normalise(scores, Normalisation::kNone), scores);
  EXPECT_EQ(normalise(scores, Normalisation::kMinMax), (Scores{0, 1, 0.5, 1}));
  EXPECT_EQ(normalise(scores, Normalisation::kRank), (Scores{0, 2.5 / 3, 1.0 / 3, 2.5 / 3}));
  const Scores z = normalise(scores, Normalisation::kZScore);
  const double deviation = std::sqrt(2.75);  // mean 4.5; 6.25, 2.25, 0.25 and 2.25 on average
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(z[i], (scores[i] - 4.5) / deviation, kTolerance);
}

TEST(Normalise, GivesConstantColumnsTheMiddle) {
  for (const Scores& scores : {Scores{0.1, 0.1, 0.1}, Scores{-7}}) {
    EXPECT_EQ(normalise(scores, Normalisation::kMinMax), Scores(scores.size(), 0.5));
    EXPECT_EQ(normalise(scores, Normalisation::kRank), Scores(scores.size(), 0.5));
    EXPECT_EQ(normalise(scores, Normalisation::kZScore), Scores(scores.size(), 0));
  }
  for (const auto how : {Normalisation::kNone, Normalisation::kMinMax, Normalisation::kZScore,
                         Normalisation::kRank}) {
    EXPECT_TRUE(normalise({}, how).empty());
  }
}

TEST(Normalise, SurvivesTheLargestNumbers) {
  const double large = std::numeric_limits<double>::max();
  EXPECT_EQ(normalise({-large, 0, large}, Normalisation::kMinMax), (Scores{0, 0.5, 1}));
}

/// Lists of some of 40 rows each, with scores of few values.
std::vector<WeightedList> random_lists(std::uint64_t seed) {
  Random random(seed);
  std::vector<WeightedList> lists(3);
  for (WeightedList& list : lists) {
    list.weight = random.uniform(-1, 2);
    for (std::int64_t row = 0; row < 40; ++row) {
      if (random.chance(0.6)) {
        list.hits.push_back({row, static_cast<double>(random.integer(0, 5)) / 4});
      }
    }
    list.hits.push_back({100, 0});  // the least and the greatest are there
    list.hits.push_back({101, 1.25});
  }
  return lists;
}

TEST(WeightedSum, AddsWhatEachListSays) {
  for (std::uint64_t seed = kSeed; seed < kSeed + 20; ++seed) {
    const std::vector<WeightedList> lists = random_lists(seed);
    std::map<std::int64_t, double> sums;
    for (const WeightedList& list : lists) {
      for (const Hit& hit : list.hits) sums[hit.row];
    }
    for (auto& [row, sum] : sums) {
      for (const WeightedList& list : lists) {
        double score = 0.25;  // absent
        for (const Hit& hit : list.hits) {
          if (hit.row == row) score = hit.score / 1.25;  // min-max of 0 .. 1.25
        }
        sum += list.weight * score;
      }
    }
    const Hits fused = weighted_sum(lists, Normalisation::kMinMax, 100, 0.25);
    ASSERT_EQ(fused.size(), sums.size());
    for (std::size_t i = 0; i < fused.size(); ++i) {
      EXPECT_NEAR(fused[i].score, sums[fused[i].row], kTolerance) << "seed " << seed;
      if (i == 0) continue;
      EXPECT_GE(fused[i - 1].score, fused[i].score);
    }
    EXPECT_EQ(weighted_sum(lists, Normalisation::kMinMax, 5, 0.25),
              Hits(fused.begin(), fused.begin() + 5));
  }
}

TEST(WeightedSum, BreaksTiesByRow) {
  const Hits fused =
      weighted_sum({{{{9, 1}, {4, 0}}, 1}, {{{4, 1}, {9, 0}, {2, 1}}, 1}}, Normalisation::kNone, 3);
  EXPECT_EQ(fused, (Hits{{2, 1}, {4, 1}, {9, 1}}));
  EXPECT_TRUE(weighted_sum({}, Normalisation::kZScore, 3).empty());
}

TEST(ReciprocalRankFusion, MatchesItsDefinition) {
  const Hits fused = index::reciprocal_rank_fusion({{7, 3, 5}, {5, 7}, {}}, 10);
  ASSERT_EQ(fused.size(), 3u);
  EXPECT_EQ(fused[0], (Hit{7, 1.0 / 61 + 1.0 / 62}));
  EXPECT_EQ(fused[1], (Hit{5, 1.0 / 63 + 1.0 / 61}));
  EXPECT_EQ(fused[2], (Hit{3, 1.0 / 62}));
  // Mirrored lists: equal sums, ties to the lower row.
  const Hits tied = index::reciprocal_rank_fusion({{8, 2}, {2, 8}}, 10, 1);
  EXPECT_EQ(tied, (Hits{{2, 1.0 / 2 + 1.0 / 3}, {8, 1.0 / 2 + 1.0 / 3}}));
  EXPECT_EQ(index::reciprocal_rank_fusion({{8, 2}, {2, 8}}, 1, 1).size(), 1u);
}

TEST(DecayForms, FallFromOneAsTheyShould) {
  for (const auto form :
       {Decay::kLinear, Decay::kExponential, Decay::kHyperbolic, Decay::kGaussian}) {
    EXPECT_EQ(index::decay(form, 0, 3), 1);
    EXPECT_GT(index::decay(form, 1, 3), index::decay(form, 2, 3));
  }
  EXPECT_EQ(index::decay(Decay::kLinear, 1.5, 3), 0.5);
  EXPECT_EQ(index::decay(Decay::kLinear, 4, 3), 0);
  EXPECT_EQ(index::decay(Decay::kHyperbolic, 3, 3), 0.5);
  EXPECT_NEAR(index::decay(Decay::kExponential, 6, 3), std::exp(-2), kTolerance);
  EXPECT_NEAR(index::decay(Decay::kGaussian, 6, 3), std::exp(-2), kTolerance);
}

TEST(Fusion, RefusesWhatIsNoRanking) {
  EXPECT_TRUE(says(bad_input_of([] { normalise({1, kNaN}, Normalisation::kRank); }), "score 1"));
  EXPECT_TRUE(says(bad_input_of([] {
                     weighted_sum({{{{1, kNaN}}, 1}}, Normalisation::kNone, 1);
                   }),
                   "row 1 of list 0"));
  EXPECT_TRUE(says(bad_input_of([] {
                     weighted_sum({{{}, kNaN}}, Normalisation::kNone, 1);
                   }),
                   "weight of list 0"));
  EXPECT_TRUE(says(bad_input_of([] {
                     weighted_sum({{{{1, 1}, {1, 2}}, 1}}, Normalisation::kNone, 1);
                   }),
                   "row 1 stands twice"));
  EXPECT_TRUE(says(bad_input_of([] { weighted_sum({}, Normalisation::kNone, 0); }), "k 0"));
  EXPECT_TRUE(says(bad_input_of([] { index::reciprocal_rank_fusion({{1, 1}}, 1); }), "twice"));
  EXPECT_TRUE(says(bad_input_of([] { index::reciprocal_rank_fusion({}, 1, 0); }), "constant"));
  EXPECT_TRUE(says(bad_input_of([] { index::decay(Decay::kLinear, -1, 1); }), "distance"));
  EXPECT_TRUE(says(bad_input_of([] { index::decay(Decay::kLinear, 1, 0); }), "scale"));
}

}  // namespace
}  // namespace sightline::tests
