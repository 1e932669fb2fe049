// The study of exploration: several agents as an arm, and whose final gain is waited for.
#include "host/studies/space_exploration.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "host/device.h"

namespace sightline::tests {
namespace {

using host::ArmAnswers;
using host::ConfigValue;

constexpr std::size_t kScenes = 20;

std::vector<ArmAnswers> answers_of(const std::string& measure, const std::string& arms) {
  const auto config =
      ConfigValue::parse_yaml("study: {scenes: {rooms: 3, count: " + std::to_string(kScenes) +
                                  "}, measure: " + measure + "}\narms: {" + arms + "}\n",
                              "study.yaml");
  const std::unique_ptr<host::Study> study =
      host::make_space_exploration({config.at("study"), config.at("arms").entries(), 3});
  host::Device device(host::DeviceChoice::kCpu, 1);
  return study->run(device);
}

double mean_of(const ArmAnswers& arm) {
  double sum = 0;
  for (const double score : arm.score) sum += score;
  return sum / static_cast<double>(arm.score.size());
}

TEST(SpaceExploration, OneAgentOfATeamIsTheExplorer) {
  for (const char* measure : {"information_gain", "node_coverage", "edge_coverage",
                              "map_correctness", "looks", "looks_to_gain"}) {
    const auto answers =
        answers_of(measure, "alone: {explorer: gain}, team: {explorer: gain, agents: 1}");
    EXPECT_EQ(answers[0].score, answers[1].score) << measure;
    EXPECT_EQ(answers[0].num_candidates, answers[1].num_candidates) << measure;
  }
}

TEST(SpaceExploration, CountsTheLooksOfEachAgent) {
  const auto answers =
      answers_of("looks", "one: {explorer: gain}, two: {explorer: gain, agents: 2}");
  constexpr double kHundred = 100;
  for (std::size_t arm = 0; arm < 2; ++arm) {
    const double agents = static_cast<double>(arm) + 1;
    EXPECT_NEAR(mean_of(answers[arm]) * kScenes * kHundred * agents,
                static_cast<double>(answers[arm].num_candidates), 1e-9);
  }
  EXPECT_LT(mean_of(answers[1]), 0.7 * mean_of(answers[0]));
  EXPECT_GT(answers[1].num_candidates, answers[0].num_candidates);
}

TEST(SpaceExploration, TwoAgentsMapWhatOneDoes) {
  const auto maps =
      answers_of("map_correctness", "one: {explorer: gain}, two: {explorer: gain, agents: 2}");
  EXPECT_NEAR(mean_of(maps[1]), mean_of(maps[0]), 0.01);
  EXPECT_GT(mean_of(maps[1]), 0.97);
}

/// Who waits for its own final gain gets there, at the latest with its last look.
TEST(SpaceExploration, WaitsForTheGainOfTheAim) {
  const std::string arms = "gain: {explorer: gain}, scout: {explorer: scout}";
  const auto looks = answers_of("looks", arms);
  const auto own = answers_of("looks_to_gain, aim: gain", arms);
  const auto scouts = answers_of("looks_to_gain, aim: scout", arms);
  for (std::size_t i = 0; i < kScenes; ++i) {
    EXPECT_LE(own[0].score[i], looks[0].score[i]);
    EXPECT_GE(own[1].score[i], scouts[1].score[i]);
    EXPECT_LE(scouts[1].score[i], looks[1].score[i]);
  }
  EXPECT_LT(mean_of(scouts[0]), mean_of(own[0]));
}

/// All looks of the aim, or those up to where its gain stops growing: others count the same.
TEST(SpaceExploration, CountsTheLooksThatTheAimNeeded) {
  const std::string arms = "strategist: {explorer: strategist}, gain: {explorer: gain}";
  const auto looks = answers_of("looks", arms);
  const auto all = answers_of("looks_to_gain, aim_looks: all", arms);
  const auto needed = answers_of("looks_to_gain, aim_looks: needed", arms);
  EXPECT_EQ(all[0].score, looks[0].score);
  EXPECT_EQ(all[1].score, needed[1].score);
  EXPECT_EQ(all[1].score, answers_of("looks_to_gain", arms)[1].score);
  for (std::size_t i = 0; i < kScenes; ++i) EXPECT_LE(needed[0].score[i], all[0].score[i]);
  EXPECT_LT(mean_of(needed[0]), mean_of(all[0]));
  EXPECT_GT(mean_of(needed[0]), 0.9 * mean_of(all[0]));
}

}  // namespace
}  // namespace sightline::tests
