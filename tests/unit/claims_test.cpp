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
  EXPECT_NE(refused("text: t, arm: los, mcnemar: {b: -1, c: 0}").find("mcnemar.b"),
            std::string::npos);
  EXPECT_NE(refused("text: t, arm: los, controls: {margin: 1}").find("between 0 and 1"),
            std::string::npos);
}

}  // namespace
}  // namespace sightline::tests
