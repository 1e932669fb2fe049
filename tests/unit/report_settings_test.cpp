// What a sweep file says of its report: checked with the plan, before anything runs.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/errors.h"
#include "support/sweep_plans.h"

namespace {

using sightline::host::SweepPlan;
using sightline::tests::input_error_of;
using sightline::tests::plan_of;

/// Of a study whose report has a setting more.
std::vector<std::string> warnings_of_report(const std::string& setting) {
  return plan_of(
             "study: {battery: {type: presence}}\narms: {a: {answer: text}}\n"
             "axes: {study.battery.type: [presence, occlusion]}\nreport: {lines: "
             "study.battery.type, " +
             setting + "}\n")
      .warnings();
}

TEST(ReportSettings, WarnsOfAMisspeltValueThatIsToStandApart) {
  const auto warnings = [](const std::string& apart) {
    return warnings_of_report("apart: " + apart);
  };
  EXPECT_TRUE(warnings("[occlusion]").empty());
  ASSERT_EQ(warnings("[oclusion]").size(), 1U);
  EXPECT_NE(warnings("[oclusion]")[0].find("did you mean \"occlusion\""), std::string::npos);
  EXPECT_NE(input_error_of([&] { warnings("occlusion"); }).find("report.apart"), std::string::npos);
  const auto of_no_study = [] { plan_of("seed: 1\nreport: {apart: [x]}\n"); };
  EXPECT_NE(input_error_of(of_no_study).find("is for sweeps of a study"), std::string::npos);
}

TEST(ReportSettings, WarnsOfAMisspeltValueThatIsToHaveCurves) {
  const auto warnings = [](const std::string& curves) {
    return warnings_of_report("curves: " + curves);
  };
  EXPECT_TRUE(warnings("[occlusion]").empty());
  ASSERT_EQ(warnings("[oclusion]").size(), 1U);
  EXPECT_NE(warnings("[oclusion]")[0].find("did you mean \"occlusion\""), std::string::npos);
  for (const char* wrong : {"occlusion", "[]", "[a, b, c, d]"}) {
    EXPECT_NE(input_error_of([&] { warnings(wrong); }).find("report.curves"), std::string::npos)
        << wrong;
  }
  ASSERT_EQ(warnings("[zzz, b]").size(), 1U);
  EXPECT_NE(warnings("[zzz, b]")[0].find("no curves are drawn"), std::string::npos);
  EXPECT_TRUE(warnings("[zzz, occlusion]").empty()) << "an override may have left it out";
  const auto overridden = [] {
    SweepPlan::parse("study: {battery: {type: presence}}\narms: {a: {answer: text}}\n", "mine.yaml",
                     {"report.curves=[]"});
  };
  EXPECT_NE(input_error_of(overridden).find("report.curves: needs one to three values"),
            std::string::npos)
      << input_error_of(overridden);
  const auto of_no_study = [] { plan_of("seed: 1\nreport: {curves: [x]}\n"); };
  EXPECT_NE(input_error_of(of_no_study).find("is for sweeps of a study"), std::string::npos);
}

TEST(ReportSettings, WarnsOfAColumnThatIsNoValueOfItsAxis) {
  const auto warnings = [](const std::string& columns) {
    return plan_of(
               "study: {battery: {type: presence}}\narms: {a: {answer: text}}\n"
               "axes: {study.battery.type: [presence, occlusion]}\nreport: {lines: "
               "study.battery.type, gains: {panels: [x], rows: {r: [a]}, columns: {" +
               columns + "}}}\n")
        .warnings();
  };
  EXPECT_TRUE(warnings("occlusion: hidden, presence: there").empty());
  EXPECT_TRUE(warnings("relation: what an override left out").empty());
  ASSERT_EQ(warnings("oclusion: hidden").size(), 1U);
  EXPECT_EQ(warnings("oclusion: hidden")[0],
            "sweep.yaml:4:94: report.gains.columns.oclusion: names no value of "
            "study.battery.type; did you mean \"occlusion\"?");
}

TEST(ReportSettings, NamesAnArmAndAnAxisOfTheSweep) {
  const std::string sweep =
      "arms: {text: {predict: visible}}\naxes: {seed: [1, 2], arms.cone.predict: [visible, "
      "hidden]}\n";
  for (const char* good : {"{}", "null", "{arm: text}", "{arm: cone, lines: seed}"}) {
    EXPECT_EQ(input_error_of([&] { plan_of(sweep + "report: " + good); }), "no error") << good;
  }
  const auto refusal = [&](const std::string& report) {
    return input_error_of([&] { plan_of(sweep + "report: " + report); });
  };
  EXPECT_EQ(refusal("{line: seed}"),
            "sweep.yaml:3:10: report.line: unknown key \"line\"; did you mean \"lines\"?");
  EXPECT_NE(refusal("{arm: txt}").find("no arm \"txt\"; did you mean \"text\"?"),
            std::string::npos);
  EXPECT_NE(refusal("{lines: seeds}").find("no axis \"seeds\"; did you mean \"seed\"?"),
            std::string::npos);
  EXPECT_NE(refusal("{arm: 3}").find("report.arm: must be a text"), std::string::npos);
}

TEST(ReportSettings, MayNameAnArmThatAnAxisBringsWithAllOthers) {
  const std::string sweep = "axes: {arms: [{one: {predict: visible}}, {two: {predict: hidden}}]}\n";
  EXPECT_EQ(input_error_of([&] { plan_of(sweep + "report: {arm: two}"); }), "no error");
}

}  // namespace
