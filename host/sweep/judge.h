// Judges: who says for every ray whether its target is visible. Arms, and the oracle they are held
// against.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "host/config/value.h"
#include "host/sweep/extent.h"
#include "host/world/load.h"
#include "host/world/visibility.h"

namespace sightline::host {

/// One line-of-sight question: how to ask it, and for the marches at which step.
struct SightSettings {
  VisibilityQuery query;
  double step_m = 0;                 ///< 0 for the exact methods
  std::optional<AreaSettings> area;  ///< absent: the target is a point
  std::string step_place;            ///< where the sweep file sets it, for messages; not compared

  bool is_march() const {
    return query.method == Method::kMarch || query.method == Method::kMarchUniform;
  }
  /// What is asked along the rays, whatever is made of it: without step and share.
  SightSettings pass() const;
};
/// Orders questions, so that equal ones are asked once.
bool operator<(const SightSettings& a, const SightSettings& b);

/// By pass, which of the lines of sight in it has the finest step.
using FinestPasses = std::map<SightSettings, SightSettings>;
void keep_finest(const SightSettings& sight, FinestPasses* passes);

/// Reads a line-of-sight map: {method, step_m, solid, end_rule, unknown, outside, tie_rule,
/// lattice_bits, target}. Throws InputError, also for a geometry that the world lacks.
SightSettings parse_sight(const ConfigValue& sight, const WorldSpec& world);

/// What a judge answers from.
enum class Predict {
  kVisible,      ///< always visible: a memory of text alone
  kHidden,       ///< always hidden
  kFieldOfView,  ///< visible iff inside the field of view
  kLineOfSight,
  kFieldOfViewAndLineOfSight,  ///< hidden outside the field of view, else line of sight
  kRenderedView                ///< visible iff it covers enough pixels of the observer's view
};

/// Someone who says for every ray whether the target is visible: an arm or the oracle. Parts that
/// `predict` does not use are absent, so that judges that answer alike are equal.
struct Judge {
  Predict predict = Predict::kVisible;
  std::optional<SightSettings> sight;
  std::optional<kernels::FieldOfView> field_of_view;
  std::optional<ViewSettings> view;
};
struct FieldOfViewLess {
  bool operator()(const kernels::FieldOfView& a, const kernels::FieldOfView& b) const;
};
bool operator<(const Judge& a, const Judge& b);

struct Arm {
  std::string name;
  Judge judge;
};

/// Reads the arms of a configuration: `arms`, over the configuration's own `visibility` and
/// `field_of_view`. Throws InputError.
std::vector<Arm> parse_arms(const ConfigValue& settings, const WorldSpec& world);

/// Index of the arm that `name` names. Throws InputError with the nearest arm's name.
std::size_t index_of_arm(const std::vector<std::string>& names, const ConfigValue& name);
/// Names of arms of either kind of experiment, in order.
template <class AnyArm>
std::vector<std::string> names_of(const std::vector<AnyArm>& arms) {
  std::vector<std::string> names;
  for (const AnyArm& arm : arms) names.push_back(arm.name);
  return names;
}

/// Reads the oracle. It inherits `solid`, `unknown` and `outside` from the configuration's
/// `visibility`: what the world is, but not how closely an arm looks. Default: the exact walk.
Judge parse_oracle(const ConfigValue& settings, const WorldSpec& world);

/// Reads a field-of-view map: {kind, half_angle_deg | min_cos | horizontal_deg and vertical_deg,
/// near_m, far_m}. Angles are measured from the forward axis.
kernels::FieldOfView parse_field_of_view(const ConfigValue& field_of_view);

}  // namespace sightline::host
