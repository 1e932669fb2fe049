// Sweep plans: axes in every form, zip, exclude, replicates, configuration ids, warnings.
#include "host/sweep/plan.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "host/error.h"
#include "support/errors.h"
#include "support/sweep_plans.h"

namespace {

using sightline::host::Configuration;
using sightline::host::SweepPlan;
using sightline::tests::input_error_of;
using sightline::tests::plan_of;
using sightline::tests::step_axis;
using sightline::tests::swept;
using sightline::tests::Texts;
using sightline::tests::values;

TEST(SweepPlan, WithoutAxesIsOneConfiguration) {
  const SweepPlan plan = plan_of("world: {scene: village}");
  EXPECT_EQ(plan.num_configurations(), 1);
  EXPECT_EQ(plan.configuration(0).settings.canonical_json(), R"({"world":{"scene":"village"}})");
  EXPECT_EQ(plan.configuration(0).index, 0);
  EXPECT_TRUE(plan.axes().empty());
}

TEST(SweepPlan, MultipliesAxesWithTheLastFastest) {
  const SweepPlan plan =
      plan_of("seed: 5\naxes:\n  visibility.step_m: [1, 0.5]\n  seed: [7, 8, 9]\n");
  EXPECT_EQ(plan.num_configurations(), 6);
  EXPECT_EQ(swept(plan, "visibility.step_m"), (Texts{"1", "1", "1", "0.5", "0.5", "0.5"}));
  EXPECT_EQ(swept(plan, "seed"), (Texts{"7", "8", "9", "7", "8", "9"}));
  EXPECT_EQ(plan.axis_keys(), (Texts{"visibility.step_m", "seed"}));
  const Configuration last = plan.configuration(5);
  ASSERT_EQ(last.axis_settings.size(), 2u);
  EXPECT_EQ(last.axis_settings[1].first, "seed");
  EXPECT_EQ(last.axis_settings[1].second.as_integer(), 9);
  EXPECT_EQ(last.axis_labels, (Texts{"0.5", "9"}));
  EXPECT_EQ(last.settings.find("axes"), nullptr);
}

TEST(SweepPlan, TakesItsNameFromTheFile) {
  EXPECT_EQ(plan_of("name: mine").name(), "mine");
  EXPECT_EQ(SweepPlan::parse("seed: 1", "dir/e5.yaml", {}).name(), "e5");
}

TEST(Axis, RangeIncludesItsStop) {
  EXPECT_EQ(step_axis("{range: {start: 0, stop: 10, step: 5}}"), (Texts{"0", "5", "10"}));
  EXPECT_EQ(step_axis("{range: {start: 3, stop: 1, step: -1}}"), (Texts{"3", "2", "1"}));
  EXPECT_EQ(step_axis("{range: {start: 0, stop: 9, step: 4}}"), (Texts{"0", "4", "8"}));
  EXPECT_EQ(step_axis("{range: {start: 2, stop: 2, step: 1}}"), (Texts{"2"}));
  // (0.7 - 0.1) / 0.1 is 5.999...: the last is stop itself, not start + 6 step =
  // 0.7000000000000001.
  EXPECT_EQ(step_axis("{range: {start: 0.1, stop: 0.7, step: 0.1}}"),
            (Texts{"0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7"}));
}

TEST(Axis, SpacesAreExactAtTheirEnds) {
  EXPECT_EQ(step_axis("{linspace: {start: 0, stop: 1, num: 5}}"),
            (Texts{"0", "0.25", "0.5", "0.75", "1"}));
  EXPECT_EQ(step_axis("{logspace: {start: 0.01, stop: 100, num: 5}}"),
            (Texts{"0.01", "0.1", "1", "10", "100"}));
  const Texts odd = step_axis("{logspace: {start: 0.3, stop: 0.7, num: 4}}");
  EXPECT_EQ(odd.front(), "0.3");
  EXPECT_EQ(odd.back(), "0.7");
}

// Names of configurations are made of values: an error of rounding would be in all of them.
TEST(Axis, SpacesAreFreeOfRoundingErrors) {
  EXPECT_EQ(step_axis("{linspace: {start: 0.1, stop: 0.7, num: 7}}"),
            (Texts{"0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7"}));
  EXPECT_EQ(step_axis("{logspace: {start: 0.05, stop: 3.2, num: 7}}"),
            (Texts{"0.05", "0.1", "0.2", "0.4", "0.8", "1.6", "3.2"}));
  EXPECT_EQ(step_axis("{logspace: {start: 0.1, stop: 1, num: 4}}"),
            (Texts{"0.1", "0.215443469003188", "0.464158883361278", "1"}));
  EXPECT_EQ(step_axis("{linspace: {start: -0.3, stop: 0.6, num: 10}}"),
            (Texts{"-0.3", "-0.2", "-0.1", "0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6"}));
  const Texts close =
      step_axis("{linspace: {start: 1.0000000000000002, stop: 1.0000000000000007, num: 3}}");
  EXPECT_EQ(close[1], "1.0000000000000004");
  EXPECT_EQ(step_axis("{logspace: {start: 1.0e-40, stop: 1, num: 3}}"),
            (Texts{"1e-40", "1e-20", "1"}));
}

TEST(Axis, SimplexHasEveryBlendThatSumsToOne) {
  const SweepPlan plan =
      plan_of("axes: {blend: {simplex: {dims: [arms.w.a, arms.w.b, arms.w.c], step: 0.5}}}");
  EXPECT_EQ(plan.axis_keys(), (Texts{"arms.w.a", "arms.w.b", "arms.w.c"}));
  EXPECT_EQ(swept(plan, "arms.w"), (Texts{R"({"a":0,"b":0,"c":1})", R"({"a":0,"b":0.5,"c":0.5})",
                                          R"({"a":0,"b":1,"c":0})", R"({"a":0.5,"b":0,"c":0.5})",
                                          R"({"a":0.5,"b":0.5,"c":0})", R"({"a":1,"b":0,"c":0})"}));
}

TEST(Simplex, MayNamePointsBesideItsLattice) {
  const SweepPlan plan = plan_of(
      "axes: {w: {simplex: {dims: [arms.a, arms.b], step: 0.5, "
      "also: {off: [0.4, 0.6], on: [0.5, 0.5]}}}}");
  ASSERT_EQ(plan.num_configurations(), 4);  // three of the lattice and the one that is off it
  EXPECT_EQ(plan.configuration(3).axis_labels, (std::vector<std::string>{"0.4", "0.6"}));
  EXPECT_NE(input_error_of([] {
              plan_of(
                  "axes: {w: {simplex: {dims: [arms.a, arms.b], step: 0.5, "
                  "also: {off: [0.4, 0.5]}}}}");
            }).find("must add up to 1"),
            std::string::npos);
}

TEST(Axis, SimplexOfFourAtATwentiethHas1771Points) {
  EXPECT_EQ(plan_of("axes: {w: {simplex: {dims: [arms.a, arms.b, arms.c, arms.d], step: 0.05}}}")
                .num_configurations(),
            1771);  // C(23, 3)
}

TEST(Axis, ValuesMayBeMapsWithLabels) {
  const SweepPlan plan = plan_of(
      "axes:\n  world.scene: {values: [village, {kind: rooms}], labels: [a village, rooms]}\n");
  EXPECT_EQ(swept(plan, "world.scene"), (Texts{"\"village\"", R"({"kind":"rooms"})"}));
  EXPECT_EQ(plan.configuration(0).axis_labels, Texts{"a village"});
  EXPECT_EQ(plan.configuration(1).axis_labels, Texts{"rooms"});
}

TEST(Axis, LabelsDefaultToTheValue) {
  const SweepPlan plan = plan_of("axes: {world.scene: [village, {kind: rooms}], seed: [1.50]}");
  EXPECT_EQ(plan.configuration(0).axis_labels, (Texts{"village", "1.5"}));
  EXPECT_EQ(plan.configuration(1).axis_labels, (Texts{R"({"kind":"rooms"})", "1.5"}));
}

TEST(Axis, InsideAnotherRefinesItWhateverTheirOrder) {
  const std::string scene = "world.scene: [{kind: rooms, seed: 0}, {kind: clutter, seed: 0}]";
  const std::string seed = "world.scene.seed: [1, 2]";
  const Texts inner_last = {"1", "2", "1", "2"}, inner_first = {"1", "1", "2", "2"};
  EXPECT_EQ(swept(plan_of("axes: {" + scene + ", " + seed + "}"), "world.scene.seed"), inner_last);
  EXPECT_EQ(swept(plan_of("axes: {" + seed + ", " + scene + "}"), "world.scene.seed"), inner_first);
}

TEST(SweepPlan, ZipsAxesThatMoveTogether) {
  const SweepPlan plan = plan_of(
      "axes:\n  seed: [1, 2]\n  visibility.step_m: [1, 0.5, 0.1]\n  world.scene: [a, b]\n"
      "zip: [[seed, world.scene]]\n");
  EXPECT_EQ(plan.num_configurations(), 6);
  EXPECT_EQ(plan.axis_keys(), (Texts{"seed", "world.scene", "visibility.step_m"}));
  EXPECT_EQ(swept(plan, "world.scene"),
            (Texts{"\"a\"", "\"a\"", "\"a\"", "\"b\"", "\"b\"", "\"b\""}));
  EXPECT_EQ(swept(plan, "seed"), (Texts{"1", "1", "1", "2", "2", "2"}));
}

TEST(SweepPlan, ExcludesConfigurationsThatMatchEveryKey) {
  const SweepPlan plan = plan_of(
      "seed: 3\naxes:\n  visibility.step_m: [1, 0.5]\n  visibility.unknown: [free, blocks]\n"
      "exclude:\n  - {visibility.step_m: 0.50, visibility.unknown: blocks}\n"
      "  - {visibility.step_m: 1.0, visibility.unknown: free, seed: 3}\n"
      "  - {visibility.step_m: 1, seed: 4}\n");
  EXPECT_EQ(swept(plan, "visibility.step_m"), (Texts{"1", "0.5"}));
  EXPECT_EQ(swept(plan, "visibility.unknown"), (Texts{"\"blocks\"", "\"free\""}));
  EXPECT_EQ(plan.configuration(1).index, 1);
}

TEST(SweepPlan, ExcludesByAKeyInsideAnAxisValue) {
  const SweepPlan plan = plan_of(
      "axes: {world.scene: [{kind: a, n: 1}, {kind: b}]}\nexclude: [{world.scene.kind: b}]\n");
  EXPECT_EQ(swept(plan, "world.scene.kind"), Texts{"\"a\""});
}

TEST(SweepPlan, ExcludesByTheInnerOfTwoAxes) {
  const std::string scene = "world.scene: [{kind: a, seed: 1}, {kind: b, seed: 2}]";
  const std::string seed = "world.scene.seed: [3, 4]";
  const std::string exclude = "\nexclude: [{world.scene.seed: 3}]\n";
  for (const std::string& axes : {scene + ", " + seed, seed + ", " + scene}) {
    EXPECT_EQ(swept(plan_of("axes: {" + axes + "}" + exclude), "world.scene.seed"),
              (Texts{"4", "4"}));
  }
}

TEST(SweepPlan, ExcludesOnlyIfEveryKeyOfAGroupAndOfTheFileMatches) {
  const SweepPlan zipped = plan_of(
      "axes: {seed: [1, 2], rays.n: [3, 4]}\nzip: [[seed, rays.n]]\n"
      "exclude: [{seed: 1, rays.n: 4}]\n");
  EXPECT_EQ(swept(zipped, "seed"), (Texts{"1", "2"}));
  const SweepPlan fixed = plan_of(
      "rays: {a: 1, b: 2}\naxes: {seed: [1, 2]}\nexclude: [{rays.a: 9, rays.b: 2, seed: 1}]\n");
  EXPECT_EQ(swept(fixed, "seed"), (Texts{"1", "2"}));
}

TEST(SweepPlan, WarnsOfAnExcludeThatMatchesNothing) {
  const SweepPlan plan = plan_of(
      "seed: 3\naxes: {visibility.step_m: [1, 0.5], visibility.method: [march]}\nexclude:\n"
      "  - {visibility.step_m: 0.5}\n"
      "  - {visibility.step_m: 0.7}\n"
      "  - {visibility.step_m: 1, seed: 4}\n");
  ASSERT_EQ(plan.warnings().size(), 2u);
  EXPECT_EQ(plan.warnings()[0],
            "sweep.yaml:5:5: exclude[1]: matches no configuration, so it excludes nothing");
  EXPECT_EQ(plan.warnings()[1].find("sweep.yaml:6:5: exclude[2]"), 0u) << plan.warnings()[1];
}

TEST(SweepPlan, WarnsOfAStepWhereNothingMarches) {
  const auto warnings = [](const std::string& arms, const std::string& more_axes = "") {
    const std::string axes = "\naxes: {arms.a.visibility.step_m: [1, 0.5]" + more_axes + "}\n";
    return plan_of("arms: {march: {predict: visible}, " + arms + "}" + axes).warnings();
  };
  EXPECT_EQ(
      warnings("a: {visibility: {method: hdda}}"),
      Texts{"sweep.yaml:2:35: axes.arms.a.visibility.step_m[0]: nothing marches, so that no "
            "value of the axis changes an answer; give method: march, or leave the axis out"});
  EXPECT_TRUE(warnings("a: {visibility: {method: march}}").empty());
  EXPECT_TRUE(warnings("b: {visibility: {method: march_uniform}}").empty());
  EXPECT_TRUE(warnings("a: {}", ", visibility.method: [hdda, march]").empty());
}

TEST(SweepPlan, WarnsOfAMapThatLeavesOutWhatTheFileHas) {
  const auto warnings = [](const std::string& override_text) {
    return plan_of("visibility: {method: march, step_m: 0.2, end_rule: fixed}\nseed: 1\n",
                   {override_text})
        .warnings();
  };
  ASSERT_EQ(warnings("visibility={step_m: 0.3}").size(), 1U);
  EXPECT_EQ(warnings("visibility={step_m: 0.3}")[0],
            "-s visibility={step_m: 0.3}: replaces all of visibility, so that the file's "
            "visibility.method, visibility.end_rule no longer holds; to set one key, name it: "
            "visibility.step_m=0.3");
  EXPECT_TRUE(warnings("visibility={method: dda, step_m: 1, end_rule: fixed}").empty());
  EXPECT_TRUE(warnings("visibility={method: dda, tie_rule: diagonal}").empty());  // another one
  EXPECT_TRUE(warnings("visibility.step_m=0.3").empty());
}

TEST(SweepPlan, HasANameThatFilesCanHave) {
  EXPECT_EQ(plan_of("name: a b\nseed: 1\n").name(), "a b");
  EXPECT_NE(input_error_of([] { plan_of("name: ../a\nseed: 1\n"); }).find("sweep.yaml:1:7: name"),
            std::string::npos);
}

TEST(SweepPlan, TellsTheLineOfAValueThatAClaimMisspells) {
  const auto warnings = [](const std::string& value) {
    return plan_of(
               "study: {battery: {type: presence}}\narms: {a: {answer: text}}\n"
               "axes: {study.battery.type: [presence, occlusion]}\nclaims:\n"
               "  - {text: t, arm: a, where: {study.battery.type: " +
               value + "}, accuracy: 1}\n")
        .warnings();
  };
  EXPECT_TRUE(warnings("occlusion").empty());
  ASSERT_EQ(warnings("relation").size(), 1U) << "an override may have left it out";
  EXPECT_EQ(warnings("relation")[0],
            "1 of 1 claims are not tested: no configuration has study.battery.type relation");
  ASSERT_EQ(warnings("oclusion").size(), 1U);
  EXPECT_EQ(warnings("oclusion")[0],
            "1 of 1 claims are not tested: no configuration has study.battery.type oclusion "
            "(sweep.yaml:5:51: claims[0].where.study.battery.type: did you mean \"occlusion\"?)");
}

TEST(SweepPlan, RefusesAClaimOnABaselineThatIsNoArm) {
  const auto refusal = [](const std::string& baseline) {
    return input_error_of([&] {
      plan_of(
          "study: {battery: {type: presence}}\narms: {a: {answer: text}, b: {answer: text}}\n"
          "axes: {baseline: [a]}\nclaims:\n  - {text: t, arm: a, where: {baseline: " +
          baseline + "}, accuracy: 1}\n");
    });
  };
  EXPECT_EQ(refusal("b"), "no error") << "an override may have left it out";
  EXPECT_NE(refusal("c").find("sweep.yaml:5:41: claims[0].where.baseline: no arm is called \"c\""),
            std::string::npos)
      << refusal("c");
  EXPECT_NE(refusal("[a, c]").find("no arm is called \"c\""), std::string::npos);
}

TEST(SweepPlan, WithoutAnAxisHasWhatTheFileSetsBesideIt) {
  const std::string sweep = "world: {scene: village}\naxes: {world.scene: [clutter, rooms]}\n";
  EXPECT_EQ(swept(plan_of(sweep, {"axes.world.scene=null"}), "world.scene"), Texts{"\"village\""});
  EXPECT_EQ(plan_of("axes: {seed: [4, 5]}\n", {"axes.seed=null"}).num_configurations(), 1);
}

TEST(SweepPlan, TellsAKeyFromOneThatBeginsLikeIt) {
  const SweepPlan plan =
      plan_of("rays: {nn: 5}\naxes: {rays.n: [1, 2]}\nexclude: [{rays.nn: 5, rays.n: 1}]\n");
  EXPECT_EQ(swept(plan, "rays.n"), Texts{"2"});
}

TEST(SweepPlan, AddsReplicatesAsTheFastestAxis) {
  const SweepPlan plan = plan_of("axes: {seed: [4, 5]}\nreplicates: 3\n");
  EXPECT_EQ(swept(plan, "replicate"), (Texts{"0", "1", "2", "0", "1", "2"}));
  EXPECT_EQ(plan.axis_keys(), (Texts{"seed", "replicate"}));
  EXPECT_EQ(plan.configuration(0).settings.find("replicates"), nullptr);
}

TEST(ConfigurationId, IsThatOfTheSettingsAlone) {
  const auto id = [](const std::string& yaml) { return plan_of(yaml).configuration(0).id; };
  const std::string reference = id("seed: 1\nworld: {scene: village}\n");
  EXPECT_EQ(reference.size(), 16u);
  EXPECT_EQ(reference.find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_EQ(id("world: {scene: 'village'}\nseed: 1.0\n"), reference);
  EXPECT_EQ(id("name: x\ndescription: y\nreport: {lines: seed}\naxes: {seed: [1]}\n"
               "world: {scene: village}\n"),
            reference);
  EXPECT_EQ(id("world: {scene: village}\naxes: {seed: {values: [1], labels: [one]}}\n"), reference);
  EXPECT_NE(id("seed: 2\nworld: {scene: village}\n"), reference);
}

// The id names rows of stored runs: a change of it orphans every run that users can resume. This is
// XXH64, computed by another implementation, of {"seed":1,"visibility":{"step_m":0.5}}.
TEST(ConfigurationId, NeverChanges) {
  EXPECT_EQ(plan_of("seed: 1\nvisibility: {step_m: 0.5}\n").configuration(0).id,
            "faa8fd1725bc5b99");
}

TEST(ConfigurationId, DiffersBetweenConfigurations) {
  const SweepPlan plan = plan_of("axes: {seed: {range: {start: 0, stop: 99, step: 1}}}");
  std::set<std::string> ids;
  for (int i = 0; i < 100; ++i) ids.insert(plan.configuration(i).id);
  EXPECT_EQ(ids.size(), 100u);
}

TEST(SweepPlan, ExpandsLazily) {
  const SweepPlan plan = plan_of(
      "axes:\n  seed: {range: {start: 1, stop: 10000, step: 1}}\n"
      "  replicate: {range: {start: 0, stop: 999, step: 1}}\n");
  EXPECT_EQ(plan.num_configurations(), 10'000'000);
  const auto settings = plan.configuration(9'999'999).settings;
  EXPECT_EQ(settings.at("seed").as_integer(), 10000);
  EXPECT_EQ(settings.at("replicate").as_integer(), 999);
}

}  // namespace
