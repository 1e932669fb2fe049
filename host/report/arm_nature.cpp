#include "host/report/arm_nature.h"

#include <algorithm>
#include <vector>

#include "host/error.h"
#include "host/sweep/judge.h"

namespace sightline::host::report {
namespace {

/// The methods that walk exactly differ in how fast they answer.
Judge by_one_walk(Judge judge) {
  if (judge.sight && judge.sight->query.method == Method::kDda) {
    judge.sight->query.method = Method::kHdda;
  }
  return judge;
}

bool same_question(const Judge& asked, const Judge& other) {
  const Judge a = by_one_walk(asked), b = by_one_walk(other);
  return !(a < b) && !(b < a);
}

/// The oracle's line of sight within a field of view of the arm's own.
bool same_question_in_view(const Judge& arm, const Judge& oracle) {
  if (arm.predict != Predict::kFieldOfViewAndLineOfSight) return false;
  if (oracle.predict != Predict::kLineOfSight) return false;
  Judge beyond_view = arm;
  beyond_view.predict = oracle.predict;
  beyond_view.field_of_view = oracle.field_of_view;
  return same_question(beyond_view, oracle);
}

/// A world on which every arm is possible: the run's own may be gone, and no ray is asked here.
WorldSpec any_world() {
  WorldSpec world;
  world.analytic = true;
  world.voxel_m = kDefaultVoxel_m;
  return world;
}

bool starts_with(const std::string& text, const std::string& start) {
  return text.rfind(start, 0) == 0;
}

}  // namespace

bool replaces_axis(const RunData& run, const std::string& arm, const std::string& key) {
  const std::string own = "arms." + arm + ".";
  if (starts_with(key, "arms.")) return !starts_with(key, own);
  const auto& axes = run.axis_keys;
  if (std::find(axes.begin(), axes.end(), own + key) != axes.end()) return true;
  return run.resolved.is_map() && run.resolved.find_path(own + key) != nullptr;
}

ConfigValue settings_of(const RunData& run, std::size_t row) {
  ConfigValue settings = run.resolved;
  for (const char* key : {"axes", "zip", "exclude", "replicates", "preregistration"}) {
    settings.erase_entry(key);
  }
  for (std::size_t axis = 0; axis < run.axis_keys.size(); ++axis) {
    settings.set_path(run.axis_keys[axis], run.rows[row].axis_values[axis]);
  }
  return settings;
}

std::vector<Arm> arms_at(const RunData& run, std::size_t row) {
  return parse_arms(settings_of(run, row), any_world());
}

std::map<std::string, ArmNature> arm_natures_at(const RunData& run, std::size_t row) {
  std::map<std::string, ArmNature> natures;
  const ConfigValue settings = settings_of(run, row);
  const WorldSpec world = any_world();
  const Judge oracle = parse_oracle(settings, world);
  for (const Arm& arm : arms_at(run, row)) {
    const bool is_blind =
        arm.judge.predict == Predict::kVisible || arm.judge.predict == Predict::kHidden;
    natures[arm.name] = {arm.judge.sight ? arm.judge.sight->step_m : 0,
                         same_question(arm.judge, oracle), same_question_in_view(arm.judge, oracle),
                         !is_blind};
  }
  return natures;
}

std::map<std::string, ArmNature> read_arm_natures(const RunData& run) {
  if (run.rows.empty() || !run.resolved.is_map()) return {};
  try {
    return arm_natures_at(run, 0);
  } catch (const InputError&) {
    return {};
  }
}

}  // namespace sightline::host::report
