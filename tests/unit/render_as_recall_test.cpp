// Render-as-recall: the questions, and who answers them how; arms that are broken on purpose.
#include "host/studies/render_as_recall.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <string>

#include "support/errors.h"

namespace sightline::tests {
namespace {

using host::ArmAnswers;
using host::ConfigValue;

constexpr const char* kRooms =
    "world: rooms, worlds: {rooms: {scene: {name: rooms, seed: 3, size_m: [18, 3, 18]}, solid: "
    "{grid: {voxel_m: 0.1}}}}, poses: 8, targets: 40, frames: 24";

std::unique_ptr<host::Study> study_of(const std::string& study, const std::string& arms,
                                      std::uint64_t seed = 5) {
  const ConfigValue config =
      ConfigValue::parse_yaml("study: {" + study + "}\narms: {" + arms + "}\n", "s.yaml");
  return host::make_render_as_recall({config.at("study"), config.at("arms").entries(), seed});
}

std::vector<ArmAnswers> answers_of(const std::string& study, const std::string& arms,
                                   int num_threads = 0) {
  host::Device device(host::DeviceChoice::kCpu, num_threads);
  return study_of(study, arms)->run(device);
}

double share_right(const ArmAnswers& answers) {
  return std::accumulate(answers.right.begin(), answers.right.end(), 0.0) /
         static_cast<double>(answers.right.size());
}

TEST(RenderAsRecall, AsksAQuarterOfEachKind) {
  for (const auto& [asked, count] : {std::pair{"any", 320}, std::pair{"hidden", 160}}) {
    const auto answers =
        answers_of(kRooms + std::string(", asked: ") + asked, "text: {answer: text}");
    EXPECT_EQ(answers[0].right.size(), static_cast<std::size_t>(count));
  }
  const std::string some = kRooms + std::string(", cases: grazing, asked: visible");
  EXPECT_EQ(study_of(some, "text: {answer: text}")->num_trials(), 80);
  EXPECT_EQ(share_right(answers_of(some, "text: {answer: text}")[0]), 1);
}

TEST(RenderAsRecall, EveryMechanismAnswersItsOwnWay) {
  const std::string arms =
      "text: {answer: text}, gate: {answer: field_of_view}, covered: {answer: field_of_view, from: "
      "frames}, exact: {answer: line_of_sight}, query: {answer: view, from: query}, ego: {answer: "
      "view, from: observer, width: 192}, keyframe: {answer: view, from: keyframe}, best: {answer: "
      "view, from: best_frame}, reader: {answer: coordinates, boxes: 500}";
  const auto hidden = answers_of(kRooms + std::string(", asked: hidden"), arms);
  const auto visible = answers_of(kRooms + std::string(", asked: visible"), arms);
  EXPECT_EQ(share_right(hidden[0]), 0) << "text calls all visible";
  EXPECT_EQ(share_right(hidden[1]), 0) << "so does the gate: all targets are in the picture";
  EXPECT_EQ(share_right(visible[1]), 1);
  EXPECT_LT(share_right(hidden[2]), 0.3) << "what frames cover lies behind walls as well";
  for (const auto* answers : {&hidden, &visible}) {
    EXPECT_GT(share_right((*answers)[3]), 0.99) << "exact";
    EXPECT_GT(share_right((*answers)[4]), 0.97) << "a picture from here, turned to the target";
    EXPECT_GT(share_right((*answers)[5]), 0.9) << "a picture from here";
    EXPECT_GT(share_right((*answers)[8]), 0.95) << "boxes as text";
  }
  EXPECT_LT(share_right(hidden[6]), share_right(hidden[4])) << "from another place";
  EXPECT_LT(share_right(hidden[7]), 0.3) << "from where it is in sight, it is in sight";
  EXPECT_GT(share_right(visible[7]), 0.9);
}

TEST(RenderAsRecall, TheBestViewAnswersWhetherAnyFrameHasItInSight) {
  const auto answers =
      answers_of(kRooms + std::string(", asked: hidden, question: from_frames"),
                 "best: {answer: view, from: best_frame, candidates: 24}, exact: {answer: "
                 "line_of_sight}");
  EXPECT_GT(share_right(answers[0]), 0.95);
  EXPECT_LT(share_right(answers[1]), 0.3) << "from here is another question";
}

/// What must not pass: each answers about another place than is asked about.
TEST(RenderAsRecall, WrongPosesAndShuffledTargetsAreFoundOut) {
  constexpr double kChance = 0.7;
  for (const std::string broken : {"pose: another", "targets: shuffled"}) {
    const auto answers =
        answers_of(kRooms, "exact: {answer: line_of_sight, " + broken +
                               "}, query: {answer: view, from: query, " + broken +
                               "}, ego: {answer: view, from: observer, width: 96, " + broken +
                               "}, reader: {answer: coordinates, " + broken + "}");
    for (const ArmAnswers& arm : answers) EXPECT_LT(share_right(arm), kChance) << broken;
  }
}

TEST(RenderAsRecall, AMarchOfFiveMetresSeesThroughWalls) {
  const auto answers =
      answers_of(kRooms + std::string(", asked: hidden"),
                 "far: {answer: line_of_sight, method: march, step_m: 5}, near: {answer: "
                 "line_of_sight, method: march, step_m: 0.05}");
  EXPECT_LT(share_right(answers[0]), 0.3);
  EXPECT_GT(share_right(answers[1]), 0.9);
}

TEST(RenderAsRecall, DamageCostsTheMapAndLeavesTheTruth) {
  const auto at = [](const std::string& damage, const std::string& asked) {
    return share_right(answers_of(kRooms + (", asked: " + asked) + ", damage: {" + damage + "}",
                                  "exact: {answer: line_of_sight}")[0]);
  };
  EXPECT_EQ(at("kind: lost_percent, amount: 100", "hidden"), 0) << "nothing is left that hides";
  EXPECT_EQ(at("kind: lost_percent, amount: 100", "visible"), 1);
  EXPECT_EQ(at("kind: added_per_10000, amount: 10000", "hidden"), 1) << "all of it hides";
  EXPECT_LT(at("kind: added_per_10000, amount: 10000", "visible"), 0.05);
  EXPECT_LT(at("kind: pose_cm, amount: 200", "hidden"), 0.9);
  EXPECT_EQ(at("kind: lost_percent, amount: 0", "hidden"), at("kind: none", "hidden"));
}

TEST(RenderAsRecall, AnswersAreTheSameOnAnyNumberOfThreads) {
  std::string study = kRooms + std::string(", damage: {kind: pose_cm, amount: 10}");
  // So many that threads share the drawing of them, too.
  study.replace(study.find("poses: 8, targets: 40"), 21, "poses: 200, targets: 4");
  const std::string arms =
      "best: {answer: view, from: best_frame}, ego: {answer: view, from: "
      "observer, width: 48}, reader: {answer: coordinates}, covered: {answer: "
      "field_of_view, from: frames}, march: {answer: line_of_sight, method: "
      "march, step_m: 0.5}";
  const auto one = answers_of(study, arms, 1), three = answers_of(study, arms, 3);
  for (std::size_t arm = 0; arm < one.size(); ++arm) {
    EXPECT_EQ(one[arm].right, three[arm].right);
    EXPECT_EQ(one[arm].stored_bytes, three[arm].stored_bytes);
  }
}

TEST(RenderAsRecall, OnlyTheExactWalkOverTheUndamagedMapIsTheTruthsOwnPredicate) {
  const std::string arms =
      "exact: {answer: line_of_sight}, march: {answer: line_of_sight, method: march, step_m: 1}, "
      "query: {answer: view, from: query}";
  const auto ties = [&](const std::string& more) {
    return study_of(kRooms + more, arms)->truth_ties();
  };
  EXPECT_TRUE(ties("")[0].same_predicate);
  EXPECT_FALSE(ties("")[1].same_predicate);
  EXPECT_FALSE(ties("")[2].same_predicate);
  EXPECT_FALSE(ties(", damage: {kind: lost_percent, amount: 1}")[0].same_predicate);
  EXPECT_FALSE(ties(", question: from_frames")[0].same_predicate);
}

TEST(RenderAsRecall, TextArmsGiveTheirPromptsAndOthersNone) {
  host::Device device(host::DeviceChoice::kCpu);
  const auto study = study_of(kRooms,
                              "reader: {answer: coordinates, boxes: 3}, text: {answer: text}, "
                              "exact: {answer: line_of_sight}");
  const auto told = study->prompts(0, device), blind = study->prompts(1, device);
  ASSERT_EQ(told.size(), 320u);
  ASSERT_EQ(blind.size(), 320u);
  EXPECT_TRUE(study->prompts(2, device).empty());
  std::size_t num_hidden = 0;
  for (std::size_t i = 0; i < told.size(); ++i) {
    num_hidden += told[i].right;
    EXPECT_EQ(told[i].right, blind[i].right);
    EXPECT_NE(told[i].question.find("You stand with your eyes at x "), std::string::npos);
    EXPECT_EQ(blind[i].question.find(" x "), std::string::npos);
  }
  EXPECT_EQ(num_hidden, 160u);
}

TEST(RenderAsRecall, AWorldWithoutEnoughOfAKindIsTold) {
  host::Device device(host::DeviceChoice::kCpu);
  const auto study = study_of(
      "world: open, worlds: {open: {scene: {bounds_m: {min: [0, 0, 0], max: [10, 3, 10]}, solids: "
      "[{box: {min: [4, 0, 4], max: [4.5, 0.2, 4.5]}}]}, solid: {grid: {voxel_m: 0.5}}, walk: "
      "{floor_m: 0}}}, poses: 1, targets: 80",
      "text: {answer: text}");
  EXPECT_NE(input_error_of([&] { (void)study->run(device); }).find("targets of each kind"),
            std::string::npos);
}

}  // namespace
}  // namespace sightline::tests
