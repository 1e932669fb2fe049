// The six relations of global questions, their ties, and what is loosened when nothing fits.
#include "host/meta_memory/memory_integration.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/street.h"

namespace sightline::host {
namespace {

using kernels::Vec3;
using tests::asked;
using tests::at;
using tests::of;
using tests::street;
using Relation = GlobalQuery::Relation;

TEST(Integration, OnTheRouteIsWithinReachAndOffItsEnds) {
  // Too near the start, too far off, on it, nearer to it.
  const CognitiveMap map = asked(of(Relation::kRoute), {at(2, 0), at(30, 9), at(40, 7), at(60, 3)});
  EXPECT_EQ(map.selected, 3);
  EXPECT_EQ(map.status, MapStatus::kFound);
  EXPECT_EQ(map.relax_level, 0);
  EXPECT_DOUBLE_EQ(map.route_length_m, 100);
  EXPECT_DOUBLE_EQ(map.candidates[3].along_m, 60);
  EXPECT_DOUBLE_EQ(map.candidates[3].off_route_m, 3);
}

TEST(Integration, OffTheRouteTheNearestIsTakenAndSaidToBeLoosened) {
  const CognitiveMap map = asked(of(Relation::kRoute), {at(30, 20), at(40, 9)});
  EXPECT_EQ(map.selected, 1);
  EXPECT_EQ(map.relax_level, 1);
  EXPECT_EQ(map.status, MapStatus::kFound);
}

TEST(Integration, CountsAlongTheRoute) {
  GlobalQuery question = of(Relation::kKth);
  const std::vector<Candidate> candidates{at(70, 1), at(20, -2), at(45, 0), at(45, 30)};
  const std::vector<std::int64_t> in_order{1, 2, 0};
  for (std::size_t k = 1; k <= in_order.size(); ++k) {
    question.k = static_cast<int>(k);
    EXPECT_EQ(asked(question, candidates).selected, in_order[k - 1]);
  }
  question.k = 0;
  EXPECT_EQ(asked(question, candidates).selected, 0) << "the last";
  question.k = 4;
  EXPECT_EQ(asked(question, candidates).status, MapStatus::kNotFound);
  EXPECT_EQ(asked(question, candidates).selected, -1);
}

TEST(Integration, ALandmarkOffTheMapLeavesAStraightLine) {
  const CognitiveMap map =
      asked(of(Relation::kRoute), {at(50, 2)}, {{"a", {0, 0, 0}}, {"b", {100, 40, 0}}});
  EXPECT_EQ(map.status, MapStatus::kOffGraph);
  ASSERT_EQ(map.route.size(), 2U);
  EXPECT_EQ(map.route[0].node, -1);
  EXPECT_EQ(map.selected, 0) << "20 m off, and the only one";
}

TEST(Integration, NoWayLeavesAStraightLine) {
  const TopologicalMap apart =
      topological_map_of({{0, 0, 0}, {10, 0, 0}, {90, 0, 0}, {100, 0, 0}}, {{0, 1}, {2, 3}});
  const CognitiveMap map = integrate(of(Relation::kRoute), {{"a", {0, 0, 0}}, {"b", {100, 0, 0}}},
                                     {at(50, 1)}, apart, {}, {});
  EXPECT_EQ(map.status, MapStatus::kDisconnected);
  EXPECT_EQ(map.selected, 0);
  EXPECT_DOUBLE_EQ(map.route_length_m, 100);
}

TEST(Integration, SectorsAreClosedBelowAndOpenAbove) {
  GlobalQuery question = of(Relation::kDirection);
  question.direction = Cardinal::kNorth;
  const std::vector<Landmark> here{{"a", {0, 0, 0}}};
  // North is from north-west, closed, to north-east, open.
  EXPECT_EQ(asked(question, {at(-5, 5)}, here).relax_level, 0);
  EXPECT_EQ(asked(question, {at(5, 5)}, here).relax_level, 1);
  EXPECT_EQ(asked(question, {at(0, -5)}, here).relax_level, 2);
  question.direction = Cardinal::kNortheast;
  EXPECT_EQ(asked(question, {at(5, 5)}, here).relax_level, 0);
  EXPECT_EQ(asked(question, {at(1, 5)}, here).relax_level, 1) << "11 degrees off north";
  EXPECT_EQ(asked(question, {at(40, 40), at(9, 9), at(0, 1)}, here).selected, 1) << "the nearest";
}

TEST(Integration, SquareToADirectionIsNotOnThatSide) {
  // At the four main directions, at slants, and at no whole number of metres.
  constexpr double kAlong_m = 7.3, kFar_m = 80.1;
  const double steps[8][2] = {{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}};
  const std::vector<Landmark> here{{"a", {0, 0, 0}}};
  for (int direction = 0; direction < 8; ++direction) {
    GlobalQuery question = of(Relation::kDirection);
    question.direction = static_cast<Cardinal>(direction);
    const double* along = steps[direction];
    for (const double hand : {-1.0, 1.0}) {
      const double x = hand * along[1], y = -hand * along[0];
      const Candidate square = at(kAlong_m * x, kAlong_m * y);
      EXPECT_EQ(asked(question, {square}, here).relax_level, 2) << direction << ", " << hand;
      // Farther, and by a little on that side.
      const Candidate beside = at(kFar_m * x + along[0], kFar_m * y + along[1]);
      const CognitiveMap map = asked(question, {square, beside}, here);
      EXPECT_EQ(map.selected, 1) << direction << ", " << hand;
      EXPECT_EQ(map.relax_level, 1) << direction << ", " << hand;
    }
  }
}

TEST(Integration, AQuarterTurnOfTheWorldTurnsTheDirections) {
  const std::vector<Candidate> candidates{at(7, 1), at(2, 9), at(-6, 2), at(1, -8)};
  for (int quarter = 0; quarter < 4; ++quarter) {
    std::vector<Candidate> turned = candidates;
    for (Candidate& c : turned) {
      for (int i = 0; i < quarter; ++i) c.position_m = {c.position_m.y, -c.position_m.x, 0};
    }
    for (int direction = 0; direction < 8; direction += 2) {
      GlobalQuery question = of(Relation::kDirection);
      question.direction = static_cast<Cardinal>(direction);
      const std::int64_t before = asked(question, candidates, {{"a", {}}}).selected;
      question.direction = static_cast<Cardinal>((direction + 2 * quarter) % 8);
      EXPECT_EQ(asked(question, turned, {{"a", {}}}).selected, before) << quarter << direction;
    }
  }
}

TEST(Integration, NorthMayLieOffTheAxis) {
  GlobalQuery question = of(Relation::kDirection);
  question.direction = Cardinal::kNorth;
  const double quarter_rad = std::acos(0.0);  // north is then -x
  const CognitiveMap map =
      integrate(question, {{"a", {}}}, {at(0, 5), at(-9, 0)}, street(), {}, {}, quarter_rad);
  EXPECT_EQ(map.selected, 1);
  EXPECT_EQ(map.relax_level, 0);
  const CognitiveMap loosened =
      integrate(question, {{"a", {}}}, {at(1, 5), at(-1, 9)}, street(), {}, {}, quarter_rad);
  EXPECT_EQ(loosened.selected, 1);
  EXPECT_EQ(loosened.relax_level, 1);
}

TEST(Integration, BetweenIsABandAroundTheLine) {
  const CognitiveMap map =
      asked(of(Relation::kBetween), {at(-1, 0), at(50, 26), at(50, 24), at(10, 24), at(101, 0)});
  EXPECT_EQ(map.selected, 2) << "as far off as the other, and nearer to the middle";
  EXPECT_EQ(asked(of(Relation::kBetween), {at(-1, 0), at(50, 26)}).status, MapStatus::kNotFound);
}

TEST(Integration, VisibleIsInRangeAndInFreeSight) {
  const SightTest east_is_free = [](const std::vector<Vec3>& from, const std::vector<Vec3>& to) {
    std::vector<std::uint8_t> free;
    for (std::size_t i = 0; i < from.size(); ++i) free.push_back(to[i].x > from[i].x ? 1 : 0);
    return free;
  };
  const std::vector<Landmark> here{{"a", {50, 0, 0}}};
  EXPECT_EQ(
      asked(of(Relation::kVisible), {at(45, 0), at(70, 0), at(81, 0)}, here, east_is_free).selected,
      1);
  EXPECT_EQ(asked(of(Relation::kVisible), {at(45, 0), at(81, 0)}, here, east_is_free).status,
            MapStatus::kNotFound);
}

TEST(Integration, WhatStandsJustAtALimitIsIn) {
  GlobalQuery question = of(Relation::kKth);
  const auto num_on_route = [&](std::vector<Candidate> candidates) {
    for (int k = 1;; ++k) {
      question.k = k;
      if (asked(question, candidates).status == MapStatus::kNotFound) return k - 1;
    }
  };
  EXPECT_EQ(num_on_route({at(5, 0), at(40, 8), at(95, 0)}), 3);
  EXPECT_EQ(num_on_route({at(4.99, 0), at(40, 8.01), at(95.01, 0)}), 0);
  const std::vector<Landmark> here{{"a", {50, 0, 0}}};
  const SightTest open = [](const std::vector<Vec3>& from, const std::vector<Vec3>&) {
    return std::vector<std::uint8_t>(from.size(), 1);
  };
  EXPECT_EQ(asked(of(Relation::kVisible), {at(80, 0)}, here, open).selected, 0);
  EXPECT_EQ(asked(of(Relation::kVisible), {at(80.01, 0)}, here, open).selected, -1);
}

/// A leg of 50 m to the north-east and one of 50 m that rises to the north; 5 m square off the
/// middle of each.
TEST(Integration, DistancesToARouteThatSlantsAreInSpace) {
  const TopologicalMap map =
      topological_map_of({{0, 0, 0}, {30, 40, 0}, {30, 70, 40}}, {{0, 1}, {1, 2}});
  std::vector<Candidate> beside(2);
  beside[0].position_m = {15 - 4, 20 + 3, 0};
  beside[1].position_m = {30, 55 - 4, 20 + 3};
  const CognitiveMap found =
      integrate(of(Relation::kRoute), {{"a", {0, 0, 0}}, {"b", {30, 70, 40}}}, beside, map, {}, {});
  constexpr double kRounding_m = 1e-12;
  EXPECT_DOUBLE_EQ(found.route_length_m, 100);
  EXPECT_NEAR(found.candidates[0].off_route_m, 5, kRounding_m);
  EXPECT_NEAR(found.candidates[0].along_m, 25, kRounding_m);
  EXPECT_NEAR(found.candidates[1].off_route_m, 5, kRounding_m);
  EXPECT_NEAR(found.candidates[1].along_m, 75, kRounding_m);
}

TEST(Integration, AtACornerOfTheRouteTheFirstOfTwoPlacesAsNearCounts) {
  const CognitiveMap map =
      asked(of(Relation::kRoute), {at(45, 5)}, {{"a", {0, 0, 0}}, {"b", {50, 30, 0}}});
  EXPECT_DOUBLE_EQ(map.route_length_m, 80);
  EXPECT_DOUBLE_EQ(map.candidates[0].off_route_m, 5);
  EXPECT_DOUBLE_EQ(map.candidates[0].along_m, 45) << "and not 55";
}

TEST(Integration, OfTwoAsFarOnFootTheLikelierIsTakenThenTheFirst) {
  GlobalQuery question = of(Relation::kNear);
  question.on_foot = true;
  const std::vector<Landmark> here{{"a", {40, 0, 0}}};
  // The way goes to one node for both; how far they lie off it is no part of it.
  const CognitiveMap map = asked(question, {at(70, 1, 0.5), at(70, 3, 0.75)}, here);
  EXPECT_EQ(map.candidates[0].walk_m, map.candidates[1].walk_m);
  EXPECT_LT(map.candidates[0].straight_m, map.candidates[1].straight_m);
  EXPECT_EQ(map.selected, 1);
  EXPECT_EQ(asked(question, {at(70, 3), at(70, 1)}, here).selected, 0) << "as likely: the first";
}

TEST(Integration, VisibleIsAskedFromEyesToEyes) {
  const IntegrationRules rules;
  ASSERT_GT(rules.eye_height_m, 0);
  int num_asked = 0;
  const SightTest looks = [&](const std::vector<Vec3>& from, const std::vector<Vec3>& to) {
    for (std::size_t i = 0; i < from.size(); ++i) {
      EXPECT_EQ(from[i].z, rules.eye_height_m);
      EXPECT_EQ(to[i].z, rules.eye_height_m);
      ++num_asked;
    }
    return std::vector<std::uint8_t>(from.size(), 1);
  };
  asked(of(Relation::kVisible), {at(45, 0), at(70, 0)}, {{"a", {50, 0, 0}}}, looks);
  EXPECT_EQ(num_asked, 2);
}

TEST(Integration, NearestOnFootGoesByTheMap) {
  GlobalQuery question = of(Relation::kNear);
  const std::vector<Landmark> here{{"a", {40, 0, 0}}};
  // 28 m as the crow flies and 40 m on foot; 30 m either way.
  const std::vector<Candidate> candidates{at(50, 27), at(70, 0)};
  EXPECT_EQ(asked(question, candidates, here).selected, 0);
  question.on_foot = true;
  const CognitiveMap map = asked(question, candidates, here);
  EXPECT_EQ(map.selected, 1);
  EXPECT_DOUBLE_EQ(map.candidates[0].walk_m, 40);
  EXPECT_DOUBLE_EQ(map.candidates[1].walk_m, 30);
}

TEST(Integration, NearestOnFootMayBeByTheFirstNodeOrAskedFromThere) {
  GlobalQuery question = of(Relation::kNear);
  question.on_foot = true;
  const CognitiveMap to_first = asked(question, {at(50, 0), at(0, 1)}, {{"a", {20, 0, 0}}});
  EXPECT_EQ(to_first.selected, 1);
  EXPECT_DOUBLE_EQ(to_first.candidates[0].walk_m, 30);
  EXPECT_DOUBLE_EQ(to_first.candidates[1].walk_m, 20);
  const CognitiveMap from_first = asked(question, {at(50, 0), at(0, 1)}, {{"a", {0, 0, 0}}});
  EXPECT_EQ(from_first.selected, 1);
  EXPECT_DOUBLE_EQ(from_first.candidates[0].walk_m, 50);
  EXPECT_EQ(from_first.candidates[1].walk_m, 0);
}

TEST(Integration, NearestOnFootIsNoThingFarOffTheMap) {
  GlobalQuery question = of(Relation::kNear);
  question.on_foot = true;
  const std::vector<Landmark> here{{"a", {0, 0, 0}}};
  // The node nearest to the first is where the question is asked.
  const CognitiveMap map = asked(question, {at(-100, 0), at(10, 0)}, here);
  EXPECT_EQ(map.selected, 1);
  EXPECT_EQ(map.status, MapStatus::kFound);
  EXPECT_TRUE(std::isinf(map.candidates[0].walk_m));
  // Where no other is known, it is told with the straight line to it.
  const CognitiveMap alone = asked(question, {at(-100, 0)}, here);
  EXPECT_EQ(alone.selected, 0);
  EXPECT_EQ(alone.status, MapStatus::kDisconnected);
}

TEST(Integration, TiesGoToTheHigherProbabilityThenTheLowerIndex) {
  const std::vector<Landmark> here{{"a", {0, 0, 0}}};
  EXPECT_EQ(asked(of(Relation::kNear), {at(5, 0, 0.5), at(0, 5, 0.9)}, here).selected, 1);
  EXPECT_EQ(asked(of(Relation::kNear), {at(5, 0), at(0, 5)}, here).selected, 0);
  EXPECT_EQ(asked(of(Relation::kNear), {}, here).status, MapStatus::kNotFound);
}

}  // namespace
}  // namespace sightline::host
