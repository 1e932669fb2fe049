// Settings that cannot be: one error that names the place and the fix, before any work.
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "host/sweep/experiment.h"
#include "support/errors.h"
#include "support/places.h"
#include "support/run_program.h"

namespace sightline {
namespace {

constexpr const char* kBase = R"(name: base
world: {scene: pilot2, solid: {grid: {voxel_m: 0.5}}}
observers: {list: [[0, 1.6, 5]], yaw_deg: 90}
targets: {list: [[20, 2, 5], [5, 2, 5]]}
visibility: {method: march, step_m: 0.5}
field_of_view: {kind: cone, half_angle_deg: 45}
arms:
  sight: {predict: line_of_sight}
  cone: {predict: field_of_view}
)";

struct BadSetting {
  const char* override_text;
  const char* expected;  ///< part of the message
};

void PrintTo(const BadSetting& bad, std::ostream* out) { *out << bad.override_text; }

class Settings : public testing::TestWithParam<BadSetting> {};

TEST_P(Settings, AreRefusedWithPlaceAndFix) {
  const std::string message = tests::input_error_of(
      [&] { plan_blocks(host::SweepPlan::parse(kBase, "base.yaml", {GetParam().override_text})); });
  EXPECT_NE(message.find(GetParam().expected), std::string::npos) << message;
  const std::string key = std::string(GetParam().override_text).substr(0, 4);
  EXPECT_NE(message.find(key), std::string::npos) << "names no key: " << message;
}

TEST(ListOfSettings, BelongsUnderAxes) {
  const auto refusal = [](const std::string& written, const std::string& instead) {
    std::string sweep = kBase;
    sweep.replace(sweep.find(written), written.size(), instead);
    return tests::input_error_of([&] { plan_blocks(host::SweepPlan::parse(sweep, "b.yaml", {})); });
  };
  EXPECT_EQ(refusal("step_m: 0.5", "step_m: [0.1, 0.2]"),
            "b.yaml:5:37: visibility.step_m: must be a number, but is a list; to try each of its "
            "values put it under axes: {visibility.step_m: [0.1,0.2]}");
  EXPECT_NE(refusal("march", "[dda, hdda]").find("{visibility.method: [\"dda\",\"hdda\"]}"),
            std::string::npos);
  EXPECT_NE(refusal("line_of_sight}", "line_of_sight, visibility: {step_m: [1, 2]}}")
                .find("{arms.sight.visibility.step_m: [1,2]}"),
            std::string::npos);
  // Of a list within a list no axis has the key.
  EXPECT_EQ(refusal("[20, 2, 5]", "[[20], 2, 5]").find("axes"), std::string::npos);
}

/// Of a file in which an axis replaces `step_m`.
std::string error_of_replaced_step(const std::string& step, const std::string& axis) {
  std::string sweep = kBase;
  sweep.replace(sweep.find("step_m: 0.5"), 11, "step_m: " + step);
  sweep += "axes: {visibility.step_m: " + axis + "}\n";
  return tests::input_error_of([&] { plan_blocks(host::SweepPlan::parse(sweep, "b.yaml", {})); });
}

TEST(SettingThatAnAxisReplaces, IsCheckedAllTheSame) {
  EXPECT_EQ(error_of_replaced_step("fast", "[0.1, 0.2]"),
            "b.yaml:5:37: visibility.step_m: must be a number, but is the text \"fast\"; the axis "
            "\"visibility.step_m\" replaces it, so it may be left out");
  EXPECT_EQ(error_of_replaced_step("-1", "[0.1]").rfind("b.yaml:5:37: visibility.step_m: ", 0), 0u);
  EXPECT_EQ(error_of_replaced_step("[1]", "[0.1]").rfind("b.yaml:5:37: visibility.step_m: ", 0),
            0u);
}

TEST(SettingThatAnAxisReplaces, MayBeRightOrLeftOut) {
  for (const char* step : {"0.3", "null", "0.1"}) {
    std::string sweep = kBase;
    sweep.replace(sweep.find("step_m: 0.5"), 11, std::string("step_m: ") + step);
    sweep += "axes: {visibility.step_m: [0.1, 0.2]}\n";
    EXPECT_EQ(plan_blocks(host::SweepPlan::parse(sweep, "b.yaml", {})).size(), 1u) << step;
  }
}

TEST(FileOfASetting, ThatIsNotThereIsToldAtItsPlace) {
  std::string sweep = tests::read_text(tests::source_file("configs/wave_e_bge.yaml"));
  const std::string folder = "configs/corpora/episodes/";
  for (std::size_t at; (at = sweep.find(folder)) != std::string::npos;) {
    sweep.replace(at, folder.size(), "/nowhere/");
  }
  const std::string message =
      tests::input_error_of([&] { plan_blocks(host::SweepPlan::parse(sweep, "bge.yaml", {})); });
  EXPECT_EQ(message.rfind("bge.yaml:", 0), 0u) << message;
  EXPECT_NE(message.find("memories.corpus.file"), std::string::npos) << message;
  EXPECT_NE(message.find("/nowhere/episodes.jsonl: no such file"), std::string::npos) << message;
}

TEST(FileOfASetting, BesideWhichItsEmbeddingsAreMissingIsNamed) {
  const tests::TemporaryFolder folder;
  const std::string file = folder / "mem.jsonl";
  tests::write_text(file, R"({"id": 1, "text": "a red cup", "anchor_m": [1, 1, 1]})"
                          "\n");
  const std::string sweep = "memories: {file: " + file + "}\n" +
                            "queries: {offset_m: 1, direction: sphere}\n" +
                            "arms: {vector: {recall: {weights: {relevance: 1}}}}\n";
  const std::string message =
      tests::input_error_of([&] { plan_blocks(host::SweepPlan::parse(sweep, "r.yaml", {})); });
  EXPECT_EQ(message.rfind("r.yaml:1:18: memories.file: " + std::string(folder / "mem.npy"), 0), 0u)
      << message;
  EXPECT_NE(message.find("hashed: 384"), std::string::npos) << message;
}

TEST(OverrideByAList, IsOneValueWhereTheKeyTakesAList) {
  constexpr const char* kSweep =
      "world: {scene: {name: clutter, seed: 1}}\n"
      "observers: {random_free: {count: 3, seed: 1, height_m: 1}}\n"
      "targets: {random_free: {count: 3, seed: 2, height_m: 1}}\n"
      "arms: {sight: {predict: line_of_sight, visibility: {method: hdda}}}\n";
  const auto plan_of = [&](const std::vector<std::string>& overrides) {
    return host::SweepPlan::parse(kSweep, "list.yaml", overrides);
  };
  const host::SweepPlan plan =
      plan_of({"world.scene.size_m=[40, 6, 40]", "world.scene.seed=[1, 2]"});
  EXPECT_EQ(plan.num_configurations(), 2);
  EXPECT_EQ(plan.axis_keys(), std::vector<std::string>{"world.scene.seed"});
  EXPECT_EQ(plan.settings(1).find_path("world.scene.size_m")->display(), "[40,6,40]");
  EXPECT_EQ(plan_blocks(plan).size(), 2u);
  // What neither the list nor its items can be is told as of an axis, which most lists are.
  const std::string message =
      tests::input_error_of([&] { plan_blocks(plan_of({"world.scene.seed=[a, b]"})); });
  EXPECT_EQ(message.rfind("-s world.scene.seed=[a, b]: ", 0), 0u) << message;
  EXPECT_EQ(message.find("list"), message.find("list.yaml")) << message;
}

INSTANTIATE_TEST_SUITE_P(
    Each, Settings,
    testing::Values(
        BadSetting{"visibility.stepm=0.5", "step_m"},
        BadSetting{"visibility.step_m=0", "visibility.step_m"},
        BadSetting{"visibility.step_m=-1", "visibility.step_m"},
        BadSetting{"visibility.step_m=half", "visibility.step_m"},
        BadSetting{"visibility.step_m=null", "step_m"},
        BadSetting{"visibility.method=marsh", "march"},
        BadSetting{"visibility.unknown=block", "blocks"},
        BadSetting{"visibility.tie_rule=diagonaly", "diagonal"},
        BadSetting{"visibility.lattice_bits=17", "lattice_bits"},
        BadSetting{"visibility.end_rule=before", "before_target"},
        BadSetting{"visibility.solid=analytic", "the world has no analytic solid"},
        BadSetting{"field_of_view.kind=cones", "cone"},
        BadSetting{"field_of_view.min_cos=0.5", "one of the two"},
        BadSetting{"field_of_view.half_angle_deg=181", "half_angle_deg"},
        BadSetting{"field_of_view.horizontal_deg=40", "belong to a frustum"},
        BadSetting{"field_of_view={kind: frustum, horizontal_deg: 90, vertical_deg: 30}",
                   "horizontal_deg"},
        BadSetting{"field_of_view={kind: cone, half_angle_deg: 4, near_m: 5, far_m: 4}", "far_m"},
        BadSetting{"arms.cone.predict=cone", "field_of_view"},
        BadSetting{"visibility.target={samples: 2}", "box_m"},
        BadSetting{"visibility.target={box_m: [1, 2]}", "one value, or three"},
        BadSetting{"visibility.target={box_m: -1}", "box_m"},
        BadSetting{"visibility.target={box_m: 1, samples: 17}", "4913 samples"},
        BadSetting{"visibility.target={box_m: 1, at_least: 0}", "above 0"},
        BadSetting{"visibility.target={box_m: 1, atleast: 1}", "at_least"},
        BadSetting{"arms.cone={predict: rendered_view}", "view is not set"},
        BadSetting{"arms.cone={predict: rendered_view, view: {box_m: 1}}", "method: hdda"},
        BadSetting{
            "arms.cone={predict: rendered_view, visibility: {method: dda}, view: {width: 4}}",
            "box_m"},
        BadSetting{"view={box_m: 1, pixels: 4}", "unknown key"},
        BadSetting{"arms.cone={predict: rendered_view, visibility: {method: dda}, view: {box_m: 1, "
                   "width: 20000}}",
                   "view.width"},
        BadSetting{"arms.cone={predict: rendered_view, visibility: {method: dda}, view: {box_m: 1, "
                   "width: 4, height: 4, min_pixels: 17}}",
                   "min_pixels"},
        BadSetting{"arms.cone={predict: rendered_view, view: {box_m: 1}, visibility: {method: dda, "
                   "target: {box_m: 1}}}",
                   "has no effect"},
        BadSetting{"arms.cone.prediction=visible", "predict"},
        BadSetting{"arms={}", "at least one arm"}, BadSetting{"baseline=sigth", "\"sight\""},
        BadSetting{"oracle.predict=visible", "line_of_sight"},
        BadSetting{"oracle={method: march}", "step_m"}, BadSetting{"metrics=[acuracy]", "accuracy"},
        BadSetting{"observers.yaw=3", "yaw_deg"}, BadSetting{"observers.yaw_deg=4e8", "yaw_deg"},
        BadSetting{"observers.yaw_deg=null", "needs a heading"},
        BadSetting{"observers={yaw_deg: 90}", "names no generator"},
        BadSetting{"observers={list: [[0, 0, 0]], file: a.npy, yaw_deg: 1}", "second generator"},
        BadSetting{"observers.heading=random", "give one of the two"},
        BadSetting{"observers.list=[[0, 1]]", "observers.list"},
        BadSetting{"observers.list=[]", "at least one point"},
        BadSetting{"targets.lattice={x: 1, y: 2, z: {start: 3, stop: 2, step: 1}}",
                   "second generator"},
        BadSetting{"targets={lattice: {x: 1, y: 2, z: {start: 3, stop: 2, step: 1}}}",
                   "start <= stop"},
        BadSetting{"targets={lattice: {x: 1, y: 2, z: {start: 0, stop: 1e15, step: 1}}}",
                   "too many"},
        BadSetting{"targets={uniform: {count: 0, x: [0, 1], y: [0, 1], z: [0, 1]}}", "count"},
        BadSetting{"targets={uniform: {count: 1, x: [1, 0], y: [0, 1], z: [0, 1]}}", "low <= high"},
        BadSetting{"targets={random_free: {count: 5}}", "height_m or up_range_m"},
        BadSetting{"targets={random_free: {count: 5, height_m: 1, within_m: 3}}", "elementwise"},
        BadSetting{"targets.in_solid=dropp", "drop"},
        BadSetting{"targets.keep={oracle: hidden}", "draws until"},
        BadSetting{"targets.keep={cone: true}", "field_of_view"},
        BadSetting{"rays=crossed", "cross"},
        BadSetting{"rays={pairing: cross, random_pairs: 5}", "more than one way"},
        BadSetting{"rays={min_range_m: 5, max_range_m: 4}", "max_range_m"},
        BadSetting{"seed=-1", "seed"}, BadSetting{"seed=1.5", "seed"}));

TEST(Settings, AFaultOfOneConfigurationOfManyIsFound) {
  const std::string message = tests::input_error_of([] {
    plan_blocks(host::SweepPlan::parse(kBase, "base.yaml", {"visibility.step_m=[1, 0.5, 0]"}));
  });
  EXPECT_NE(message.find("visibility.step_m"), std::string::npos) << message;
}

TEST(Settings, AMisspeltKeyIsFoundEvenWhereNoArmUsesIt) {
  const char* only_text = "arms={text: {predict: visible}}";
  for (const char* bad : {"visibility.stepm=1", "field_of_view.half_angle=3"}) {
    const std::string message = tests::input_error_of([&] {
      plan_blocks(host::SweepPlan::parse(kBase, "base.yaml", {only_text, bad}));
    });
    EXPECT_NE(message.find("unknown key"), std::string::npos) << message;
  }
}

TEST(Settings, AnAngleOutOfRangeIsFoundEvenWhereNoArmUsesIt) {
  for (const char* bad :
       {"field_of_view={half_angle_deg: 400}", "field_of_view={kind: frustum, vertical_deg: 90}",
        "field_of_view.far_m=-1", "field_of_view.kind=con",
        "arms={text: {predict: visible, field_of_view: {half_angle_deg: 400}}}",
        "oracle.field_of_view={min_cos: 2}"}) {
    const std::string message = tests::input_error_of([&] {
      plan_blocks(
          host::SweepPlan::parse(kBase, "base.yaml", {"arms={text: {predict: visible}}", bad}));
    });
    EXPECT_NE(message.find("field_of_view."), std::string::npos) << bad << ": " << message;
  }
}

TEST(Settings, SelectingTargetsNeedsOneObserver) {
  const std::string message = tests::input_error_of([] {
    plan_blocks(host::SweepPlan::parse(kBase, "base.yaml",
                                       {"observers={list: [[0, 1, 5], [1, 1, 5]], yaw_deg: 90}",
                                        "targets.keep={field_of_view: true}"}));
  });
  EXPECT_NE(message.find("for one observer"), std::string::npos) << message;
}

/// What only the points themselves can tell is found when the block runs.
std::string run_error(const std::vector<std::string>& overrides) {
  return tests::input_error_of([&] {
    const host::SweepPlan plan = host::SweepPlan::parse(kBase, "base.yaml", overrides);
    host::Device device(host::DeviceChoice::kCpu);
    host::BlockRunner runner(plan, device);
    for (const host::Block& block : plan_blocks(plan)) runner.run(block);
  });
}

/// The message of kBase with some lines replaced, as prepare() tells it before anything is written.
std::string prepare_error(const std::string& yaml) {
  return tests::input_error_of([&] {
    const host::SweepPlan plan = host::SweepPlan::parse(yaml, "base.yaml", {});
    host::Device device(host::DeviceChoice::kCpu);
    host::BlockRunner(plan, device).prepare(plan_blocks(plan));
  });
}

std::string with_line(const std::string& key, const std::string& line) {
  std::string yaml = kBase;
  const std::size_t begin = yaml.find("\n" + key + ":") + 1;
  return yaml.replace(begin, yaml.find('\n', begin) - begin, line);
}

TEST(Blocks, TellTheLineAndColumnOfASettingThatOnlyTheRaysRefute) {
  struct Case {
    std::string yaml, place;
  };
  const std::string no_cone = "\nfield_of_view: {kind: cone, half_angle_deg: 45}";
  const std::vector<Case> cases = {
      {std::string(kBase) + "rays: elementwise\n", "base.yaml:10:7: rays: elementwise"},
      {std::string(kBase) + "rays: {max_range_m: 0.1}\n", "base.yaml:10:7: rays: no ray"},
      {with_line("targets", "targets: {list: [[10, 2, 2]]}"), "base.yaml:4:10: targets: no ray"},
      {with_line("targets", "targets: {file: nowhere.npy}"),
       "base.yaml:4:17: targets.file: nowhere"},
      {with_line("targets", "targets: {random_free: {count: 2, height_m: 99}}"),
       "base.yaml:4:24: targets.random_free: pilot2 has no free position"},
      {with_line("targets",
                 "targets: {union: [{list: [[1, 1, 1]]}, {random_free: {count: 2, "
                 "height_m: 99}}]}"),
       "base.yaml:4:54: targets.union[1].random_free: pilot2 has no free position"},
      {with_line("targets", "targets: {list: [[20, 2, 5], [1e10, 2, 5]]}"),
       "base.yaml:4:10: targets: targets row 1: (1e+10, 2, 5) lies more than"},
      {with_line("visibility", "visibility: {method: march, step_m: 1e-9}"),
       "base.yaml:5:37: visibility.step_m: step_m is 1e-09"},
      {std::string(kBase) + "axes: {visibility.step_m: [1, 1e-9, 0.5]}\n",
       "base.yaml:10:31: visibility.step_m: step_m is 1e-09"},
  };
  for (const Case& each : cases) {
    const std::string message = prepare_error(each.yaml);
    EXPECT_EQ(message.find(each.place), 0u) << message;
  }
}

TEST(Blocks, TellBeforeTheFirstRunsWhatALaterOneWouldRefuse) {
  EXPECT_NE(prepare_error(with_line("targets", "targets: {random_free: {count: 2, height_m: 1}}") +
                          "axes: {targets.random_free.height_m: [1, 99]}\n")
                .find("base.yaml:4:24: targets.random_free: pilot2 has no free position"),
            std::string::npos);
  EXPECT_NE(prepare_error(with_line("observers",
                                    "observers: {list: [[0, 1.6, 5], [1, 1.6, 5]], "
                                    "yaw_deg: 90}") +
                          "rays: elementwise\n"
                          "axes: {targets.list: [[[20, 2, 5], [5, 2, 5]], [[5, 2, 5]]]}\n")
                .find("2 observers and 1 target"),
            std::string::npos);
}

TEST(Settings, RefuseAStepOfAnOracleThatTakesNone) {
  const std::string oracle = "oracle: {method: hdda, step_m: 3}\n";
  EXPECT_EQ(prepare_error(kBase + oracle),
            "base.yaml:10:32: oracle.step_m: is for a march; give method: march beside it");
}

TEST(Settings, TellTheKeyOfTheHeightWhereNothingIsFree) {
  const std::string points = "targets: {random_free: {count: 2, up_range_m: [98.7, 99.5]}}";
  EXPECT_NE(prepare_error(with_line("targets", points))
                .find("no free position from 98.7 to 99.5 m along its up axis (floor at 0 m; 20000 "
                      "draws); set up_range_m or floor_m"),
            std::string::npos);
}

TEST(Blocks, RefuseUnequalListsElementwise) {
  EXPECT_NE(run_error({"rays=elementwise"}).find("1 observer and 2 targets"), std::string::npos);
}

TEST(Blocks, RefuseFiltersThatLeaveNothing) {
  EXPECT_NE(run_error({"rays={max_range_m: 0.1}"}).find("no ray is left"), std::string::npos);
  EXPECT_NE(run_error({"targets={list: [[10, 2, 2]]}"}).find("no ray is left"), std::string::npos);
}

TEST(Blocks, RefuseAnOracleThatKeepsNoTarget) {
  const std::string message =
      run_error({"targets={uniform: {count: 3, x: [1, 8], y: [1, 2], z: [4, 16]}, keep: {oracle: "
                 "hidden}}"});
  EXPECT_NE(message.find("0 of 3 targets"), std::string::npos) << message;
}

TEST(Blocks, RefuseFilesThatAreNotThere) {
  EXPECT_NE(run_error({"targets={file: nowhere.npy}"}).find("nowhere.npy"), std::string::npos);
  EXPECT_NE(run_error({"targets={file: nowhere.csv}"}).find("nowhere.csv"), std::string::npos);
  EXPECT_NE(run_error({"targets={file: points.txt}"}).find("points.txt"), std::string::npos);
  EXPECT_NE(run_error({"rays={pairs: nowhere.npy}"}).find("nowhere.npy"), std::string::npos);
}

}  // namespace
}  // namespace sightline
