// Families of tests that a sweep file declares: which rows each test is of, who is ahead in it, by
// which test, and what Holm's correction makes of its p.
#include "host/sweep/family.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

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
