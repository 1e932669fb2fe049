// What questions about a campus may not depend on, and ways over it by another algorithm.
#include "host/truth/place_questions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "host/truth/question_candidates.h"
#include "support/campuses.h"
#include "support/effort.h"

namespace sightline::tests {
namespace {

using host::DrawnPlaceQuestion;
using host::PlaceOracle;
using host::PlaceQuestion;
using host::PlaceRelation;
using kernels::Vec3;

constexpr double kRounding_m = 1e-9;  // of sums of a thousand metres in double
constexpr double kPi = 3.14159265358979323846, kNever = std::numeric_limits<double>::infinity();

class PlaceInvariance : public testing::TestWithParam<std::uint64_t> {
 protected:
  CampusWorld world_{GetParam()};
  PlaceOracle oracle_{world_.campus, world_.walk};
  host::DrawnPlaceQuestions drawn_ = host::draw_place_questions(oracle_, {}, GetParam());

  std::vector<DrawnPlaceQuestion> of(PlaceRelation relation) const {
    std::vector<DrawnPlaceQuestion> found;
    for (const auto& one : drawn_.questions) {
      if (one.question.relation == relation) found.push_back(one);
    }
    return found;
  }
};

TEST_P(PlaceInvariance, AnswersStayWhenThingsMoveByAMetre) {
  // Other directions than those drawn with: turned by a golden angle for each object and number.
  // What lies on the margin of 2 m can turn, two things having moved; hardly any does.
  constexpr double kMostTurned = 0.02;
  int turned = 0, asked = 0;
  for (int number = 0; number < effort(20); ++number) {
    std::vector<Vec3> moved;
    for (const auto& object : world_.campus.objects) {
      const double angle = 2.399963 * (object.id + 1000.0 * number);
      moved.push_back({object.position_m.x + std::cos(angle), object.position_m.y + std::sin(angle),
                       object.position_m.z});
    }
    for (const auto& one : drawn_.questions) {
      const auto verdict = oracle_.judge_at(one.question, moved);
      const bool same = one.question.relation == PlaceRelation::kLocal
                            ? std::equal(verdict.members.begin(), verdict.members.end(),
                                         one.truth.members.begin(), one.truth.members.end())
                            : verdict.object == std::int64_t{one.truth.object};
      turned += same ? 0 : 1;
      ++asked;
    }
  }
  EXPECT_LE(turned, kMostTurned * asked);
}

TEST_P(PlaceInvariance, JitterRejectsWhatItTurns) {
  // With jitters of 20 m hardly a relation stays as it is; without any, more questions are good.
  host::PlaceQuestionSettings wild, still;
  wild.jitter_m = 20;
  still.num_jitters = 0;
  wild.counts = still.counts = {0, 0, 1000, 1000, 1000, 1000, 1000, 1000};
  const auto after = host::draw_place_questions(oracle_, wild, 1).questions.size();
  const auto without = host::draw_place_questions(oracle_, still, 1).questions.size();
  EXPECT_LT(10 * after, without);
}

/// A campus turned by a quarter, counter-clockwise.
void turn(Vec3* place) { *place = {-place->y, place->x, place->z}; }
CampusWorld turned(CampusWorld world) {
  for (auto& object : world.campus.objects) turn(&object.position_m);
  for (Vec3& node : world.campus.paths.nodes_m) turn(&node);
  for (auto& ring : world.campus.rings) {
    for (auto& corner : ring) corner = {-corner[1], corner[0]};
  }
  for (auto& pose : world.walk.poses) {
    turn(&pose.position_m);
    pose.yaw_rad += kPi / 2;
  }
  return world;
}

TEST_P(PlaceInvariance, AQuarterTurnPermutesDirections) {
  const CampusWorld other = turned(world_);
  const PlaceOracle oracle(other.campus, other.walk);
  for (const PlaceRelation relation :
       {PlaceRelation::kRoute, PlaceRelation::kKth, PlaceRelation::kDirection,
        PlaceRelation::kBetween, PlaceRelation::kVisible, PlaceRelation::kNear}) {
    for (PlaceQuestion question : host::candidate_questions(oracle_, relation, 50, 3)) {
      const auto before = oracle_.judge(question);
      if (!before.is_clear) continue;
      question.direction = (question.direction + 6) % 8;  // north becomes west
      const auto after = oracle.judge(question);
      EXPECT_EQ(after.object, before.object);
      EXPECT_TRUE(after.is_clear);
      EXPECT_EQ(after.way.size(), before.way.size());
    }
  }
}

TEST_P(PlaceInvariance, AFarDuplicateChangesNoRoute) {
  CampusWorld other = world_;
  std::vector<DrawnPlaceQuestion> routes = of(PlaceRelation::kRoute);
  for (const auto& one : of(PlaceRelation::kKth)) routes.push_back(one);
  for (const auto& one : routes) {
    auto copy = other.campus.objects[one.truth.object];
    copy.id = static_cast<std::uint32_t>(other.campus.objects.size());
    copy.position_m.x += 5000;
    other.campus.objects.push_back(copy);
    other.walk.sightings.push_back({226, copy.id});  // seen, however far
  }
  const PlaceOracle oracle(other.campus, other.walk);
  for (const auto& one : routes) {
    const auto verdict = oracle.judge(one.question);
    EXPECT_EQ(verdict.object, std::int64_t{one.truth.object});
    EXPECT_TRUE(verdict.is_clear);
  }
}

TEST_P(PlaceInvariance, TheSameSeedGivesTheSame) {
  const CampusWorld again(GetParam());
  const PlaceOracle oracle(again.campus, again.walk);
  const auto drawn = host::draw_place_questions(oracle, {}, GetParam());
  const auto other = host::draw_place_questions(oracle, {}, GetParam() + 1);
  ASSERT_EQ(drawn.questions.size(), drawn_.questions.size());
  bool differs = false;
  for (std::size_t i = 0; i < drawn.questions.size(); ++i) {
    EXPECT_EQ(drawn.questions[i].truth.object, drawn_.questions[i].truth.object);
    EXPECT_EQ(drawn.questions[i].truth.viewpoint_pose, drawn_.questions[i].truth.viewpoint_pose);
    EXPECT_EQ(drawn.questions[i].question.references, drawn_.questions[i].question.references);
    differs = differs || other.questions[i].truth.object != drawn.questions[i].truth.object;
  }
  EXPECT_TRUE(differs);
}

TEST_P(PlaceInvariance, WaysAreShortestByFloydAndWarshall) {
  const auto& graph = oracle_.graph();
  const auto& places = graph.places_m();
  const std::size_t n = places.size();
  std::vector<double> steps;
  for (std::size_t i = 1; i < world_.walk.poses.size(); ++i) {
    steps.push_back(apart_m(world_.walk.poses[i - 1].position_m, world_.walk.poses[i].position_m));
  }
  std::sort(steps.begin(), steps.end());
  ASSERT_EQ(steps.size() % 2, 0u);
  const double step = (steps[steps.size() / 2 - 1] + steps[steps.size() / 2]) / 2;
  std::vector<std::vector<double>> least(n, std::vector<double>(n, kNever));
  for (std::size_t i = 0; i < n; ++i) {
    least[i][i] = 0;
    std::vector<std::pair<double, std::size_t>> near;
    for (std::size_t j = 0; j < n; ++j) {
      if (j != i && apart_m(places[i], places[j]) <= std::max(3.0, 2.5 * step)) {
        near.emplace_back(apart_m(places[i], places[j]), j);
      }
    }
    std::sort(near.begin(), near.end());
    if (near.size() > 8) near.resize(8);
    if (i + 1 < n) near.emplace_back(apart_m(places[i], places[i + 1]), i + 1);
    for (const auto& [length, j] : near) least[i][j] = least[j][i] = length;
  }
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        least[i][j] = std::min(least[i][j], least[i][k] + least[k][j]);
      }
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      ASSERT_NEAR(graph.distances_from(std::int32_t(i))[j], least[i][j], kRounding_m);
    }
    const auto way = graph.way(0, std::int32_t(i));
    double length = 0;
    for (std::size_t k = 1; k < way.size(); ++k) {
      length += apart_m(places[std::size_t(way[k - 1])], places[std::size_t(way[k])]);
    }
    EXPECT_EQ(way.back(), std::int32_t(i));
    EXPECT_NEAR(length, least[0][i], kRounding_m);
  }
}

INSTANTIATE_TEST_SUITE_P(Campuses, PlaceInvariance, testing::Values(0, 1, 2));

}  // namespace
}  // namespace sightline::tests
