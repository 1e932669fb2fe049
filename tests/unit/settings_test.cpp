// What a configuration means: defaults, overlays, and which settings decide the rays.
#include "host/sweep/settings.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/errors.h"

namespace sightline {
namespace {

using namespace host;

constexpr const char* kBase = R"(
world: {scene: pilot2, solid: {analytic: true, grid: {voxel_m: 0.5}}}
observers: {list: [[0, 1.6, 5]], yaw_deg: 90}
targets: {list: [[20, 2, 5], [5, 2, 5]]}
visibility: {method: march, step_m: 0.5, solid: grid, unknown: blocks}
field_of_view: {kind: cone, half_angle_deg: 45}
arms:
  sight: {predict: line_of_sight}
)";

/// The base with entries set by dotted key.
ExperimentSettings parsed(const std::vector<std::pair<std::string, std::string>>& changes = {}) {
  ConfigValue settings = ConfigValue::parse_yaml(kBase, "base.yaml");
  for (const auto& [key, yaml] : changes) {
    settings.set_path(key, ConfigValue::parse_yaml(yaml, "change"));
  }
  return parse_experiment(settings);
}

TEST(Settings, HaveDefaults) {
  const ExperimentSettings experiment = parsed();
  EXPECT_EQ(experiment.pairing.kind, PairingSettings::Kind::kCross);
  EXPECT_EQ(experiment.seed, 1u);
  EXPECT_EQ(experiment.baseline, 0u);
  EXPECT_TRUE(experiment.filter.drop_in_solid);
  EXPECT_EQ(experiment.oracle.predict, Predict::kLineOfSight);
  EXPECT_EQ(experiment.oracle.sight->query.method, Method::kHdda);
}

TEST(Oracle, InheritsTheWorldButNotTheApproximation) {
  const ExperimentSettings experiment = parsed({{"oracle", "{method: march, step_m: 0.01}"},
                                                {"visibility.solid", "analytic"},
                                                {"visibility.outside", "blocks"},
                                                {"visibility.end_rule", "step_before"}});
  const SightSettings& sight = *experiment.oracle.sight;
  EXPECT_EQ(sight.query.geometry, Geometry::kAnalytic);
  EXPECT_EQ(sight.query.unknown, kernels::SpacePolicy::kBlocks);
  EXPECT_EQ(sight.query.outside, kernels::SpacePolicy::kBlocks);
  EXPECT_EQ(sight.query.end_rule, kernels::EndRule::kBeforeTarget);
  EXPECT_EQ(sight.step_m, 0.01);
}

TEST(Oracle, NeedsAMarchWhereThereIsNoGrid) {
  const auto analytic = [](std::vector<std::pair<std::string, std::string>> changes) {
    changes.push_back({"world.solid", "analytic"});
    changes.push_back({"visibility.solid", "analytic"});
    return tests::input_error_of([&] { parsed(changes); });
  };
  EXPECT_NE(analytic({}).find("no exact walk"), std::string::npos);
  EXPECT_EQ(analytic({{"oracle", "{method: march, step_m: 0.01}"}}), "no error");
}

TEST(Arm, LaysItsOwnSettingsOverTheSharedOnes) {
  const ExperimentSettings experiment =
      parsed({{"arms.fine", "{predict: line_of_sight, visibility: {step_m: 0.1}}"},
              {"arms.walk",
               "{predict: line_of_sight, visibility: {method: dda, tie_rule: "
               "supercover}}"}});
  EXPECT_EQ(experiment.arms[0].judge.sight->step_m, 0.5);
  EXPECT_EQ(experiment.arms[1].judge.sight->step_m, 0.1);
  EXPECT_EQ(experiment.arms[1].judge.sight->query.unknown, kernels::SpacePolicy::kBlocks);
  EXPECT_EQ(experiment.arms[2].judge.sight->query.method, Method::kDda);
  EXPECT_EQ(experiment.arms[2].judge.sight->query.tie_rule, kernels::TieRule::kSupercover);
}

TEST(Arm, RulesItsMethodDoesNotUseMakeNoDifference) {
  const Judge one = parsed().arms[0].judge;
  const Judge other = parsed({{"visibility.lattice_bits", "12"},
                              {"visibility.tie_rule", "supercover"},
                              {"field_of_view.half_angle_deg", "30"}})
                          .arms[0]
                          .judge;
  EXPECT_FALSE(one < other || other < one);
  const Judge changed = parsed({{"visibility.end_rule", "step_before"}}).arms[0].judge;
  EXPECT_TRUE(one < changed || changed < one);
}

TEST(Arm, AnotherKindOfViewReplacesTheSharedOne) {
  const ExperimentSettings experiment =
      parsed({{"arms.wide", "{predict: field_of_view, field_of_view: {min_cos: 0.25}}"},
              {"arms.camera",
               "{predict: field_of_view, field_of_view: {kind: frustum, horizontal_deg: "
               "45, vertical_deg: 30, far_m: 9}}"}});
  const kernels::FieldOfView wide = *experiment.arms[1].judge.field_of_view;
  EXPECT_EQ(wide.kind, kernels::FieldOfViewKind::kCone);
  EXPECT_EQ(wide.min_cos, 0.25);
  const kernels::FieldOfView camera = *experiment.arms[2].judge.field_of_view;
  EXPECT_EQ(camera.kind, kernels::FieldOfViewKind::kFrustum);
  EXPECT_DOUBLE_EQ(camera.tan_horizontal, 1);
  EXPECT_EQ(camera.far_m, 9);
}

TEST(RaysKey, IsSharedByWhatOnlyJudgesDifferIn) {
  const std::string base = parsed().rays_key;
  EXPECT_EQ(base, parsed({{"visibility.step_m", "0.1"}}).rays_key);
  EXPECT_EQ(base, parsed({{"visibility.unknown", "free"}}).rays_key);
  EXPECT_EQ(base, parsed({{"field_of_view.half_angle_deg", "10"}}).rays_key);
  EXPECT_EQ(base, parsed({{"oracle", "{method: dda}"}}).rays_key);
}

TEST(RaysKey, DiffersWhereWorldOrRaysDo) {
  const std::string base = parsed().rays_key;
  EXPECT_NE(base, parsed({{"seed", "2"}}).rays_key);
  EXPECT_NE(base, parsed({{"replicate", "1"}}).rays_key);
  EXPECT_NE(base, parsed({{"world.scene", "{name: pilot2, edges: open}"}}).rays_key);
  EXPECT_NE(base, parsed({{"targets.in_solid", "keep"}}).rays_key);
  EXPECT_NE(base, parsed({{"rays", "elementwise"}, {"targets", "{list: [[1, 1, 1]]}"}}).rays_key);
  // The geometry of the truth says which targets are in the solid.
  EXPECT_NE(base, parsed({{"oracle", "{method: march, step_m: 0.01, solid: analytic}"}}).rays_key);
}

TEST(RaysKey, HoldsTheConeAndTheOracleThatSelectTargets) {
  const std::pair<std::string, std::string> in_cone{"targets.keep", "{field_of_view: true}"};
  EXPECT_NE(parsed({in_cone}).rays_key,
            parsed({in_cone, {"field_of_view.half_angle_deg", "10"}}).rays_key);
  const std::pair<std::string, std::string> hidden{
      "targets",
      "{uniform: {count: 5, x: [11, 18], y: [1, 2], z: [4, 16]}, keep: {oracle: hidden}}"};
  EXPECT_NE(parsed({hidden}).rays_key, parsed({hidden, {"oracle", "{method: dda}"}}).rays_key);
  EXPECT_EQ(parsed({hidden}).rays_key, parsed({hidden, {"visibility.step_m", "0.1"}}).rays_key);
}

TEST(Settings, NullUnsetsAKey) {
  EXPECT_EQ(parsed({{"targets.in_solid", "null"}, {"seed", "null"}}).rays_key, parsed().rays_key);
}

TEST(Settings, ReplicatesAreSeedsOfTheirOwn) {
  EXPECT_EQ(parsed({{"seed", "10"}, {"replicate", "3"}}).seed, 13u);
}

}  // namespace
}  // namespace sightline
