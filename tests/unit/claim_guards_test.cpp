// What keeps a claim from holding, or from failing, whatever was found: arms against themselves,
// nothing that could be counted, too little of it, the last bits of sums. Of trials that are
// counted twice: claim_trials_test.cpp; of other arms: claim_rivals_test.cpp.
#include <gtest/gtest.h>

#include "host/sweep/claim_numbers.h"
#include "host/sweep/claims.h"
#include "host/sweep/measures.h"
#include "support/errors.h"
#include "support/two_worlds.h"

namespace sightline::tests {
namespace {

using host::ClaimResult;
using host::ConfigValue;

TEST(ClaimGuards, OfAnArmAgainstItselfAreNotTested) {
  for (const char* claim : {"mcnemar_p: {min: 0.05}", "equivalent: {margin: 0.05}",
                            "controls: {margin: 0.25}", "mcnemar: {b: 0, c: 0}", "delta: 0"}) {
    EXPECT_EQ(only_claim(std::string("arm: text, ") + claim).holds, std::nullopt) << claim;
  }
  HandMadeRun run({"baseline"},
                  "claims:\n  - {text: t, arm: los, where: {baseline: los}, delta: 0}\n"
                  "  - {text: t, arm: los, by: [baseline], delta: {min: 0}}\n"
                  "  - {text: t, arm: los, where: {baseline: text}, delta: {min: 0}}\n");
  for (const char* baseline : {"text", "los"}) {
    run.add({ConfigValue::text(baseline)}, "text", answers_of(30, 10, 10));
    run.add({ConfigValue::text(baseline)}, "los", answers_of(30, 10, 1));
  }
  run.data.num_configurations = run.data.num_finished = 2;
  const auto results = evaluate_claims(run.data);
  EXPECT_EQ(results.at(0).holds, std::nullopt);
  EXPECT_EQ(results.at(1).holds, std::nullopt) << "one of its groups is the arm itself";
  EXPECT_EQ(results.at(2).holds, true);
}

TEST(ClaimGuards, OnControlsLookAtTheRowsTheyNameAndAtTheirOwnBaseline) {
  const auto verdict = [](const std::string& where) {
    host::RunData run =
        two_worlds("  - {text: t, arm: los, " + where + "controls: {margin: 0.25}}\n");
    run.rows.back().result.answers.correct -= 15;  // of world 1
    run.rows.back().result.answers.false_occluded = 15;
    return evaluate_claims(run).at(0).holds;
  };
  EXPECT_EQ(verdict(""), false);
  EXPECT_EQ(verdict("where: {seed: 1}, "), false);
  EXPECT_EQ(verdict("where: {seed: 0}, "), true);
}

TEST(ClaimGuards, OnControlsNeedAnswersThatTellWhichChanged) {
  const auto with = [](const auto& change) {
    host::RunData run = two_worlds("  - {text: t, arm: los, controls: {margin: 0.25}}\n");
    for (host::RunData::Row& row : run.rows) change(&row.result);
    return evaluate_claims(run).at(0).holds;
  };
  EXPECT_EQ(with([](host::ResultRow*) {}), true);
  EXPECT_EQ(with([](host::ResultRow* row) { row->answers.said_unknown = 1; }), std::nullopt);
  EXPECT_EQ(with([](host::ResultRow* row) { row->answers.correct -= 1; }), std::nullopt)
      << "both are wrong about one: the same, or two?";
}

TEST(ClaimGuards, OfEquivalenceHoldInEveryGroupOrNotAtAll) {
  const auto holds = [](std::int64_t only_arm_first, std::int64_t only_arm_last) {
    HandMadeRun run({"seed"},
                    "baseline: text\nclaims:\n  - {text: t, arm: los, by: [seed], "
                    "equivalent: {margin: 0.1}}\n");
    int world = 0;
    for (const std::int64_t only_arm : {only_arm_first, only_arm_last}) {
      host::Answers los = answers_of(300, 100, 50);
      los.only_arm_right = only_arm;
      run.add({ConfigValue::integer(world)}, "text", answers_of(300, 100, 50));
      run.add({ConfigValue::integer(world++)}, "los", los);
    }
    run.data.num_configurations = run.data.num_finished = 2;
    return evaluate_claims(run.data).at(0).holds;
  };
  EXPECT_EQ(holds(1, 1), true);
  EXPECT_EQ(holds(60, 1), false);
  EXPECT_EQ(holds(1, 60), false);
}

// One of 60 pairs differs. Wald's test of the difference is sure of 5 %, (0.05 - 0.017) / 0.0165;
// that 5 % of pairs differ gives no more than one of 60 in 19 of 100 draws.
TEST(ClaimGuards, OfEquivalenceAreNotShownByFewPairs) {
  HandMadeRun run({"seed"},
                  "baseline: text\nclaims:\n  - {text: t, arm: los, equivalent: {margin: 0.05}}\n");
  host::Answers los = answers_of(50, 10, 4);
  los.only_arm_right = 1;
  run.add({ConfigValue::integer(0)}, "text", answers_of(50, 10, 5));
  run.add({ConfigValue::integer(0)}, "los", los);
  run.data.num_configurations = run.data.num_finished = 1;
  EXPECT_EQ(evaluate_claims(run.data).at(0).holds, false);
}

TEST(ClaimGuards, OnACountOfNoneAreNotTested) {
  HandMadeRun run({"seed"},
                  "baseline: text\nclaims:\n"
                  "  - {text: t, arm: los, false_visible: 0}\n"
                  "  - {text: t, arm: los, at_least: {count: false_visible, arm: text}}\n"
                  "  - {text: t, arm: los, num_visible: 30}\n");
  run.add({ConfigValue::integer(0)}, "text", answers_of(30, 0, 0));
  run.add({ConfigValue::integer(0)}, "los", answers_of(30, 0, 0));
  run.data.num_configurations = run.data.num_finished = 1;
  const auto results = evaluate_claims(run.data);
  EXPECT_EQ(results.at(0).holds, std::nullopt) << "nothing is hidden there";
  EXPECT_EQ(results.at(1).holds, std::nullopt);
  EXPECT_EQ(results.at(2).holds, true);
}

TEST(ClaimGuards, AskForTheArmWhereverTheyNameOthersWereAsked) {
  const std::string claims =
      "baseline: text\nclaims:\n"
      "  - {text: t, arm: los, by: [seed], accuracy: {min: 0.1}}\n"
      "  - {text: t, arm: los, where: {seed: [0, 1], replicate: [0, 1]}, accuracy: {min: 0.1}}\n"
      "  - {text: t, arm: los, where: {seed: 0}, by: [replicate], accuracy: {min: 0.1}}\n"
      "  - {text: t, arm: los, where: {seed: [0, 1]}, accuracy: {min: 0.1}}\n"
      "  - {text: t, arm: los, accuracy: {min: 0.1}}\n";
  const auto verdicts = [&](int seed_without, int replicate_without) {
    HandMadeRun run({"seed", "replicate"}, claims);
    for (int seed = 0; seed < 2; ++seed) {
      for (int replicate = 0; replicate < 2; ++replicate) {
        const std::vector<ConfigValue> at{ConfigValue::integer(seed),
                                          ConfigValue::integer(replicate)};
        run.add(at, "text", answers_of(30, 10, 10));
        const bool is_without = seed == seed_without && replicate_without != 1 - replicate;
        if (!is_without) run.add(at, "los", answers_of(30, 10, 1));
      }
    }
    run.data.num_configurations = run.data.num_finished = 4;
    std::string text;
    for (const ClaimResult& claim : evaluate_claims(run.data)) {
      text += claim.holds ? *claim.holds ? '+' : '-' : '?';
    }
    return text;
  };
  constexpr int kAny = 2;
  EXPECT_EQ(verdicts(-1, 0), "+++++") << "it lacks nowhere";
  EXPECT_EQ(verdicts(1, kAny), "??+?+") << "it lacks with seed 1";
  EXPECT_EQ(verdicts(1, 1), "+?+++") << "with seed 1 and replicate 1";
  EXPECT_EQ(verdicts(0, 1), "+??++") << "with seed 0 and replicate 1";
}

TEST(ClaimGuards, OnCountsOfPairsAreOfPairs) {
  for (const char* count : {"only_baseline_right", "only_arm_right"}) {
    EXPECT_EQ(only_claim(std::string("arm: text, ") + count + ": 0").holds, std::nullopt) << count;
  }
  EXPECT_EQ(only_claim("arm: text, at_least: {count: only_arm_right, arm: los}").holds,
            std::nullopt);
}

TEST(ClaimGuards, KnowTheCountsOfPairsOfEveryKind) {
  const auto of_pairs = [](host::ExperimentKind kind) {
    std::vector<std::string> names;
    for (const host::CountColumn& column : host::measures_of(kind).counts) {
      if (column.is_of_pairs()) names.emplace_back(column.name);
    }
    return names;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(of_pairs(host::ExperimentKind::kVisibility),
            (Names{"only_arm_right", "only_baseline_right"}));
  EXPECT_EQ(of_pairs(host::ExperimentKind::kRecall), (Names{"only_arm_hit", "only_baseline_hit"}));
  EXPECT_EQ(of_pairs(host::ExperimentKind::kStudy),
            (Names{"only_arm_right", "only_baseline_right", "score_gain_sum",
                   "score_gain_square_sum", "scores_higher", "scores_lower"}));
}

TEST(ClaimGuards, OnAFamilyOfOneAreNotTested) {
  EXPECT_EQ(only_claim("arm: los, holm_p: {max: 0.05}").holds, std::nullopt);
  EXPECT_EQ(only_claim("arm: los, by: [seed], holm_p: {max: 0.05}").holds, true);
}

TEST(ClaimGuards, OnEveryGroupLookAtTheWorstAndTheBest) {
  const auto holds = [](const std::string& bounds, std::int64_t wrong_first,
                        std::int64_t wrong_last, std::int64_t num = 20) {
    HandMadeRun run(
        {"seed"}, "baseline: text\nclaims:\n  - {text: t, arm: los, by: [seed], " + bounds + "}\n");
    int world = 0;
    for (const std::int64_t wrong : {wrong_first, wrong_last}) {
      run.add({ConfigValue::integer(world)}, "text", answers_of(num, num, num));
      run.add({ConfigValue::integer(world++)}, "los", answers_of(num, num, wrong));
      num = 20;
    }
    run.data.num_configurations = run.data.num_finished = 2;
    return evaluate_claims(run.data).at(0).holds;
  };
  EXPECT_EQ(holds("accuracy: {min: 0.9}", 0, 2), true);
  EXPECT_EQ(holds("accuracy: {min: 0.9}", 20, 0), false);
  EXPECT_EQ(holds("accuracy: {min: 0.9}", 0, 20), false);
  EXPECT_EQ(holds("accuracy: {max: 0.6}", 20, 0), false);
  EXPECT_EQ(holds("accuracy: {max: 0.6}", 0, 20), false);
  EXPECT_EQ(holds("accuracy: {min: 0.9}", 0, 2, 0), std::nullopt) << "one group has no answers";
  EXPECT_EQ(holds("equivalent: {margin: 0.9}", 0, 2, 0), std::nullopt);
}

TEST(ClaimGuards, OnEndsOfADifferenceNeedEnoughPairs) {
  const auto holds = [](std::int64_t num) {
    HandMadeRun run({"seed"},
                    "baseline: text\nclaims:\n  - {text: t, arm: los, delta_low: {min: 0.2}}\n");
    host::Answers los = answers_of(0, num, 0);
    los.only_arm_right = num;
    run.add({ConfigValue::integer(0)}, "text", answers_of(0, num, num));
    run.add({ConfigValue::integer(0)}, "los", los);
    run.data.num_configurations = run.data.num_finished = 1;
    return evaluate_claims(run.data).at(0).holds;
  };
  EXPECT_EQ(holds(7), std::nullopt);
  EXPECT_EQ(holds(8), true);
}

TEST(ClaimGuards, AreNotDecidedByTheLastBits) {
  HandMadeRun run(
      {"seed"},
      "baseline: text\nclaims:\n"
      "  - {text: t, arm: los, by: [seed], mean: true, false_visible_rate: 0.1}\n"
      "  - {text: t, arm: los, at_least: {rate: accuracy, arm: text, margin: 0.02}}\n"
      "  - {text: t, arm: los, at_least: {rate: accuracy, arm: text, margin: 0.0199}}\n");
  for (int world = 0; world < 3; ++world) {
    run.add({ConfigValue::integer(world)}, "text", answers_of(90, 10, 20));  // 0.80
    run.add({ConfigValue::integer(world)}, "los", answers_of(90, 10, 1));
    run.data.rows.back().result.answers.correct = 78;
  }
  run.data.num_configurations = run.data.num_finished = 3;
  const auto results = evaluate_claims(run.data);
  EXPECT_EQ(results.at(0).holds, true) << "the mean of three 0.1";
  EXPECT_EQ(results.at(1).holds, true) << "0.78 - 0.80";
  EXPECT_EQ(results.at(2).holds, false);
}

TEST(ClaimGuards, OnATableMayBoundTheMeanSquareToo) {
  const auto holds = [](const char* rms) {
    return only_claim(std::string("arm: los, table: {rate: false_visible_rate, along: seed, "
                                  "expected: [[0, 0.05], [1, 0.05]], within: 0.06, rms: ") +
                      rms + "}")
        .holds;
  };
  EXPECT_EQ(holds("0.06"), true);
  EXPECT_EQ(holds("0.04"), false) << "0 and 0.1 are 0.05 away in the mean square";
}

TEST(ClaimGuards, ThatNothingCouldMissOrThatNameNoRowsValueAreRefused) {
  const auto refusal = [](const std::string& claim) {
    const ConfigValue claims =
        ConfigValue::parse_yaml("- {text: t, arm: los, " + claim + "}", "claims.yaml");
    const std::vector<std::string> arms{"text", "los"}, axes{"visibility", "arms.los.step_m"};
    const ConfigValue settings = ConfigValue::parse_yaml(
        "{visibility: {step_m: 5}, arms: {los: {step_m: 1}}}", "settings.yaml");
    return input_error_of(
        [&] { check_claims(claims, host::ExperimentKind::kVisibility, arms, axes, settings); });
  };
  const auto expect = [&](const std::string& claim, const std::string& says) {
    EXPECT_PRED_FORMAT2(testing::IsSubstring, says, refusal(claim)) << claim;
  };
  expect("accuracy: {min: 0}", "holds of every accuracy");
  expect("accuracy: {max: 1}", "holds of every accuracy");
  expect("delta: {min: -1}", "holds of every delta");
  expect("mcnemar_p: {min: 0}", "holds of every mcnemar_p");
  expect("by: [], accuracy: 1", "names no axis");
  expect("where: {visibility.step_m: 5}, accuracy: 1", "is set by the axis \"visibility\"");
  expect("by: [arms.los], accuracy: 1", "is set by the axis \"arms.los.step_m\"");
  for (const char* claim : {"accuracy: {min: 0.001}", "mcnemar_p: {max: 1}", "delta: {min: 0}",
                            "by: [visibility], accuracy: 1"}) {
    EXPECT_EQ(refusal(claim), "no error") << claim;
  }
}

TEST(ClaimGuards, OnACountWhoseZeroMayBeUncountedAreNotTestedAtZero) {
  using host::ExperimentKind;
  host::ResultRow row;
  row.recall.num_queries = row.recall.num_recalled = row.study.num_trials = 9;
  const auto value = [&](ExperimentKind kind, const char* name) {
    return host::claim_value(kind, name, row);
  };
  EXPECT_EQ(value(ExperimentKind::kRecall, "recalled_hidden"), std::nullopt) << "without a truth";
  EXPECT_EQ(value(ExperimentKind::kRecall, "recalled_visible"), 0) << "of nine";
  EXPECT_EQ(value(ExperimentKind::kStudy, "memory_size"), std::nullopt);
  EXPECT_EQ(value(ExperimentKind::kStudy, "stored_bytes"), std::nullopt);
  EXPECT_EQ(value(ExperimentKind::kStudy, "coordinate_reads"), 0) << "it is always counted";
  row.recall.recalled_hidden = row.study.memory_size = 2;
  EXPECT_EQ(value(ExperimentKind::kRecall, "recalled_hidden"), 2);
  EXPECT_EQ(value(ExperimentKind::kStudy, "memory_size"), 2);
}

TEST(ClaimGuards, OnControlsGoByEachConfigurationAndShowTheWorst) {
  host::RunData run = two_worlds("  - {text: t, arm: los, controls: {margin: 0.25}}\n");
  host::Answers& last = run.rows.back().result.answers;  // of world 1: 3 of 30 controls changed
  last.correct -= 3;
  last.false_occluded = 3;
  const ClaimResult result = evaluate_claims(run).at(0);
  EXPECT_EQ(result.holds, true);
  EXPECT_EQ(result.found.substr(0, result.found.find(", p")),
            "2 of 2 configurations, 3 of 60 controls changed");
  host::RunData alone = run;
  alone.rows.erase(alone.rows.begin(), alone.rows.begin() + 2);
  EXPECT_EQ(result.interval, evaluate_claims(alone).at(0).interval);
  EXPECT_FALSE(result.interval.empty());
}

TEST(ClaimGuards, OnControlsNeedSomeInEveryConfiguration) {
  host::RunData run = two_worlds("  - {text: t, arm: los, controls: {margin: 0.25}}\n");
  run.rows.back().result.answers = answers_of(0, 10, 1);
  EXPECT_EQ(evaluate_claims(run).at(0).holds, std::nullopt);
}

TEST(ClaimGuards, ThatBoundTooLittleOrNameAnAxisTwiceAreRefused) {
  const auto refusal = [](const std::string& claim, const std::vector<std::string>& axes) {
    const ConfigValue claims =
        ConfigValue::parse_yaml("- {text: t, arm: los, " + claim + "}", "claims.yaml");
    const std::vector<std::string> arms{"text", "los"};
    return input_error_of([&] {
      check_claims(claims, host::ExperimentKind::kVisibility, arms, axes, ConfigValue::map());
    });
  };
  const std::string table = "table: {rate: accuracy, along: seed, expected: [[0, 1]], within: ";
  EXPECT_NE(refusal(table + "1}", {"seed"}).find("holds of every rate"), std::string::npos);
  EXPECT_EQ(refusal(table + "1, rms: 0.1}", {"seed"}), "no error");
  EXPECT_EQ(refusal(table + "0.1}", {"seed"}), "no error");
  EXPECT_NE(refusal("where: {seed: 0}, " + table + "0.1}", {"seed"}).find("leave it out"),
            std::string::npos);
  const std::string lead = "at_least: {rate: accuracy, arm: text, margin: ";
  EXPECT_NE(refusal(lead + "1}", {"seed"}).find("holds of every rate"), std::string::npos);
  EXPECT_EQ(refusal(lead + "0.5}", {"seed"}), "no error");
  EXPECT_EQ(
      refusal("falling: {rate: accuracy, along: baseline, values: [text, los]}", {"baseline"}),
      "no error");
}

TEST(ClaimGuards, OnTheBaselineGoByEachConfigurationsFirstArm) {
  HandMadeRun run({"arms"},
                  "claims:\n"
                  "  - {text: t, arm: los, where: {arms: first}, delta: {min: 0.1}}\n"
                  "  - {text: t, arm: los, where: {arms: last}, delta: {max: 0.1}}\n"
                  "  - {text: t, arm: text, where: {arms: last}, delta: {max: -0.1}}\n");
  const auto add = [&](const char* label, std::int64_t configuration, const char* arm,
                       std::int64_t b, std::int64_t c) {
    host::Answers answers = answers_of(30, 10, 5);
    answers.only_arm_right = b;
    answers.only_baseline_right = c;
    run.add({ConfigValue::text(label)}, arm, answers);
    run.data.rows.back().result.configuration = configuration;
  };
  add("first", 0, "text", 0, 0);
  add("first", 0, "los", 9, 0);
  add("last", 1, "los", 0, 0);
  add("last", 1, "text", 0, 9);
  run.data.num_configurations = run.data.num_finished = 2;
  for (const char* null : {"", "null"}) {  // unset, as an override does it
    if (*null) run.data.resolved.set_entry("baseline", ConfigValue::parse_yaml("~", "test.yaml"));
    const auto results = evaluate_claims(run.data);
    EXPECT_EQ(results.at(0).holds, true);
    EXPECT_EQ(results.at(1).holds, std::nullopt) << "it is the baseline there";
    EXPECT_EQ(results.at(2).holds, true);
  }
}

TEST(ClaimGuards, OnPairsThatAllAgreeShowLittle) {
  const auto holds = [](std::int64_t num_pairs, const char* claim) {
    HandMadeRun run(
        {"seed"}, std::string("baseline: text\nclaims:\n  - {text: t, arm: los, ") + claim + "}\n");
    run.add({ConfigValue::integer(0)}, "text", answers_of(num_pairs, 0, 0));
    run.add({ConfigValue::integer(0)}, "los", answers_of(num_pairs, 0, 0));
    run.data.num_configurations = run.data.num_finished = 1;
    return evaluate_claims(run.data).at(0).holds;
  };
  EXPECT_EQ(holds(8, "delta_high: {max: 0}"), false);
  EXPECT_EQ(holds(8, "delta_low: {min: 0}"), false);
  EXPECT_EQ(holds(8, "delta_high: {max: 0.32}"), false);  // z^2 / (8 + z^2) = 0.3244
  EXPECT_EQ(holds(8, "delta_high: {max: 0.33}"), true);
  EXPECT_EQ(holds(3000, "delta_high: {max: 0.002}"), true);
}

TEST(ClaimGuards, NameTheSeedThatASweepFileLeavesOut) {
  const auto holds = [](const std::string& where) {
    HandMadeRun run({"world"}, "baseline: text\nclaims:\n  - {text: t, arm: los, where: {" + where +
                                   "}, num_visible: 30}\n");
    run.add({ConfigValue::integer(0)}, "text", answers_of(30, 10, 10));
    run.add({ConfigValue::integer(0)}, "los", answers_of(30, 10, 0));
    run.data.num_configurations = run.data.num_finished = 1;
    return evaluate_claims(run.data).at(0).holds;
  };
  EXPECT_EQ(holds("seed: 1"), true);
  EXPECT_EQ(holds("seed: 2"), std::nullopt);
  EXPECT_EQ(holds("replicate: 0"), true);
  EXPECT_EQ(holds("replicate: 1"), std::nullopt);
}

}  // namespace
}  // namespace sightline::tests
