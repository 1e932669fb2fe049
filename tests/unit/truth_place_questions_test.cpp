// Questions about a campus: each rule and margin again, from the positions alone.
#include "host/truth/place_questions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "support/campuses.h"

namespace sightline::tests {
namespace {

using host::Campus;
using host::CampusWalk;
using host::DrawnPlaceQuestion;
using host::PlaceOracle;
using host::PlaceQuestion;
using host::PlaceRelation;
using kernels::Vec3;

constexpr double kRounding_m = 1e-9;  // of sums of a thousand metres in double
constexpr double kPi = 3.14159265358979323846, kNever = std::numeric_limits<double>::infinity();

/// Things seen of the class and attributes asked for, references apart.
std::vector<std::uint32_t> asked_for(const CampusWorld& world, const host::AskedThing& thing,
                                     const std::vector<std::uint32_t>& references = {}) {
  std::set<std::uint32_t> found;
  for (const auto& sighting : world.walk.sightings) {
    const auto& object = world.campus.objects[sighting.object];
    const bool is_reference = std::count(references.begin(), references.end(), object.id) > 0;
    const bool fits = object.class_id == thing.class_id &&
                      (object.attributes & thing.attributes) == thing.attributes;
    if (fits && !is_reference) found.insert(object.id);
  }
  return {found.begin(), found.end()};
}

Vec3 place_of(const CampusWorld& world, std::uint32_t object) {
  return world.campus.objects[object].position_m;
}

/// A walk in steps of kStep_m: the nearest, and how far along.
struct Along {
  double off_m = kNever, s_m = 0, length_m = 0;
};
constexpr double kStep_m = 0.02;
Along walk_past(const std::vector<Vec3>& way, const Vec3& point) {
  Along found;
  for (std::size_t i = 1; i < way.size(); ++i) {
    const double length = apart_m(way[i - 1], way[i]);
    const int steps = static_cast<int>(length / kStep_m) + 1;
    for (int k = 0; k <= steps; ++k) {
      const double share = double(k) / steps;
      const Vec3 at{way[i - 1].x + share * (way[i].x - way[i - 1].x),
                    way[i - 1].y + share * (way[i].y - way[i - 1].y), 0};
      if (apart_m(at, point) >= found.off_m) continue;
      found.off_m = apart_m(at, point);
      found.s_m = found.length_m + share * length;
    }
    found.length_m += length;
  }
  return found;
}

/// By how much a thing is on the route (below 0: off it), metres.
double room_on_route(const std::vector<Vec3>& way, const Vec3& point) {
  const Along at = walk_past(way, point);
  return std::min({8 - at.off_m, at.s_m - 5, at.length_m - 5 - at.s_m});
}

double room_between(const Vec3& a, const Vec3& b, const Vec3& p) {
  const double length = apart_m(a, b), to_a = apart_m(a, p), to_b = apart_m(b, p);
  const double along = (length * length + to_a * to_a - to_b * to_b) / (2 * length);
  const double off = std::sqrt(std::max(0.0, to_a * to_a - along * along));
  return std::min({along, length - along, std::max(5.0, length / 4) - off});
}

/// By how many degrees a thing lies in a direction, by turning it towards the east.
double room_in_direction_deg(const Vec3& from, const Vec3& to, int direction) {
  const double turn = (90 - 45.0 * direction) * kPi / 180;  // of the axis, from the east
  const double dx = to.x - from.x, dy = to.y - from.y;
  const double ahead = dx * std::cos(turn) + dy * std::sin(turn);
  const double left = dy * std::cos(turn) - dx * std::sin(turn);
  return (direction % 2 == 0 ? 45 : 22.5) - std::abs(std::atan2(left, ahead)) * 180 / kPi;
}

class PlaceQuestions : public testing::TestWithParam<std::uint64_t> {
 protected:
  CampusWorld world_{GetParam()};
  PlaceOracle oracle_{world_.campus, world_.walk};
  host::DrawnPlaceQuestions drawn_ = host::draw_place_questions(oracle_, {}, GetParam());
  /// Up to a hundred of each kind: rules are tried on all that a campus gives.
  host::DrawnPlaceQuestions many_ = host::draw_place_questions(oracle_, many(), GetParam());

  static host::PlaceQuestionSettings many() {
    host::PlaceQuestionSettings settings;
    settings.counts.fill(100);
    // Without jitters, which reject most of what lies on a margin.
    settings.num_jitters = 0;
    return settings;
  }
  std::vector<DrawnPlaceQuestion> of(PlaceRelation relation) const {
    std::vector<DrawnPlaceQuestion> found;
    for (const auto& one : many_.questions) {
      if (one.question.relation == relation) found.push_back(one);
    }
    return found;
  }
  std::vector<std::uint32_t> candidates(const DrawnPlaceQuestion& one) const {
    return asked_for(world_, one.question.things[0], one.question.references);
  }
  Vec3 reference(const DrawnPlaceQuestion& one, std::size_t number) const {
    return place_of(world_, one.question.references[number]);
  }
  /// The answer is in by the margin, all others are out by it.
  template <class Room>
  void expect_only(const DrawnPlaceQuestion& one, const Room& room) const {
    for (const std::uint32_t object : candidates(one)) {
      const double by_m = room(place_of(world_, object));
      if (object == one.truth.object) {
        EXPECT_GE(by_m, 2 - kStep_m);
      }
      if (object != one.truth.object) {
        EXPECT_LE(by_m, -2 + kStep_m);
      }
    }
  }
};

TEST_P(PlaceQuestions, AreAsManyAsAskedFor) {
  EXPECT_TRUE(drawn_.is_full);
  const std::array<std::int64_t, 8> counts{15, 15, 3, 2, 3, 2, 2, 3};
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const auto found = std::count_if(
        drawn_.questions.begin(), drawn_.questions.end(), [i](const DrawnPlaceQuestion& one) {
          return one.question.relation == static_cast<PlaceRelation>(i);
        });
    EXPECT_EQ(found, counts[i]);
  }
  EXPECT_FALSE(many_.is_full) << "of some kind there are fewer than a hundred";
}

TEST_P(PlaceQuestions, BasicOnesAskForOneThing) {
  for (const auto& one : of(PlaceRelation::kBasic)) {
    EXPECT_EQ(candidates(one), std::vector<std::uint32_t>{one.truth.object});
  }
}

TEST_P(PlaceQuestions, LocalOnesAskForOnePlace) {
  for (const auto& one : of(PlaceRelation::kLocal)) {
    const auto& things = one.question.things;
    ASSERT_EQ(things.size(), 3U);
    for (const auto a : asked_for(world_, things[0])) {
      for (const auto b : asked_for(world_, things[1])) {
        for (const auto c : asked_for(world_, things[2])) {
          const std::array<Vec3, 3> at{place_of(world_, a), place_of(world_, b),
                                       place_of(world_, c)};
          double reach = kNever, least = kNever;
          Vec3 middle;
          for (const Vec3& p : at) {
            double far = 0, sum = 0;
            for (const Vec3& q : at) {
              far = std::max(far, apart_m(p, q));
              sum += apart_m(p, q);
            }
            reach = std::min(reach, far);
            if (sum < least) middle = p;
            least = std::min(least, sum);
          }
          const bool is_answer = one.truth.members == std::vector<std::uint32_t>{a, b, c};
          if (is_answer) {
            EXPECT_LE(reach, 5);
          }
          if (is_answer) {
            EXPECT_EQ(apart_m(middle, one.truth.object_m), 0);
          }
          if (reach < 9) {
            EXPECT_LE(apart_m(middle, one.truth.object_m), 13);
          }
        }
      }
    }
  }
}

TEST_P(PlaceQuestions, RouteHasOneThingBesideIt) {
  for (const auto& one : of(PlaceRelation::kRoute)) {
    expect_only(one, [&](const Vec3& at) { return room_on_route(one.truth.way_m, at); });
  }
}

TEST_P(PlaceQuestions, KthIsCountedAlongTheRoute) {
  for (const auto& one : of(PlaceRelation::kKth)) {
    std::vector<std::pair<double, std::uint32_t>> beside;
    for (const std::uint32_t object : candidates(one)) {
      const Vec3 at = place_of(world_, object);
      const double room = room_on_route(one.truth.way_m, at);
      EXPECT_GE(std::abs(room), 2 - kStep_m);
      if (room > 0) beside.emplace_back(walk_past(one.truth.way_m, at).s_m, object);
    }
    std::sort(beside.begin(), beside.end());
    const int k = one.question.k;
    ASSERT_LE(std::size_t(k), beside.size());
    const std::size_t number = k == 0 ? beside.size() - 1 : std::size_t(k - 1);
    EXPECT_EQ(beside[number].second, one.truth.object);
    for (std::size_t i = 0; i < beside.size(); ++i) {
      if (i == number) continue;
      EXPECT_GE(std::abs(beside[i].first - beside[number].first), 2 - 2 * kStep_m);
    }
  }
}

TEST_P(PlaceQuestions, DirectionHasItsNearestThing) {
  for (const auto& one : of(PlaceRelation::kDirection)) {
    const Vec3 from = reference(one, 0);
    const double best_m = apart_m(from, one.truth.object_m);
    EXPECT_GE(room_in_direction_deg(from, one.truth.object_m, one.question.direction),
              5 - kRounding_m);
    for (const std::uint32_t object : candidates(one)) {
      const Vec3 at = place_of(world_, object);
      if (object == one.truth.object || apart_m(from, at) >= best_m + 2) continue;
      EXPECT_LE(room_in_direction_deg(from, at, one.question.direction), -5 + kRounding_m);
    }
  }
}

TEST_P(PlaceQuestions, BetweenHasOneThing) {
  for (const auto& one : of(PlaceRelation::kBetween)) {
    expect_only(one, [&](const Vec3& at) {
      return room_between(reference(one, 0), reference(one, 1), at);
    });
  }
}

TEST_P(PlaceQuestions, VisibleIsOneThingInSight) {
  const host::PlaceSight sight(world_.campus.rings);
  for (const auto& one : of(PlaceRelation::kVisible)) {
    const Vec3 from = reference(one, 0);
    expect_only(one, [&](const Vec3& at) {
      return sight.is_free(from, at) ? 30 - apart_m(from, at) : -kNever;
    });
  }
}

TEST_P(PlaceQuestions, WhatStandsBehindAWallIsNotVisible) {
  constexpr double kNear_m = 25, kStep_deg = 5;
  const host::PlaceSight sight(world_.campus.rings);
  int num_hidden = 0;
  for (const auto& one : of(PlaceRelation::kVisible)) {
    const Vec3 from = reference(one, 0);
    std::vector<Vec3> moved;
    for (const auto& object : world_.campus.objects) moved.push_back(object.position_m);
    const auto others = candidates(one);
    const auto other = std::find_if(others.begin(), others.end(),
                                    [&](auto object) { return object != one.truth.object; });
    ASSERT_NE(other, others.end());
    for (double deg = 0; deg < 360; deg += kStep_deg) {
      const double rad = deg * kPi / 180;
      const Vec3 place{from.x + kNear_m * std::cos(rad), from.y + kNear_m * std::sin(rad), 0};
      if (sight.is_free(from, place)) continue;
      moved[*other] = place;
      EXPECT_EQ(oracle_.judge_at(one.question, moved).object, std::int64_t{one.truth.object});
      ++num_hidden;
      break;
    }
  }
  EXPECT_GT(num_hidden, 10);
}

TEST_P(PlaceQuestions, NearestIsNearestByTwoMetres) {
  const auto& graph = oracle_.graph();
  for (const auto& one : of(PlaceRelation::kNear)) {
    const Vec3 from = reference(one, 0);
    const auto away_m = [&](const Vec3& at) {
      if (!one.question.on_foot) return apart_m(from, at);
      return graph.distances_from(graph.snap(from))[std::size_t(graph.snap(at))];
    };
    for (const std::uint32_t object : candidates(one)) {
      if (object == one.truth.object) continue;
      EXPECT_GE(away_m(place_of(world_, object)), away_m(one.truth.object_m) + 2);
    }
  }
}

TEST_P(PlaceQuestions, GlobalOnesHaveThreeThingsOfTheClassAndDistantReferences) {
  for (const auto& one : drawn_.questions) {
    if (one.question.references.empty()) continue;
    EXPECT_GE(candidates(one).size(), 3U);
    for (const auto object : one.question.references) {
      EXPECT_TRUE(world_.campus.objects[object].is_landmark);
    }
    if (one.question.references.size() == 2) {
      EXPECT_GE(apart_m(reference(one, 0), reference(one, 1)), 50);
    }
  }
}

TEST(PlaceQuestionsOfCrowds, APlaceHoldsItsThingsByAMargin) {
  const auto verdict_at = [](double apart_m) {
    Campus campus;
    CampusWalk walk;
    walk.poses = {{0, {0, 0, 0}, 0}};
    PlaceQuestion question;
    question.relation = PlaceRelation::kLocal;
    for (std::uint32_t id = 0; id < 3; ++id) {
      const auto class_id = static_cast<std::uint16_t>(id);
      campus.objects.push_back({id, class_id, 0, {apart_m * id, 0, 0}, "", false, false});
      walk.sightings.push_back({0, id});
      question.things.push_back({class_id, 0});
    }
    return PlaceOracle(campus, walk).judge(question);
  };
  EXPECT_EQ(verdict_at(4.9).object, 1) << "the one in the middle";
  EXPECT_TRUE(verdict_at(4.9).is_clear);
  EXPECT_EQ(verdict_at(5.1).object, 1);
  EXPECT_FALSE(verdict_at(5.1).is_clear);
  EXPECT_EQ(verdict_at(7.1).object, -1);
}

TEST(PlaceQuestionsOfCrowds, ThingsOfOneMeaningStandApart) {
  auto settings = grid_settings();
  settings.planting.apart_m = 0;
  settings.planting.things.resize(12);  // so few classes that some of a class stand together
  CampusWorld world(1);
  world.campus = host::make_grid_campus(settings, 1);
  world.walk = host::walk_campus(world.campus, {}, 1);
  const PlaceOracle oracle(world.campus, world.walk);
  host::PlaceQuestionSettings all;
  all.counts.fill(1000);
  all.num_jitters = 0;
  const auto drawn = host::draw_place_questions(oracle, all, 1);
  EXPECT_GT(drawn.questions.size(), 20U);
  for (const auto& one : drawn.questions) {
    for (const auto& thing : one.question.things) {
      const auto same = asked_for(world, thing);
      for (std::size_t i = 1; i < same.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
          EXPECT_GE(apart_m(place_of(world, same[i]), place_of(world, same[j])), 4);
        }
      }
    }
  }
}

TEST_P(PlaceQuestions, ViewpointIsTheNearestOfThoseThatSeeIt) {
  for (const auto& one : drawn_.questions) {
    const bool is_local = one.question.relation == PlaceRelation::kLocal;
    const auto members =
        is_local ? one.truth.members : std::vector<std::uint32_t>{one.truth.object};
    double least = kNever;
    int best = -1;
    for (int pose = 0; pose < int(world_.walk.poses.size()); ++pose) {
      const Vec3 at = world_.walk.poses[std::size_t(pose)].position_m;
      double sum = 0;
      std::size_t seen = 0;
      for (const auto& sighting : world_.walk.sightings) {
        if (sighting.pose != pose) continue;
        seen += std::size_t(std::count(members.begin(), members.end(), sighting.object));
      }
      for (const auto object : members) sum += apart_m(at, place_of(world_, object));
      if (seen < members.size()) continue;
      EXPECT_LE(apart_m(at, one.truth.viewpoint_m), 13);
      if (sum >= least) continue;
      least = sum;
      best = pose;
    }
    EXPECT_EQ(one.truth.viewpoint_pose, best);
    EXPECT_EQ(apart_m(one.truth.viewpoint_m, world_.walk.poses[std::size_t(best)].position_m), 0);
  }
}

// The walk of seed 0 has room for fewer questions than are asked for.
INSTANTIATE_TEST_SUITE_P(Campuses, PlaceQuestions, testing::Values(1, 2, 3));

}  // namespace
}  // namespace sightline::tests
