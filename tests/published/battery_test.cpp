// The Tier-A battery of What Spatial Memory Must Store (2026), section 6.4: its claims, and arms
// that are broken on purpose and must not pass.
#include <gtest/gtest.h>

#include <cmath>

#include "host/studies/battery_arms.h"
#include "host/studies/battery_live.h"
#include "host/studies/scene_graph.h"
#include "support/study_command.h"

namespace sightline::tests {
namespace {

using host::BatteryAnswer;
using host::BatteryTrial;
using host::QuestionType;

constexpr const char* kConfig = "battery.yaml";
constexpr int kClaims = 21;
constexpr std::uint64_t kSeed = 7;

const std::vector<QuestionType>& all_types() {
  static const std::vector<QuestionType> types{
      QuestionType::kPresence, QuestionType::kOcclusion,     QuestionType::kRelation,
      QuestionType::kCoverage, QuestionType::kNearDuplicate, QuestionType::kMultiRegion,
      QuestionType::kControl};
  return types;
}

class BatteryTrials : public testing::TestWithParam<QuestionType> {
 protected:
  std::vector<BatteryTrial> trials(std::int64_t count, std::uint64_t seed = kSeed) {
    return host::make_battery_trials(GetParam(), count, seed, world_, device_);
  }
  std::vector<int> said(BatteryAnswer answer, host::Anchors anchors,
                        const std::vector<BatteryTrial>& trials) {
    host::BatteryArm arm;
    arm.answer = answer;
    arm.anchors = anchors;
    return host::ask(arm, GetParam(), trials, world_, device_).said;
  }

  host::Device device_;
  host::World world_ = host::battery_world();
};

TEST_P(BatteryTrials, ATrialDependsOnItsNumberAlone) {
  const std::vector<BatteryTrial> few = trials(5), many = trials(50);
  for (std::size_t i = 0; i < few.size(); ++i) {
    EXPECT_EQ(few[i].truth, many[i].truth);
    EXPECT_EQ(few[i].question, many[i].question);
    EXPECT_EQ(few[i].things[0].id, many[i].things[0].id);
    EXPECT_EQ(few[i].things[0].place.thing_m().x, many[i].things[0].place.thing_m().x);
  }
}

TEST_P(BatteryTrials, IdsAscendAndEverythingLiesOnTheGround) {
  for (const BatteryTrial& trial : trials(200)) {
    std::int64_t last = 0;
    for (const host::RememberedThing& thing : trial.things) {
      EXPECT_GT(thing.id, last);
      last = thing.id;
      for (const double at : {thing.place.thing_m().x, thing.place.thing_m().z}) {
        EXPECT_GE(at, 0);
        EXPECT_LE(at, 20);
      }
    }
  }
}

// Nobody gets at a place uncounted, so that none read means: the truth is of the world.
TEST_P(BatteryTrials, TheTruthReadsNoPlaceOfAMemory) {
  EXPECT_EQ(host::num_place_reads(trials(50)), 0);
}

TEST_P(BatteryTrials, ATruthOfMemoriesIsCounted) {
  std::vector<BatteryTrial> of_memories = trials(50);
  host::author_from_memories(GetParam(), world_, device_, &of_memories);
  EXPECT_GE(host::num_place_reads(of_memories), 50);
  const std::vector<host::ArmAnswers> told =
      host::ask_all({host::BatteryArm()}, GetParam(), of_memories, world_, device_);
  EXPECT_GE(told[0].truth_reads, 50);
  EXPECT_EQ(told[0].coordinate_reads, 0) << "text reads none itself";
}

// Truth that is read from a memory after trials were made of it is as contaminated.
TEST(BatteryPlaces, AReadOfWhatTrialsWereMadeOfCountsOnce) {
  const host::MemoryPlace place({1, 0, 2}, {0, 0, 0});
  BatteryTrial trial;
  trial.things = {{1, "mug", "A mug.", place}};
  const std::vector<BatteryTrial> trials{trial, trial};
  EXPECT_EQ(host::num_place_reads(trials), 0);
  EXPECT_EQ(place.thing_m().x, 1);
  EXPECT_EQ(host::num_place_reads(trials), 1);
  EXPECT_EQ(trials[1].things[0].place.seen_from_m().x, 0);
  EXPECT_EQ(host::num_place_reads(trials), 2);
}

// The paper's null: text alone. Where its memories lie must not matter to it.
TEST_P(BatteryTrials, PermutedAnchorsChangeNoAnswerOfText) {
  const std::vector<BatteryTrial> asked = trials(100);
  const std::vector<int> answers = said(BatteryAnswer::kText, host::Anchors::kSubject, asked);
  EXPECT_EQ(answers, said(BatteryAnswer::kText, host::Anchors::kShuffled, asked));
  EXPECT_EQ(answers, said(BatteryAnswer::kText, host::Anchors::kObserver, asked));
}

TEST_P(BatteryTrials, PermutedAnchorsChangeAnswersOfGeometry) {
  const std::vector<BatteryTrial> asked = trials(100);
  EXPECT_NE(said(BatteryAnswer::kGeometry, host::Anchors::kSubject, asked),
            said(BatteryAnswer::kGeometry, host::Anchors::kShuffled, asked));
}

INSTANTIATE_TEST_SUITE_P(Types, BatteryTrials, testing::ValuesIn(all_types()),
                         [](const auto& type) {
                           std::string name;
                           for (const char c : std::string(
                                    host::kQuestionTypes[static_cast<std::size_t>(type.param)])) {
                             if (c != '_') name += c;
                           }
                           return name;
                         });

// Truth by other formulas than the generator's.
TEST(BatteryTruth, IsWhatTheWorldSays) {
  host::Device device;
  const host::World world = host::battery_world();
  const auto of = [&](QuestionType type) {
    return host::make_battery_trials(type, 200, kSeed, world, device);
  };
  for (const BatteryTrial& trial : of(QuestionType::kPresence)) {
    bool is_there = false;
    for (const host::RememberedThing& thing : trial.things) {
      is_there =
          is_there || (thing.object == trial.object &&
                       std::hypot(thing.place.thing_m().x - trial.centre_m.x,
                                  thing.place.thing_m().z - trial.centre_m.z) <= trial.radius_m);
    }
    EXPECT_EQ(trial.truth, is_there ? host::kYes : host::kNo);
  }
  for (const BatteryTrial& trial : of(QuestionType::kRelation)) {
    const auto thing = std::find_if(trial.things.begin(), trial.things.end(),
                                    [&](const auto& one) { return one.object == trial.object; });
    const double bearing_deg = std::atan2(thing->place.thing_m().x - trial.from_m.x,
                                          thing->place.thing_m().z - trial.from_m.z) *
                               180 / 3.14159265358979323846;
    const double turned = std::fmod(bearing_deg - trial.yaw_deg + 45 + 720, 360);
    EXPECT_EQ(trial.truth, static_cast<int>(turned / 90));
  }
  for (const BatteryTrial& trial : of(QuestionType::kMultiRegion)) {
    int west = 0, east = 0;
    for (const host::RememberedThing& thing : trial.things)
      ++(thing.place.thing_m().x < 10 ? west : east);
    EXPECT_EQ(trial.truth, west > east ? 0 : 1);
  }
}

// Eight halls: behind by 0.4 m of solid or more, or in the open, by samples of the solid.
TEST(BatteryLive, HalfOfTheThingsStandBehindAnOccluder) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const std::vector<host::LiveWorld> worlds = host::make_live_worlds(seed);
    ASSERT_EQ(worlds.size(), 8u);
    for (const host::LiveWorld& live : worlds) {
      ASSERT_EQ(live.trials.size(), 24u);
      int num_hidden = 0;
      for (const BatteryTrial& trial : live.trials) {
        const kernels::Vec3 to = trial.things[0].place.thing_m(), from = trial.from_m;
        const double length_m = std::hypot(to.x - from.x, to.y - from.y, to.z - from.z);
        int in_solid = 0;
        constexpr int kSamples = 4000;
        for (int i = 1; i < kSamples; ++i) {
          const double s = static_cast<double>(i) / kSamples;
          in_solid += live.world.analytic->view().solid_at({from.x + s * (to.x - from.x),
                                                            from.y + s * (to.y - from.y),
                                                            from.z + s * (to.z - from.z)});
        }
        const double solid_m = length_m * in_solid / kSamples;
        if (trial.truth == host::kYes) {
          EXPECT_EQ(in_solid, 0);
        } else {
          EXPECT_GE(solid_m, 0.39);
        }
        num_hidden += trial.truth == host::kNo;
      }
      EXPECT_EQ(num_hidden, 12);
    }
  }
}

class BatteryClaims : public StudyCommand {};

TEST_F(BatteryClaims, AreReproduced) {
  const ProgramResult run = sweep(kConfig);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(count(run.out, "reproduced"), kClaims) << run.out;
}

TEST_F(BatteryClaims, FailForAnchorsAtTheObserver) {
  const ProgramResult run = sweep(kConfig, {"arms.geometry.anchors=observer"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(count(run.out, "not reproduced", "Geometry is right"), 1) << run.out;
  EXPECT_EQ(count(run.out, "not reproduced", "F1"), 1) << run.out;
}

TEST_F(BatteryClaims, FailForShuffledAnchors) {
  const ProgramResult run = sweep(kConfig, {"arms.geometry.anchors=shuffled"});
  EXPECT_EQ(count(run.out, "not reproduced", "Geometry is right"), 1) << run.out;
  EXPECT_EQ(count(run.out, "not reproduced", "All six contrasts"), 1) << run.out;
}

TEST_F(BatteryClaims, FailForAMarchOfFiveMetres) {
  const ProgramResult run = sweep(kConfig, {"arms.geometry.step_m=5", "arms.cone_los.step_m=5"});
  EXPECT_EQ(count(run.out, "not reproduced", "with line of sight it is right"), 1) << run.out;
  EXPECT_EQ(count(run.out, "not reproduced", "coarse march"), 1) << run.out;
}

TEST_F(BatteryClaims, FailIfGeometryPassesForText) {
  const ProgramResult run = sweep(kConfig, {"arms.text.answer=geometry"});
  EXPECT_EQ(count(run.out, "not reproduced", "Text reads no place"), 1) << run.out;
  EXPECT_EQ(count(run.out, "not reproduced", "F2"), 1) << run.out;
}

TEST_F(BatteryClaims, F4TellsATruthThatIsReadFromMemories) {
  const ProgramResult run = sweep(kConfig, {"study.battery.truth=memories"});
  EXPECT_EQ(count(run.out, "not reproduced", "F4"), 1) << run.out;
  EXPECT_EQ(count(run.out, "reproduced", "Text reads no place"), 1) << run.out;
}

TEST_F(BatteryClaims, FailIfGeometryReadsNoPlace) {
  const ProgramResult run = sweep(kConfig, {"arms.geometry.answer=text"});
  EXPECT_EQ(count(run.out, "not reproduced", "F3"), 1) << run.out;
}

}  // namespace
}  // namespace sightline::tests
