// The page of a study: groups, tests with Holm over all, and arms that do not apply.
#include "host/report/study_page.h"

#include <gtest/gtest.h>

#include "host/report/study_costs.h"
#include "host/report/study_gains.h"

namespace sightline::host::report {
namespace {

/// Rows of two types and three arms; `cone` is asked of one type only.
RunData run_of_study() {
  RunData run;
  run.name = "tiny";
  run.axis_keys = {"seed", "study.battery.type"};
  run.resolved =
      ConfigValue::parse_yaml("{study: {battery: {type: presence}}, baseline: text}", "test.yaml");
  const auto add = [&](const char* arm, const char* type, const char* seed, std::int64_t right,
                       std::int64_t trials, std::int64_t only_arm, std::int64_t only_baseline) {
    RunData::Row row;
    row.axis_labels = {seed, type};
    row.axis_values = {ConfigValue::text(seed), ConfigValue::text(type)};
    row.result.arm = arm;
    row.result.study.right = right;
    row.result.study.num_trials = trials;
    row.result.study.only_arm_right = only_arm;
    row.result.study.only_baseline_right = only_baseline;
    run.rows.push_back(row);
  };
  for (const char* seed : {"1", "2"}) {
    add("text", "presence", seed, 50, 100, 0, 0);
    add("cone", "presence", seed, 0, 0, 0, 0);
    add("geometry", "presence", seed, 100, 100, 50, 0);
    add("text", "control", seed, 100, 100, 0, 0);
    add("cone", "control", seed, 98, 100, 0, 2);
    add("geometry", "control", seed, 14, 100, 0, 86);
  }
  return run;
}

TEST(StudyDigest, AddsUpSeedsAndKeepsTheOtherAxis) {
  const StudyDigest digest = make_study_digest(run_of_study());
  EXPECT_EQ(digest.arms, (std::vector<std::string>{"text", "cone", "geometry"}));
  EXPECT_EQ(digest.groups, (std::vector<std::string>{"presence", "control"}));
  EXPECT_EQ(digest.group_keys, std::vector<std::string>{"study.battery.type"});
  EXPECT_EQ(digest.num_pooled_axes, 1);
  EXPECT_EQ(digest.at(2, 0).study.num_trials, 200);
  EXPECT_EQ(digest.at(2, 0).study.only_arm_right, 100);
}

TEST(StudyDigest, ReportLinesNameTheAxis) {
  RunData run = run_of_study();
  run.resolved.set_path("report.lines", ConfigValue::text("seed"));
  const StudyDigest digest = make_study_digest(run);
  EXPECT_EQ(digest.groups, (std::vector<std::string>{"1", "2"}));
}

TEST(StudyComparisons, LeaveOutWhereAnArmDoesNotApply) {
  const StudyDigest digest = make_study_digest(run_of_study());
  const std::vector<StudyComparison> tests = compare_with_baseline(digest);
  ASSERT_EQ(tests.size(), 3u);  // cone on control, geometry on both
  EXPECT_EQ(tests[0].arm, 1u);
  EXPECT_EQ(tests[0].group, 1u);
  EXPECT_NEAR(tests[0].p, 0.125, 1e-12) << "four pairs, one way";
  EXPECT_NEAR(tests[0].p_adjusted, 0.125, 1e-12) << "the largest of three is not adjusted";
  const double least = stats::mcnemar_exact(0, 172);
  EXPECT_NEAR(tests[2].p_adjusted, 3 * least, 1e-12 * least) << "the least of three: times three";
}

TEST(StudyTakeaway, TellsWhereAnArmIsBetterAndWorse) {
  const std::string text = takeaway(make_study_digest(run_of_study()));
  EXPECT_NE(text.find("text is right in 75 % of 400 trials"), std::string::npos) << text;
  EXPECT_NE(text.find("geometry is right in 57 % of 400 trials, more often on presence, less often "
                      "on control"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("cone is right in 98 % of 200 trials"), std::string::npos) << text;
}

TEST(StudyFigure, HasABarForEachArmAndGroupThatWasAsked) {
  const FigureData figure = study_figure(make_study_digest(run_of_study()));
  EXPECT_EQ(figure.drawing.at("kind"), "groups");
  EXPECT_EQ(figure.drawing.at("ticks").size(), 2u);
  ASSERT_EQ(figure.drawing.at("curves").size(), 3u);
  EXPECT_TRUE(figure.drawing.at("curves")[1].at("y")[0].is_null()) << "a cone is not asked";
  EXPECT_EQ(figure.drawing.at("curves")[2].at("y")[0], 1.0);
}

TEST(StudyCosts, AreOfATrialOrOfAMemoryAndAPointForEachGroupThatTheReportNames) {
  RunData run = run_of_study();
  for (RunData::Row& row : run.rows) {
    row.cost.seconds = row.result.arm == "geometry" ? 3e-3 : 1e-3;
    row.result.study.memory_size = 10;
    row.result.study.stored_bytes = row.axis_labels[0] == "1" ? 50 : 70;
  }
  EXPECT_FALSE(study_cost_figure(run)) << "no cost is named";
  run.resolved.set_path("report.against", ConfigValue::text("seconds"));
  std::optional<FigureData> figure = study_cost_figure(run);
  ASSERT_TRUE(figure);
  ASSERT_EQ(figure->drawing.at("series").size(), 3u);
  const auto& geometry = figure->drawing.at("series")[2];
  ASSERT_EQ(geometry.at("x").size(), 1u) << "a point an arm";
  EXPECT_NEAR(geometry.at("x")[0].get<double>(), 30, 1e-9) << "12 ms over 400 trials, in us";
  EXPECT_NEAR(geometry.at("y")[0].get<double>(), 0.57, 1e-9);

  run.resolved.set_path("report.against", ConfigValue::text("stored_bytes"));
  run.resolved.set_path("report.lines", ConfigValue::text("study.battery.type"));
  figure = study_cost_figure(run);
  ASSERT_TRUE(figure);
  const auto& text = figure->drawing.at("series")[0];
  ASSERT_EQ(text.at("x").size(), 2u) << "a point a type";
  EXPECT_NEAR(text.at("x")[0].get<double>(), 6, 1e-9) << "50 and 70 bytes for 10 memories each";
  EXPECT_NEAR(text.at("cheapest")[0].get<double>(), 5, 1e-9);
  EXPECT_NEAR(text.at("dearest")[0].get<double>(), 7, 1e-9);
  EXPECT_EQ(figure->drawing.at("series")[1].at("x").size(), 1u) << "cone is asked of one type";
}

TEST(StudyCosts, AreOfARunWithoutAxesToo) {
  RunData run = run_of_study();
  run.axis_keys.clear();
  for (RunData::Row& row : run.rows) {
    row.axis_labels.clear();
    row.axis_values.clear();
    row.cost.seconds = 1e-3;
  }
  run.resolved.set_path("report.against", ConfigValue::text("seconds"));
  const std::optional<FigureData> figure = study_cost_figure(run);
  ASSERT_TRUE(figure);
  EXPECT_EQ(figure->drawing.at("series").size(), 3u);
}

TEST(StudyGains, AreOfTheArmsThatTheReportNamesWhereTheFirstRowIsAsked) {
  RunData run = run_of_study();
  EXPECT_FALSE(study_gains_figure(run)) << "no gains are named";
  run.resolved.set_path(
      "report.gains",
      ConfigValue::parse_yaml("{panels: [a, b], columns: {control: asked by name}, rows: {looks: "
                              "[cone, geometry], all: [geometry, geometry]}}",
                              "test.yaml"));
  run.resolved.set_path("report.lines", ConfigValue::text("study.battery.type"));
  const std::optional<FigureData> figure = study_gains_figure(run);
  ASSERT_TRUE(figure);
  const auto& drawing = figure->drawing;
  ASSERT_EQ(drawing.at("columns").size(), 2u) << "geometry is asked of both";
  EXPECT_EQ(drawing.at("columns")[1].at("name"), "asked by name");
  EXPECT_EQ(drawing.at("columns")[0].at("from"), 50) << "of text, in percent";
  const auto& cone = drawing.at("panels")[0].at("rows")[0];
  EXPECT_TRUE(cone.at("gains")[0].is_null()) << "is not asked of presence";
  EXPECT_NEAR(cone.at("gains")[1].get<double>(), -0.02, 1e-12);
  EXPECT_EQ(cone.at("sure")[1], false) << "4 of 200, all one way: p = 0.125";
  const auto& geometry = drawing.at("panels")[1].at("rows")[0];
  EXPECT_NEAR(geometry.at("gains")[0].get<double>(), 0.5, 1e-12);
  EXPECT_NEAR(geometry.at("gains")[1].get<double>(), -0.86, 1e-12);
  EXPECT_EQ(geometry.at("sure")[1], true);
  EXPECT_EQ(drawing.at("apart")[0], false);
  EXPECT_EQ(drawing.at("apart")[1], true) << "one arm in both panels";
  run.resolved.set_path(
      "report.gains", ConfigValue::parse_yaml("{panels: [a], rows: {looks: [cone]}}", "test.yaml"));
  EXPECT_EQ(study_gains_figure(run)->drawing.at("columns").size(), 1u);
}

TEST(StudyMatrix, HasARowForEachArmAndADashWhereItIsAskedNothing) {
  const std::string html = study_matrix_table(make_study_digest(run_of_study()));
  const auto count = [&](const std::string& text) {
    int found = 0;
    for (std::size_t at = html.find(text); at != std::string::npos; at = html.find(text, at + 1)) {
      ++found;
    }
    return found;
  };
  EXPECT_EQ(count("<tr>"), 4) << html;  // and one of names
  EXPECT_EQ(count("14 %"), 1) << html;
  EXPECT_EQ(count("–"), 1) << html;
  EXPECT_NE(html.find("is asked none"), std::string::npos) << html;
}

TEST(StudyMatrix, TellsWhoHadNothingToSayFromWhoWasWrong) {
  RunData run = run_of_study();
  for (RunData::Row& row : run.rows) {
    if (row.result.arm != "text" || row.axis_labels[1] != "presence") continue;
    row.result.study.right = 0;
    row.result.study.num_unanswered = row.result.study.num_trials;
  }
  const std::string html = study_matrix_table(make_study_digest(run));
  EXPECT_NE(html.find(">unanswered<"), std::string::npos) << html;
  EXPECT_NE(html.find("had nothing to say to any"), std::string::npos) << html;
  EXPECT_EQ(study_matrix_table(make_study_digest(run_of_study())).find("nanswered"),
            std::string::npos);
}

TEST(StudyCosts, AreTablesAlongAnAxisOfNumbers) {
  RunData run;
  run.name = "tiny";
  run.axis_keys = {"study.a.edits"};
  run.resolved = ConfigValue::parse_yaml("{study: {a: {}}, report: {against: seconds}}", "t.yaml");
  for (const int edits : {10, 100, 1000}) {
    for (const char* arm : {"talks", "silent"}) {
      RunData::Row row;
      row.axis_labels = {std::to_string(edits)};
      row.axis_values = {ConfigValue::integer(edits)};
      row.result.arm = arm;
      row.result.study.num_trials = 100;
      row.result.study.num_unanswered = std::string(arm) == "silent" ? 100 : 0;
      row.result.study.memory_size = 10;
      row.result.study.stored_bytes = 7 * edits;
      row.cost.seconds = 1e-6 * edits;
      run.rows.push_back(row);
    }
  }
  const std::string html = study_cost_table(run);
  EXPECT_NE(html.find("bytes kept per memory"), std::string::npos) << html;
  EXPECT_NE(html.find(">700<"), std::string::npos) << html;
  EXPECT_NE(html.find("time per trial (microseconds)"), std::string::npos) << html;
  EXPECT_NE(html.find(">0.1<"), std::string::npos) << html;
  EXPECT_NE(html.find("–"), std::string::npos) << "to say nothing takes no time: " << html;
  EXPECT_EQ(html.find("memories scored"), std::string::npos) << "no arm counts them: " << html;
  run.resolved = ConfigValue::parse_yaml("{study: {a: {}}}", "t.yaml");
  EXPECT_EQ(study_cost_table(run), "");
}

TEST(StudyTable, ListsOnlyWhatWasAsked) {
  const std::string html = study_tests_table(make_study_digest(run_of_study()));
  std::size_t rows = 0;
  for (std::size_t at = html.find("<tr>"); at != std::string::npos;
       at = html.find("<tr>", at + 1)) {
    ++rows;
  }
  EXPECT_EQ(rows, 1u + 5u) << html;  // a heading, five of six cells
}

// As in configs/storage_medium.yaml: the same trials, held against two arms.
TEST(StudyPage, TakesAnAxisOfBaselinesForComparisonsNotForTrials) {
  RunData run = run_of_study();
  run.axis_keys = {"baseline"};
  run.resolved = ConfigValue::parse_yaml("{study: {battery: {type: presence}}}", "test.yaml");
  run.rows.clear();
  const auto add = [&](const char* baseline, const char* arm, std::int64_t right,
                       std::int64_t only_arm, std::int64_t only_baseline) {
    RunData::Row row;
    row.axis_labels = {baseline};
    row.axis_values = {ConfigValue::text(baseline)};
    row.result.arm = arm;
    row.result.study.num_trials = 100;
    row.result.study.right = right;
    row.result.study.only_arm_right = only_arm;
    row.result.study.only_baseline_right = only_baseline;
    run.rows.push_back(row);
  };
  add("text", "text", 50, 0, 0);
  add("text", "march", 98, 49, 1);
  add("march", "text", 50, 1, 49);
  add("march", "march", 98, 0, 0);
  const StudyDigest digest = make_study_digest(run);
  EXPECT_EQ(digest.baselines, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(compare_with_baseline(digest).size(), 2u) << "no arm against itself";
  EXPECT_EQ(takeaway(digest),
            "text is right in 50 % of 100 trials; march is right in 98 % of 100 "
            "trials, more often than text.");
  EXPECT_EQ(study_figure(digest).drawing.at("ticks").size(), 1u);
}

TEST(StudyTakeaway, OfManyArmsTellsTheBest) {
  RunData run;
  run.resolved = ConfigValue::parse_yaml(
      "study: {battery: {type: presence}}\narms: {a: {answer: text}}\n", "t.yaml");
  for (int arm = 0; arm < 9; ++arm) {  // a: 10 %, b: 17 %, ..., i: 66 %
    RunData::Row row;
    row.result.arm = std::string(1, static_cast<char>('a' + arm));
    row.result.study.num_trials = 100;
    row.result.study.right = 10 + 7 * arm;
    row.result.study.only_arm_right = 7 * arm;
    run.rows.push_back(row);
  }
  EXPECT_EQ(takeaway(make_study_digest(run)),
            "a is right in 10 % of 100 trials; i is right in 66 % of 100 trials, more often than "
            "a; h is right in 59 % of 100 trials, more often than a; g is right in 52 % of 100 "
            "trials, more often than a. The other 5 arms reach from 17 % (b) to 45 % (f).");
  run.rows.resize(7);
  EXPECT_EQ(takeaway(make_study_digest(run)).find("The other"), std::string::npos);
}

TEST(StudyTakeaway, LeavesOutWhatAsksSomethingElse) {
  RunData run = run_of_study();
  run.resolved = ConfigValue::parse_yaml(
      "study: {battery: {type: presence}}\narms: {text: {answer: text}}\nreport: {apart: "
      "[control]}\n",
      "t.yaml");
  const std::string text = takeaway(make_study_digest(run));
  EXPECT_NE(text.find("text is right in 50 % of 200 trials"), std::string::npos) << text;
}

TEST(StudyTakeaway, OfOneGroupNamesTheBaseline) {
  RunData run = run_of_study();
  run.axis_keys = {"seed", "replicate"};
  const std::string text = takeaway(make_study_digest(run));
  EXPECT_NE(text.find("geometry is right in 57 % of 400 trials, less often than text"),
            std::string::npos)
      << text;
}

}  // namespace
}  // namespace sightline::host::report
