// The battery as texts: who reads them knows what geometry knows, but for walls.
#include "host/studies/battery_texts.h"

#include <gtest/gtest.h>

#include "host/studies/battery_arms.h"

namespace sightline::tests {
namespace {

using host::BatteryTrial;
using host::QuestionType;
using kernels::Vec3;

constexpr std::uint64_t kSeed = 3;

std::vector<BatteryTrial> trials_of(QuestionType type, std::int64_t count = 60) {
  host::Device device(host::DeviceChoice::kCpu);
  return host::make_battery_trials(type, count, kSeed, host::battery_world(), device);
}

std::vector<Vec3> anchors_of(const BatteryTrial& trial) {
  std::vector<Vec3> anchors;
  for (const auto& thing : trial.things) anchors.push_back(thing.place.thing_m());
  return anchors;
}

TEST(BatteryTexts, AreWhatTheHeaderShows) {
  BatteryTrial trial;
  trial.things = {{5, "mug", "A mug.", {}}, {9, "clock", "It is at rest, the clock.", {}}};
  trial.question = "Is there a mug around here?";
  trial.object = "mug";
  trial.from_m = {4, 1.6, -8};
  trial.yaw_deg = 33.54;
  trial.centre_m = {4, 0.8, -8};
  trial.radius_m = 3;
  trial.rooms = {{"west room", {{0, 0, 0}, {10, 3, 20}}}};
  const host::Prompt prompt =
      host::battery_prompt(QuestionType::kPresence, trial, {{3.25, 1.25, -7.75}, {1, 2, 3}});
  EXPECT_EQ(prompt.question,
            "Memory 1: A mug. It is at x 3.25, y 1.25, z -7.75.\n"
            "Memory 2: It is at rest, the clock. It is at x 1.00, y 2.00, z 3.00.\n"
            "You stand at x 4.00, y 1.60, z -8.00 and look along yaw 33.5 degrees.\n"
            "Here is x 4.00, y 0.80, z -8.00, and around here is within 3.000 m of it.\n"
            "The west room is x 0.00 to 10.00, y 0.00 to 3.00, z 0.00 to 20.00.\n"
            "Question about mug: Is there a mug around here?\n"
            "Answer with one word: NO, YES.");
  EXPECT_EQ(host::read_battery_prompt(prompt.question), "YES");
}

TEST(BatteryTexts, SayWhichRoomIsTheFirstAndNoRadiusThatIsNone) {
  for (const QuestionType type : {QuestionType::kMultiRegion, QuestionType::kNearDuplicate}) {
    const BatteryTrial trial = trials_of(type, 1).front();
    const std::string text = host::battery_prompt(type, trial, anchors_of(trial)).question;
    EXPECT_EQ(text.find("within"), std::string::npos) << text;
    const bool tells = text.find("\nFIRST is the west room, SECOND the east room.\n") != text.npos;
    EXPECT_EQ(tells, type == QuestionType::kMultiRegion) << text;
  }
}

class BatteryReader : public testing::TestWithParam<QuestionType> {};

TEST_P(BatteryReader, AnswersAsGeometryDoes) {
  const std::vector<BatteryTrial> trials = trials_of(GetParam());
  int wrong = 0;
  for (const BatteryTrial& trial : trials) {
    const host::Prompt prompt = host::battery_prompt(GetParam(), trial, anchors_of(trial));
    const auto said = host::read_answer(prompt.answers, host::read_battery_prompt(prompt.question));
    ASSERT_TRUE(said) << prompt.question;
    wrong += *said != static_cast<std::size_t>(trial.truth);
  }
  EXPECT_LE(wrong, 1) << "places are told to the centimetre";
}

TEST_P(BatteryReader, IsWrongWherePlacesAreThoseOfOthers) {
  if (GetParam() == QuestionType::kControl) GTEST_SKIP() << "places do not matter to it";
  const std::vector<BatteryTrial> trials = trials_of(GetParam());
  int wrong = 0;
  for (std::size_t i = 0; i < trials.size(); ++i) {
    std::vector<Vec3> anchors = anchors_of(trials[i]);
    for (Vec3& anchor : anchors) anchor = {20 - anchor.x, anchor.y, 20 - anchor.z};
    const host::Prompt prompt = host::battery_prompt(GetParam(), trials[i], anchors);
    const auto said = host::read_answer(prompt.answers, host::read_battery_prompt(prompt.question));
    wrong += said != static_cast<std::size_t>(trials[i].truth);
  }
  EXPECT_GT(wrong, 12);
}

// Only the text is there to be read: without it there is no answer.
TEST_P(BatteryReader, SaysNothingWithoutMemoriesOrWithoutAPlace) {
  if (GetParam() == QuestionType::kMultiRegion) GTEST_SKIP() << "as many in both: the second";
  BatteryTrial trial = trials_of(GetParam(), 1).front();
  trial.things.clear();
  const host::Prompt empty = host::battery_prompt(GetParam(), trial, {});
  const std::string said = host::read_battery_prompt(empty.question);
  const bool is_yes_or_no =
      GetParam() == QuestionType::kPresence || GetParam() == QuestionType::kCoverage;
  EXPECT_EQ(said, is_yes_or_no ? "NO" : "");
}

INSTANTIATE_TEST_SUITE_P(Types, BatteryReader,
                         testing::Values(QuestionType::kPresence, QuestionType::kRelation,
                                         QuestionType::kCoverage, QuestionType::kNearDuplicate,
                                         QuestionType::kMultiRegion, QuestionType::kControl),
                         [](const auto& type) { return "Number" + std::to_string(type.index); });

TEST(BatteryReaderOfOcclusion, TakesEverythingForVisible) {
  for (const BatteryTrial& trial : trials_of(QuestionType::kOcclusion)) {
    const host::Prompt prompt =
        host::battery_prompt(QuestionType::kOcclusion, trial, anchors_of(trial));
    EXPECT_EQ(host::read_battery_prompt(prompt.question), "YES");
  }
}

TEST(NumbersIn, AreThoseThatWordsBeginWith) {
  EXPECT_EQ(host::numbers_in("Memory 12: a 3rd -4.50, (5) 6.25. nan inf - x7"),
            (std::vector<double>{12, 3, -4.5, 6.25}));
  EXPECT_EQ(host::numbers_in(""), std::vector<double>{});
}

}  // namespace
}  // namespace sightline::tests
