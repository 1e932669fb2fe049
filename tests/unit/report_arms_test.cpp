// What the page makes of its arms: which one it is about, which is the truth itself, their costs.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "host/report/digest.h"
#include "host/report/figure_data.h"
#include "host/report/page.h"
#include "host/report/takeaway.h"
#include "support/hand_made_run.h"

namespace sightline::host::report {
namespace {

using tests::answers_of;
using tests::HandMadeRun;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// The pilot's settings: one arm marches, one walks a grid, and the oracle is a finer march.
constexpr const char* kPilotSettings = R"(
baseline: text
visibility: {method: march, step_m: 0.5}
arms:
  text: {predict: visible}
  march: {predict: line_of_sight}
  exact_walk: {predict: line_of_sight, visibility: {method: hdda, solid: grid}}
oracle: {method: march_uniform, step_m: 0.05}
)";

TEST(Takeaway, OfOneStepNamesTheArmThatTakesIt) {
  for (const bool step_is_an_axis : {true, false}) {
    std::vector<std::string> axes;
    std::vector<ConfigValue> at;
    if (step_is_an_axis) axes = {"visibility.step_m"}, at = {ConfigValue::number(0.5)};
    HandMadeRun run(axes, kPilotSettings);
    run.add(at, "text", answers_of(295, 849, 849));
    run.add(at, "march", answers_of(295, 849, 15));
    run.add(at, "exact_walk", answers_of(295, 849, 0));
    EXPECT_EQ(
        takeaway(make_digest(run.data)),
        "march with a march step of 0.5 m judges 98.7 % of 1,144 targets right and calls 15 "
        "of 849 hidden targets visible (1.77 %; 95 % CI 1.07 % to 2.89 %); the baseline (text) "
        "judges 25.8 % right.");
  }
}

TEST(Takeaway, IsAboutAnArmThatTheStepsMove) {
  HandMadeRun run({"visibility.step_m"}, R"(
baseline: text
world: {file: maps/office.bt}
visibility: {method: march}
arms:
  text: {predict: visible}
  march: {predict: line_of_sight}
  mine: {predict: line_of_sight, visibility: {step_m: 0.05}}
)");
  for (const double step_m : {0.1, 1.6}) {
    const std::vector<ConfigValue> at{ConfigValue::number(step_m)};
    run.add(at, "text", answers_of(295, 849, 849));
    run.add(at, "march", answers_of(295, 849, step_m > 1 ? 43 : 4));
    run.add(at, "mine", answers_of(295, 849, 1));  // the best, whatever the axis says
  }
  const Digest digest = make_digest(run.data);
  EXPECT_EQ(digest.arms[digest.primary], "march");
  EXPECT_TRUE(contains(takeaway(digest), "With a march step of 1.6 m, march calls 43 of 849"));
  EXPECT_EQ(digest.world, "office.bt");
}

TEST(Takeaway, NamesNoStepWhereNoneMatters) {
  HandMadeRun run({"visibility.step_m"}, kPilotSettings);
  for (const double step_m : {0.1, 1.6}) {
    const std::vector<ConfigValue> at{ConfigValue::number(step_m)};
    run.add(at, "text", answers_of(1144, 0, 0));
    run.add(at, "march", answers_of(1144, 0, 0));
  }
  EXPECT_EQ(takeaway(make_digest(run.data)),
            "march judges 100 % of 1,144 targets right; the baseline (text) judges 100 % right.");
}

TEST(Arms, ThatAskTheOraclesQuestionAreRightByConstruction) {
  HandMadeRun run({"visibility.step_m"}, R"(
baseline: march
visibility: {method: march, unknown: blocks}
arms:
  march: {predict: line_of_sight}
  exact: {predict: line_of_sight, visibility: {method: hdda}}
  other: {predict: line_of_sight, visibility: {method: hdda, tie_rule: supercover}}
)");
  for (const double step_m : {0.1, 0.5}) {
    const std::vector<ConfigValue> at{ConfigValue::number(step_m)};
    run.add(at, "march", answers_of(295, 849, step_m > 0.2 ? 15 : 0));
    run.add(at, "exact", answers_of(295, 849, 0));
    run.add(at, "other", answers_of(295, 849, 0));
  }
  const Digest digest = make_digest(run.data);
  EXPECT_EQ(digest.arm_is_oracle, (std::vector<bool>{false, true, false}));
  EXPECT_EQ(digest.arm_step_m, (std::vector<double>{0.1, 0, 0}));  // of the first configuration
  EXPECT_EQ(construction_note(digest),
            " exact is the truth itself, right by construction and here for its cost.");
  EXPECT_TRUE(contains(arm_bars_figure(digest).caption, "exact is the truth itself"));
  EXPECT_TRUE(contains(cost_figure(digest)->caption, "exact is the truth itself"));
  EXPECT_TRUE(contains(tests_table(digest), "exact is the truth itself"));
}

TEST(Arms, ThatWereWrongOnceAreNotTheOracle) {
  HandMadeRun run({"arms.exact.visibility.method"}, R"(
arms: {exact: {predict: line_of_sight, visibility: {method: hdda}}}
)");
  run.add({ConfigValue::text("hdda")}, "exact", answers_of(295, 849, 0));
  run.add({ConfigValue::text("dda")}, "exact", answers_of(295, 849, 1));
  EXPECT_FALSE(make_digest(run.data).arm_is_oracle[0]);
}

/// Arms beside a march that the step axis moves: with a step of their own, and without any.
HandMadeRun run_with_own_step(const std::string& primary) {
  HandMadeRun run({"visibility.step_m"}, "report: {arm: " + primary + R"(}
baseline: text
visibility: {method: march}
arms:
  text: {predict: visible}
  march: {predict: line_of_sight}
  mine: {predict: line_of_sight, visibility: {step_m: 0.05}}
)");
  for (const double step_m : {0.1, 1.6}) {
    const std::vector<ConfigValue> at{ConfigValue::number(step_m)};
    run.add(at, "text", answers_of(295, 849, 849));
    run.add(at, "march", answers_of(295, 849, step_m > 1 ? 43 : 4));
    run.add(at, "mine", answers_of(295, 849, 1));
  }
  return run;
}

TEST(Arms, ThatSetTheAxisThemselvesAreToldWithTheirOwnStep) {
  const Digest digest = make_digest(run_with_own_step("mine").data);
  EXPECT_EQ(digest.arm_sets_step, (std::vector<bool>{false, false, true}));
  EXPECT_EQ(digest.arm_step_m, (std::vector<double>{0, 0.1, 0.05}));
  EXPECT_EQ(takeaway(digest).find("mine with a march step of 0.05 m judges 99.9 %"), 0u)
      << takeaway(digest);
  const FigureData bars = arm_bars_figure(digest);
  EXPECT_TRUE(contains(bars.caption, "of mine always 0.05 m.")) << bars.caption;
  EXPECT_EQ(bars.held, "March step 1.6 m, of mine always 0.05 m");
  const nlohmann::ordered_json series = cost_figure(digest)->drawing.at("series");
  ASSERT_EQ(series.size(), 3u);
  EXPECT_EQ(series[1].at("tags"), (nlohmann::ordered_json{"0.1 m", "1.6 m"}));
  EXPECT_EQ(series[2].at("tags"), nlohmann::ordered_json{"0.05 m"});  // once, not at each step
}

TEST(Arms, AreNotMovedByTheAxisOfAnother) {
  HandMadeRun run({"arms.mine.visibility.step_m"}, R"(
baseline: march
visibility: {method: march, step_m: 0.5}
arms:
  march: {predict: line_of_sight}
  mine: {predict: line_of_sight}
)");
  for (const double step_m : {0.1, 1.6}) {
    run.add({ConfigValue::number(step_m)}, "march", answers_of(295, 849, 15));
    run.add({ConfigValue::number(step_m)}, "mine", answers_of(295, 849, step_m > 1 ? 43 : 4));
  }
  const Digest digest = make_digest(run.data);
  EXPECT_EQ(digest.arm_sets_step, (std::vector<bool>{true, false}));
  EXPECT_EQ(cost_figure(digest)->drawing.at("series")[0].at("tags"),
            nlohmann::ordered_json{"0.5 m"});
}

TEST(CostFigure, ShowsTheRangeOfTheConfigurationsAndSaysWhatIsAnEstimate) {
  HandMadeRun run({"seed", "visibility.step_m"});
  for (const int seed : {1, 2, 4}) {
    for (const double step_m : {0.1, 0.5}) {
      run.add({ConfigValue::integer(seed), ConfigValue::number(step_m)}, "march",
              answers_of(10, 90, step_m > 0.2 ? seed : 0));
      run.data.rows.back().cost.seconds *= seed;
    }
  }
  const FigureData figure = *cost_figure(make_digest(run.data));
  const nlohmann::ordered_json series = figure.drawing.at("series").at(0);
  EXPECT_NEAR(series.at("x").at(0), 7000.0 / 3, 1);  // ns: 1 us per ray, times 1, 2 and 4
  EXPECT_NEAR(series.at("cheapest").at(0), 1000, 1);
  EXPECT_NEAR(series.at("dearest").at(0), 4000, 1);
  EXPECT_EQ(series.at("tags"), (nlohmann::ordered_json{"0.1 m", "0.5 m"}));
  EXPECT_TRUE(contains(figure.caption, "the time of a step is an estimate"));
}

}  // namespace
}  // namespace sightline::host::report
