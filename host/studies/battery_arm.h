// Who answers the trials of the battery, and what a sweep file says of it. Not for users of the
// library: see battery.h.
#pragma once

#include <array>
#include <cstdint>

#include "host/config/value.h"
#include "host/studies/arm_settings.h"
#include "host/truth/question_type.h"
#include "host/world/view.h"

namespace sightline::host {

enum class BatteryAnswer : std::uint8_t {
  kText,
  kCoordinates,
  kSceneGraph,
  kCone,
  kConeLineOfSight,
  kRenderedView,
  kGeometry,
  kTextCoordinates  ///< sentences with coordinates in them, read by a rule
};

struct BatteryArm {
  BatteryAnswer answer = BatteryAnswer::kText;
  Anchors anchors = Anchors::kSubject;
  double min_cos = 0;     ///< of the cone
  SightMethod sight;      ///< of kConeLineOfSight and kGeometry; exact for kRenderedView
  CameraSettings camera;  ///< of kRenderedView
  std::array<double, 3> box_m{0.5, 0.5, 0.5};
  std::int64_t min_pixels = 1;
};

/// Reads the name of a type. Throws InputError.
QuestionType parse_question_type(const ConfigValue& type);
/// Reads `truth` of a study: is it of the memories (memories), as it must not be, or of the things
/// (things; absent)? Throws InputError.
bool parse_truth_of_memories(const ConfigValue& study);
/// Reads {answer: ..., anchors, ...} as battery.h has them. Throws InputError.
BatteryArm parse_battery_arm(const ConfigValue& arm);

/// Does it compute the predicates, at the places that memories should have?
bool is_sound_geometry(const BatteryArm& arm);

/// Does the arm store and compute what the type needs? Of what it lacks it is asked nothing.
bool applies(BatteryAnswer answer, QuestionType type);

}  // namespace sightline::host
