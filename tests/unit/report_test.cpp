// The page of a run: what is said, and what a browser is given.
#include "host/report/report.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "host/error.h"
#include "host/report/audit.h"
#include "host/report/digest.h"
#include "host/report/drawing.h"
#include "host/report/page.h"
#include "host/report/takeaway.h"
#include "host/report/text.h"
#include "support/hand_made_run.h"
#include "support/matplotlib.h"

namespace sightline::host::report {
namespace {

using tests::answers_of;
using tests::HandMadeRun;
using tests::occlusion_pilot;

constexpr double kRounding = 1e-12;  // absolute: a few double operations on values near 1

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

// --- Numbers as text ---------------------------------------------------------------------------

TEST(ReportText, NeverRoundsNearlyAllToAll) {
  EXPECT_EQ(percent_text(1), "100 %");
  EXPECT_EQ(percent_text(0), "0 %");
  EXPECT_EQ(percent_text(0.98689), "98.7 %");
  EXPECT_EQ(percent_text(0.999996), "99.9996 %");
  EXPECT_EQ(percent_text(0.9995), "99.95 %");
  EXPECT_EQ(percent_text(0.9994), "99.9 %");
  EXPECT_EQ(percent_text(0.000412), "0.0412 %");
}

TEST(ReportText, WritesCountsAndPValuesForPeople) {
  EXPECT_EQ(count_text(7), "7");
  EXPECT_EQ(count_text(1144), "1,144");
  EXPECT_EQ(count_text(-1234567), "-1,234,567");
  EXPECT_EQ(p_value_text(1), "1");
  EXPECT_EQ(p_value_text(0.03857), "0.0386");
  EXPECT_EQ(p_value_text(1.7458768723248864e-251), "1.75e-251");
  EXPECT_EQ(p_value_text(0), "< 1e-300");
  EXPECT_EQ(rate_text(167473000), "167.5 M");
  EXPECT_EQ(rate_text(12.345), "12.35");
}

TEST(ReportText, OfAnAuditHasPAsThePageHasIt) {
  Audit audit;
  FamilyTest test{"march", "step 0.1 m", 3000, 0};
  test.p = test.p_adjusted = 0;
  audit.families = {{"the sweep file", {test}}};
  AuditedArm arm;
  arm.name = "march";
  arm.num_tests = arm.num_better = 1;
  arm.least_adjusted_p = 0;
  audit.arms = {arm};
  const std::string text = audit_text(audit);
  EXPECT_TRUE(contains(text, "c 0, p < 1e-300, adjusted < 1e-300, survives\n")) << text;
  EXPECT_TRUE(contains(text, "least adjusted p < 1e-300\n")) << text;
}

TEST(ReportText, NamesAxesWithTheirUnits) {
  EXPECT_EQ(axis_name("world.scene"), "scene");
  EXPECT_EQ(axis_name("field_of_view.half_angle_deg"), "half angle");
  EXPECT_EQ(axis_title("recall.verify.line_of_sight.step_m"), "march step (m)");
  EXPECT_EQ(axis_title("field_of_view.half_angle_deg"), "half angle (°)");
  EXPECT_EQ(axis_title("budget"), "budget");
  EXPECT_EQ(axis_value_label("visibility.step_m", "0.5"), "step 0.5 m");
  EXPECT_EQ(axis_value_label("field_of_view.half_angle_deg", "45"), "half angle 45°");
  EXPECT_EQ(axis_value_label("visibility.unknown", "free"), "unknown free");
}

TEST(ReportText, EscapesWhatHtmlWouldRead) {
  EXPECT_EQ(escape_html("<b a=\"1\" c='2'>&"), "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;");
}

TEST(ReportTemplate, FillsEveryNameOnceAndRefusesStrangers) {
  EXPECT_EQ(fill_template("{{a}}-{{b}}-{{a}}", {{"a", "{{b}}"}, {"b", "2"}}), "{{b}}-2-{{b}}");
  EXPECT_THROW(fill_template("{{c}}", {{"a", "1"}}), RunError);
  EXPECT_THROW(fill_template("{{a", {{"a", "1"}}), RunError);
}

// --- Words and tests -----------------------------------------------------------------------------

TEST(Takeaway, SaysWhatTheStepDoesInNumbers) {
  EXPECT_EQ(takeaway(make_digest(occlusion_pilot().data)),
            "With a march step of 1 m, march calls 43 of 849 hidden targets visible (5.06 %; 95 % "
            "CI 3.78 % to 6.75 %); with 0.1 m, 0 (0 %). Its accuracy rises from 96.2 % to 100 % as "
            "the step shrinks.");
}

TEST(Takeaway, ComparesArmsWhereNoStepIsSwept) {
  HandMadeRun run({});
  run.add({}, "text", answers_of(295, 849, 849));
  run.add({}, "exact", answers_of(295, 849, 0));
  EXPECT_EQ(takeaway(make_digest(run.data)),
            "exact judges 100 % of 1,144 targets right and calls 0 of 849 hidden targets visible "
            "(0 %; 95 % CI 0 % to 0.45 %); the baseline (text) judges 25.8 % right.");
}

TEST(Takeaway, DescribesALineAxisWithoutCallingItACause) {
  HandMadeRun run({"angle_deg", "visibility.step_m"});
  for (const double angle : {30.0, 60.0}) {
    for (const double step_m : {0.1, 0.5}) {
      run.add({ConfigValue::number(angle), ConfigValue::number(step_m)}, "march",
              answers_of(10, 90, step_m > 0.2 ? static_cast<std::int64_t>(angle / 10) : 0));
    }
  }
  const std::string text = takeaway(make_digest(run.data));
  EXPECT_TRUE(contains(text,
                       "Over the values of angle_deg, its accuracy at 0.5 m ranges from 94 % "
                       "(angle 60°) to 97 % (angle 30°)."))
      << text;
  EXPECT_FALSE(contains(text, "depends")) << text;
}

TEST(PairedComparisons, GiveExactPAndHolmOverTheRun) {
  const std::vector<PairedComparison> comparisons =
      compare_with_baseline(make_digest(occlusion_pilot().data));
  ASSERT_EQ(comparisons.size(), 3u);  // one arm at three steps
  const PairedComparison& half = comparisons[1];
  EXPECT_EQ(half.only_arm_right, 834);
  EXPECT_EQ(half.only_baseline_right, 0);
  EXPECT_EQ(half.p, 1.7458768723248864464e-251);
  EXPECT_EQ(half.p_adjusted, 2 * 1.7458768723248864464e-251);  // second smallest of three
  EXPECT_NEAR(half.difference, 834.0 / 1144, kRounding);
  EXPECT_LT(half.interval.low, half.difference);
  EXPECT_GT(half.interval.high, half.difference);
}

TEST(PairedComparisons, AskOnceWhereStepsMakeNoDifference) {
  HandMadeRun run = occlusion_pilot();
  for (const double step_m : {1.0, 0.5, 0.1}) {
    run.add({ConfigValue::number(step_m)}, "cone", answers_of(295, 849, 849));
  }
  const std::vector<PairedComparison> comparisons = compare_with_baseline(make_digest(run.data));
  EXPECT_EQ(comparisons.size(), 4u);  // three of march, one of cone
  EXPECT_TRUE(comparisons.back().every_step);
}

// --- The page ------------------------------------------------------------------------------------

TEST(ReportPage, NeedsNoOtherFileAndSaysFiguresInWords) {
  SIGHTLINE_REQUIRE_MATPLOTLIB();
  const std::string page = make_report(occlusion_pilot().data);
  EXPECT_EQ(page.rfind("<!DOCTYPE html>", 0), 0u);
  EXPECT_EQ(count_of(page, "<svg"), 3u);  // curves, arms, cost
  EXPECT_EQ(count_of(page, "<svg role=\"img\" aria-label=\""), 3u);
  EXPECT_TRUE(contains(page, "0.5 m: 98.7 % right, 1.77 % false visible"));
  for (const char* outside :
       {"<link", "<script", "src=\"http", "url(http", "@import", "<metadata"}) {
    EXPECT_FALSE(contains(page, outside)) << outside;
  }
  EXPECT_EQ(count_of(page, "href=\"http"), 0u);
  EXPECT_FALSE(contains(page, "{{"));
}

TEST(ReportPage, ListsClaimsWithTheirVerdicts) {
  EXPECT_EQ(claims_table(occlusion_pilot().data), "");
  host::RunData run = occlusion_pilot().data;
  run.resolved = ConfigValue::parse_yaml(
      "{baseline: text, claims: [{text: a < b, arm: march, where: {visibility.step_m: 0.5}, "
      "num_occluded: 849}, "
      "{text: c, arm: march, false_visible: 0}]}",
      "test.yaml");
  run.num_configurations = run.num_finished = 6;
  const std::string section = claims_table(run);
  EXPECT_TRUE(contains(section, "a &lt; b</td>")) << section;
  EXPECT_EQ(count_of(section, ">reproduced</td>"), 1u) << section;
  EXPECT_EQ(count_of(section, ">not reproduced</td>"), 1u) << section;
  EXPECT_TRUE(contains(section, "false_visible = 58")) << section;
}

TEST(ReportPage, SetsIntervalAndPaperBesideWhatIsFound) {
  host::RunData run = occlusion_pilot().data;
  run.resolved = ConfigValue::parse_yaml(
      "{baseline: text, claims: [{text: a, arm: march, where: {visibility.step_m: 0.5}, "
      "false_visible_rate: {max: 0.02}, paper: \"0.018\"}, "
      "{text: b, needs_model: true, paper: \"0.990\"}]}",
      "test.yaml");
  run.num_configurations = run.num_finished = 6;
  const std::string section = claims_table(run);
  EXPECT_TRUE(contains(section, ">95 % CI</th>") && contains(section, ">paper</th>")) << section;
  EXPECT_TRUE(contains(section, ">0.01074 to 0.02895</td><td class=\"wide\">0.018</td>"))
      << section;
  EXPECT_TRUE(contains(section, ">0.990</td><td class=\"wide\">not testable without a model</td>"))
      << section;
}

/// What make_collection is given of a run; `report` is the sweep file's.
PageParts parts_named(const std::string& title, const host::RunData& run) {
  PageParts parts{title, "", "takes away", {}, {}, {}, "", "", "", run, title + "/report.html"};
  parts.overview_html = "<p>overview of " + title + "</p>";
  return parts;
}

TEST(ReportCollection, FollowsTheSectionsOfEachPaper) {
  const auto run_in = [](const std::string& section) {
    host::RunData run = occlusion_pilot().data;
    run.resolved = ConfigValue::parse_yaml(
        "baseline: text\nclaims: [{text: model, needs_model: true, paper: 1}]\n" +
            (section.empty()
                 ? ""
                 : "report: {section: " + section + ", note: \"moves <here>\\n\\nsecond\"}\n"),
        "test.yaml");
    run.num_configurations = run.num_finished = 6;
    return run;
  };
  const host::RunData none = run_in(""), tenth = run_in("{paper: P, number: \"6.10\", title: T}"),
                      other = run_in("{paper: A, number: 2}"),
                      ninth = run_in("{paper: P, number: \"6.9\", title: Z}");
  const std::string page =
      make_collection("all", {parts_named("none", none), parts_named("tenth", tenth),
                              parts_named("other", other), parts_named("ninth", ninth)});
  std::vector<std::size_t> places;
  for (const char* words : {"<h2 class=\"chapter\">P, section 6.9: Z</h2>", "<h2>ninth</h2>",
                            "<h2 class=\"chapter\">P, section 6.10: T</h2>", "<h2>tenth</h2>",
                            "<h2 class=\"chapter\">A, section 2</h2>", "<h2>other</h2>",
                            "<h2 class=\"chapter\">Other runs</h2>", "<h2>none</h2>"}) {
    places.push_back(page.find(words));
    EXPECT_NE(places.back(), std::string::npos) << words;
  }
  EXPECT_TRUE(std::is_sorted(places.begin(), places.end()));
  EXPECT_TRUE(contains(page,
                       "<p class=\"remark\">moves &lt;here&gt;</p>\n<p "
                       "class=\"remark\">second</p>"));
  EXPECT_EQ(count_of(page, "<p>overview of "), 4u);
  EXPECT_TRUE(contains(page,
                       "4 claims of 4 runs: 0 reproduced, 0 not reproduced, 4 not testable "
                       "without a model."));
}

TEST(ReportPage, TellsTheHashOfThePreregistration) {
  SIGHTLINE_REQUIRE_MATPLOTLIB();
  host::RunData run = occlusion_pilot().data;
  run.resolved = ConfigValue::parse_yaml(
      "{baseline: text, claims: [{text: a, arm: march, false_visible: 58}]}", "test.yaml");
  EXPECT_TRUE(contains(make_report(run), "the run was not preregistered"));
  run.manifest_json = R"({"preregistration_sha256": "0123abcd"})";
  EXPECT_TRUE(contains(make_report(run),
                       "Fixed before the run was scored: preregistration SHA-256 0123abcd."));
}

TEST(ReportPage, HasEveryIdOnce) {
  SIGHTLINE_REQUIRE_MATPLOTLIB();
  const std::string page = make_report(occlusion_pilot().data);
  std::vector<std::string> ids;
  for (std::size_t at = page.find(" id=\""); at != std::string::npos;
       at = page.find(" id=\"", at + 1)) {
    const std::size_t begin = at + 5;
    ids.push_back(page.substr(begin, page.find('"', begin) - begin));
  }
  ASSERT_GT(ids.size(), 10u);
  std::sort(ids.begin(), ids.end());
  EXPECT_EQ(std::adjacent_find(ids.begin(), ids.end()), ids.end());
}

TEST(ReportPage, IsTheSameEveryTime) {
  SIGHTLINE_REQUIRE_MATPLOTLIB();
  EXPECT_EQ(make_report(occlusion_pilot().data), make_report(occlusion_pilot().data));
}

TEST(ReportPage, EscapesAllTextOfTheRun) {
  SIGHTLINE_REQUIRE_MATPLOTLIB();
  const std::string hostile = "<script>alert('x')</script>";
  HandMadeRun run({"visibility.step_m", hostile}, "{description: \"" + hostile + "\"}");
  run.data.name = hostile;
  run.data.manifest_json = R"({"command": ["sightline", "<script>alert('x')</script>"]})";
  run.data.failures.push_back({0, "0", hostile});
  for (const double step_m : {0.1, 0.5}) {
    for (const int wrong : {3, 30}) {
      run.add({ConfigValue::number(step_m), ConfigValue::text(hostile + std::to_string(wrong))},
              hostile, answers_of(10, 90, step_m > 0.2 ? wrong : 0));
    }
  }
  const std::string page = make_report(run.data);
  EXPECT_FALSE(contains(page, "<script"));
  EXPECT_GE(count_of(page, "&lt;script&gt;"), 6u);
}

TEST(ReportPage, BeginsWithBarsWhereNoStepIsSwept) {
  SIGHTLINE_REQUIRE_MATPLOTLIB();
  HandMadeRun run({"world.scene"});
  for (const char* world : {"thin", "solid"}) {
    run.add({ConfigValue::text(world)}, "text", answers_of(30, 70, 70));
    run.add({ConfigValue::text(world)}, "march",
            answers_of(30, 70, world == std::string("thin") ? 40 : 0));
  }
  const std::string page = make_report(run.data);
  const std::size_t lines = page.find("march by scene"), arms = page.find("What each arm makes");
  ASSERT_NE(lines, std::string::npos);
  ASSERT_NE(arms, std::string::npos);
  EXPECT_LT(lines, arms);
  EXPECT_FALSE(contains(page, "What a coarser march gets wrong"));
}

TEST(ReportPage, SaysWhyTheWorldIsNotDrawn) {
  SIGHTLINE_REQUIRE_MATPLOTLIB();
  const std::string page = make_report(occlusion_pilot().data);  // its sweep file names no world
  EXPECT_TRUE(contains(page, "There is no picture of the world"));
}

TEST(ReportPage, SaysThatARunIsUnfinished) {
  SIGHTLINE_REQUIRE_MATPLOTLIB();
  HandMadeRun run = occlusion_pilot();
  run.data.num_configurations = 1000;
  run.data.num_finished = 3;
  EXPECT_TRUE(contains(make_report(run.data), "3 of 1,000 configurations are finished"));
}

TEST(ReportTables, EndAfterTwoHundredRowsAndLinkToTheRest) {
  HandMadeRun run({"seed"});
  for (int seed = 0; seed < 250; ++seed) {
    run.add({ConfigValue::integer(seed)}, "march", answers_of(10, 90, seed % 7));
  }
  const std::string table = results_table(run.data, "../run 1/results.csv");
  EXPECT_EQ(count_of(table, "<tr>"), 1 + kMaxTableRows);
  EXPECT_TRUE(contains(table, "The first 200 of 250 rows"));
  EXPECT_TRUE(contains(table, "<div class=\"scroll\" role=\"region\""));
  EXPECT_TRUE(contains(table, "<a href=\"../run 1/results.csv\">"));
}

TEST(ReportTables, ShowWhereTheNumbersComeFrom) {
  const std::string table = provenance_table(
      R"({"name": "pilot", "ended": null, "command": ["sightline", "sweep"],
          "environment": {"machine": {"hostname": "host<1>"}}})");
  EXPECT_TRUE(contains(table, "<td>environment.machine.hostname</td>"));
  EXPECT_TRUE(contains(table, "host&lt;1&gt;"));
  EXPECT_TRUE(contains(table, "sightline sweep"));
  EXPECT_FALSE(contains(table, "ended"));
  EXPECT_TRUE(contains(provenance_table("not json"), "no manifest that can be read"));
}

TEST(Drawing, PassesOnWhatPythonSays) {
  SIGHTLINE_REQUIRE_MATPLOTLIB();
  const TemporaryDirectory directory;
  try {
    draw_figures({{{"name", "x"}, {"kind", "no such kind"}}}, directory);
    FAIL() << "an unknown kind of figure was drawn";
  } catch (const RunError& error) {
    EXPECT_TRUE(contains(error.what(), "KeyError")) << error.what();
  }
}

TEST(TemporaryDirectory, LeavesNothingBehind) {
  std::string path;
  {
    const TemporaryDirectory directory;
    path = directory.path();
    EXPECT_EQ(run_child({"/bin/sh", "-c", "echo no >&2; exit 7"}, path).exit_code, 7);
    EXPECT_EQ(run_child({"/bin/sh", "-c", "echo no >&2"}, path).errors, "no\n");
    EXPECT_EQ(run_child({"/bin/sh", "-c", "kill -TERM $$"}, path).exit_code, 128 + 15);
    EXPECT_THROW(run_child({"/no/such/program"}, path), RunError);
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace sightline::host::report
