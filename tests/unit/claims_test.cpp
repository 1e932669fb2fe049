// Claims of a sweep file: what holds, what does not, and what cannot be told.
#include "host/sweep/claims.h"

#include <gtest/gtest.h>

#include "support/errors.h"
#include "support/hand_made_run.h"

namespace sightline::tests {
namespace {

using host::ClaimResult;
using host::ConfigValue;

/// Two configurations of arms text (baseline) and los; los misses one of 20 hidden targets.
host::RunData two_worlds(const std::string& claims, std::int64_t num_visible = 30) {
  HandMadeRun run({"seed"}, "baseline: text\nclaims:\n" + claims);
  for (int world = 0; world < 2; ++world) {
    host::Answers text = answers_of(num_visible, 10, 10), los = answers_of(num_visible, 10, world);
    los.only_arm_right = 10 - world;
    run.add({ConfigValue::integer(world)}, "text", text);
    run.data.rows.back().result.configuration = world;
    run.add({ConfigValue::integer(world)}, "los", los);
    run.data.rows.back().result.configuration = world;
  }
  run.data.num_configurations = run.data.num_finished = 2;
  return run.data;
}

ClaimResult only_claim(const std::string& claim, std::int64_t num_visible = 30) {
  const auto results = evaluate_claims(two_worlds("  - {text: t, " + claim + "}\n", num_visible));
  EXPECT_EQ(results.size(), 1u);
  return results.at(0);
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

TEST(Claims, SayNothingOfWhatTheRunDoesNotHave) {
  EXPECT_EQ(only_claim("arm: los, false_occluded_rate: 0", 0).holds, std::nullopt);
  host::RunData unfinished = two_worlds("  - {text: t, arm: los, false_visible: 1}\n");
  unfinished.num_finished = 1;
  const ClaimResult claim = evaluate_claims(unfinished).at(0);
  EXPECT_EQ(claim.holds, std::nullopt);
  EXPECT_STREQ(claim.verdict(), "not tested");
}

TEST(Claims, AreOnlyThoseOfTheFile) {
  EXPECT_TRUE(evaluate_claims(two_worlds("  []\n")).empty());
  HandMadeRun none({"seed"});
  EXPECT_TRUE(evaluate_claims(none.data).empty());
}

TEST(Claims, ThatCannotBeReadAreRefused) {
  const auto refused = [](const std::string& claim) {
    const ConfigValue claims = ConfigValue::parse_yaml("- {" + claim + "}", "claims.yaml");
    return input_error_of([&] { check_claims(claims, std::vector<std::string>{"text", "los"}); });
  };
  EXPECT_NE(refused("arm: los, accuracy: 1").find("text"), std::string::npos);
  EXPECT_NE(refused("text: t, accuracy: 1").find("arm"), std::string::npos);
  EXPECT_NE(refused("text: t, arm: loss, accuracy: 1").find("\"los\""), std::string::npos);
  EXPECT_NE(refused("text: t, arm: los").find("claims nothing"), std::string::npos);
  EXPECT_NE(refused("text: t, arm: los, acuracy: 1").find("\"accuracy\""), std::string::npos);
  EXPECT_NE(refused("text: t, arm: los, accuracy: 1, correct: 3").find("second thing"),
            std::string::npos);
  EXPECT_NE(refused("text: t, arm: los, accuracy: {min: 1}").find("max"), std::string::npos);
  EXPECT_NE(refused("text: t, arm: los, accuracy: {min: 1, max: 0}").find("min <= max"),
            std::string::npos);
  EXPECT_NE(refused("text: t, arm: los, accuracy: 2").find("accuracy"), std::string::npos);
  EXPECT_NE(refused("text: t, arm: los, num_occluded: 1.5").find("num_occluded"),
            std::string::npos);
  EXPECT_NE(refused("text: \"\", arm: los, accuracy: 1").find("must say"), std::string::npos);
  EXPECT_NE(refused("text: t, arm: los, mcnemar: {b: -1, c: 0}").find("mcnemar.b"),
            std::string::npos);
  EXPECT_NE(refused("text: t, arm: los, controls: {margin: 1}").find("between 0 and 1"),
            std::string::npos);
}

}  // namespace
}  // namespace sightline::tests
