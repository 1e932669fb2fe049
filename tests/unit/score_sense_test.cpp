// What scores say of their measure: on the page, in the summary, and to who asks which are better.
#include "host/sweep/score_sense.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "host/report/score_text.h"
#include "host/report/study_curves.h"
#include "host/report/study_page.h"
#include "host/sweep/claims.h"
#include "host/sweep/family.h"
#include "host/sweep/summary.h"
#include "support/hand_made_run.h"
#include "support/study_answers.h"

namespace sightline::host {
namespace {

/// Three trials about a score, and as far from the baseline's as `gain` on either side.
StudyAnswers answers_of(double score, double gain) {
  std::vector<double> scores, baseline;
  for (const double more : {-0.01, 0.0, 0.01}) {
    scores.push_back(score + more);
    baseline.push_back(score - gain);
  }
  return tests::answers_of_scores(scores, baseline);
}

/// Arms `far` and `near`, of the measures that an axis has, or of the one in the file.
RunData navqa_run(const std::vector<std::string>& measures, const std::string& settings = "{}") {
  const std::string key = "study.navqa_questions.measure";
  tests::HandMadeRun run(
      measures.empty() ? std::vector<std::string>{} : std::vector<std::string>{key},
      "study: {navqa_questions: " + settings + "}\nbaseline: far\nmetrics: [score]\n");
  for (const std::string& measure : measures.empty() ? std::vector<std::string>{""} : measures) {
    const std::vector<ConfigValue> values =
        measures.empty() ? std::vector<ConfigValue>{}
                         : std::vector<ConfigValue>{ConfigValue::text(measure)};
    const double far = measure == "within" ? 0.4 : 0.08, near = measure == "within" ? 0.7 : 0.03;
    run.add(values, "far", Answers{});
    run.data.rows.back().result.study = answers_of(far, 0);
    run.add(values, "near", Answers{});
    run.data.rows.back().result.study = answers_of(near, near - far);
  }
  run.data.num_configurations = run.data.num_finished =
      static_cast<std::int64_t>(run.data.rows.size() / 2);
  return run.data;
}

TEST(ScoreSense, IsThatOfTheMeasureOfAnAxisOrOfTheFile) {
  const RunData both = navqa_run({"within", "error"});
  EXPECT_FALSE(score_sense_of(both, both.rows.front()).less_is_better);
  EXPECT_TRUE(score_sense_of(both, both.rows.back()).less_is_better);
  EXPECT_EQ(score_sense_of(both, both.rows.back()).units_per_score, 1000);
  const RunData file = navqa_run({}, "{measure: error}");
  EXPECT_TRUE(score_sense_of(file, file.rows.front()).less_is_better);
  const RunData unsaid = navqa_run({});
  EXPECT_FALSE(score_sense_of(unsaid, unsaid.rows.front()).less_is_better);
}

TEST(ScoreSense, IsOfTheStudyThatTheRunIsOf) {
  RunData run = navqa_run({}, "{measure: error}");
  run.resolved = ConfigValue::parse_yaml("study: {space_tasks: {measure: error}}", "test.yaml");
  EXPECT_FALSE(score_sense_of(run, run.rows.front()).less_is_better);
  run.resolved = ConfigValue::parse_yaml("world: {file: a.bt}", "test.yaml");
  EXPECT_EQ(measure_key(run), "");
  EXPECT_FALSE(score_sense_of(run, run.rows.front()).less_is_better);
}

TEST(ScoreSense, ManyMeasuresAreMixedAndOneIsNot) {
  EXPECT_TRUE(mixes_measures(navqa_run({"within", "error"})));
  EXPECT_FALSE(mixes_measures(navqa_run({"error"})));
  EXPECT_FALSE(mixes_measures(navqa_run({}, "{measure: error}")));
  EXPECT_FALSE(mixes_measures(navqa_run({})));
}

TEST(ScoreText, IsInTheUnitOfTheMeasure) {
  const ScoreSense metres{"error", true, 1000, " m"}, looks{"looks", true, 100, " looks"}, share{};
  EXPECT_EQ(report::score_text(metres, 0.03167), "31.7 m");
  EXPECT_EQ(report::score_text(looks, 0.0887), "8.87 looks");
  EXPECT_EQ(report::score_text(share, 0.0887), "8.87 %");
  EXPECT_EQ(report::score_range_text(metres, {0.01, 0.05}), "10 m – 50 m");
  EXPECT_EQ(report::score_gain_text(metres, -0.0123), "\u221212.3 m");
  EXPECT_EQ(report::score_gain_text(share, 0.729), "+72.9");
  EXPECT_EQ(report::score_note(metres), "100 % = 1000 m, less is better");
  EXPECT_EQ(report::score_note({"looks", true, 100, " looks"}),
            "100 % = 100 looks, less is better");
  EXPECT_EQ(report::score_note({"steps", true}), "less is better");
  EXPECT_EQ(report::score_note(share), "");
}

TEST(StudyPage, TellsErrorsInMetresAndOfWhatLessIsBetter) {
  const report::StudyDigest digest = report::make_study_digest(navqa_run({"within", "error"}));
  EXPECT_TRUE(digest.has_measures) << "told apart though report.lines names nothing";
  EXPECT_EQ(report::takeaway(digest),
            "far: within 40 %, error 80 m; near: within 70 %, error 30 m.");
  const std::string table = report::study_tests_table(digest);
  EXPECT_NE(table.find("Of error less is better."), std::string::npos) << table;
  EXPECT_NE(table.find("\u221250 m"), std::string::npos) << table;
  EXPECT_NE(report::study_matrix_table(digest).find("30 m"), std::string::npos);
  EXPECT_EQ(report::study_figure(digest).drawing.at("ticks")[1],
            "error\n(100 % = 1000 m, less is better)");
}

/// Grouped by another axis, or with an axis of baselines, each measure still stands alone.
TEST(StudyPage, AddsUpNoMeasuresWhateverItIsGroupedBy) {
  const RunData both = navqa_run({"within", "error"});
  for (const std::string key : {"study.navqa_questions.run", "baseline"}) {
    RunData run = both;
    run.rows.clear();
    run.axis_keys.insert(run.axis_keys.begin(), key);
    run.resolved.set_path("report.lines", ConfigValue::text("study.navqa_questions.run"));
    for (const char* value : {"far", "near"}) {
      for (RunData::Row row : both.rows) {
        row.axis_values.insert(row.axis_values.begin(), ConfigValue::text(value));
        row.axis_labels.insert(row.axis_labels.begin(), value);
        run.rows.push_back(row);
      }
    }
    const report::StudyDigest digest = report::make_study_digest(run);
    EXPECT_EQ(digest.groups, (std::vector<std::string>{"far, within", "far, error", "near, within",
                                                       "near, error"}));
    EXPECT_TRUE(digest.has_measures);
    EXPECT_EQ(digest.baselines[2], key == "baseline" ? 1u : 0u);
    EXPECT_EQ(report::takeaway(digest).find("110 trials"), std::string::npos);
    EXPECT_TRUE(digest.sense_of(3).less_is_better);
    EXPECT_FALSE(report::study_curves_figure(run));
  }
}

TEST(StudyPage, SaysOfOneCostThatLessIsBetter) {
  const report::StudyDigest digest = report::make_study_digest(navqa_run({}, "{measure: error}"));
  EXPECT_EQ(report::takeaway(digest),
            "far scores 80 m over 3 trials; near scores 30 m over 3 trials, less than far; less is "
            "better.");
}

/// Seven arms of the error alone: the nearest are told first.
TEST(StudyPage, TellsTheBestOfManyArmsFirstAlsoWhereLessIsBetter) {
  RunData run = navqa_run({}, "{measure: error}");
  run.rows.pop_back();
  for (int i = 1; i <= 7; ++i) {
    run.rows.push_back(run.rows.front());
    run.rows.back().result.arm = "a" + std::to_string(i);
    run.rows.back().result.study = answers_of(0.01 + 0.01 * i, 0.01 * i - 0.07);
  }
  const std::string text = report::takeaway(report::make_study_digest(run));
  EXPECT_NE(text.find("; a1 scores 20 m over 3 trials"), std::string::npos) << text;
  EXPECT_NE(text.find("The other 4 arms reach from 80 m (a7) to 50 m (a4); less is better."),
            std::string::npos)
      << text;
}

TEST(StudyPage, TellsTheFirstOfManyMeasures) {
  const std::string text = report::takeaway(
      report::make_study_digest(navqa_run({"within", "error", "a", "b", "c", "d"})));
  EXPECT_NE(text.find("near: within 70 %, error 30 m, a 3 %; and 3 more measures, below."),
            std::string::npos)
      << text;
}

TEST(StudyCurves, AreNotDrawnAlongNumbersThatAreNames) {
  const auto run_along = [](const std::string& key) {
    tests::HandMadeRun run({key}, "study: {navqa_questions: {}}\nbaseline: far\n");
    for (const int value : {0, 3, 21}) {
      run.add({ConfigValue::integer(value)}, "far", Answers{});
      run.data.rows.back().result.study = answers_of(0.5, 0);
    }
    return run.data;
  };
  EXPECT_TRUE(report::study_curves_figure(run_along("study.navqa_questions.within_m")));
  EXPECT_FALSE(report::study_curves_figure(run_along("study.navqa_questions.run")));
}

TEST(Summary, HasTheLeastErrorForTheBestAndNoMeanOverMeasures) {
  RunData run = navqa_run({"error"});
  run.rows.push_back(run.rows.front());
  run.rows.back().result.study = answers_of(0.02, 0);
  const auto score_of = [](const RunData& of) {
    return nlohmann::json::parse(summary_json(of)).at("arms").at(0).at("score");
  };
  EXPECT_NEAR(score_of(run).at("best").at("value").get<double>(), 0.02, 1e-6);
  EXPECT_NEAR(score_of(run).at("worst").at("value").get<double>(), 0.08, 1e-6);
  const RunData mixed = navqa_run({"within", "error"});
  EXPECT_TRUE(score_of(mixed).is_null());
  EXPECT_TRUE(nlohmann::json::parse(summary_json(mixed)).at("arms").at(0).at("accuracy").is_null());
}

TEST(Claims, TakeLessForBetterWhereItIs) {
  RunData run = navqa_run({"within", "error"});
  const auto verdict_of = [&](const std::string& claim) {
    run.resolved.set_path(
        "claims", ConfigValue::parse_yaml(
                      "[{text: a, arm: near, by: [study.navqa_questions.measure], " + claim + "}]",
                      "test.yaml"));
    return evaluate_claims(run).at(0);
  };
  // Three of three, either way: p = 0.25.
  EXPECT_EQ(verdict_of("sign_p: {max: 0.3}").holds, true) << verdict_of("sign_p: {max: 0.3}").found;
  EXPECT_EQ(verdict_of("sign_p: {max: 0.3, side: worse}").holds, false);
}

TEST(FamilyTests, OfSeveralMeasuresAreNone) {
  RunData run = navqa_run({"within", "error"});
  run.resolved.set_path("family",
                        ConfigValue::parse_yaml("[{arm: near, test: sign}]", "test.yaml"));
  const std::vector<Family> families = declared_families(run);
  ASSERT_EQ(families.at(0).tests.size(), 1u);
  EXPECT_FALSE(families[0].tests[0].is_tested);
  EXPECT_NE(families[0].tests[0].why_untested.find("the same trials"), std::string::npos);
}

TEST(FamilyTests, AreWonByLessWhereThatIsBetter) {
  RunData run = navqa_run({"within", "error"});
  run.resolved.set_path(
      "family", ConfigValue::parse_yaml(
                    "[{arm: near, by: [study.navqa_questions.measure], test: sign}]", "test.yaml"));
  const std::vector<Family> families = declared_families(run);
  ASSERT_EQ(families.size(), 1u);
  ASSERT_EQ(families[0].tests.size(), 2u);
  EXPECT_TRUE(families[0].tests[0].is_win()) << "more within reach";
  EXPECT_TRUE(families[0].tests[1].is_win()) << "less far off";
  EXPECT_EQ(families[0].tests[1].c, 3) << "all three lower";
}

}  // namespace
}  // namespace sightline::host
