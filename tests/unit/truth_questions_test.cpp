// Episodes and the questions that are asked of them: what is right, by other formulas.
#include "host/truth/questions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>

#include "host/truth/sight.h"
#include "host/world/load.h"
#include "support/errors.h"

namespace sightline::tests {
namespace {

using host::Episode;
using host::Question;
using host::QuestionType;
using kernels::Vec3;

constexpr std::int64_t kMany = 200;

host::World world_of(const std::string& scene) {
  return host::make_world(host::parse_world_spec(host::ConfigValue::parse_yaml(
      "{scene: " + scene + ", solid: {analytic: true, grid: {voxel_m: 0.5}}}", "truth_test")));
}

double distance_m(const Vec3& a, const Vec3& b) {
  return std::hypot(a.x - b.x, a.y - b.y, a.z - b.z);
}

class TruthQuestions : public testing::Test {
 protected:
  static host::EpisodeSettings settings(std::uint64_t trajectory = 1) {
    host::EpisodeSettings settings;
    settings.seed = 7;
    settings.trajectory = trajectory;
    settings.walk.floor_m = 0;
    return settings;
  }
  std::vector<Question> ask(QuestionType type, std::int64_t count = kMany) const {
    return host::author_questions(type, world_, episode_, count, 11);
  }
  std::string name_of(std::size_t sighting) const {
    return host::kThingKinds[episode_.thing_seen(sighting).kind].name;
  }
  /// Where the seen things of a name are.
  std::vector<Vec3> places(const std::string& name) const {
    std::vector<Vec3> found;
    for (std::size_t i = 0; i < episode_.seen.size(); ++i) {
      if (name.empty() || name_of(i) == name) found.push_back(episode_.thing_seen(i).place_m);
    }
    return found;
  }
  static void expect_fair(const std::vector<Question>& questions) {
    const auto yes = std::count_if(questions.begin(), questions.end(),
                                   [](const Question& q) { return q.truth == host::kYes; });
    EXPECT_NEAR(static_cast<double>(yes), kMany / 2.0, 4 * std::sqrt(kMany / 4.0));
  }

  host::Device device_{host::DeviceChoice::kCpu};
  host::World world_ = world_of("{name: rooms, seed: 21, size_m: [30, 3, 24]}");
  Episode episode_ = host::make_episode(world_, settings(), device_);
};

TEST_F(TruthQuestions, ThingsLieInFreeSpaceAndKindsHaveTheirNumbers) {
  std::map<std::size_t, std::size_t> counts;
  for (const host::Thing& thing : episode_.things) {
    ++counts[thing.kind];
    EXPECT_FALSE(world_.analytic->view().solid_at(thing.place_m));
    EXPECT_TRUE(host::holds(world_.bounds_m, thing.place_m));
    // Somebody can stand beside it and see it.
    EXPECT_TRUE(std::any_of(episode_.reach_m.begin(), episode_.reach_m.end(), [&](const Vec3& at) {
      return std::fabs(at.x - thing.place_m.x) <= 0.4 && std::fabs(at.z - thing.place_m.z) <= 0.4 &&
             host::is_clear(*world_.analytic, at, thing.place_m);
    }));
  }
  for (const host::Thing& a : episode_.things) {
    for (const host::Thing& b : episode_.things) {
      if (&a == &b || a.kind != b.kind || counts[a.kind] != 2) continue;
      EXPECT_GE(std::hypot(a.place_m.x - b.place_m.x, a.place_m.z - b.place_m.z), 4);
    }
  }
  std::map<std::size_t, std::size_t> kinds_by_count;
  for (const auto& [kind, count] : counts) ++kinds_by_count[count == 1 ? 1 : count == 2 ? 2 : 3];
  EXPECT_EQ(counts.size(), host::kNumThingKinds);
  EXPECT_EQ(kinds_by_count[2], host::kPairedKinds);
  EXPECT_EQ(kinds_by_count[3], host::kCrowdedKinds);
  EXPECT_LE(episode_.things.size(), host::kMostThings);
}

TEST_F(TruthQuestions, AWalkerSeesWhatIsClearAndInRangeOnce) {
  std::set<std::size_t> seen;
  EXPECT_EQ(episode_.stops_m.size(), 48u);
  for (const host::Sighting& sighting : episode_.seen) {
    EXPECT_TRUE(seen.insert(sighting.thing).second) << "seen twice";
    const Vec3 place = episode_.things[sighting.thing].place_m;
    EXPECT_LE(distance_m(sighting.from_m, place), 12);
    EXPECT_TRUE(host::is_clear(*world_.analytic, sighting.from_m, place));
  }
  for (std::size_t i = 0; i < episode_.things.size(); ++i) {
    if (seen.count(i) > 0) continue;
    for (const Vec3& stop : episode_.stops_m) {
      const Vec3 place = episode_.things[i].place_m;
      EXPECT_FALSE(distance_m(stop, place) <= 12 && host::is_clear(*world_.analytic, stop, place));
    }
  }
}

TEST_F(TruthQuestions, AnotherTrajectoryWalksOtherwiseThroughTheSameThings) {
  const Episode other = host::make_episode(world_, settings(2), device_);
  ASSERT_EQ(other.things.size(), episode_.things.size());
  for (std::size_t i = 0; i < other.things.size(); ++i) {
    EXPECT_EQ(other.things[i].kind, episode_.things[i].kind);
    EXPECT_EQ(distance_m(other.things[i].place_m, episode_.things[i].place_m), 0);
  }
  double apart = 0;
  for (std::size_t i = 0; i < other.stops_m.size(); ++i) {
    apart += distance_m(other.stops_m[i], episode_.stops_m[i]);
  }
  EXPECT_GT(apart, 10);
}

TEST_F(TruthQuestions, PresenceAndCoverageAreDistances) {
  const auto nearest_m = [&](const Question& q) {
    double nearest = 1e9;
    for (const Vec3& place : places(q.object)) {
      nearest = std::min(nearest, distance_m(place, q.centre_m));
    }
    return nearest;
  };
  for (const QuestionType type : {QuestionType::kPresence, QuestionType::kCoverage}) {
    const std::vector<Question> questions = ask(type);
    expect_fair(questions);
    for (const Question& q : questions) {
      EXPECT_EQ(q.object.empty(), type == QuestionType::kCoverage);
      EXPECT_EQ(q.radius_m, type == QuestionType::kCoverage ? 1.5 : 3);
      EXPECT_EQ(q.centre_m.x, q.from_m.x);
      EXPECT_EQ(q.centre_m.y, q.from_m.y - 0.8);
      EXPECT_EQ(q.truth == host::kYes, nearest_m(q) <= q.radius_m);
    }
  }
}

TEST_F(TruthQuestions, OcclusionIsWhatSolidsDo) {
  const std::vector<Question> questions = ask(QuestionType::kOcclusion);
  expect_fair(questions);
  for (const Question& q : questions) {
    ASSERT_EQ(places(q.object).size(), 1u) << "one thing of the name";
    const double away_m = distance_m(q.centre_m, places(q.object)[0]);
    EXPECT_TRUE(away_m >= 1 && away_m <= 12) << away_m;
    EXPECT_EQ(q.truth == host::kYes,
              host::is_clear(*world_.analytic, q.from_m, places(q.object)[0]));
  }
}

TEST_F(TruthQuestions, RelationIsTheQuarterByDotProducts) {
  std::map<int, int> sides;
  for (const Question& q : ask(QuestionType::kRelation)) {
    const double yaw = q.yaw_deg * 3.14159265358979323846 / 180;
    const Vec3 to = kernels::minus(places(q.object).at(0), q.from_m);
    const double ahead = to.x * std::sin(yaw) + to.z * std::cos(yaw);
    const double right = to.x * std::cos(yaw) - to.z * std::sin(yaw);
    const int side = std::fabs(ahead) > std::fabs(right) ? (ahead > 0 ? 0 : 2) : right > 0 ? 1 : 3;
    EXPECT_EQ(q.truth, side);
    const double away_m = distance_m(q.centre_m, places(q.object)[0]);
    EXPECT_TRUE(away_m >= 1 && away_m <= 8) << away_m;
    ++sides[q.truth];
  }
  EXPECT_EQ(sides.size(), 4u);
}

TEST_F(TruthQuestions, OfTwoTheNearerIsMeant) {
  for (const Question& q : ask(QuestionType::kNearDuplicate)) {
    const auto meant = static_cast<std::size_t>(q.truth);
    EXPECT_EQ(name_of(meant), q.object);
    EXPECT_LE(distance_m(episode_.thing_seen(meant).place_m, q.centre_m), 1.5);
    const std::vector<Vec3> both = places(q.object);
    ASSERT_EQ(both.size(), 2u);
    for (const Vec3& place : both) {
      EXPECT_LE(distance_m(episode_.thing_seen(meant).place_m, q.centre_m),
                distance_m(place, q.centre_m));
    }
  }
}

TEST_F(TruthQuestions, ThePartWithMoreOfThemIsMeant) {
  for (const Question& q : ask(QuestionType::kMultiRegion)) {
    ASSERT_EQ(q.rooms.size(), 2u);
    const Vec3 cut = q.rooms[0].bounds_m.max;
    const bool along_x = cut.x < world_.bounds_m.max.x;
    const double share = along_x ? cut.x / 30 : cut.z / 24;
    EXPECT_TRUE(share >= 0.2 && share <= 0.8) << share;
    std::array<int, 2> count{};
    for (const Vec3& place : places(q.object)) {
      for (std::size_t room = 0; room < 2; ++room) {
        count[room] += host::holds(q.rooms[room].bounds_m, place);
      }
    }
    EXPECT_GE(count[0] + count[1], 3);
    EXPECT_GT(count[static_cast<std::size_t>(q.truth)],
              count[static_cast<std::size_t>(1 - q.truth)]);
  }
}

TEST_F(TruthQuestions, TheControlQuotesOneSentence) {
  std::set<std::string> asked;
  for (const Question& q : ask(QuestionType::kControl, 12)) {
    const auto meant = static_cast<std::size_t>(q.truth);
    EXPECT_EQ(q.text, host::kThingKinds[episode_.thing_seen(meant).kind].sentence);
    EXPECT_TRUE(asked.insert(q.text).second) << "asked twice before all were asked once";
  }
}

TEST_F(TruthQuestions, AQuestionDependsOnItsNumberAlone) {
  const std::vector<Question> few = ask(QuestionType::kOcclusion, 5);
  const std::vector<Question> many = ask(QuestionType::kOcclusion, 40);
  for (std::size_t i = 0; i < few.size(); ++i) {
    EXPECT_EQ(few[i].truth, many[i].truth);
    EXPECT_EQ(few[i].object, many[i].object);
    EXPECT_EQ(few[i].from_m.x, many[i].from_m.x);
  }
}

TEST_F(TruthQuestions, AWorldThatHidesNothingIsRefused) {
  const host::World open = world_of(
      "{bounds_m: {min: [0, 0, 0], max: [20, 3, 20]}, solids: [{box: {min: [0, 0, 0], "
      "max: [0.5, 0.5, 0.5]}}]}");
  const Episode episode = host::make_episode(open, settings(), device_);
  const std::string error = input_error_of(
      [&] { host::author_questions(QuestionType::kOcclusion, open, episode, 20, 1); });
  EXPECT_NE(error.find("nothing is hidden"), std::string::npos) << error;
}

TEST(ThingKinds, ASentenceNamesItsKindAndNoOther) {
  for (const host::ThingKind& kind : host::kThingKinds) {
    for (const host::ThingKind& other : host::kThingKinds) {
      const bool names = std::string(kind.sentence).find(other.name) != std::string::npos;
      EXPECT_EQ(names, &kind == &other) << kind.sentence << " / " << other.name;
    }
  }
}

}  // namespace
}  // namespace sightline::tests
