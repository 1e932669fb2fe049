// Pilot 2 of What Spatial Memory Must Store (2026): the printed counts, integer by integer.
#include <gtest/gtest.h>

#include "host/stats/paired.h"
#include "support/sweeps.h"

namespace sightline {
namespace {

using host::Answers;
using tests::answers_of;
using tests::run_config;
using tests::SweepRow;

constexpr const char* kConfig = "pilot2_occlusion.yaml";
constexpr double kPrintedDigits = 5e-4;  // relative; the paper prints 1.746e-251, four digits

const std::vector<SweepRow>& rows() {
  static const std::vector<SweepRow> all = run_config(kConfig);
  return all;
}

TEST(Pilot2, HasThePrintedTargets) {
  for (const SweepRow& row : rows()) {
    EXPECT_EQ(row.answers.num_rays, 1144);
    EXPECT_EQ(row.answers.num_occluded, 849);
    EXPECT_EQ(row.answers.num_visible, 295);
    EXPECT_EQ(row.answers.num_unknown, 0);
  }
}

TEST(Pilot2, TextAndConeAreRightOnTheVisibleOnly) {
  for (const char* arm : {"text", "cone"}) {
    const Answers& answers = answers_of(rows(), arm, {"0.5"});
    EXPECT_EQ(answers.correct, 295) << arm;
    EXPECT_EQ(answers.false_visible, 849) << arm;
  }
}

TEST(Pilot2, MissesFifteenJambsAtHalfAMetre) {
  const Answers& answers = answers_of(rows(), "cone_los", {"0.5"});
  EXPECT_EQ(answers.correct, 1129);
  EXPECT_EQ(answers.false_visible, 15);
  EXPECT_EQ(answers.false_occluded, 0);
  EXPECT_EQ(answers.only_arm_right, 834);
  EXPECT_EQ(answers.only_baseline_right, 0);
  const double p = host::stats::mcnemar_exact(answers.only_arm_right, answers.only_baseline_right);
  EXPECT_NEAR(p / 1.746e-251, 1, kPrintedDigits);
}

TEST(Pilot2, MissesFewerAsTheStepShrinks) {
  const std::vector<std::pair<const char*, int>> printed = {{"1", 43},   {"0.5", 15}, {"0.4", 14},
                                                            {"0.25", 8}, {"0.2", 3},  {"0.1", 0}};
  for (const auto& [step, false_visible] : printed) {
    const Answers& answers = answers_of(rows(), "cone_los", {step});
    EXPECT_EQ(answers.false_visible, false_visible) << "step " << step;
    EXPECT_EQ(answers.false_occluded, 0) << "step " << step;
  }
}

TEST(Pilot2, TheExactWalkOnItsGridIsNeverWrong) {
  for (const char* step : {"1", "0.5", "0.1"}) {
    EXPECT_EQ(answers_of(rows(), "exact_walk", {step}).correct, 1144);
  }
}

// The jambs' own boundary points, and how near to the target the last sample lies, decide nothing.
TEST(Pilot2, DoesNotDependOnGapEdgesOrEndRule) {
  const std::vector<SweepRow> variants =
      run_config(kConfig, {"visibility.step_m=0.5", "world.scene.edges=[closed, open, half_open]",
                           "visibility.end_rule=[before_target, step_before, half_step_before]"});
  int num_variants = 0;
  for (const SweepRow& row : variants) {
    if (row.arm != "cone_los") continue;
    ++num_variants;
    EXPECT_EQ(row.answers.num_occluded, 849) << row.labels[0] << " " << row.labels[1];
    EXPECT_EQ(row.answers.false_visible, 15) << row.labels[0] << " " << row.labels[1];
    EXPECT_EQ(row.answers.false_occluded, 0) << row.labels[0] << " " << row.labels[1];
  }
  EXPECT_EQ(num_variants, 9);
}

TEST(Pilot2, DoesNotDependOnTheStepOfTheTruth) {
  for (const SweepRow& row :
       run_config(kConfig, {"visibility.step_m=0.5", "oracle.step_m=[0.05, 0.02, 0.01]"})) {
    if (row.arm != "cone_los") continue;
    EXPECT_EQ(row.answers.num_occluded, 849) << row.labels[0];
    EXPECT_EQ(row.answers.false_visible, 15) << row.labels[0];
  }
}

// A march that spreads its samples evenly over the ray lands elsewhere, and misses others.
TEST(Pilot2, AnEvenlySpacedMarchMissesOthers) {
  const std::vector<std::pair<const char*, int>> known = {{"1", 47},   {"0.5", 22}, {"0.4", 23},
                                                          {"0.25", 7}, {"0.2", 9},  {"0.1", 0}};
  const std::vector<SweepRow> uniform = run_config(kConfig, {"visibility.method=march_uniform"});
  for (const auto& [step, false_visible] : known) {
    EXPECT_EQ(answers_of(uniform, "cone_los", {step}).false_visible, false_visible) << step;
  }
  const std::vector<SweepRow> open = run_config(
      kConfig,
      {"visibility.method=march_uniform", "visibility.step_m=0.5", "world.scene.edges=open"});
  EXPECT_EQ(answers_of(open, "cone_los", {}).false_visible, 18);
}

TEST(Pilot2, TheConeItsKindAndTheWallRuleAreSettings) {
  const auto num_rays = [](const std::vector<std::string>& overrides) {
    std::vector<std::string> all = overrides;
    all.push_back("visibility.step_m=0.5");
    return answers_of(run_config(kConfig, all), "text", {}).num_rays;
  };
  EXPECT_GT(num_rays({"targets.in_solid=keep"}), 1144);
  EXPECT_GT(num_rays({"field_of_view.kind=yaw_cone"}), 1144);
  EXPECT_LT(num_rays({"field_of_view.min_cos=0.9"}), 1144);
}

TEST(Pilot2, ALintelHidesMore) {
  const std::vector<SweepRow> lintel =
      run_config(kConfig, {"visibility.step_m=0.5", "world.scene.lintel_m=3"});
  EXPECT_GT(answers_of(lintel, "text", {}).num_occluded, 849);
}

}  // namespace
}  // namespace sightline
