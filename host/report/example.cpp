#include "host/report/example.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "host/device.h"
#include "host/error.h"
#include "host/sweep/evaluate.h"
#include "host/sweep/make_rays.h"
#include "host/sweep/plan.h"
#include "host/sweep/settings.h"
#include "host/world/load.h"

namespace sightline::host::report {
namespace {

using kernels::Vec3;
using kernels::Visibility;

constexpr std::size_t kMaxTargets = 400;       ///< more would hide one another
constexpr std::size_t kFewTargets = 12;        ///< with fewer, targets of other rays are shown
constexpr std::size_t kBorrowedTargets = 250;  ///< about so many of them
constexpr std::size_t kReachRays = 1000;       ///< rays that tell how far an experiment looks
constexpr std::size_t kMaxCandidates = 24;     ///< observers looked at

/// The march step of a row, as its axes set it; 0 if none does.
double step_of(const RunData& run, const RunData::Row& row) {
  for (std::size_t axis = 0; axis < run.axis_keys.size(); ++axis) {
    const std::string& key = run.axis_keys[axis];
    const bool is_step = key.substr(key.find_last_of('.') + 1) == "step_m";
    if (is_step && row.axis_values[axis].is_number()) return row.axis_values[axis].as_number();
  }
  return 0;
}

/// Of the rows of an arm with the coarsest march, the one with the most wrong answers.
const RunData::Row& example_row(const RunData& run, const std::string& arm) {
  const RunData::Row* chosen = nullptr;
  std::pair<double, std::int64_t> most{-1, -1};
  for (const RunData::Row& row : run.rows) {
    if (row.result.arm != arm) continue;
    const Answers& answers = row.result.answers;
    const std::pair<double, std::int64_t> score{
        step_of(run, row), answers.num_visible + answers.num_occluded - answers.correct};
    if (score > most) {
      most = score;
      chosen = &row;
    }
  }
  if (chosen == nullptr) throw InputError(run.directory + ": no result of arm " + arm);
  return *chosen;
}

ExperimentSettings settings_of(const RunData& run, const RunData::Row& row) {
  const SweepPlan plan =
      SweepPlan::parse(run.resolved.to_yaml(), run.directory + "/resolved.yaml", {});
  const Configuration configuration = plan.configuration(row.result.configuration);
  if (configuration.id != row.result.configuration_id) {
    throw InputError(run.directory + ": the configuration reads differently in this version");
  }
  return parse_experiment(configuration.settings);
}

/// Observer and target of ray i as indices into the batch.
std::pair<std::size_t, std::size_t> ray_indices(const RayBatch& batch, std::size_t ray) {
  if (batch.shape == kernels::RayShape::kElementwise) return {ray, ray};
  if (batch.shape == kernels::RayShape::kCross) {
    return {ray / batch.targets.size(), ray % batch.targets.size()};
  }
  return {static_cast<std::size_t>(batch.pairs[2 * ray]),
          static_cast<std::size_t>(batch.pairs[2 * ray + 1])};
}

/// The target indices of the observers that have the most of them, at most kMaxCandidates.
std::map<std::size_t, std::vector<std::size_t>> candidates(const RayBatch& batch) {
  std::map<std::size_t, std::vector<std::size_t>> by_observer;
  const std::size_t num_rays = static_cast<std::size_t>(batch.num_rays());
  for (std::size_t ray = 0; ray < num_rays; ++ray) {
    const auto [observer, target] = ray_indices(batch, ray);
    by_observer[observer].push_back(target);
  }
  std::size_t most = 0;
  for (const auto& [observer, targets] : by_observer) most = std::max(most, targets.size());
  std::map<std::size_t, std::vector<std::size_t>> chosen;
  for (auto& [observer, targets] : by_observer) {
    if (targets.size() == most && chosen.size() < kMaxCandidates) {
      chosen.emplace(observer, std::move(targets));
    }
  }
  return chosen;
}

/// One observer of a set with the given targets.
RaySet rays_of(const RaySet& all, std::size_t observer, const std::vector<std::size_t>& targets) {
  RaySet rays;
  rays.batch.shape = kernels::RayShape::kCross;
  rays.batch.observers = {all.batch.observers[observer]};
  if (!all.yaw_deg.empty()) {
    rays.yaw_deg = {all.yaw_deg[observer]};
    rays.pitch_deg = {all.pitch_deg[observer]};
  }
  for (const std::size_t target : targets) {
    rays.batch.targets.push_back(all.batch.targets[target]);
  }
  return rays;
}

/// Keeps the targets near the height of the observer's eye, unless they are too few, and every k-th
/// of those where they are too many to draw. Returns how many were left out for their height.
std::int64_t keep_near_cut(RaySet* rays, int up_axis) {
  const double height = coordinate(rays->batch.observers[0], up_axis);
  std::vector<Vec3> near;
  for (const Vec3 target : rays->batch.targets) {
    if (std::fabs(coordinate(target, up_axis) - height) <= kBand_m) near.push_back(target);
  }
  std::int64_t left_out = 0;
  if (near.size() >= std::min(kFewTargets, rays->batch.targets.size())) {
    left_out = static_cast<std::int64_t>(rays->batch.targets.size() - near.size());
    rays->batch.targets = std::move(near);
  }
  const std::size_t stride = (rays->batch.targets.size() + kMaxTargets - 1) / kMaxTargets;
  std::vector<Vec3> thinned;
  for (std::size_t i = 0; i < rays->batch.targets.size(); i += std::max<std::size_t>(1, stride)) {
    thinned.push_back(rays->batch.targets[i]);
  }
  rays->batch.targets = std::move(thinned);
  return left_out;
}

double distance(Vec3 a, Vec3 b) {
  const double x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
  return std::sqrt(x * x + y * y + z * z);
}

/// Length of the longest of the first rays: how far the experiment looks.
double reach_of(const RayBatch& batch) {
  const std::size_t num_rays =
      std::min<std::size_t>(kReachRays, static_cast<std::size_t>(batch.num_rays()));
  double reach = 0;
  for (std::size_t ray = 0; ray < num_rays; ++ray) {
    const auto [observer, target] = ray_indices(batch, ray);
    reach = std::max(reach, distance(batch.observers[observer], batch.targets[target]));
  }
  return reach;
}

/// Indices of targets within reach of an observer, whoever looks at them in the run; evenly
/// thinned.
std::vector<std::size_t> targets_around(const RayBatch& batch, std::size_t observer) {
  const double reach = reach_of(batch);
  std::vector<std::size_t> around;
  for (std::size_t target = 0; target < batch.targets.size(); ++target) {
    if (distance(batch.observers[observer], batch.targets[target]) <= reach) {
      around.push_back(target);
    }
  }
  const std::size_t stride = std::max<std::size_t>(1, around.size() / kBorrowedTargets);
  std::vector<std::size_t> thinned;
  for (std::size_t i = 0; i < around.size(); i += stride) thinned.push_back(around[i]);
  return thinned;
}

/// The candidate whose drawn targets are most evenly visible and hidden.
struct Choice {
  RaySet rays;
  std::vector<Visibility> truth;
  std::int64_t num_other_heights = 0;
  bool own_targets = true;
};

Choice choose_observer(const ExperimentSettings& settings, const World& world, const RaySet& all,
                       Device& device) {
  Choice best;
  double best_balance = -1;
  for (auto& [observer, targets] : candidates(all.batch)) {
    Choice choice;
    choice.own_targets = targets.size() >= std::min(kFewTargets, all.batch.targets.size());
    choice.rays =
        rays_of(all, observer, choice.own_targets ? targets : targets_around(all.batch, observer));
    choice.num_other_heights = keep_near_cut(&choice.rays, plan_axes(world.frame).up);
    choice.truth = judge_rays(world, choice.rays, settings.oracle, device);
    const double visible = static_cast<double>(
        std::count(choice.truth.begin(), choice.truth.end(), Visibility::kVisible));
    const double hidden = static_cast<double>(
        std::count(choice.truth.begin(), choice.truth.end(), Visibility::kHidden));
    const double balance = std::min(visible, hidden);
    if (balance > best_balance) {
      best_balance = balance;
      best = std::move(choice);
    }
  }
  if (best.rays.batch.observers.empty()) throw InputError("the configuration has no rays");
  return best;
}

/// Half-angle of a field of view in the horizontal plane, radians.
double half_angle(const kernels::FieldOfView& fov) {
  return fov.kind == kernels::FieldOfViewKind::kFrustum ? std::atan(fov.tan_horizontal)
                                                        : std::acos(fov.min_cos);
}

/// The sector that a field of view covers, seen from above. The figure clips it.
std::vector<PlanPoint> cone_outline(const kernels::FieldOfView& fov, const kernels::Pose& pose,
                                    PlanAxes axes, double reach_m) {
  constexpr int kSegments = 64;
  const double radius = std::min(reach_m, fov.far_m), half = half_angle(fov);
  const PlanPoint origin = axes.project(pose.position);
  const PlanPoint ahead = axes.project(pose.level_forward);
  std::vector<PlanPoint> outline{origin};
  for (int i = 0; i <= kSegments; ++i) {
    const double angle = half * (2.0 * i / kSegments - 1);
    const double c = std::cos(angle), s = std::sin(angle);
    outline.push_back({origin[0] + radius * (c * ahead[0] - s * ahead[1]),
                       origin[1] + radius * (s * ahead[0] + c * ahead[1])});
  }
  return outline;
}

std::optional<kernels::FieldOfView> field_of_view_of(const ExperimentSettings& settings,
                                                     const Judge& judge) {
  if (judge.field_of_view) return judge.field_of_view;
  if (settings.filter.field_of_view) return settings.filter.field_of_view;
  for (const Arm& arm : settings.arms) {
    if (arm.judge.field_of_view) return arm.judge.field_of_view;
  }
  return std::nullopt;
}

}  // namespace

Example make_example(const RunData& run, const std::string& arm) {
  const RunData::Row& row = example_row(run, arm);
  const ExperimentSettings settings = settings_of(run, row);
  const auto named = std::find_if(settings.arms.begin(), settings.arms.end(),
                                  [&](const Arm& candidate) { return candidate.name == arm; });
  if (named == settings.arms.end()) throw InputError("the configuration has no arm " + arm);
  const Judge& judge = named->judge;
  const World world = make_world(settings.world);
  Device device(DeviceChoice::kCpu);  // a few hundred rays: a GPU would only be woken up
  const Choice choice =
      choose_observer(settings, world, make_rays(settings, world, device), device);
  const std::vector<Visibility> said = judge_rays(world, choice.rays, judge, device);

  const PlanAxes axes = plan_axes(world.frame);
  Example example;
  example.arm = arm;
  example.step_m = judge.sight ? judge.sight->step_m : 0;
  example.observer_m = axes.project(choice.rays.batch.observers[0]);
  example.targets_are_its_own = choice.own_targets;
  example.num_other_heights = choice.num_other_heights;
  for (std::size_t i = 0; i < choice.truth.size(); ++i) {
    example.targets.push_back(
        {axes.project(choice.rays.batch.targets[i]), choice.truth[i], said[i]});
  }
  example.plan = cut_world(world, settings.oracle.sight->query.geometry,
                           coordinate(choice.rays.batch.observers[0], axes.up));
  std::vector<Vec3> shown = choice.rays.batch.targets;
  shown.push_back(choice.rays.batch.observers[0]);
  example.plan.window_m = window_around(example.plan, axes, shown);
  const std::optional<kernels::FieldOfView> fov = field_of_view_of(settings, judge);
  if (fov && !choice.rays.yaw_deg.empty()) {
    const std::array<double, 4>& window = example.plan.window_m;
    const double reach = (window[1] - window[0]) + (window[3] - window[2]);
    example.cone_m = cone_outline(*fov, poses_of(choice.rays, world.frame).front(), axes, reach);
  }
  return example;
}

}  // namespace sightline::host::report
