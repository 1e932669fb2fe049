// Claims that an arm does at least as well as others, or as much: over the same configurations,
// against the best of them, and not against nothing.
#include <gtest/gtest.h>

#include <utility>

#include "host/sweep/claims.h"
#include "support/two_worlds.h"

namespace sightline::tests {
namespace {

using host::ClaimResult;
using host::ConfigValue;

TEST(ClaimRivals, AgainstARivalLookAtTheSameConfigurations) {
  host::RunData run = two_worlds(
      "  - {text: t, arm: los, at_least: {rate: accuracy, arm: text}}\n"
      "  - {text: t, arm: los, where: {seed: 0}, at_least: {rate: accuracy, arm: text}}\n"
      "  - {text: t, arm: los, at_least: {count: correct, arm: text}}\n"
      "  - {text: t, arm: los, at_least: {count: num_visible, arm: text, times: 1}}\n");
  for (const ClaimResult& claim : evaluate_claims(run)) EXPECT_EQ(claim.holds, true) << claim.found;
  run.rows.erase(run.rows.begin() + 2);  // text in world 1
  EXPECT_EQ(evaluate_claims(run).at(0).holds, std::nullopt);
  EXPECT_EQ(evaluate_claims(run).at(0).found, "nothing: text was asked in other configurations");
  EXPECT_EQ(evaluate_claims(run).at(1).holds, true);
  EXPECT_EQ(evaluate_claims(run).at(2).holds, std::nullopt);
}

// Where an axis sets the arms, one may lack in some of the configurations that a claim names.
TEST(ClaimRivals, AgainstRivalsGoByTheBestOfThemInAnyOrder) {
  for (const char* rivals : {"[text, best]", "[best, text]"}) {
    HandMadeRun run({"seed"}, std::string("baseline: text\nclaims:\n  - {text: t, arm: los, "
                                          "at_least: {rate: accuracy, arm: ") +
                                  rivals + "}}\n");
    run.add({ConfigValue::integer(0)}, "text", answers_of(30, 10, 10));
    run.add({ConfigValue::integer(0)}, "los", answers_of(30, 10, 4));
    run.add({ConfigValue::integer(0)}, "best", answers_of(30, 10, 0));
    run.data.num_configurations = run.data.num_finished = 1;
    EXPECT_EQ(evaluate_claims(run.data).at(0).holds, false) << rivals;
  }
}

TEST(ClaimRivals, AgainstACountOfNoneAreNotTested) {
  const auto result_of = [](std::int64_t own, std::int64_t other) {
    host::RunData run = two_worlds(
        "  - {text: t, arm: los, at_least: {count: false_visible, arm: text, times: 2}}\n");
    for (host::RunData::Row& row : run.rows) {
      row.result.answers.false_visible = row.result.arm == "los" ? own : other;
    }
    return evaluate_claims(run).at(0);
  };
  EXPECT_EQ(result_of(4, 2).holds, true);
  EXPECT_EQ(result_of(0, 2).holds, false);
  EXPECT_EQ(result_of(4, 0).holds, std::nullopt) << "twice none is none";
  EXPECT_EQ(result_of(4, 0).found, "nothing: of text there are none, and any count is as many");
  EXPECT_EQ(result_of(0, 0).holds, std::nullopt);
}

TEST(ClaimRivals, AgainstARivalAskForItsRowsOfTheSameConfigurations) {
  // As many rows of the rival as of the arm, and none of one of its configurations.
  HandMadeRun run({"seed"},
                  "baseline: text\nclaims:\n"
                  "  - {text: t, arm: los, at_least: {rate: accuracy, arm: sure}}\n"
                  "  - {text: t, arm: los, where: {seed: 0}, at_least: {rate: accuracy, arm: "
                  "sure}}\n");
  for (const auto& [seed, rival] : {std::pair{0, "sure"}, {1, "none"}, {2, "sure"}}) {
    run.add({ConfigValue::integer(seed)}, rival, answers_of(30, 10, 10));
    if (seed < 2) run.add({ConfigValue::integer(seed)}, "los", answers_of(30, 10, 1));
  }
  run.data.num_configurations = run.data.num_finished = 3;
  const auto results = evaluate_claims(run.data);
  EXPECT_EQ(results.at(0).holds, std::nullopt);
  EXPECT_EQ(results.at(1).holds, true);
}

// Intervals of two rates can lie apart where no test of the pairs shows a difference.
TEST(ClaimRivals, ByTheIntervalNeedAnExactTestThatCouldShowIt) {
  const auto judge = [](std::int64_t num, std::int64_t own_wrong, std::int64_t rival_wrong,
                        const std::string& baseline, const std::string& more = "") {
    HandMadeRun run({"seed"}, "baseline: " + baseline +
                                  "\nclaims:\n  - {text: t, arm: los, at_least: {rate: accuracy, "
                                  "arm: text, interval: true" +
                                  more + "}}\n");
    host::Answers los = answers_of(0, num, own_wrong);
    if (baseline == "text") los.only_arm_right = rival_wrong - own_wrong;
    run.add({ConfigValue::integer(0)}, "text", answers_of(0, num, rival_wrong));
    run.add({ConfigValue::integer(0)}, "los", los);
    run.add({ConfigValue::integer(0)}, "other", answers_of(0, num, num));
    run.data.num_configurations = run.data.num_finished = 1;
    return evaluate_claims(run.data).at(0);
  };
  for (const char* baseline : {"text", "other"}) {  // with pairs, and without
    EXPECT_EQ(judge(8, 0, 5, baseline).holds, false) << "5 of 5 pairs: p = 0.0625";
    EXPECT_EQ(judge(8, 0, 5, baseline).found,
              "1 against 0.375 (ahead by 0.1698 or more), but an exact test does not show "
              "it against text");
    EXPECT_EQ(judge(8, 0, 6, baseline).holds, true) << "p = 0.03125";
    EXPECT_EQ(judge(8, 0, 5, baseline, ", margin: 0.01").holds, true) << "says no more than that";
  }
}

// Of other numbers of trials it is Fisher's.
TEST(ClaimRivals, ByIntervalOfRatesOfOtherTrialsNeedAnExactTest) {
  const auto judge = [](std::int64_t own, std::int64_t own_of, std::int64_t rival,
                        std::int64_t rival_of) {
    HandMadeRun run({"seed"},
                    "baseline: text\nclaims:\n  - {text: t, arm: los, at_least: {rate: "
                    "false_visible_rate, arm: text, interval: true}}\n");
    run.add({ConfigValue::integer(0)}, "text", answers_of(0, rival_of, rival));
    run.add({ConfigValue::integer(0)}, "los", answers_of(0, own_of, own));
    run.data.num_configurations = run.data.num_finished = 1;
    return evaluate_claims(run.data).at(0);
  };
  EXPECT_EQ(judge(5, 5, 2, 6).holds, false) << "p = 0.061, and the interval from +0.098 on";
  EXPECT_EQ(judge(6, 6, 2, 7).holds, true) << "p = 0.021";
}

}  // namespace
}  // namespace sightline::tests
