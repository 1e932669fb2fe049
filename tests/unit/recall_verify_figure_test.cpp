// What a report draws of verification along its own axis, and of the time in the gates.
#include <gtest/gtest.h>

#include "host/report/recall_digest.h"
#include "host/report/recall_figures.h"
#include "host/report/recall_words.h"
#include "support/hand_made_run.h"

namespace sightline::host::report {
namespace {

using tests::HandMadeRun;
using tests::recall_of;

constexpr const char* kStepKey = "recall.verify.line_of_sight.step_m";

/// 40 of 100 recalled memories are hidden; a coarser march calls more of them visible. The arm
/// `cone` verifies in its own way, whatever the step.
HandMadeRun verified_run() {
  HandMadeRun run({kStepKey}, R"(
baseline: vector
memories: {uniform: {count: 10}}
recall: {k: 5, verify: {line_of_sight: {method: march, step_m: 0.5}}}
arms:
  vector: {recall: {}}
  cone: {recall: {verify: {field_of_view: {kind: yaw_cone, half_angle_deg: 45}}}}
)");
  const double steps_m[] = {1, 0.1, 0.5};  // the page sorts them
  const std::int64_t false_visible[] = {20, 2, 10};
  for (int i = 0; i < 3; ++i) {
    for (const char* arm : {"vector", "cone"}) {
      RecallAnswers answers = recall_of(20, 15, 0, 0);
      const bool is_cone = std::string(arm) == "cone";
      answers.num_recalled = 100;
      answers.recalled_hidden = 40;
      answers.recalled_false_visible = is_cone ? 40 : false_visible[i];
      answers.recalled_visible = 60 + answers.recalled_false_visible;
      run.add({ConfigValue::number(steps_m[i])}, arm, answers);
    }
  }
  return run;
}

TEST(RecallVerifyFigure, CountsRanksOnce) {
  const HandMadeRun run = verified_run();
  const RecallDigest digest = make_recall_digest(run.data);
  ASSERT_EQ(digest.variants.size(), 2u);  // not six: verification moves no rank
  EXPECT_EQ(digest.at(0, 0).answers.num_queries, 20);
  EXPECT_EQ(digest.at(0, 0).answers.recalled_visible, 80);  // of the first step of the run
  ASSERT_EQ(digest.verified.size(), 1u);
  EXPECT_TRUE(digest.settings.empty());
}

TEST(RecallVerifyFigure, DrawsFalseVisibleAgainstTheStep) {
  const HandMadeRun run = verified_run();
  const RecallDigest digest = make_recall_digest(run.data);
  const auto figure = recall_verify_figure(run.data, digest, shown_variants(digest, {}));
  ASSERT_TRUE(figure);
  EXPECT_EQ(figure->drawing.at("x").at("values"), (std::vector<double>{0.1, 0.5, 1}));
  EXPECT_EQ(figure->drawing.at("x").at("log"), true);
  EXPECT_EQ(figure->drawing.at("x").at("label"), "march step (m), logarithmic");
  const auto& wrong = figure->drawing.at("panels")[0];
  ASSERT_EQ(wrong.at("curves").size(), 1u);
  EXPECT_EQ(wrong.at("curves")[0].at("label"), "vector");
  EXPECT_EQ(wrong.at("curves")[0].at("y"), (std::vector<double>{2 / 40., 10 / 40., 20 / 40.}));
  ASSERT_EQ(wrong.at("levels").size(), 1u);
  EXPECT_EQ(wrong.at("levels")[0].at("label"), "cone");
  EXPECT_EQ(wrong.at("levels")[0].at("y"), 1.0);
  const auto& seen = figure->drawing.at("panels")[1];
  EXPECT_EQ(seen.at("curves")[0].at("y"), (std::vector<double>{0.62, 0.7, 0.8}));
  EXPECT_NE(figure->alt.find("vector: 5 % at 0.1 m, 25 % at 0.5 m and 50 % at 1 m."),
            std::string::npos)
      << figure->alt;
}

TEST(RecallVerifyFigure, IsToldInASentence) {
  const HandMadeRun run = verified_run();
  EXPECT_EQ(verify_sentence(run.data, make_recall_digest(run.data)),
            " Wrongly called visible, of the recalled memories that are hidden "
            "(recall.verify.line_of_sight.step_m, all else added up): vector 5 % at 0.1 m and "
            "50 % at 1 m and cone 100 %.");
}

TEST(RecallVerifyFigure, IsToldOfEveryArmWhereOneVerificationIsMade) {
  HandMadeRun run({}, "{baseline: a, memories: {}, recall: {k: 5}}");
  for (const char* arm : {"a", "b"}) {
    RecallAnswers answers = recall_of(20, 15, 0, 0);
    answers.num_recalled = 100;
    answers.recalled_hidden = 40;
    answers.recalled_false_visible = *arm == 'a' ? 2 : 10;
    run.add({}, arm, answers);
  }
  EXPECT_EQ(verify_sentence(run.data, make_recall_digest(run.data)),
            " Wrongly called visible, of the recalled memories that are hidden: a 5 % and b 25 %.");
  HandMadeRun unverified({}, "{baseline: a, memories: {}, recall: {k: 5}}");
  unverified.add({}, "a", recall_of(20, 15, 0, 0));
  EXPECT_EQ(verify_sentence(unverified.data, make_recall_digest(unverified.data)), "");
}

TEST(RecallVerifyFigure, HasOnePanelWithoutATruth) {
  HandMadeRun run = verified_run();
  for (RunData::Row& row : run.data.rows) row.result.recall.recalled_hidden = 0;
  const RecallDigest digest = make_recall_digest(run.data);
  const auto figure = recall_verify_figure(run.data, digest, shown_variants(digest, {}));
  ASSERT_TRUE(figure);
  ASSERT_EQ(figure->drawing.at("panels").size(), 1u);
  EXPECT_EQ(figure->drawing.at("panels")[0].at("title"), "Called visible");
}

TEST(RecallVerifyFigure, NeedsAnAxisOfNumbers) {
  HandMadeRun run({"recall.verify.line_of_sight.method"}, "{baseline: a, memories: {}}");
  for (const char* method : {"march", "hdda"}) {
    run.add({ConfigValue::text(method)}, "a", recall_of(10, 4, 0, 0));
  }
  const RecallDigest digest = make_recall_digest(run.data);
  EXPECT_FALSE(recall_verify_figure(run.data, digest, shown_variants(digest, {})));
}

TEST(RecallGateCost, IsTheTimeInTheGateOfArmsThatHaveOne) {
  HandMadeRun run({}, "{baseline: none, memories: {}}");
  for (const char* arm : {"none", "flat", "graph"}) run.add({}, arm, recall_of(100, 50, 0, 0));
  run.data.rows[1].cost.gate_seconds = 100e-6;
  run.data.rows[2].cost.gate_seconds = 25e-6;
  const RecallDigest digest = make_recall_digest(run.data);
  const auto figure = recall_gate_cost_figure(digest, shown_variants(digest, {}));
  ASSERT_TRUE(figure);
  const auto& series = figure->drawing.at("series");
  ASSERT_EQ(series.size(), 2u);
  EXPECT_EQ(series[0].at("label"), "flat");
  EXPECT_DOUBLE_EQ(series[0].at("x")[0], 1);
  EXPECT_DOUBLE_EQ(series[1].at("x")[0], 0.25);
}

}  // namespace
}  // namespace sightline::host::report
