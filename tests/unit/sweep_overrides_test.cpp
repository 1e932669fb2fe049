// Overrides of sweep files, as -s says them: what they make of scalars, lists and axes.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "host/sweep/plan.h"
#include "support/errors.h"
#include "support/sweep_plans.h"

namespace {

using sightline::host::SweepPlan;
using sightline::tests::plan_of;
using sightline::tests::swept;
using sightline::tests::Texts;

constexpr const char* kSweep =
    "seed: 1\n"
    "world: {scene: village, solid: analytic}\n"
    "observers: {list: [[0, 1, 0]]}\n"
    "visibility: {step_m: 0.5}\n"
    "axes:\n"
    "  seed: [1, 2]\n"
    "  world.scene.seed: [3, 4]\n"
    "  visibility.unknown: [free, blocks]\n"
    "zip: [[seed, world.scene.seed, visibility.unknown]]\n";

TEST(Override, ReplacesAScalar) {
  const SweepPlan plan = plan_of("visibility: {step_m: 0.5}", {"visibility.step_m=0.25"});
  EXPECT_EQ(swept(plan, "visibility.step_m"), Texts{"0.25"});
  EXPECT_EQ(plan.configuration(0).settings.find_path("visibility.step_m")->where(),
            "-s visibility.step_m=0.25: visibility.step_m");
}

TEST(Override, ScalarOnASweptKeyRemovesTheAxisAndItsZip) {
  const SweepPlan plan =
      plan_of("axes: {seed: [1, 2], arms.x: [3, 4]}\nzip: [[seed, arms.x]]", {"seed=9"});
  EXPECT_EQ(swept(plan, "seed"), (Texts{"9", "9"}));
  EXPECT_EQ(plan.axis_keys(), Texts{"arms.x"});
  EXPECT_EQ(plan.resolved().at("zip").items().size(), 0u);
}

TEST(Override, KeepsTheRestOfAZipGroup) {
  const SweepPlan plan =
      plan_of("axes: {seed: [1, 2], arms.x: [3, 4], arms.y: [5, 6]}\nzip: [[seed, arms.x, arms.y]]",
              {"arms.x=0"});
  EXPECT_EQ(plan.num_configurations(), 2);
  EXPECT_EQ(plan.resolved().at("zip").canonical_json(), R"([["seed","arms.y"]])");
}

TEST(Override, ListOnASweptOrScalarOrAbsentKeyIsAnAxis) {
  const Texts expected = {"1", "0.5"};
  for (const char* yaml :
       {"axes: {visibility.step_m: [3]}", "visibility: {step_m: 3}", "seed: 1"}) {
    const SweepPlan plan = plan_of(yaml, {"visibility.step_m=[1, 0.5]"});
    EXPECT_EQ(swept(plan, "visibility.step_m"), expected) << yaml;
  }
}

TEST(Override, ListOnAListIsItsPlainValue) {
  for (const char* yaml : {"observers: {list: [[0, 0, 0]]}", "seed: 1"}) {
    const SweepPlan plan = plan_of(yaml, {"observers.list=[[1, 2, 3]]"});
    EXPECT_EQ(swept(plan, "observers.list"), Texts{"[[1,2,3]]"}) << yaml;
  }
  EXPECT_EQ(swept(plan_of("metrics: [a]", {"metrics=[b, c]"}), "metrics"), Texts{R"(["b","c"])"});
  EXPECT_EQ(swept(plan_of("seed: 1", {"metrics=[b, c]"}), "metrics"), Texts{R"(["b","c"])"});
}

TEST(Override, ListOnASweptListKeyReplacesTheAxis) {
  const SweepPlan plan = plan_of("axes: {observers.list: [[[0, 0, 0]]]}",
                                 {"observers.list=[[[1, 1, 1]], [[2, 2, 2]]]"});
  EXPECT_EQ(swept(plan, "observers.list"), (Texts{"[[1,1,1]]", "[[2,2,2]]"}));
}

TEST(Override, AxisMapIsAnAxisUnlessTheFileHasAMap) {
  EXPECT_EQ(swept(plan_of("seed: 1", {"seed={range: {start: 1, stop: 3, step: 1}}"}), "seed"),
            (Texts{"1", "2", "3"}));
  const SweepPlan plan = plan_of("observers: {random: {n: 1}}", {"observers={random: {n: 2}}"});
  EXPECT_EQ(swept(plan, "observers"), Texts{R"({"random":{"n":2}})"});
}

TEST(Override, UnderAxesAlwaysMakesAnAxis) {
  EXPECT_EQ(swept(plan_of("observers: {list: [[0, 0, 0]]}", {"axes.observers.list=[[[1, 1, 1]]]"}),
                  "observers.list"),
            Texts{"[[1,1,1]]"});
  EXPECT_EQ(swept(plan_of("axes: {seed: [1, 2]}", {"axes.seed=5"}), "seed"), Texts{"5"});
  const SweepPlan blend = plan_of("axes: {w: {simplex: {dims: [arms.a, arms.b], step: 0.5}}}",
                                  {"axes.w={simplex: {dims: [arms.a, arms.b], step: 0.25}}"});
  EXPECT_EQ(blend.num_configurations(), 5);
}

TEST(Override, OfReplicateFixesIt) {
  EXPECT_EQ(swept(plan_of("replicates: 4", {"replicate=2"}), "replicate"), Texts{"2"});
  EXPECT_EQ(swept(plan_of("replicates: 4", {"replicate=[2, 3]"}), "replicate"), (Texts{"2", "3"}));
  EXPECT_EQ(swept(plan_of("replicates: 4", {"replicates=2"}), "replicate"), (Texts{"0", "1"}));
}

TEST(Override, WorldFileReplacesTheSceneWithItsAxesAndRules) {
  const SweepPlan plan =
      plan_of(std::string(kSweep) + "exclude: [{world.scene.seed: 3}]\n", {"world.file=a.bt"});
  EXPECT_EQ(plan.base().at("world").canonical_json(), R"({"file":"a.bt"})");
  EXPECT_EQ(plan.axis_keys(), (Texts{"seed", "visibility.unknown"}));
  EXPECT_EQ(plan.num_configurations(), 2);
}

TEST(Override, WorldSceneReplacesTheFile) {
  const SweepPlan plan = plan_of("world: {file: a.bt}", {"world.scene=village"});
  EXPECT_EQ(plan.base().at("world").canonical_json(), R"({"scene":"village"})");
  const SweepPlan swept_file = plan_of("axes: {world.file: [a, b]}", {"world.scene=village"});
  EXPECT_EQ(swept_file.num_configurations(), 1);
}

TEST(Override, LaterOnesWin) {
  EXPECT_EQ(swept(plan_of("seed: 1", {"seed=[2, 3]", "seed=4"}), "seed"), Texts{"4"});
}

TEST(Override, LeavesAFileThatGivesTheSamePlan) {
  const SweepPlan plan = plan_of(kSweep, {"world.file=[a.bt, b.bt]", "replicates=2"});
  const SweepPlan again = plan_of(plan.resolved().to_yaml());
  ASSERT_EQ(again.num_configurations(), plan.num_configurations());
  for (std::int64_t i = 0; i < plan.num_configurations(); ++i) {
    EXPECT_EQ(again.configuration(i).id, plan.configuration(i).id);
  }
}

}  // namespace
