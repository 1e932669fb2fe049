// Claims over rows of the same trials, which an axis repeats: such rows are not added up, and have
// no interval; along an axis each rate is of one of its values.
#include <gtest/gtest.h>

#include <string>

#include "host/sweep/claims.h"
#include "support/errors.h"
#include "support/two_worlds.h"

namespace sightline::tests {
namespace {

using host::ClaimResult;
using host::ConfigValue;

TEST(ClaimTrials, ThatAddUpTheSameTrialsUnderSeveralBaselinesAreRefused) {
  const auto refusal = [](const std::string& claim) {
    const ConfigValue claims =
        ConfigValue::parse_yaml("- {text: t, arm: los, " + claim + "}", "claims.yaml");
    const std::vector<std::string> arms{"text", "los"}, axes{"baseline"};
    return input_error_of([&] {
      check_claims(claims, host::ExperimentKind::kVisibility, arms, axes, ConfigValue::map());
    });
  };
  for (const char* claim :
       {"accuracy: 1", "mcnemar_p: {max: 0.05}", "where: {baseline: [text, los]}, accuracy: 1",
        "at_least: {rate: accuracy, arm: text}", "mcnemar: {b: 1, c: 0}", "num_visible: 3"}) {
    EXPECT_NE(refusal(claim).find("adds up rows of several baselines"), std::string::npos) << claim;
  }
  for (const char* claim :
       {"where: {baseline: text}, accuracy: 1", "by: [baseline], mcnemar_p: {max: 0.05}",
        "false_visible: 0", "where: {baseline: [text]}, mcnemar: {b: 1, c: 0}",
        "controls: {margin: 0.1}"}) {
    EXPECT_EQ(refusal(claim), "no error") << claim;
  }
}

/// Two worlds, asked at two steps of the march.
ClaimResult of_two_steps(const std::string& key, const std::string& claim) {
  HandMadeRun run({"seed", key},
                  "baseline: text\nclaims:\n  - {text: t, arm: los, " + claim + "}\n");
  for (int configuration = 0; configuration < 4; ++configuration) {
    const std::vector<ConfigValue> values{ConfigValue::integer(configuration / 2),
                                          ConfigValue::number(configuration % 2 ? 0.5 : 0.1)};
    for (const char* arm : {"text", "los"}) {
      host::Answers answers = answers_of(30, 10, arm[0] == 't' ? 10 : 1);
      answers.only_arm_right = arm[0] == 't' ? 0 : 9;
      run.add(values, arm, answers);
      run.data.rows.back().result.configuration = configuration;
    }
  }
  run.data.num_configurations = run.data.num_finished = 4;
  return evaluate_claims(run.data).at(0);
}

TEST(ClaimTrials, ThatAddUpTheSameTrialsAreNotTested) {
  for (const std::string& key :
       {std::string("arms.los.step_m"), std::string("arms"), std::string("oracle.step_m"),
        std::string("visibility.step_m"), std::string("view.min_pixels"),
        std::string("field_of_view.kind"), std::string("recall.k"), std::string("metrics"),
        std::string("world.solid.grid.voxel_m"),
        std::string("study.location_questions.within_m")}) {
    for (const std::string& claim :
         {std::string("accuracy: {min: 0.9}"), std::string("mcnemar: {b: 36, c: 0}"),
          std::string("by: [seed], mcnemar_p: {max: 0.05}"),
          std::string("at_least: {rate: accuracy, arm: text}"), std::string("only_arm_right: 36"),
          std::string("num_visible: 120"), std::string("false_visible: {max: 4}"),
          "where: {" + key + ": [0.1, 0.5]}, mcnemar_p: {max: 0.05}",
          std::string("table: {rate: accuracy, along: seed, expected: [[0, 1]], within: 0.1}")}) {
      const ClaimResult result = of_two_steps(key, claim);
      EXPECT_EQ(result.holds, std::nullopt) << claim;
      EXPECT_EQ(result.found, "nothing: these rows repeat the same trials at several values of " +
                                  key + ": pick one with `where`, or list the axis under `by`");
    }
    for (const std::string& claim :
         {"where: {" + key + ": 0.1}, accuracy: {min: 0.9}",
          "where: {" + key + ": [0.1]}, mcnemar: {b: 18, c: 0}",
          "by: [seed, " + key + "], mcnemar_p: {max: 0.05}", std::string("false_occluded: 0"),
          std::string("controls: {margin: 0.25}"),
          "table: {rate: accuracy, along: " + key + ", expected: [[0.1, 0.975]], within: 0.1}"}) {
      EXPECT_EQ(of_two_steps(key, claim).holds, true) << claim;
    }
  }
  EXPECT_EQ(of_two_steps("world.voxel_m", "mcnemar: {b: 36, c: 0}").holds, true)
      << "what sets the world asks other trials";
}

TEST(ClaimTrials, MayAddUpRowsThatAnAxisOfArmsGoesAlongWith) {
  // As of zipped axes: each of the two steps belongs to a world of its own.
  HandMadeRun run({"seed", "arms.los.step_m"},
                  "baseline: text\nclaims:\n  - {text: t, arm: los, num_visible: 60}\n"
                  "  - {text: t, arm: los, accuracy: {min: 0.9}}\n");
  for (int world = 0; world < 2; ++world) {
    run.add({ConfigValue::integer(world), ConfigValue::number(world ? 0.5 : 0.1)}, "text",
            answers_of(30, 10, 10));
    run.add({ConfigValue::integer(world), ConfigValue::number(world ? 0.5 : 0.1)}, "los",
            answers_of(30, 10, 1));
  }
  run.data.num_configurations = run.data.num_finished = 2;
  for (const ClaimResult& result : evaluate_claims(run.data)) EXPECT_EQ(result.holds, true);
}

TEST(ClaimTrials, OnCountsOfTheSameTrialsHaveNoInterval) {
  const std::string key = "visibility.step_m";
  EXPECT_EQ(of_two_steps(key, "false_occluded: 0").interval, "");
  EXPECT_EQ(of_two_steps(key, "false_occluded: {max: 0}").interval, "");
  EXPECT_NE(of_two_steps("world.voxel_m", "false_visible: {max: 4}").interval, "");
  const std::string mean = "by: [" + key + "], where: {seed: 0}, mean: true, accuracy: {min: 0.9}";
  EXPECT_EQ(of_two_steps(key, mean).holds, true);
  EXPECT_EQ(of_two_steps(key, mean).interval, "");
  EXPECT_EQ(
      of_two_steps(key, "by: [" + key + ", seed], equivalent: {margin: 0.9}").interval,
      of_two_steps(key, "where: {seed: 0, " + key + ": 0.1}, equivalent: {margin: 0.9}").interval)
      << "of one of the groups, not of their sum";
}

// Two steps, four pairs each, the same ones: eight would do (p = 0.0078), four do not (p = 0.125).
TEST(ClaimTrials, ThatAreRepeatedAreNoMoreEvidenceInTheMean) {
  const auto judge = [](const std::string& axis, std::int64_t num_won, const std::string& claim) {
    HandMadeRun run({axis}, "baseline: text\nclaims:\n  - {text: t, arm: los, by: [" + axis +
                                "], mean: true, " + claim + "}\n");
    for (const double step_m : {0.1, 0.5}) {
      host::Answers los = answers_of(240, 0, 0);
      los.only_arm_right = num_won;
      run.add({ConfigValue::number(step_m)}, "text", answers_of(240, 0, num_won));
      run.add({ConfigValue::number(step_m)}, "los", los);
    }
    run.data.num_configurations = run.data.num_finished = 2;
    return evaluate_claims(run.data).at(0);
  };
  const char* low = "delta_low: {min: 0}";
  EXPECT_EQ(judge("visibility.step_m", 4, low).holds, false);
  EXPECT_EQ(judge("visibility.step_m", 6, low).holds, true);
  EXPECT_EQ(judge("world.voxel_m", 4, low).holds, true) << "other trials";
  const char* rate = "accuracy: {min: 0.5, interval: true}";
  EXPECT_EQ(judge("visibility.step_m", 4, rate).holds, std::nullopt);
  EXPECT_NE(judge("visibility.step_m", 4, rate)
                .found.find("the same trials at several values of "
                            "visibility.step_m"),
            std::string::npos);
}

TEST(ClaimTrials, OnRatesAlongAnAxisAreOfOneOfItsValuesEach) {
  const std::string key = "visibility.step_m";
  const std::string table = "table: {rate: accuracy, along: " + key + ", within: 0.1, expected: ";
  EXPECT_EQ(of_two_steps(key, table + "[[0.1, 0.975], [0.5, 0.975]]}").holds, true);
  EXPECT_EQ(of_two_steps(key, table + "[[[0.1, 0.5], 0.975]]}").holds, std::nullopt);
  EXPECT_NE(of_two_steps(key, table + "[[7, 0.975]]}").found, "");
  EXPECT_NE(input_error_of([] {
              only_claim(
                  "arm: los, table: {rate: accuracy, along: seed, "
                  "expected: [], within: 0.1}");
            }).find("needs at least one value"),
            std::string::npos);
}

}  // namespace
}  // namespace sightline::tests
