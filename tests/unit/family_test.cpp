// Families of tests that a sweep file declares: which rows each test is of, who is ahead in it, by
// which test, and what Holm's correction makes of its p.
#include "host/sweep/family.h"

#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "host/sweep/claims.h"
#include "support/errors.h"

namespace sightline::tests {
namespace {

using host::Family;
using host::FamilyTest;

constexpr double kRounding = 1e-12;  // of halves multiplied by small numbers

/// Three types of question: `sees` is right alone in 8 of the first, wrong alone in 6 of the
/// second, and both in the third. Its scores are higher 5 times in the first.
host::RunData three_types(const std::string& family) {
  host::RunData run;
  run.axis_keys = {"type"};
  run.resolved = host::ConfigValue::parse_yaml(
      "{study: {battery: {}}, baseline: text, family: " + family + "}", "test.yaml");
  const auto add = [&](const char* arm, const char* type, std::int64_t b, std::int64_t c,
                       std::int64_t higher) {
    host::RunData::Row& row = run.rows.emplace_back();
    row.axis_labels = {type};
    row.axis_values = {host::ConfigValue::text(type)};
    row.result.arm = arm;
    row.result.study.num_trials = 100;
    row.result.study.only_arm_right = b;
    row.result.study.only_baseline_right = c;
    row.result.study.scores_higher = higher;
  };
  add("sees", "first", 8, 0, 5);
  add("sees", "second", 0, 6, 0);
  add("sees", "third", 3, 1, 0);
  add("other", "first", 40, 0, 0);
  return run;
}

std::vector<FamilyTest> tests_of(const std::string& family) {
  const std::vector<Family> families = declared_families(three_types(family));
  EXPECT_EQ(families.size(), 1u);
  return families.empty() ? std::vector<FamilyTest>() : families[0].tests;
}

TEST(DeclaredFamilies, AdjustEachPOverAllMembers) {
  const std::vector<FamilyTest> tests = tests_of("[{arm: sees, by: [type]}]");
  ASSERT_EQ(tests.size(), 3u);
  // Twice 1/2 to the 8th and to the 6th; three and one of four.
  const std::vector<double> p{2.0 / 256, 2.0 / 64, 10.0 / 16};
  const std::vector<double> adjusted{3 * p[0], 2 * p[1], p[2]};
  const std::vector<std::int64_t> b{8, 0, 3}, c{0, 6, 1};
  for (std::size_t i = 0; i < tests.size(); ++i) {
    EXPECT_NEAR(tests[i].p, p[i], kRounding) << tests[i].rows;
    EXPECT_NEAR(tests[i].p_adjusted, adjusted[i], kRounding) << tests[i].rows;
    EXPECT_EQ(tests[i].b, b[i]) << tests[i].rows;
    EXPECT_EQ(tests[i].c, c[i]) << tests[i].rows;
  }
}

TEST(DeclaredFamilies, MembersHaveRowsAndTestsOfTheirOwn) {
  const std::vector<FamilyTest> tests = tests_of(
      "[{arm: sees, where: {type: first}, test: sign}, {arm: sees, where: {type: second}}]");
  ASSERT_EQ(tests.size(), 2u);
  EXPECT_NEAR(tests[0].p, 2.0 / 32, kRounding) << "5 scores are higher, none is lower";
  EXPECT_EQ(tests[0].b, 5);
  EXPECT_NEAR(tests[1].p, 2.0 / 64, kRounding);
  EXPECT_NEAR(tests[0].p_adjusted, 2.0 / 32, kRounding);
  EXPECT_NEAR(tests[1].p_adjusted, 2 * 2.0 / 64, kRounding) << "of two, the lesser p twice";
}

// What was declared is corrected for, whether or not the run has it: fewer axes are no better odds.
TEST(DeclaredFamilies, AMemberThatTheRunLacksCountsAsLost) {
  const std::vector<FamilyTest> tests =
      tests_of("[{arm: sees, where: {type: first}}, {arm: sees, where: {type: fourth}}]");
  ASSERT_EQ(tests.size(), 2u);
  EXPECT_NEAR(tests[0].p_adjusted, 2 * 2.0 / 256, kRounding);
  EXPECT_TRUE(tests[0].is_tested);
  EXPECT_FALSE(tests[1].is_tested);
  EXPECT_EQ(tests[1].rows, "type: fourth");
  EXPECT_EQ(tests[1].p_adjusted, 1);
}

TEST(DeclaredFamilies, EachValueThatTheRunLacksCountsAsLost) {
  const std::vector<FamilyTest> tests =
      tests_of("[{arm: sees, where: {type: [first, fourth, fifth]}, by: [type]}]");
  ASSERT_EQ(tests.size(), 3u);
  EXPECT_NEAR(tests[0].p_adjusted, 3 * 2.0 / 256, kRounding);
  EXPECT_FALSE(tests[1].is_tested);
  EXPECT_FALSE(tests[2].is_tested);
}

// Nor do groups that were asked nothing leave the family smaller.
TEST(DeclaredFamilies, AGroupWithoutPairsCountsAsLost) {
  host::RunData run = three_types("[{arm: sees, where: {type: [first, second]}, by: [type]}]");
  run.rows[1].result.study = {};
  std::vector<FamilyTest> tests = declared_families(run).at(0).tests;
  ASSERT_EQ(tests.size(), 2u);
  EXPECT_NEAR(tests[0].p_adjusted, 2 * 2.0 / 256, kRounding);
  EXPECT_FALSE(tests[1].is_tested);
  EXPECT_EQ(tests[1].rows, "type second");
  run.rows.erase(run.rows.begin() + 1);
  tests = declared_families(run).at(0).tests;
  ASSERT_EQ(tests.size(), 2u);
  EXPECT_NEAR(tests[0].p_adjusted, 2 * 2.0 / 256, kRounding);
}

// Student's test is of the mean, which a few large gains may raise above many small losses.
/// The verdict of `sees` on an adjusted p of at most 0.05, in the first type.
host::ClaimResult first_type(const std::string& family, const std::string& number = "holm_p") {
  host::RunData run = three_types(family);
  run.resolved.set_entry(
      "claims", host::ConfigValue::parse_yaml(
                    "- {text: t, arm: sees, where: {type: first}, " + number + ": {max: 0.05}}",
                    "test.yaml"));
  run.num_configurations = run.num_finished = 1;
  return evaluate_claims(run).at(0);
}

TEST(DeclaredFamilies, GiveClaimsTheirAdjustedP) {
  const std::string first = "{arm: sees, where: {type: first}}",
                    others = ", {arm: sees, where: {type: [second, third]}}",
                    many = others + others + others + others + others + others;
  // Twice 1/2 to the 8th, of two tests and of seven.
  EXPECT_EQ(first_type("[" + first + others + "]").holds, true);
  EXPECT_EQ(first_type("[" + first + others + "]").found, "holm_p = 0.015625");
  EXPECT_EQ(first_type("[" + first + many + "]").holds, false);
  EXPECT_EQ(first_type("[" + first + many + "]").found, "holm_p = 0.0546875");
}

/// What a run of three types and two seeds says to one claim on holm_p of `sees`.
host::ClaimResult of_claim(const std::string& family, const std::string& claim,
                           const std::string& model_arm = "") {
  host::RunData run;
  run.axis_keys = {"type", "seed"};
  run.resolved = host::ConfigValue::parse_yaml(
      "{study: {battery: {}}, baseline: text, family: " + family +
          ", claims: [{text: t, arm: sees, " + claim + ", holm_p: {max: 0.05}}]}",
      "test.yaml");
  for (const char* type : {"first", "second"}) {
    for (const int seed : {1, 2}) {
      host::RunData::Row& row = run.rows.emplace_back();
      row.axis_labels = {type, std::to_string(seed)};
      row.axis_values = {host::ConfigValue::text(type), host::ConfigValue::integer(seed)};
      row.result.arm = "sees";
      row.result.configuration = static_cast<std::int64_t>(run.rows.size());
      row.result.study.num_trials = 100;
      row.result.study.only_arm_right = type[0] == 'f' ? 20 : 4;
    }
  }
  run.model_arm = model_arm;
  run.num_configurations = run.num_finished = 4;
  return evaluate_claims(run).at(0);
}

TEST(DeclaredFamilies, KnowATestByItsRowsHoweverTheyAreNamed) {
  const std::string of_first = "[{arm: sees, where: {type: first}, by: [seed]}]";
  EXPECT_EQ(of_claim(of_first, "where: {type: first}, by: [seed]").holds, true);
  EXPECT_EQ(of_claim(of_first, "where: {seed: 2, type: first}").holds, true);
  EXPECT_EQ(of_claim(of_first, "where: {type: second}, by: [seed]").holds, std::nullopt)
      << "seeds of other questions";
  EXPECT_EQ(of_claim(of_first, "where: {type: second}, by: [seed]").found,
            "nothing: the file's family has no such test of sees, seed 1");
  const std::string of_all = "[{arm: sees, by: [type, seed]}]";
  EXPECT_EQ(of_claim(of_all, "by: [seed, type]").holds, false);
  EXPECT_EQ(of_claim(of_all, "where: {type: first}, by: [seed]").holds, true);
}

TEST(DeclaredFamilies, WithAModelsAnswersJudgeNoClaimOfTheProgram) {
  const std::string family = "[{arm: sees, where: {type: first}, by: [seed]}]";
  const std::string claim = "where: {type: first}, by: [seed]";
  EXPECT_EQ(of_claim(family, claim, "another").holds, true);
  EXPECT_EQ(
      of_claim("[{arm: sees, where: {type: first}, by: [seed]}, {arm: reader}]", claim, "reader")
          .holds,
      std::nullopt);
  EXPECT_EQ(of_claim(family, claim, "text").holds, std::nullopt) << "its baseline";
}

TEST(DeclaredFamilies, OfTheSameTrialsAreNotTested) {
  host::RunData run = three_types("[{arm: sees}, {arm: sees, where: {type: first}}]");
  run.axis_keys = {"arms.sees.step_m"};
  run.resolved.set_entry("family",
                         host::ConfigValue::parse_yaml("[{arm: sees}, {arm: other}]", "test.yaml"));
  const std::vector<FamilyTest> tests = declared_families(run).at(0).tests;
  ASSERT_FALSE(tests.empty());
  EXPECT_FALSE(tests[0].is_tested) << "three steps, the same questions";
  EXPECT_EQ(tests[0].p_adjusted, 1);
  EXPECT_TRUE(tests.back().is_tested);
}

TEST(DeclaredFamilies, AgainstNobodyOrThemselvesAreRefused) {
  const auto refusal = [](const std::string& family, const std::vector<std::string>& axes) {
    const auto settings = host::ConfigValue::parse_yaml("{baseline: text}", "test.yaml");
    return input_error_of([&] {
      check_family(host::ConfigValue::parse_yaml(family, "test.yaml"), host::ExperimentKind::kStudy,
                   std::vector<std::string>{"text", "sees"}, axes, settings);
    });
  };
  EXPECT_EQ(refusal("[{arm: sees}]", {"type"}), "no error");
  EXPECT_EQ(refusal("[{arm: sees, by: [baseline]}]", {"baseline"}), "no error");
  for (const auto& [family, axes, says] :
       {std::tuple("[{arm: text}]", "type", "is the baseline itself"),
        {"[{arm: sees, where: {baseline: sees}}]", "baseline", "is the baseline itself"},
        {"[{arm: sees, where: {baseline: nope}}]", "baseline", "no arm is called \"nope\""},
        {"[{arm: sees}]", "baseline", "adds up rows of several baselines"},
        {"[{arm: sees, by: []}]", "type", "names no axis"}}) {
    EXPECT_PRED_FORMAT2(testing::IsSubstring, says, refusal(family, {axes})) << family;
  }
}

TEST(DeclaredFamilies, SayNothingOfATestThatIsNoMember) {
  const auto found = [](const std::string& family, const std::string& number = "holm_p") {
    const host::ClaimResult result = first_type(family, number);
    EXPECT_EQ(result.holds, std::nullopt) << result.found;
    return result.found;
  };
  const std::string other = ", {arm: other, where: {type: first}}]";
  const std::string no_member = "nothing: the file's family has no such test of sees, type: first";
  EXPECT_EQ(found("[{arm: sees, where: {type: second}}" + other), no_member);
  EXPECT_EQ(found("[{arm: sees}" + other), no_member);
  EXPECT_EQ(found("[{arm: sees, where: {type: first}, test: sign}" + other), no_member);
  EXPECT_EQ(found("[{arm: sees, where: {type: first}}" + other, "holm_sign_p"), no_member);
  EXPECT_EQ(found("[{arm: sees, where: {type: first}}]"),
            "nothing: a family of one test has nothing to adjust for");
}

TEST(FamilyTests, OfScoresAreWonByTheMean) {
  FamilyTest test{"sees", "", 2, 5, 0.01, 0.01};
  EXPECT_FALSE(test.is_win());
  test.by_student = true;
  test.mean_gain = 0.1;
  EXPECT_TRUE(test.is_win());
  test.mean_gain = -0.1;
  test.b = 9;
  EXPECT_FALSE(test.is_win());
}

}  // namespace
}  // namespace sightline::tests
