// Claims of a sweep file: what holds, what does not, and what cannot be told.
#include "host/sweep/claims.h"

#include <gtest/gtest.h>

#include "host/stats/paired.h"
#include "support/errors.h"
#include "support/two_worlds.h"

namespace sightline::tests {
namespace {

using host::ClaimResult;
using host::ConfigValue;

TEST(Claims, TablesLookAtTheRowsThatWhereKeeps) {
  HandMadeRun run(
      {"seed", "replicate"},
      "baseline: los\nclaims:\n  - {text: t, arm: los, where: {replicate: 0}, table: {rate: "
      "false_visible_rate, along: seed, expected: [[0, 0], [1, 0.2]], within: 0.001}}\n"
      "  - {text: f, arm: los, where: {replicate: 1}, falling: {rate: false_visible_rate, "
      "along: seed, values: [0, 1]}}\n");
  for (int world = 0; world < 2; ++world) {
    for (int replicate = 0; replicate < 2; ++replicate) {
      const int missed = replicate == 0 ? 2 * world : 8 - 6 * world;  // 0, 2 of 10; 8, 2 of 10
      run.add({ConfigValue::integer(world), ConfigValue::integer(replicate)}, "los",
              answers_of(30, 10, missed));
    }
  }
  run.data.num_configurations = run.data.num_finished = 4;
  const auto results = evaluate_claims(run.data);
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0].holds, true) << results[0].found;
  EXPECT_EQ(results[1].holds, true) << results[1].found;
  EXPECT_EQ(results[1].where, "replicate: 1") << "a page says which rows a claim is about";
}

TEST(Claims, LookAtTheCountsOfAllConfigurations) {
  EXPECT_EQ(only_claim("arm: los, num_occluded: 20").holds, true);
  EXPECT_EQ(only_claim("arm: los, num_occluded: 10").holds, false);
  EXPECT_EQ(only_claim("arm: los, false_visible: 1").holds, true);
  EXPECT_EQ(only_claim("arm: los, false_visible_rate: 0.05").holds, true);
  EXPECT_EQ(only_claim("arm: los, false_visible_rate: {min: 0.04, max: 0.06}").holds, true);
  EXPECT_EQ(only_claim("arm: los, false_visible_rate: {min: 0.06, max: 0.1}").holds, false);
  EXPECT_EQ(only_claim("arm: los, false_visible_rate: 0").found, "false_visible_rate = 0.05");
}

TEST(Claims, CompareWithTheBaselineByMcNemar) {
  const ClaimResult right = only_claim("arm: los, mcnemar: {b: 19, c: 0, p: 3.8147e-6}");
  EXPECT_EQ(right.holds, true) << right.found;
  EXPECT_EQ(right.found, "b = 19, c = 0, p = 3.8147e-06");
  EXPECT_EQ(only_claim("arm: los, mcnemar: {b: 19, c: 0}").holds, true);
  EXPECT_EQ(only_claim("arm: los, mcnemar: {b: 19, c: 0, p: 3.8148e-6}").holds, false);
  EXPECT_EQ(only_claim("arm: los, mcnemar: {b: 18, c: 0}").holds, false);
  EXPECT_EQ(only_claim("arm: los, mcnemar: {b: 19, c: 1}").holds, false);
}

TEST(Claims, AskForEnoughControlsToShowEquivalence) {
  EXPECT_EQ(only_claim("arm: los, controls: {margin: 0.25}", 12).holds, true);
  EXPECT_EQ(only_claim("arm: los, controls: {margin: 0.22}", 12).holds, false);
  EXPECT_EQ(only_claim("arm: los, controls: {margin: 0.25}", 10).holds, false);
}

TEST(Claims, WeighChangedControlsAgainstTheMargin) {
  const auto with_changes = [](std::int64_t num_controls, std::int64_t changed, double margin) {
    host::RunData run =
        two_worlds("  - {text: t, arm: los, controls: {margin: " + std::to_string(margin) + "}}\n",
                   num_controls);
    for (host::RunData::Row& row : run.rows) {
      if (row.result.arm != "los") continue;
      row.result.answers.correct -= changed;
      row.result.answers.false_occluded = changed;
    }
    return evaluate_claims(run).at(0);
  };
  // 2 of 200 changed: Wald z = (0.05 - 0.01) / 0.00704 = 5.7. 6 of 100: (0.08 - 0.06) / 0.0237.
  EXPECT_EQ(with_changes(200, 2, 0.05).holds, true);
  EXPECT_EQ(with_changes(100, 6, 0.08).holds, false);
  EXPECT_EQ(with_changes(200, 2, 0.05).found.substr(0, 46),
            "2 of 2 configurations, 4 of 400 controls chang");
}

TEST(Claims, LookAtTheRowsTheyName) {
  EXPECT_EQ(only_claim("arm: los, where: {seed: 1}, false_visible: 1").holds, true);
  EXPECT_EQ(only_claim("arm: los, where: {seed: [0]}, false_visible: 0").holds, true);
  EXPECT_EQ(only_claim("arm: los, where: {seed: [0, 1]}, false_visible: 1").holds, true);
  EXPECT_EQ(only_claim("arm: los, where: {seed: 2}, false_visible: 0").holds, std::nullopt);
  EXPECT_EQ(only_claim("arm: los, where: {seed: 1}, mcnemar: {b: 9, c: 0}").holds, true);
}

TEST(Claims, NameRowsByTheLabelsOfValues) {
  HandMadeRun run({"world.scene"},
                  "baseline: los\nclaims:\n"
                  "  - {text: t, arm: los, where: {world.scene: thin}, false_visible: 4}\n"
                  "  - {text: t, arm: los, where: {world.scene: [thin]}, false_visible: 4}\n"
                  "  - {text: t, arm: los, where: {world.scene: 7}, false_visible: 4}\n");
  run.add({ConfigValue::map({{"thickness_m", ConfigValue::number(0.2)}})}, "los",
          answers_of(30, 10, 4));
  run.data.rows.back().axis_labels = {"thin"};
  run.data.num_configurations = run.data.num_finished = 1;
  const auto claims = evaluate_claims(run.data);
  EXPECT_EQ(claims.at(0).holds, true);
  EXPECT_EQ(claims.at(1).holds, true);
  EXPECT_FALSE(claims.at(2).holds.has_value()) << "no row has it";
}

TEST(Claims, OnSeveralValuesNeedRowsOfThemAll) {
  EXPECT_EQ(only_claim("arm: los, where: {seed: [0, 1]}, false_visible: 1").holds, true);
  EXPECT_FALSE(
      only_claim("arm: los, where: {seed: [0, 1, 2]}, false_visible: 1").holds.has_value());
}

// As after -s visibility.step_m=0.5, which replaces an axis by one value.
TEST(Claims, AskOfAKeyThatIsNoAxisWhatTheSweepSets) {
  const std::string claims =
      "  - {text: t, arm: los, where: {visibility.step_m: 0.5}, by: [visibility.step_m], "
      "false_visible: 1}\n"
      "  - {text: t, arm: los, where: {visibility.step_m: [1, 2]}, false_visible: 1}\n"
      "  - {text: t, arm: los, where: {visibility.method: march}, false_visible: 1}\n";
  host::RunData run = two_worlds(claims);
  run.resolved.set_path("visibility.step_m", ConfigValue::number(0.5));
  const auto results = evaluate_claims(run);
  EXPECT_EQ(results.at(0).holds, true) << results.at(0).found;
  EXPECT_FALSE(results.at(1).holds.has_value());
  EXPECT_FALSE(results.at(2).holds.has_value()) << "it is not set";
}

TEST(Claims, HoldInEveryGroupOrInTheMean) {
  const ClaimResult each = only_claim("arm: los, by: [seed], false_visible_rate: {max: 0.05}");
  EXPECT_EQ(each.holds, false);
  EXPECT_EQ(each.found, "false_visible_rate from 0 to 0.1 over 2 groups");
  EXPECT_EQ(only_claim("arm: los, by: [seed], false_visible_rate: {max: 0.1}").holds, true);
  EXPECT_EQ(only_claim("arm: los, by: [seed], mean: true, false_visible_rate: 0.05").holds, true);
  EXPECT_EQ(only_claim("arm: los, by: [seed], mean: true, false_visible_rate: 0.1").holds, false);
}

TEST(Claims, TellPairedStatistics) {
  // 80 pairs, 19 of them only the arm's: 19 / 80.
  EXPECT_EQ(only_claim("arm: los, delta: 0.2375").holds, true);
  EXPECT_EQ(only_claim("arm: los, delta_low: {min: 0.1}").holds, true);
  EXPECT_EQ(only_claim("arm: los, delta_low: {min: 0.2375}").holds, false);
  EXPECT_EQ(only_claim("arm: los, delta_high: {max: 0.4}").holds, true);
  EXPECT_EQ(only_claim("arm: los, delta_high: {max: 0.2375}").holds, false);
  EXPECT_EQ(only_claim("arm: los, cohens_d: {min: 0.55, max: 0.56}").holds, true);
  EXPECT_EQ(only_claim("arm: los, wilcoxon_p: {max: 2e-5}").holds, true);
  EXPECT_EQ(only_claim("arm: los, wilcoxon_p: {max: 1e-6}").holds, false);
  EXPECT_EQ(only_claim("arm: los, mcnemar_p: {max: 4e-6}").holds, true);
  EXPECT_EQ(only_claim("arm: los, significant_win: 1").holds, true);
  EXPECT_FALSE(only_claim("arm: text, significant_win: 0").holds.has_value()) << "the baseline";
}

TEST(Claims, CompareRatesWithAnotherArms) {
  const ClaimResult better = only_claim("arm: los, at_least: {rate: accuracy, arm: text}");
  EXPECT_EQ(better.holds, true);
  EXPECT_EQ(better.found, "0.9875 against 0.75");
  EXPECT_EQ(only_claim("arm: text, at_least: {rate: accuracy, arm: los}").holds, false);
  EXPECT_EQ(only_claim("arm: text, at_least: {rate: accuracy, arm: los, margin: 0.3}").holds, true);
  EXPECT_EQ(only_claim("arm: text, at_least: {rate: accuracy, arm: nobody}").holds, std::nullopt);
}

TEST(Claims, CompareCountsWithAnotherArmsTimesOver) {
  // 79 right of 80 against 60.
  const ClaimResult more =
      only_claim("arm: los, at_least: {count: correct, arm: text, times: 1.3}");
  EXPECT_EQ(more.holds, true);
  EXPECT_EQ(more.expected, "correct at least 1.3 times that of text");
  EXPECT_EQ(more.found, "79 against 60, 1.317 times");
  EXPECT_EQ(only_claim("arm: los, at_least: {count: correct, arm: text, times: 1.32}").holds,
            false);
  EXPECT_EQ(only_claim("arm: text, at_least: {count: correct, arm: los}").holds, false);
}

TEST(Claims, CompareRatesByTheIntervalOfTheirDifference) {
  // 79 and 60 of 80: Wilson's intervals give a difference of 0.2375, and 0.1388 at least.
  const auto holds = [](const std::string& margin, const std::string& arms) {
    return only_claim("arm: los, at_least: {rate: accuracy, arm: " + arms + ", interval: true" +
                      margin + "}");
  };
  const ClaimResult better = holds("", "text");
  EXPECT_EQ(better.holds, true);
  EXPECT_EQ(better.found, "0.9875 against 0.75 (ahead by 0.1388 or more)");
  EXPECT_EQ(holds("", "[text, los]").holds, false) << "not surely better than itself";
  EXPECT_EQ(holds(", margin: 0.1", "[text, los]").holds, true);
  EXPECT_EQ(only_claim("arm: los, at_least: {rate: accuracy, arm: [text, los]}").holds, true);
}

TEST(Claims, AdjustAFamilyOfComparisons) {
  // 10 and 9 pairs, all one way: p = 2^-9 and 2^-8; Holm doubles the lesser one.
  const ClaimResult family = only_claim("arm: los, by: [seed], holm_p: {max: 0.003906}");
  EXPECT_EQ(family.holds, false) << family.found;
  EXPECT_EQ(only_claim("arm: los, by: [seed], holm_p: {max: 0.00391}").holds, true);
  EXPECT_EQ(only_claim("arm: los, by: [seed], holm_p: {min: 0.0039}").holds, true)
      << "2^-9 alone would be 0.00195";
  EXPECT_EQ(only_claim("arm: los, where: {seed: 0}, holm_p: {max: 0.00196}").holds, std::nullopt)
      << "a family of one";
}

TEST(Claims, AskWhetherTheArmIsRightAsOften) {
  // 19 of 80 pairs differ, all one way: d = 0.2375, se = 0.0476.
  EXPECT_EQ(only_claim("arm: los, equivalent: {margin: 0.4}").holds, true);
  EXPECT_EQ(only_claim("arm: los, equivalent: {margin: 0.3}").holds, false);
  // The baseline against itself shows nothing.
  EXPECT_FALSE(only_claim("arm: text, equivalent: {margin: 0.05}").holds.has_value());
  EXPECT_FALSE(only_claim("arm: text, mcnemar: {b: 0, c: 0}").holds.has_value());
  EXPECT_FALSE(only_claim("arm: text, delta: 0").holds.has_value());
}

TEST(Claims, CompareRatesAlongAnAxis) {
  const std::string table = "arm: los, table: {rate: false_visible_rate, along: seed, expected: ";
  EXPECT_EQ(only_claim(table + "[[0, 0.02], [1, 0.12]], within: 0.021}").holds, true);
  EXPECT_EQ(only_claim(table + "[[0, 0.02], [1, 0.13]], within: 0.021}").holds, false);
  EXPECT_EQ(only_claim(table + "[[0, 0.02], [7, 0.13]], within: 0.9}").holds, std::nullopt);
  const std::string falling = "arm: los, falling: {rate: false_visible_rate, along: seed, values: ";
  EXPECT_EQ(only_claim(falling + "[1, 0]}").holds, true);
  EXPECT_EQ(only_claim(falling + "[0, 1]}").holds, false);
  EXPECT_EQ(only_claim(falling + "[1, 1]}").holds, false);
}

TEST(Claims, SayNothingOfWhatTheRunDoesNotHave) {
  EXPECT_EQ(only_claim("arm: los, false_occluded_rate: 0", 0).holds, std::nullopt);
  host::RunData unfinished = two_worlds("  - {text: t, arm: los, false_visible: 1}\n");
  unfinished.num_finished = 1;
  const ClaimResult claim = evaluate_claims(unfinished).at(0);
  EXPECT_EQ(claim.holds, std::nullopt);
  EXPECT_STREQ(claim.verdict(), "not tested");
}

TEST(Claims, TellWhichPartOfARunIsNotThere) {
  const auto found = [](std::int64_t planned, std::int64_t failed) {
    host::RunData run = two_worlds("  - {text: t, arm: los, false_visible: 1}\n");
    run.num_configurations = planned;
    run.failures.resize(static_cast<std::size_t>(failed));
    const ClaimResult claim = evaluate_claims(run).at(0);
    EXPECT_EQ(claim.expected, "false_visible = 1");
    EXPECT_STREQ(claim.verdict(), "not tested");
    return claim.found;
  };
  EXPECT_EQ(found(3, 1), "nothing: 1 of 3 configurations failed");
  EXPECT_EQ(found(3, 0), "nothing: 1 of 3 configurations is missing");
  EXPECT_EQ(found(4, 0), "nothing: 2 of 4 configurations are missing");
  EXPECT_EQ(found(5, 2), "nothing: 2 of 5 configurations failed, 1 is missing");
}

TEST(Claims, TellWhyTheyAreNotTested) {
  const ClaimResult elsewhere = only_claim("arm: los, where: {seed: 7}, false_visible_rate: 0");
  EXPECT_EQ(elsewhere.holds, std::nullopt);
  EXPECT_EQ(elsewhere.expected, "false_visible_rate = 0");
  EXPECT_EQ(elsewhere.found, "nothing: no configuration has seed 7; they have 0, 1");
  EXPECT_EQ(only_claim("arm: los, where: {seed: [0, 7]}, false_visible_rate: 0").found,
            elsewhere.found);
  EXPECT_EQ(only_claim("arm: text, mcnemar: {b: 0, c: 0}").found,
            "nothing: the arm is the baseline itself");
}

/// One configuration: los is right alone in `b` of 80 pairs, text in `c`.
ClaimResult claim_on_pairs(const std::string& claim, std::int64_t b, std::int64_t c) {
  HandMadeRun run({"seed"}, "baseline: text\nclaims:\n  - {text: t, " + claim + "}\n");
  host::Answers los = answers_of(70, 10, 1);
  los.only_arm_right = b;
  los.only_baseline_right = c;
  run.add({ConfigValue::integer(0)}, "text", answers_of(70, 10, 10));
  run.add({ConfigValue::integer(0)}, "los", los);
  run.data.num_configurations = run.data.num_finished = 1;
  return evaluate_claims(run.data).at(0);
}

// A small p value of an arm that loses is no win: 2/64 either way.
TEST(Claims, OnASmallPValueTellWhoIsBetter) {
  for (const char* p : {"mcnemar_p", "wilcoxon_p"}) {
    const std::string claim = std::string("arm: los, ") + p;
    EXPECT_EQ(claim_on_pairs(claim + ": {max: 0.04}", 6, 0).holds, true) << p;
    EXPECT_EQ(claim_on_pairs(claim + ": {max: 0.04}", 0, 6).holds, false) << p;
    EXPECT_EQ(claim_on_pairs(claim + ": {max: 0.04, side: worse}", 6, 0).holds, false) << p;
    EXPECT_EQ(claim_on_pairs(claim + ": {max: 0.04, side: worse}", 0, 6).holds, true) << p;
    EXPECT_EQ(claim_on_pairs(claim + ": {max: 0.04, side: either}", 0, 6).holds, true) << p;
    EXPECT_EQ(claim_on_pairs(claim + ": {min: 0.01}", 0, 6).holds, true) << p << " is not small";
  }
  const ClaimResult lost = claim_on_pairs("arm: los, mcnemar_p: {max: 0.04}", 0, 6);
  EXPECT_EQ(lost.expected, "mcnemar_p at most 0.04 and better");
  EXPECT_EQ(lost.found, "mcnemar_p = 0.03125, and not better");
}

TEST(Claims, OnPValuesInTheMeanGoByAllPairsTogether) {
  const auto claim_on_two = [](const std::string& claim, std::int64_t lost) {
    HandMadeRun run(
        {"seed"}, "baseline: text\nclaims:\n  - {text: t, arm: los, by: [seed], " + claim + "}\n");
    for (int seed = 0; seed < 2; ++seed) {
      host::Answers los = answers_of(70, 10, 1);
      los.only_arm_right = seed == 0 ? 8 : 0;
      los.only_baseline_right = seed == 0 ? 0 : lost;
      run.add({ConfigValue::integer(seed)}, "text", answers_of(70, 10, 10));
      run.add({ConfigValue::integer(seed)}, "los", los);
    }
    run.data.num_configurations = run.data.num_finished = 2;
    return evaluate_claims(run.data).at(0);
  };
  EXPECT_EQ(claim_on_two("mcnemar_p: {max: 0.04}", 6).holds, false) << "one group is worse";
  EXPECT_EQ(claim_on_two("mean: true, mcnemar_p: {max: 0.04}", 6).holds, true);
  EXPECT_EQ(claim_on_two("mean: true, mcnemar_p: {max: 0.04}", 9).holds, false);
  EXPECT_EQ(claim_on_two("mean: true, mcnemar_p: {max: 0.04}", 9).found,
            "0.00585938 over 2 groups, and not better");
}

// Five pairs, all one way: exactly 2/32; the normal approximation has 0.037.
TEST(Claims, CallAWinSignificantByTheExactTest) {
  EXPECT_EQ(claim_on_pairs("arm: los, significant_win: 0", 5, 0).holds, true);
  EXPECT_EQ(claim_on_pairs("arm: los, wilcoxon_p: {max: 0.04}", 5, 0).holds, true);
  EXPECT_EQ(claim_on_pairs("arm: los, significant_win: 1", 6, 0).holds, true);
  EXPECT_EQ(claim_on_pairs("arm: los, significant_win: 1", 0, 6).holds, false) << "a loss";
  EXPECT_EQ(claim_on_pairs("arm: los, wilcoxon_win: 1", 5, 0).holds, true) << "z = 2.24";
  EXPECT_EQ(claim_on_pairs("arm: los, wilcoxon_win: 1", 3, 0).holds, false) << "z = 1.73";
  EXPECT_EQ(claim_on_pairs("arm: los, wilcoxon_win: 1", 0, 6).holds, false) << "a loss";
  std::vector<double> differences(20, 1.0);
  differences.resize(28, -1.0);  // Wilcoxon's exact test of them is McNemar's
  EXPECT_NEAR(host::stats::wilcoxon_exact(differences), host::stats::mcnemar_exact(20, 8), 1e-15);
}

TEST(Claims, AreOnlyThoseOfTheFile) {
  EXPECT_TRUE(evaluate_claims(two_worlds("  []\n")).empty());
  HandMadeRun none({"seed"});
  EXPECT_TRUE(evaluate_claims(none.data).empty());
}

TEST(Claims, ThatCannotBeReadAreRefused) {
  const auto refused = [](const std::string& claim) {
    const ConfigValue claims = ConfigValue::parse_yaml("- {" + claim + "}", "claims.yaml");
    const std::vector<std::string> arms{"text", "los"}, axes{"seed"};
    const ConfigValue settings = ConfigValue::parse_yaml("{visibility: {step_m: 1}}", "s.yaml");
    return input_error_of(
        [&] { check_claims(claims, host::ExperimentKind::kVisibility, arms, axes, settings); });
  };
  EXPECT_NE(refused("arm: los, accuracy: 1").find("text"), std::string::npos);
  EXPECT_NE(refused("text: t, accuracy: 1").find("arm"), std::string::npos);
  EXPECT_NE(refused("text: t, arm: loss, accuracy: 1").find("\"los\""), std::string::npos);
  EXPECT_NE(refused("text: t, arm: los").find("claims nothing"), std::string::npos);
  EXPECT_NE(refused("text: t, arm: los, acuracy: 1").find("\"accuracy\""), std::string::npos);
  EXPECT_NE(refused("text: t, arm: los, accuracy: 1, correct: 3").find("second thing"),
            std::string::npos);
  EXPECT_NE(refused("text: t, arm: los, accuracy: {}").find("min or max"), std::string::npos);
  EXPECT_NE(refused("text: t, arm: los, mcnemar_p: {min: 0.05, side: worse}").find("needs max"),
            std::string::npos);
  EXPECT_NE(refused("text: t, arm: los, mcnemar_p: {max: 0.05, side: wose}").find("\"worse\""),
            std::string::npos);
  EXPECT_NE(refused("text: t, arm: los, accuracy: {max: 0.05, side: worse}").find("side"),
            std::string::npos);
  EXPECT_NE(refused("text: t, arm: los, accuracy: {min: 1, max: 0}").find("min <= max"),
            std::string::npos);
  EXPECT_NE(refused("text: t, arm: los, accuracy: 2").find("accuracy"), std::string::npos);
  EXPECT_NE(refused("text: t, arm: los, at_least: {rate: accuracy, arm: [text, los]}")
                .find("is the claim's own arm"),
            std::string::npos);
  EXPECT_NE(refused("text: t, arm: los, by: [seed], mean: true, equivalent: {margin: 0.1}")
                .find("is for numbers, not for equivalent"),
            std::string::npos);
  EXPECT_NE(refused("text: t, arm: los, num_occluded: 1.5").find("num_occluded"),
            std::string::npos);
  EXPECT_NE(refused("text: \"\", arm: los, accuracy: 1").find("must say"), std::string::npos);
  EXPECT_NE(refused("text: t, arm: los, mcnemar: {b: -1, c: 0}").find("mcnemar.b"),
            std::string::npos);
  EXPECT_NE(refused("text: t, arm: los, where: {sed: 1}, accuracy: 1").find("\"seed\""),
            std::string::npos);
  EXPECT_NE(refused("text: t, arm: los, by: [sed], accuracy: 1").find("\"seed\""),
            std::string::npos);
  EXPECT_NE(refused("text: t, arm: los, mean: true, accuracy: 1").find("by"), std::string::npos);
  EXPECT_NE(refused("text: t, arm: los, by: [seed], mcnemar: {b: 1, c: 0}").find("for numbers"),
            std::string::npos);
  EXPECT_NE(
      refused("text: t, arm: los, table: {rate: hits, along: seed, expected: [], within: 0.9}")
          .find("no rate"),
      std::string::npos);
  EXPECT_NE(refused("text: t, arm: los, falling: {rate: accuracy, along: seed, values: [1]}")
                .find("at least two"),
            std::string::npos);
  EXPECT_NE(refused("text: t, needs_model: true").find("paper"), std::string::npos);
  EXPECT_NE(refused("text: t, needs_model: true, paper: \"\"").find("what the paper has"),
            std::string::npos);
  EXPECT_NE(refused("text: t, needs_model: true, paper: 1, where: {seed: 1}").find("where"),
            std::string::npos);
  EXPECT_NE(refused("text: t, needs_model: true, paper: 1, arm: loss").find("\"los\""),
            std::string::npos);
  EXPECT_NE(refused("text: t, needs_model: false, paper: 1, arm: los").find("claims nothing"),
            std::string::npos);
  EXPECT_NE(refused("text: t, arm: los, sign_p: 1").find("sign_p"), std::string::npos)
      << "there are no scores here";
  EXPECT_NE(refused("text: t, arm: los, hit_rate: 1").find("hit_rate"), std::string::npos);
  EXPECT_NE(refused("text: t, arm: los, controls: {margin: 1}").find("between 0 and 1"),
            std::string::npos);
}

}  // namespace
}  // namespace sightline::tests
