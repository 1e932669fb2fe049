// The study of maps turn by turn, as configs/ has it but smaller: its scores are those of the same
// answers taken through files.
#include "host/studies/space_beliefs.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "host/device.h"
#include "host/error.h"
#include "host/sweep/experiment.h"
#include "host/sweep/study_experiment.h"
#include "host/theory_of_space/believed_map.h"
#include "host/theory_of_space/model_exchange.h"
#include "host/theory_of_space/scene_generator.h"
#include "host/theory_of_space/scene_jsonl.h"
#include "host/world/binary_file.h"
#include "support/errors.h"
#include "support/places.h"
#include "support/run_program.h"

namespace sightline::tests {
namespace {

using namespace host::tos;
using host::ConfigValue;

constexpr std::uint64_t kSeed = 5;
constexpr std::int64_t kScenes = 8;
constexpr double kRounding = 1e-12;  ///< of means of eight numbers

/// The study of configs/theory_of_space_beliefs.yaml with fewer scenes.
class FewScenes {
 public:
  FewScenes() : file_(ConfigValue::load_yaml(source_file("configs/theory_of_space_beliefs.yaml"))) {
    set("scenes.count", ConfigValue::integer(kScenes));
  }
  void set(const std::string& path, const ConfigValue& value) {
    file_.set_path("study.space_beliefs." + path, value);
  }
  void set_arm(const std::string& path, const ConfigValue& value) {
    file_.set_path("arms." + path, value);
  }
  const ConfigValue& measures() const { return file_.at("axes").at("study.space_beliefs.measure"); }

  std::vector<host::ArmAnswers> run(const std::string& measure,
                                    const std::vector<std::string>& names) {
    set("measure", ConfigValue::text(measure));
    std::vector<ConfigValue::Entry> arms;
    for (const std::string& name : names) arms.emplace_back(name, file_.at("arms").at(name));
    const auto study =
        host::make_space_beliefs({file_.at("study").at("space_beliefs"), arms, kSeed});
    host::Device device(host::DeviceChoice::kCpu, 1);
    return study->run(device);
  }
  std::vector<double> scores(const std::string& measure, const std::string& arm) {
    return run(measure, {arm}).at(0).score;
  }

 private:
  ConfigValue file_;
};

std::vector<Scene> scenes() {
  SceneSettings settings;
  settings.placement = Placement::kSpaced;
  settings.topology = Topology::kStar;
  std::vector<Scene> drawn;
  for (std::int64_t i = 0; i < kScenes; ++i) {
    drawn.push_back(generate_scene(settings, kSeed, static_cast<std::uint64_t>(i)));
  }
  return drawn;
}

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

const std::map<std::string, std::string> kOfExchange{
    {"correctness", "map correctness overall"},
    {"correctness_facing", "map correctness facing"},
    {"correctness_position", "map correctness position"},
    {"perception_facing", "perception facing"},
    {"perception_position", "perception position"},
    {"consistency_facing", "local and global map facing"},
    {"consistency_position", "local and global map position"},
    {"stability_facing", "map stability facing"},
    {"stability_position", "map stability position"},
    {"tracking_facing", "map self-tracking facing"},
    {"tracking_position", "map self-tracking position"},
    {"uncertainty", "unexplored F1"}};

/// Answers go to a file and come back, as a language model's would.
TEST(SpaceBeliefs, ScoresAreThoseOfTheSolversAnswersByFiles) {
  FewScenes study;
  const TemporaryFolder folder;
  ModelExchange exchange;
  exchange.scenes = scenes_to_evaluate(scenes(), {}, 1, kSeed);
  exchange.settings.from = "scout";
  exchange.settings.asks = {Ask::kGlobalMap, Ask::kLocalMap, Ask::kUnexplored};
  exchange.settings.seed = kSeed;
  for (const double noise : {0.0, 0.3}) {
    exchange.settings.noise = noise;
    study.set("episode.noise", ConfigValue::number(noise));
    const std::string path = folder / "said.jsonl";
    host::write_file(path, solver_lines(exchange, {}, true).lines);
    const ExchangeScore score = score_exchange(exchange, read_answers(exchange, {path}));
    ASSERT_EQ(study.measures().items().size(), kOfExchange.size());
    for (const auto& [measure, of_exchange] : kOfExchange) {
      const std::vector<double> scores = study.scores(measure, "scout");
      ASSERT_EQ(scores.size(), static_cast<std::size_t>(score.scores.at(of_exchange).n));
      EXPECT_NEAR(mean_of(scores), score.scores.at(of_exchange).mean, kRounding)
          << measure << " with noise " << noise;
    }
  }
}

/// Whoever guesses believes the same: it sees, turns and looks alike, and is only less settled.
TEST(SpaceBeliefs, GuessesContradictEachOther) {
  FewScenes study;
  for (const char* measure : {"correctness_facing", "perception_facing", "tracking_facing"}) {
    EXPECT_EQ(study.scores(measure, "guesses"), study.scores(measure, "scout")) << measure;
  }
  for (const char* measure : {"consistency_position", "stability_position", "perception_position",
                              "correctness_position"}) {
    EXPECT_LT(mean_of(study.scores(measure, "guesses")), mean_of(study.scores(measure, "scout")))
        << measure;
  }
  for (const double score : study.scores("consistency_position", "scout")) EXPECT_EQ(score, 1);
}

TEST(SpaceBeliefs, ABudgetOfAnArmIsItsOwn) {
  FewScenes study;
  study.set("episode.budget", ConfigValue::integer(2));
  const std::vector<double> short_tour = study.scores("correctness", "gain");
  EXPECT_GT(mean_of(study.scores("correctness", "scout")), mean_of(short_tour) + 0.3)
      << "scout has a budget of 0 in the file: no limit";
  study.set_arm("gain.budget", ConfigValue::integer(0));
  EXPECT_GT(mean_of(study.scores("correctness", "gain")), mean_of(short_tour) + 0.3);
}

/// Configurations that differ in their measure share an evaluation; no others do.
TEST(SpaceBeliefs, WhatIsKeptOfAnEvaluationIsOfNoOther) {
  FewScenes study;
  const std::vector<double> right = study.scores("correctness", "scout");
  study.set("episode.noise", ConfigValue::number(0.4));
  const std::vector<double> wrong = study.scores("correctness", "scout");
  EXPECT_NE(right, wrong);
  EXPECT_NE(study.scores("correctness", "guesses"), wrong);
  study.set("episode.noise", ConfigValue::number(0));
  EXPECT_EQ(study.scores("correctness", "scout"), right);
  study.set("scenes.rooms", ConfigValue::integer(2));
  EXPECT_NE(study.scores("correctness", "scout"), right);
}

/// Neighbours or not: here the measure is the slowest axis.
TEST(SpaceBeliefs, ConfigurationsOfOneEvaluationAreABlock) {
  const auto plan = host::SweepPlan::load(
      source_file("configs/theory_of_space_beliefs.yaml"),
      {"axes={study.space_beliefs.measure: [correctness, uncertainty, stability_facing], "
       "study.space_beliefs.episode.noise: [0, 0.1]}",
       "replicates=2"});
  ASSERT_EQ(plan.num_configurations(), 12);
  const std::vector<host::Block> blocks = host::plan_blocks(plan);
  ASSERT_EQ(blocks.size(), 4U);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const auto first = static_cast<std::int64_t>(i);
    EXPECT_EQ(blocks[i].configurations, (std::vector<std::int64_t>{first, first + 4, first + 8}));
    EXPECT_EQ(blocks[i].num_rays, 3 * 100);
    EXPECT_EQ(blocks[i].cost, 100 * 6) << "what they have in common is done once";
  }
}

TEST(SpaceBeliefs, AFileThatChangesIsReadAnew) {
  FewScenes study;
  const TemporaryFolder folder;
  const std::string path = folder / "rooms.jsonl";
  const std::vector<Scene> drawn = scenes();
  study.set("scenes", ConfigValue::parse_yaml("{file: \"" + path + "\"}", "here"));
  host::write_file(path, scene_line(drawn[0]) + "\n" + scene_line(drawn[1]) + "\n");
  const std::vector<double> two = study.scores("correctness", "scout");
  EXPECT_EQ(two.size(), 2U);
  host::write_file(path, scene_line(drawn[0]) + "\n" + scene_line(drawn[2]) + "\n");
  const std::vector<double> others = study.scores("correctness", "scout");
  EXPECT_EQ(others.at(0), two.at(0));
  EXPECT_NE(others.at(1), two.at(1));
}

/// In one turn nothing can be compared with the turn before.
TEST(SpaceBeliefs, AMeasureThatNoTurnHasIsAnError) {
  FewScenes study;
  study.set_arm("scout.budget", ConfigValue::integer(1));
  const std::string error = input_error_of([&] { study.scores("stability_position", "scout"); });
  EXPECT_NE(error.find("study.space_beliefs.measure = stability_position: no turn of any scene"),
            std::string::npos)
      << error;
  EXPECT_EQ(study.scores("correctness", "scout").size(), static_cast<std::size_t>(kScenes));
}

/// Two looks see no more than one thing of some scenes, which then are no trials of stability.
TEST(SpaceBeliefs, TrialsAreTheirScenesWhereSomeAreNone) {
  FewScenes study;
  constexpr std::int64_t kMany = 24;
  study.set("scenes", ConfigValue::parse_yaml("{rooms: 2, objects: 2}", "here"));
  study.set_arm("scout.budget", ConfigValue::integer(2));
  const auto of_scenes = [&](std::int64_t count, const char* measure) {
    study.set("scenes.count", ConfigValue::integer(count));
    return study.run(measure, {"scout"}).at(0);
  };
  const host::ArmAnswers all = of_scenes(kMany, "correctness");
  ASSERT_EQ(all.trials.size(), static_cast<std::size_t>(kMany));
  const host::ArmAnswers some = of_scenes(kMany, "stability_facing");
  ASSERT_LT(some.trials.size(), all.trials.size());
  ASSERT_EQ(some.trials.size(), some.score.size());
  // Each alone: a scene is a trial if it is none that the scenes before it have made.
  std::size_t num_before = 0;
  std::vector<std::int32_t> expected;
  for (std::int64_t count = 1; count <= kMany; ++count) {
    std::size_t num_trials = 0;
    try {
      num_trials = of_scenes(count, "stability_facing").trials.size();
    } catch (const host::InputError&) {  // none yet
    }
    if (num_trials > num_before) expected.push_back(static_cast<std::int32_t>(count - 1));
    num_before = num_trials;
  }
  EXPECT_EQ(some.trials, expected);
}

/// All but the first would seem to take no time.
TEST(SpaceBeliefs, ConfigurationsOfABlockShareItsTime) {
  const auto plan = host::SweepPlan::load(
      source_file("configs/theory_of_space_beliefs.yaml"),
      {"axes={study.space_beliefs.measure: [correctness, uncertainty, stability_facing]}",
       "study.space_beliefs.scenes.count=3"});
  host::Device device(host::DeviceChoice::kCpu, 1);
  const host::BlockResult result =
      host::run_study_block(plan, host::plan_blocks(plan).at(0), device, true);
  ASSERT_EQ(result.costs.size(), 3U * 6U);
  for (const host::CostRow& cost : result.costs) {
    EXPECT_EQ(cost.seconds, result.costs.front().seconds);
    EXPECT_GT(cost.seconds, 0);
  }
}

TEST(SpaceBeliefs, RefusesWhatItDoesNotKnow) {
  const auto expect_error = [](const std::string& path, const char* value, const char* words) {
    FewScenes study;
    const ConfigValue parsed = ConfigValue::parse_yaml(value, "mine.yaml");
    if (path.rfind("scout", 0) == 0) {
      study.set_arm(path, parsed);
    } else {
      study.set(path, parsed);
    }
    const std::string error = input_error_of([&] { study.scores("correctness", "scout"); });
    EXPECT_NE(error.find(words), std::string::npos) << path << ": " << error;
  };
  expect_error("episode.profile", "paper", "episode.profile: is not of this study");
  expect_error("questions", "3", "unknown key \"questions\"");
  expect_error("scout.belief", "guess", "did you mean \"guesses\"");
  expect_error("scout.explorer", "scot", "did you mean \"scout\"");
  expect_error("scout.budget", "-1", "mine.yaml");
  expect_error("scout.agents", "2", "unknown key \"agents\"");
  FewScenes study;
  const std::string error = input_error_of([&] { study.run("stability", {"scout"}); });
  EXPECT_NE(error.find("known are correctness, "), std::string::npos) << error;
}

TEST(PlaceChoice, DrawsEveryCellAndNoOther) {
  CellSet cells = CellSet::box({-1, 2}, {1, 3});
  cells.erase({0, 2});
  EXPECT_EQ(PlaceChoice()(3, cells), cells.middle());
  std::map<std::pair<int, int>, int> times;
  constexpr int kDraws = 1000;
  for (int i = 0; i < kDraws; ++i) {
    const PlaceChoice choice = PlaceChoice::drawn("key " + std::to_string(i));
    const Cell cell = choice(3, cells);
    ASSERT_TRUE(cells.has(cell));
    EXPECT_EQ(PlaceChoice::drawn("key " + std::to_string(i))(3, cells), cell);
    ++times[{cell.x, cell.y}];
  }
  EXPECT_EQ(times.size(), static_cast<std::size_t>(cells.size()));
  for (const auto& [cell, count] : times) EXPECT_GT(count, kDraws / cells.size() / 2);
}

}  // namespace
}  // namespace sightline::tests
