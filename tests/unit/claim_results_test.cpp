// What a claim's result tells besides its verdict: intervals, the paper's number, that a model
// would have to answer; and how many there are of each verdict.
#include <gtest/gtest.h>

#include "support/two_worlds.h"

namespace sightline::tests {
namespace {

using host::ClaimResult;

TEST(ClaimResults, GiveTheIntervalOfWhatTheyFind) {
  // Wilson's of 1 of 20.
  EXPECT_EQ(only_claim("arm: los, false_visible_rate: {max: 0.1}").interval, "0.008881 to 0.2361");
  EXPECT_EQ(only_claim("arm: los, by: [seed], false_visible_rate: {max: 0.1}").interval,
            "0 to 0.2775, 0.01788 to 0.4042")
      << "of the lowest and of the highest group";
  // A count is as many of as many; one that must be exact, and a p, have none.
  EXPECT_EQ(only_claim("arm: los, false_visible: {max: 2}").interval, "0.1776 to 4.723");
  EXPECT_EQ(only_claim("arm: los, false_visible: 1").interval, "");
  EXPECT_EQ(only_claim("arm: los, mcnemar_p: {max: 1}").interval, "");
  EXPECT_EQ(only_claim("arm: los, by: [seed], mean: true, mcnemar_p: {max: 1}").interval, "");
  // 19 of 80 pairs: as delta_low and delta_high are bounded.
  const std::string delta = only_claim("arm: los, delta: 0.2375").interval;
  EXPECT_EQ(delta, "0.1576 to 0.3414");
  EXPECT_EQ(only_claim("arm: los, delta_low: {min: 0.1576, max: 0.1577}").holds, true);
  EXPECT_EQ(only_claim("arm: los, mcnemar: {b: 19, c: 0}").interval, "difference " + delta);
  EXPECT_EQ(only_claim("arm: los, equivalent: {margin: 0.4}").interval, "difference " + delta);
  // Student's t of 0 and 0.1, within what a rate can be.
  EXPECT_EQ(only_claim("arm: los, by: [seed], mean: true, false_visible_rate: 0.05").interval,
            "0 to 0.6853");
  // Wilson's of 2 wins in 2 worlds, whose spread tells nothing.
  EXPECT_EQ(only_claim("arm: los, by: [seed], mean: true, significant_win: 1").interval,
            "0.3424 to 1");
  EXPECT_EQ(
      only_claim("arm: los, table: {rate: false_visible_rate, along: seed, expected: [[0, 0], "
                 "[1, 0.1]], within: 0.05}")
          .interval,
      "0 to 0.2775, 0.01788 to 0.4042");
}

TEST(ClaimResults, GiveTheIntervalOfADifferenceOfRates) {
  // Against the baseline that of the pairs; by `interval` that which decides.
  EXPECT_EQ(only_claim("arm: los, at_least: {rate: accuracy, arm: text}").interval,
            "difference 0.1576 to 0.3414");
  const ClaimResult decided =
      only_claim("arm: los, at_least: {rate: accuracy, arm: text, interval: true}");
  EXPECT_EQ(decided.interval.substr(0, 17), "difference 0.1388") << decided.interval;
  EXPECT_EQ(only_claim("arm: los, at_least: {count: correct, arm: text}").interval, "");
}

TEST(ClaimResults, ShowThePapersNumberAndDecideNothingByIt) {
  const ClaimResult claim = only_claim("arm: los, false_visible_rate: 0.05, paper: \"0.990\"");
  EXPECT_EQ(claim.paper, "0.990");
  EXPECT_EQ(claim.holds, true);
  EXPECT_EQ(only_claim("arm: los, false_visible_rate: 0.05, paper: 0.99").paper, "0.99");
  EXPECT_EQ(only_claim("arm: los, false_visible_rate: 0.05").paper, "");
  EXPECT_EQ(claim.paper_text(), "0.990, outside that interval");
  for (const char* paper : {"0.05", "near 0.99", "0.990, of 200", "p < 0.01"}) {
    const std::string text = std::string("arm: los, false_visible_rate: 0.05, paper: \"") + paper;
    EXPECT_EQ(only_claim(text + "\"").paper_text(), paper);
  }
  EXPECT_EQ(only_claim("arm: los, false_visible: 1, paper: 7").paper_text(), "7") << "no interval";
  EXPECT_EQ(host::claims_csv({claim}),
            "claim,arm,expected,found,verdict,interval_95,paper\n"
            "t,los,false_visible_rate = 0.05,false_visible_rate = 0.05,reproduced,"
            "0.008881 to 0.2361,0.990\n");
}

TEST(ClaimResults, ThatNeedAModelAreNeitherReproducedNorMissed) {
  const ClaimResult alone = only_claim("needs_model: true, paper: p = 0.031");
  EXPECT_EQ(alone.holds, std::nullopt);
  EXPECT_STREQ(alone.verdict(), "not testable without a model");
  EXPECT_EQ(alone.paper, "p = 0.031");
  EXPECT_EQ(alone.arm + alone.expected + alone.found + alone.interval, "");
  // With an arm and a number: as long as the program answers for the arm, its numbers say nothing.
  const std::string claim =
      "arm: los, needs_model: true, paper: 0, false_visible_rate: {max: 0.05}";
  const ClaimResult unasked = only_claim(claim);
  EXPECT_EQ(unasked.holds, std::nullopt);
  EXPECT_STREQ(unasked.verdict(), "not testable without a model");
  EXPECT_EQ(unasked.expected, "false_visible_rate at most 0.05");
  EXPECT_EQ(unasked.found, "nothing: a language model would have to answer");
  host::RunData run = two_worlds("  - {text: t, " + claim + "}\n");
  run.model_arm = "text";
  EXPECT_STREQ(evaluate_claims(run).at(0).verdict(), "not testable without a model");
  run.model_arm = "los";
  EXPECT_STREQ(evaluate_claims(run).at(0).verdict(), "reproduced");
  run.rows.back().result.answers.false_visible = 9;
  EXPECT_STREQ(evaluate_claims(run).at(0).verdict(), "not reproduced");
}

TEST(ClaimResults, OfTheProgramsOwnAnswersAreNotJudgedByAModels) {
  const std::string claim = "arm: los, false_visible_rate: 0.05";
  host::RunData run = two_worlds("  - {text: t, " + claim + "}\n");
  EXPECT_STREQ(evaluate_claims(run).at(0).verdict(), "reproduced");
  run.model_arm = "los";
  EXPECT_STREQ(evaluate_claims(run).at(0).verdict(), "not tested");
  EXPECT_EQ(evaluate_claims(run).at(0).found, "nothing: a model has answered for this arm");
  run.model_arm = "text";
  EXPECT_STREQ(evaluate_claims(run).at(0).verdict(), "reproduced");
}

TEST(ClaimResults, AgainstAnArmThatAModelAnsweredForAreNotJudged) {
  for (const char* claim :
       {"mcnemar_p: {max: 1}", "delta: {min: -0.9}", "mcnemar: {b: 18, c: 0}",
        "controls: {margin: 0.25}", "at_least: {rate: accuracy, arm: text}",
        "at_least: {rate: accuracy, arm: [los, text]}", "at_least: {count: correct, arm: text}"}) {
    host::RunData run = two_worlds(std::string("  - {text: t, arm: los, ") + claim + "}\n");
    EXPECT_NE(evaluate_claims(run).at(0).holds, std::nullopt) << claim;
    run.model_arm = "text";
    EXPECT_EQ(evaluate_claims(run).at(0).holds, std::nullopt) << claim;
    EXPECT_PRED_FORMAT2(testing::IsSubstring, "nothing: a model has answered for text",
                        evaluate_claims(run).at(0).found);
  }
}

/// "0 of nothing" is what was claimed in each of these, and was not looked at.
TEST(ClaimResults, OfAnArmThatWasAskedNothingAreNotTested) {
  for (const char* claim : {"false_visible: 0", "mcnemar: {b: 0, c: 0}", "accuracy: 0",
                            "by: [seed], correct: {max: 3}", "equivalent: {margin: 0.5}"}) {
    host::RunData run = two_worlds("  - {text: t, arm: idle, " + std::string(claim) + "}\n");
    for (int world = 0; world < 2; ++world) {
      host::RunData::Row idle = run.rows[static_cast<std::size_t>(2 * world)];
      idle.result.arm = "idle";
      idle.result.answers = {};
      run.rows.push_back(idle);
    }
    const ClaimResult result = evaluate_claims(run).at(0);
    EXPECT_EQ(result.holds, std::nullopt) << claim;
    EXPECT_NE(result.expected, "") << claim;
  }
}

TEST(ClaimResults, AreCountedByTheirVerdicts) {
  const host::VerdictCounts counts = host::count_verdicts(evaluate_claims(two_worlds(
      "  - {text: a, arm: los, false_visible: 1}\n  - {text: b, arm: los, false_visible: 0}\n"
      "  - {text: c, arm: los, where: {seed: 7}, false_visible: 0}\n"
      "  - {text: d, needs_model: true, paper: 1}\n  - {text: e, needs_model: true, paper: 1}\n")));
  EXPECT_EQ(counts.total(), 5);
  EXPECT_EQ(counts.text(),
            "5 claims: 1 reproduced, 1 not reproduced, 1 not tested, 2 not testable without a "
            "model");
}

}  // namespace
}  // namespace sightline::tests
