// The study of maps against tasks: its scores, what is a trial, and claims on how they go together.
#include "host/studies/space_diagnosis.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "host/device.h"
#include "host/stats/correlation.h"
#include "host/sweep/claims.h"
#include "host/sweep/study_experiment.h"
#include "support/errors.h"
#include "support/hand_made_run.h"
#include "support/study_answers.h"

namespace sightline::tests {
namespace {

using host::ConfigValue;

const std::string kNineTasks =
    "a: {score: direction}, b: {score: persp.take}, c: {score: perc.dec}, d: {score: act2view}, e: "
    "{score: view2act}, f: {score: alloc.map}, g: {score: ment.rot}, h: {score: loc2view}, i: "
    "{score: view2loc}";

std::string sweep_of(const std::string& study, const std::string& arms) {
  return "{seed: 4, study: {space_diagnosis: " + study + "}, arms: {" + arms + "}}";
}

std::vector<host::ArmAnswers> answers_of(const std::string& study, const std::string& arms) {
  const ConfigValue settings = ConfigValue::parse_yaml(sweep_of(study, arms), "mine.yaml");
  host::Device device(host::DeviceChoice::kCpu, 2);
  return host::parse_study_experiment(settings).study->run(device);
}

TEST(SpaceDiagnosis, TasksAreTheMeanOfTheNine) {
  const auto answers = answers_of("{explorer: random, scenes: {count: 6}, episode: {noise: 0.2}}",
                                  "tasks: {score: tasks}, " + kNineTasks);
  ASSERT_EQ(answers.size(), 10u);
  ASSERT_EQ(answers[0].score.size(), 6u);
  for (std::size_t scene = 0; scene < 6; ++scene) {
    double sum = 0;
    for (std::size_t task = 1; task < answers.size(); ++task) sum += answers[task].score[scene];
    EXPECT_NEAR(answers[0].score[scene], sum / 9, 1e-12) << scene;
  }
}

/// With queries STRATEGIST knows every cell.
TEST(SpaceDiagnosis, WhoKnowsEverythingHasTheMapAndAllAnswers) {
  for (const auto& arm : answers_of("{explorer: strategist_queries, scenes: {count: 4}}",
                                    "map: {score: map}, tasks: {score: tasks}")) {
    EXPECT_EQ(arm.score, std::vector<double>(4, 1));
    EXPECT_EQ(arm.right, std::vector<std::uint8_t>(4, 1));
  }
}

TEST(SpaceDiagnosis, ErrorsOfPerceptionSpoilTheMapAndTheAnswers) {
  const std::string arms = "map: {score: map}, tasks: {score: tasks}";
  const auto mean = [](const std::vector<double>& scores) {
    double sum = 0;
    for (const double score : scores) sum += score;
    return sum / static_cast<double>(scores.size());
  };
  const auto sharp = answers_of("{explorer: gain, scenes: {count: 8}}", arms),
             blurred =
                 answers_of("{explorer: gain, scenes: {count: 8}, episode: {noise: 0.4}}", arms);
  for (const std::size_t arm : {0, 1}) {
    EXPECT_GT(mean(sharp[arm].score), mean(blurred[arm].score) + 0.1);
  }
}

/// Two things are too few to stand on one, face another and be asked for a third.
TEST(SpaceDiagnosis, ScenesWithoutAQuestionOfATaskAreNoTrials) {
  const std::string few = "{explorer: gain, scenes: {count: 5, rooms: 1, objects: 1}}";
  const auto answers = answers_of(few, "map: {score: map}");
  EXPECT_EQ(answers[0].score.size(), 5u) << "a map can be right whatever can be asked";
  EXPECT_NE(input_error_of([&] { answers_of(few, "tasks: {score: tasks}"); }), "no error");
  const std::string error = input_error_of([&] { answers_of(few, kNineTasks); });
  EXPECT_NE(error.find("mine.yaml:1:"), std::string::npos) << error;
  EXPECT_NE(error.find("no scene has a question of each task; give scenes more objects"),
            std::string::npos)
      << error;
}

TEST(SpaceDiagnosis, FaultsAreNamedAtTheirKey) {
  const auto error_of = [](const std::string& study, const std::string& arms) {
    return input_error_of([&] { answers_of(study, arms); });
  };
  const std::string map = "map: {score: map}";
  EXPECT_NE(error_of("{explorer: gian}", map).find("did you mean \"gain\""), std::string::npos);
  EXPECT_NE(error_of("{}", map).find("explorer"), std::string::npos);
  EXPECT_NE(error_of("{explorer: gain, questions: 0}", map).find("questions"), std::string::npos);
  EXPECT_NE(error_of("{explorer: gain, budget: 3}", map).find("unknown key \"budget\""),
            std::string::npos);
  EXPECT_NE(error_of("{explorer: gain}", "m: {score: ment_rot}").find("did you mean \"ment.rot\""),
            std::string::npos);
  EXPECT_NE(error_of("{explorer: gain}", "m: {score: map, explorer: gain}").find("explorer"),
            std::string::npos);
}

const std::vector<double> kMap{0.1, 0.9, 0.4, 0.35, 0.8, 0.2}, kGoes{0.2, 0.7, 0.5, 0.1, 0.9, 0.4},
    kFlat{0.5, 0.5, 0.5, 0.5, 0.5, 0.5};

/// Seeds 1 and 2: `goes` follows the map in both, `flat` and, turned over, `against` do not.
std::vector<host::ClaimResult> judged(const std::string& claims) {
  HandMadeRun run({"seed"}, "study: {space_diagnosis: {}}\nbaseline: map\nclaims:\n" + claims);
  std::vector<double> against;
  for (const double score : kGoes) against.push_back(1 - score);
  for (const int seed : {1, 2}) {
    const auto add = [&](const char* arm, const std::vector<double>& scores) {
      run.add({ConfigValue::integer(seed)}, arm, host::Answers{});
      run.data.rows.back().result.study = answers_of_scores(scores, kMap);
    };
    add("map", kMap);
    add("goes", seed == 1 ? kGoes : kMap);
    add("against", against);
    add("flat", kFlat);
    add("stalls", seed == 1 ? kGoes : kFlat);
  }
  run.data.num_configurations = run.data.num_finished = 2;
  return host::evaluate_claims(run.data);
}

TEST(CorrelationClaim, IsOfTheArmAndItsBaseline) {
  const host::stats::Correlation r = host::stats::pearson(kGoes, kMap);
  ASSERT_GT(r.r, 0.7);
  ASSERT_LT(r.interval.low, 0.7);
  const auto results = judged(
      "  - {text: a, arm: goes, where: {seed: 1}, correlation: {min: 0.7}}\n"
      "  - {text: b, arm: goes, where: {seed: 1}, correlation: {min: 0.7, interval: true}}\n"
      "  - {text: c, arm: goes, by: [seed], correlation: {min: 0.7, max: 0.99}}\n"
      "  - {text: d, arm: against, by: [seed], correlation: {max: -0.7}}\n"
      "  - {text: e, arm: goes, correlation: {min: 0.7}}\n"
      "  - {text: f, arm: goes, by: [seed], correlation: {min: 0.99}}\n");
  ASSERT_EQ(results.size(), 6u);
  EXPECT_EQ(results[0].holds, true) << results[0].found;
  EXPECT_EQ(results[0].found.rfind("r = 0.8", 0), 0u) << results[0].found;
  EXPECT_EQ(results[1].holds, false) << results[1].interval;
  EXPECT_EQ(results[2].holds, false) << "of seed 2 it is 1: " << results[2].found;
  EXPECT_EQ(results[3].holds, true) << results[3].found;
  EXPECT_EQ(results[4].holds, true) << "of both together: " << results[4].found;
  EXPECT_NE(results[5].found.find("(1), 1 (2); p at most"), std::string::npos) << results[5].found;
  EXPECT_EQ(results[5].holds, false) << "of seed 1 it is less: " << results[5].found;
}

TEST(CorrelationClaim, IsNotTestedWhereNothingVariesOrTheArmIsTheBaseline) {
  const auto results = judged(
      "  - {text: a, arm: flat, correlation: {min: 0.1}}\n"
      "  - {text: b, arm: map, correlation: {min: 0.1}}\n"
      "  - {text: c, arm: stalls, by: [seed], correlation: {min: 0.1}}\n");
  ASSERT_EQ(results.size(), 3u);
  EXPECT_EQ(results[0].verdict(), std::string("not tested")) << results[0].found;
  EXPECT_NE(results[1].found.find("the arm is the baseline itself"), std::string::npos);
  EXPECT_EQ(results[2].verdict(), std::string("not tested"))
      << "of one group: " << results[2].found;
}

TEST(CorrelationClaim, HasBoundsBetweenMinusOneAndOneAndIsOfStudies) {
  const auto error_of = [](const std::string& value, host::ExperimentKind kind) {
    const ConfigValue claims =
        ConfigValue::parse_yaml("[{text: a, arm: x, correlation: " + value + "}]", "mine.yaml");
    return input_error_of(
        [&] { host::check_claims(claims, kind, std::nullopt, {}, ConfigValue::map()); });
  };
  const auto study = host::ExperimentKind::kStudy;
  EXPECT_EQ(error_of("{min: 0.1, interval: true}", study), "no error");
  EXPECT_NE(error_of("{min: 1.5}", study).find("correlation.min"), std::string::npos);
  EXPECT_NE(error_of("{min: -1}", study).find("holds of every correlation"), std::string::npos);
  EXPECT_NE(error_of("{min: 1, interval: true}", study).find("holds of no interval"),
            std::string::npos);
  EXPECT_NE(error_of("{low: 0}", study).find("unknown key \"low\""), std::string::npos);
  EXPECT_NE(error_of("{min: 0}", host::ExperimentKind::kRecall).find("only sweeps of a study"),
            std::string::npos);
}

}  // namespace
}  // namespace sightline::tests
