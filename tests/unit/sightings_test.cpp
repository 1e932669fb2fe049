// Things put together of what entries show: joined by steps, and what is then known of each.
#include "host/meta_memory/sightings.h"

#include <gtest/gtest.h>

#include <vector>

namespace sightline::host {
namespace {

using kernels::Vec3;

constexpr double kSameThing_m = 2, kSameView_m = 10;

struct Shown {
  std::int64_t row;
  double probability, similarity;
  Vec3 viewpoint_m;
};

ThingSighting view(const Shown& shown) {
  ThingSighting sighting;
  sighting.row = shown.row;
  sighting.probability = shown.probability;
  sighting.similarity = shown.similarity;
  sighting.viewpoint_m = shown.viewpoint_m;
  return sighting;
}

ThingSighting thing(const Shown& shown, const Vec3& thing_m) {
  ThingSighting sighting = view(shown);
  sighting.thing_m = thing_m;
  return sighting;
}

std::vector<Candidate> candidates(const std::vector<ThingSighting>& sightings) {
  return candidates_of(sightings, kSameThing_m, kSameView_m);
}

TEST(Candidates, HaveTheHighestProbabilityAndSimilarityOfTheirSightings) {
  // The two are not of one sighting, and the highest is neither the first nor the last.
  const auto found = candidates(
      {thing({1, 0.3, 0.2, {5, 0, 0}}, {0, 0, 0}), thing({2, 0.8, 0.1, {5, 0, 0}}, {0, 0, 0}),
       thing({3, 0.4, 0.9, {5, 0, 0}}, {0, 0, 0}), thing({4, 0.5, 0.3, {5, 0, 0}}, {0, 0, 0})});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].probability, 0.8);
  EXPECT_EQ(found[0].similarity, 0.9);
}

TEST(Candidates, AreJoinedByStepsAsFarAsTheyLead) {
  // 0, 2 and 4 m: the ends are too far apart for one step. Then one 2.01 m off.
  const auto found = candidates(
      {thing({1, 1, 0, {9, 0, 0}}, {4, 0, 0}), thing({2, 1, 0, {9, 0, 0}}, {0, 0, 0}),
       thing({3, 1, 0, {9, 0, 0}}, {6.01, 0, 0}), thing({4, 1, 0, {9, 0, 0}}, {2, 0, 0})});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].entries.size(), 3U);
  EXPECT_EQ(found[0].position_m.x, 2) << "the mean of its places";
  EXPECT_TRUE(found[0].is_thing);
  EXPECT_EQ(found[1].entries, (std::vector<std::int64_t>{3}));
}

TEST(Candidates, OfUnknownPlacesLieAtTheViewpointOfMostProbabilityAround) {
  // By number the middle one; by probability the last. 10 m is as near as need be, 10.01 m is not.
  const auto found = candidates({view({1, 0.1, 0, {0, 0, 0}}), view({2, 0.1, 0, {10, 0, 0}}),
                                 view({3, 0.9, 0, {20, 0, 0}}), view({4, 1, 0, {30.01, 0, 0}})});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].position_m.x, 20);
  EXPECT_FALSE(found[0].is_thing);
  EXPECT_EQ(found[1].position_m.x, 30.01);
  const auto even = candidates(
      {view({1, 0.5, 0, {0, 0, 0}}), view({2, 0.5, 0, {10, 0, 0}}), view({3, 0.5, 0, {20, 0, 0}})});
  ASSERT_EQ(even.size(), 1U);
  EXPECT_EQ(even[0].position_m.x, 10);
}

TEST(Candidates, OfKnownAndUnknownPlacesAreApart) {
  const auto found =
      candidates({thing({1, 1, 0, {0, 0, 0}}, {0, 0, 0}), view({2, 1, 0, {0, 0, 0}})});
  EXPECT_EQ(found.size(), 2U);
}

TEST(Candidates, ComeByTheirLowestRowAndTheirEntriesBestFirst) {
  // One thing of rows 9, 2 and 7, another of row 4, one that was only viewed of row 3.
  const Vec3 here{0, 0, 0}, there{50, 0, 0}, near{1, 0, 0}, far{8, 0, 0};
  const auto found = candidates({thing({4, 1, 0, far}, there), thing({9, 0.9, 0, far}, here),
                                 thing({2, 0.5, 0, far}, here), thing({7, 0.5, 0, near}, here),
                                 view({3, 1, 0, {90, 0, 0}})});
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].entries, (std::vector<std::int64_t>{9, 7, 2}))
      << "the likeliest, then the nearer view";
  EXPECT_EQ(found[1].entries, (std::vector<std::int64_t>{3}));
  EXPECT_EQ(found[2].entries, (std::vector<std::int64_t>{4}));
}

TEST(Candidates, AreTheSureOnesWhereThereAreSuch) {
  ThingSighting sure = view({1, 1, 0, {0, 0, 0}}), unsure = view({2, 1, 0, {0, 0, 0}});
  sure.is_sure = true;
  EXPECT_EQ(surest({unsure, sure}).size(), 1U);
  EXPECT_EQ(surest({unsure, sure})[0].row, 1);
  EXPECT_EQ(surest({unsure, unsure}).size(), 2U);
}

}  // namespace
}  // namespace sightline::host
