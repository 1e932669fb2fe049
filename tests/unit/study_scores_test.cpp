// A study whose trials can be half right: what its page, its claims and its curves make of scores.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "host/report/study_curves.h"
#include "host/report/study_page.h"
#include "host/report/study_talk.h"
#include "host/sweep/claims.h"
#include "host/sweep/family.h"
#include "host/sweep/study_experiment.h"
#include "support/errors.h"
#include "support/hand_made_run.h"
#include "support/study_answers.h"

namespace sightline::host::report {
namespace {

using tests::answers_of_scores;
using tests::whole_of;

const std::vector<double> kPlain{0.2, 0.3, 0.4, 0.5}, kBetter{0.5, 0.4, 0.6, 0.7};

constexpr const char* kMeasure = "study.space_exploration.measure";

/// Budgets 1, 2 and 10 of two kinds, or measures; the arm `better` gains with the budget.
RunData run_of_scores(const std::string& claims = "", const std::string& kinds = "kind") {
  tests::HandMadeRun run({"budget", kinds},
                         "study: {space_exploration: {}}\nbaseline: plain\nmetrics: [score]\n"
                         "report: {lines: " +
                             kinds + "}\n" + claims);
  for (const int budget : {10, 1, 2}) {
    for (const char* measure : {"gain", "map"}) {
      const std::vector<ConfigValue> values{ConfigValue::integer(budget),
                                            ConfigValue::text(measure)};
      run.add(values, "plain", Answers{});
      run.data.rows.back().result.study = answers_of_scores(kPlain, kPlain);
      run.add(values, "better", Answers{});
      run.data.rows.back().result.study = answers_of_scores(budget == 1 ? kPlain : kBetter, kPlain);
    }
  }
  run.data.num_configurations = run.data.num_finished = 6;
  return run.data;
}

TEST(StudyScores, AreMeansWithTheirIntervals) {
  const StudyDigest digest = make_study_digest(run_of_scores());
  ASSERT_TRUE(digest.shows_scores);
  const Rate rate = *digest.rate_of(digest.at(1, 0));
  EXPECT_NEAR(rate.value, (0.35 + 2 * 0.55) / 3, 1e-6);
  EXPECT_LT(rate.interval.low, rate.value);
  EXPECT_GT(rate.interval.high, rate.value);
}

/// Four trials that are one observation: their mean counts once.
StudyAnswers observation_of(double score, double gain) {
  StudyAnswers answers;
  answers.num_trials = 4;
  answers.num_observations = 1;
  answers.score_sum = whole_of(score);
  answers.score_square_sum = whole_of(score * score);
  answers.score_gain_sum = whole_of(gain);
  answers.score_gain_square_sum = whole_of(gain * gain);
  return answers;
}

TEST(StudyScores, OfObservationsThatAreManyTrialsHaveTheIntervalOfTheirMeans) {
  const Measures& measures = measures_of(ExperimentKind::kStudy);
  ResultRow total;
  for (const int set : {0, 1, 2}) {
    ResultRow row;
    row.study = observation_of(0.6 + 0.1 * set, 0.1 + 0.1 * set);
    measures.add(row, &total);
  }
  EXPECT_EQ(total.study.num_trials, 12);
  const Rate rate = *measures.find_rate("score")->of(total);
  EXPECT_NEAR(rate.value, 0.7, 1e-6);
  // 0.6, 0.7, 0.8: sd 0.1, t(2) = 4.3027, over the root of 3 sets; of 12 trials it would be 0.05.
  EXPECT_NEAR(rate.interval.high - rate.value, 4.3027 * 0.1 / std::sqrt(3.0), 1e-4);
  const stats::Sums gain = measures.score_gain(total);
  EXPECT_EQ(gain.n, 3);
  EXPECT_NEAR(gain.mean(), 0.2, 1e-6);
}

TEST(StudyScores, AreComparedPairByPair) {
  const StudyDigest digest = make_study_digest(run_of_scores("", kMeasure));
  const std::vector<StudyComparison> tests = compare_with_baseline(digest);
  ASSERT_EQ(tests.size(), 2u);
  // Differences: four of 0 and twice 0.3, 0.1, 0.2, 0.2; t(11) = 3.94..., not from any 0 and 1.
  EXPECT_LT(tests[0].p, 0.005);
  EXPECT_GT(tests[0].p, 0.0005);
  EXPECT_EQ(takeaway(digest), "plain: gain 35 %, map 35 %; better: gain 48.3 %, map 48.3 %.")
      << "a mean over measures would mean nothing";
  RunData run = run_of_scores();
  run.resolved.set_path("report.lines", ConfigValue::text("budget"));
  EXPECT_EQ(takeaway(make_study_digest(run)),
            "plain scores 35 % over 24 trials; better scores 48.3 % over 24 trials, more on 10 and "
            "2.");
}

/// Is `better`, whose scores are these, ahead of `rival` by the interval of the difference?
std::optional<bool> is_ahead(const std::vector<double>& better, const std::vector<double>& plain,
                             const std::string& rival) {
  tests::HandMadeRun run({"budget"},
                         "study: {space_exploration: {}}\nbaseline: plain\nmetrics: [score]\n"
                         "claims:\n  - {text: t, arm: better, at_least: {rate: score, arm: " +
                             rival + ", interval: true}}\n");
  for (const auto& [arm, scores] :
       {std::pair{"plain", &plain}, {"better", &better}, {"other", &plain}}) {
    run.add({ConfigValue::integer(1)}, arm, Answers{});
    run.data.rows.back().result.study = answers_of_scores(*scores, plain);
  }
  run.data.num_configurations = run.data.num_finished = 1;
  return evaluate_claims(run.data).at(0).holds;
}

/// Small leads in every trial: a count of them would be none of anything.
TEST(StudyScores, ThatLeadByAFewHundredthsEachAreAhead) {
  std::vector<double> plain, better;
  for (int i = 0; i < 50; ++i) {
    plain.push_back(0.5 + 0.01 * (i % 5));
    better.push_back(plain.back() + 0.05);
  }
  for (const char* rival : {"plain", "other"}) EXPECT_EQ(is_ahead(better, plain, rival), true);
  // Two in three score lower by a little, the others higher by much: the means say the opposite.
  std::vector<double> mixed = plain;
  for (std::size_t i = 0; i < mixed.size(); ++i) mixed[i] += i % 3 == 0 ? 0.4 : -0.01;
  EXPECT_EQ(is_ahead(mixed, plain, "plain"), false) << "17 higher, 33 lower";
  plain.resize(5), better.resize(5);
  EXPECT_EQ(is_ahead(better, plain, "other"), true) << "by the interval, and no pairs are known";
  EXPECT_EQ(is_ahead(better, plain, "plain"), false) << "5 of 5 higher: p = 0.0625";
}

TEST(StudyScores, AreDrawnOverAnAxisOfNumbersInItsOrder) {
  const std::optional<FigureData> figure = study_curves_figure(run_of_scores());
  ASSERT_TRUE(figure);
  EXPECT_EQ(figure->drawing.at("x").at("values"), (std::vector<double>{1, 2, 10}));
  EXPECT_EQ(figure->drawing.at("x").at("log"), false);
  ASSERT_EQ(figure->drawing.at("panels").size(), 2u);
  const auto& curves = figure->drawing.at("panels")[1].at("curves");
  EXPECT_EQ(curves[1].at("label"), "better");
  EXPECT_NEAR(curves[1].at("y")[0].get<double>(), 0.35, 1e-6);
  EXPECT_NEAR(curves[1].at("y")[2].get<double>(), 0.55, 1e-6);
}

TEST(StudyScores, AreDrawnOverALogarithmWhereNumbersLieFarApart) {
  RunData run = run_of_scores();
  for (RunData::Row& row : run.rows) {
    for (ConfigValue& value : row.axis_values) {
      if (value.is_number() && value.as_number() == 10) value = ConfigValue::integer(100);
    }
  }
  EXPECT_EQ(study_curves_figure(run)->drawing.at("x").at("log"), true);
}

/// Interrupted before `map` was run with the last budget.
TEST(StudyScores, OfAnInterruptedRunLeaveAGapInTheCurve) {
  RunData run = run_of_scores();
  run.rows.resize(run.rows.size() - 2);
  const std::optional<FigureData> figure = study_curves_figure(run);
  ASSERT_TRUE(figure);
  EXPECT_EQ(figure->drawing.at("x").at("values"), (std::vector<double>{1, 2, 10}));
  const auto& y = figure->drawing.at("panels")[1].at("curves")[0].at("y");
  ASSERT_EQ(y.size(), 3u);
  EXPECT_TRUE(y[1].is_null()) << "budget 2 comes last";
  EXPECT_FALSE(y[2].is_null());
}

TEST(StudyScores, HaveCurvesOfThePanelsThatAreChosen) {
  RunData run = run_of_scores();
  const auto choose = [&](const std::vector<std::string>& names) {
    std::vector<ConfigValue> values;
    for (const std::string& name : names) values.push_back(ConfigValue::text(name));
    run.resolved.set_path("report.curves", ConfigValue::list(values));
  };
  choose({"map"});
  const std::optional<FigureData> figure = study_curves_figure(run);
  ASSERT_TRUE(figure);
  ASSERT_EQ(figure->drawing.at("panels").size(), 1u);
  EXPECT_EQ(figure->drawing.at("panels")[0].at("title"), "map");
  choose({"map", "gain"});
  EXPECT_EQ(study_curves_figure(run)->drawing.at("panels")[1].at("title"), "gain");
  choose({"none of this run"});
  EXPECT_FALSE(study_curves_figure(run));
}

TEST(StudyScores, HaveNoCurvesWithoutAnAxisOfNumbers) {
  RunData run = run_of_scores();
  run.resolved.set_path("report.lines", ConfigValue::text("budget"));
  EXPECT_FALSE(study_curves_figure(run));
}

const char* const kTalk =
    "report: {talk: {along: budget, x: looks, y: gain, curves: {better: The better one}, levels: "
    "{plain: The plain one, absent: None}}}\n";

/// A talk's figure of the run above.
std::optional<FigureData> talk_of(RunData run, const char* settings = kTalk) {
  run.resolved.merge(ConfigValue::parse_yaml(settings, "talk.yaml"));
  return study_talk_figure(run);
}

TEST(StudyScores, AreShownToATalk) {
  const std::optional<FigureData> figure = talk_of(run_of_scores());
  ASSERT_TRUE(figure);
  EXPECT_EQ(figure->drawing.at("x").at("values"), (std::vector<double>{1, 2, 10}));
  EXPECT_EQ(figure->drawing.at("x").at("label"), "looks");
  const auto& panel = figure->drawing.at("panels")[0];
  EXPECT_EQ(panel.at("ylabel"), "gain");
  ASSERT_EQ(panel.at("curves").size(), 1u);
  EXPECT_EQ(panel.at("curves")[0].at("label"), "The better one");
  EXPECT_NEAR(panel.at("curves")[0].at("y")[0].get<double>(), 0.35, 1e-6);
  EXPECT_NEAR(panel.at("curves")[0].at("y")[1].get<double>(), 0.55, 1e-6);
  ASSERT_EQ(panel.at("levels").size(), 1u) << "the run has no arm `absent`";
  EXPECT_EQ(panel.at("levels")[0].at("label"), "The plain one");
  EXPECT_NEAR(panel.at("levels")[0].at("y").get<double>(), 0.35, 1e-6);
  EXPECT_NE(figure->alt.find("The better one: 35 % at 1, 55 % at 2, 55 % at 10."),
            std::string::npos)
      << figure->alt;
}

TEST(StudyScores, AreShownToATalkOnlyAlongNumbers) {
  EXPECT_FALSE(study_talk_figure(run_of_scores())) << "none is asked for";
  EXPECT_FALSE(talk_of(run_of_scores(),
                       "report: {talk: {along: kind, x: x, y: y, "
                       "curves: {plain: p}}}\n"));
  EXPECT_FALSE(
      talk_of(run_of_scores(), "report: {talk: {along: other, x: x, y: y, curves: {plain: p}}}\n"));
  RunData interrupted = run_of_scores();
  interrupted.rows.resize(4);  // one budget
  EXPECT_FALSE(talk_of(interrupted));
}

TEST(StudyScores, AreClaimedByTheirDifference) {
  const auto results = evaluate_claims(run_of_scores(
      "claims:\n"
      "  - {text: a, arm: better, where: {budget: 10}, score_delta: {min: 0.199, max: 0.201}}\n"
      "  - {text: b, arm: better, where: {budget: 10}, score_delta_low: {min: 0.1}}\n"
      "  - {text: c, arm: better, where: {budget: 10}, score_delta_low: {min: 0.2}}\n"
      "  - {text: d, arm: better, where: {budget: 1}, score_delta_high: {min: 0.32, max: "
      "0.33}}\n"));
  ASSERT_EQ(results.size(), 4u);
  EXPECT_EQ(results[0].holds, true) << results[0].found;
  EXPECT_EQ(results[1].holds, true) << results[1].found;
  EXPECT_EQ(results[2].holds, false) << results[2].found;
  EXPECT_EQ(results[3].holds, true) << "eight that agree: Wilson's of none" << results[3].found;
}

// Three budgets, a family: of 10 and 2 all eight scores are higher, 2^-7; of 1 none differs.
TEST(StudyScores, AreClaimedByAnExactTestOfWhoScoresHigher) {
  const std::string claims =
      "claims:\n"
      "  - {text: a, arm: better, where: {budget: 10}, sign_p: {min: 0.0078, max: 0.0079}}\n"
      "  - {text: b, arm: better, where: {budget: 1}, sign_p: 1}\n"
      "  - {text: c, arm: better, by: [budget], holm_sign_p: {max: 0.024}}\n"
      "  - {text: d, arm: better, where: {budget: [2, 10]}, by: [budget], holm_sign_p: {max: "
      "0.0157}}\n"
      "  - {text: e, arm: better, where: {budget: [2, 10]}, by: [budget], holm_sign_p: {max: "
      "0.0156}}\n";
  const auto results = evaluate_claims(run_of_scores(claims));
  ASSERT_EQ(results.size(), 5u);
  EXPECT_EQ(results[0].holds, true) << results[0].found;
  EXPECT_EQ(results[1].holds, true) << results[1].found;
  EXPECT_EQ(results[2].holds, false) << results[2].found;
  EXPECT_EQ(results[3].holds, true) << results[3].found;
  EXPECT_EQ(results[4].holds, false) << results[4].found;
  EXPECT_EQ(results[0].interval, "") << "a p has none";
  // A run that did not count who scores higher cannot tell.
  RunData old = run_of_scores(claims);
  for (RunData::Row& row : old.rows) {
    row.result.study.scores_higher = row.result.study.scores_lower = 0;
  }
  EXPECT_EQ(evaluate_claims(old)[0].holds, std::nullopt);
}

/// Four trials, which are as many observations or one.
class FourTrials : public Study {
 public:
  explicit FourTrials(bool is_one) : is_one_(is_one) {}
  std::int64_t num_trials() const override { return 4; }
  bool is_one_observation() const override { return is_one_; }
  std::vector<ArmAnswers> run(Device&) const override { return {}; }

 private:
  const bool is_one_;
};

TEST(StudyScores, CountWhoScoresHigher) {
  StudyExperiment experiment;
  experiment.study = std::make_unique<FourTrials>(false);
  experiment.arms = {"plain", "other"};
  ArmAnswers plain, other;
  plain.right = other.right = {1, 1, 0, 1};
  plain.score = {0.5, 0.5, 0, 1};
  other.score = {0.75, 0.5, 0, 0.25};
  other.score[2] = 0.125;  // two higher, one lower, one the same
  const auto rows = rows_of_study(experiment, Configuration{}, {plain, other});
  EXPECT_EQ(rows.at(1).study.scores_higher, 2);
  EXPECT_EQ(rows.at(1).study.scores_lower, 1);
  EXPECT_EQ(rows.at(0).study.scores_higher + rows.at(0).study.scores_lower, 0);
  EXPECT_EQ(rows.at(1).study.only_arm_right + rows.at(1).study.only_baseline_right, 0);

  experiment.study = std::make_unique<FourTrials>(true);  // -0.375 in all
  const auto pooled = rows_of_study(experiment, Configuration{}, {plain, other});
  EXPECT_EQ(pooled.at(1).study.scores_higher, 0);
  EXPECT_EQ(pooled.at(1).study.scores_lower, 1);
}

TEST(StudyScores, OfTheSameSumInAnotherOrderAreTheSame) {
  StudyExperiment experiment;
  experiment.study = std::make_unique<FourTrials>(false);
  experiment.arms = {"plain", "other"};
  ArmAnswers plain, other;
  plain.right = other.right = {0, 0, 0, 0};
  plain.score = {0.1 + 0.2, 0.3, 0.5, 0.5};
  other.score = {0.3, 0.1 + 0.2, 0.5, 0.5 + 1e-8};
  ASSERT_NE(plain.score[0], other.score[0]);
  const StudyAnswers answers =
      rows_of_study(experiment, Configuration{}, {plain, other}).at(1).study;
  EXPECT_EQ(answers.scores_higher, 1) << "the last alone";
  EXPECT_EQ(answers.scores_lower, 0);
}

TEST(DeclaredFamilies, AreThoseOfTheFileElseOfTheClaims) {
  const std::string claims =
      "claims:\n"
      "  - {text: all budgets, arm: better, by: [budget], holm_sign_p: {max: 0.024}}\n"
      "  - {text: no family, arm: better, score: {min: 0}}\n";
  EXPECT_TRUE(declared_families(run_of_scores()).empty());
  const std::vector<Family> of_claims = declared_families(run_of_scores(claims));
  ASSERT_EQ(of_claims.size(), 1u);
  EXPECT_EQ(of_claims[0].declared_by, "the claim \"all budgets\"");
  ASSERT_EQ(of_claims[0].tests.size(), 3u);
  const FamilyTest& first = of_claims[0].tests[0];  // budgets in the order of the run: 10, 1, 2
  EXPECT_EQ(first.rows, "budget 10");
  EXPECT_EQ(first.b, 8);
  EXPECT_EQ(first.c, 0);
  EXPECT_EQ(first.p, 1.0 / 128);
  EXPECT_EQ(first.p_adjusted, 3.0 / 128);
  EXPECT_EQ(of_claims[0].tests[1].p_adjusted, 1);

  const std::vector<Family> of_file = declared_families(run_of_scores(
      claims + "family:\n  - {arm: better, where: {budget: [2, 10]}, by: [budget], test: sign}\n"));
  ASSERT_EQ(of_file.size(), 1u);
  EXPECT_EQ(of_file[0].declared_by, "the sweep file");
  ASSERT_EQ(of_file[0].tests.size(), 2u);
  EXPECT_EQ(of_file[0].tests[0].p_adjusted, 2.0 / 128);
  // McNemar's pairs: no trial here is right of one arm alone.
  const std::vector<Family> right =
      declared_families(run_of_scores("family: [{arm: better, where: {budget: 2}}]\n"));
  ASSERT_EQ(right.size(), 1u);
  EXPECT_EQ(right[0].tests[0].rows, "budget: 2");
  EXPECT_EQ(right[0].tests[0].p, 1);
}

TEST(DeclaredFamilies, ThatCannotBeReadAreRefused) {
  const auto refused = [](const std::string& family, ExperimentKind kind = ExperimentKind::kStudy) {
    const auto value = ConfigValue::parse_yaml(family, "family.yaml");
    const std::vector<std::string> arms{"text", "los"};
    return tests::input_error_of(
        [&] { check_family(value, kind, arms, {"seed"}, ConfigValue::map()); });
  };
  EXPECT_NE(refused("[]").find("no member"), std::string::npos);
  EXPECT_NE(refused("[{arm: loss}]").find("\"los\""), std::string::npos);
  EXPECT_NE(refused("[{arm: los, test: t}]").find("mcnemar"), std::string::npos);
  EXPECT_NE(refused("[{arm: los, by: [sed]}]").find("\"seed\""), std::string::npos);
  EXPECT_NE(refused("[{arm: los, tests: sign}]").find("\"test\""), std::string::npos);
  EXPECT_NE(refused("[{arm: los, test: sign}]", ExperimentKind::kRecall).find("scores"),
            std::string::npos);
}

}  // namespace
}  // namespace sightline::host::report
