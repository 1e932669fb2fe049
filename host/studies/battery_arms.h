// How the arms of the battery answer. Not for users of the library: see battery.h.
#pragma once

#include <vector>

#include "host/studies/arm_settings.h"
#include "host/studies/battery_trials.h"
#include "host/studies/study.h"
#include "host/world/view.h"
#include "host/world/visibility.h"

namespace sightline::host {

enum class BatteryAnswer : std::uint8_t {
  kText,
  kCoordinates,
  kSceneGraph,
  kCone,
  kConeLineOfSight,
  kRenderedView,
  kGeometry
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

/// Does the arm store and compute what the type needs? Of what it lacks it is asked nothing.
bool applies(BatteryAnswer answer, QuestionType type);

/// What an arm says to trials of one type. What they mean: BatteryTrial::truth.
struct BatteryAnswers {
  static constexpr int kNothing = -1;
  std::vector<int> said;  ///< [num_trials]
  std::int64_t coordinate_reads = 0, num_candidates = 0;
};

/// Asks an arm of a type that applies. It sees of a trial its question and its memories, and not
/// its truth.
BatteryAnswers ask(const BatteryArm& arm, QuestionType type,
                   const std::vector<BatteryTrial>& trials, const World& world, Device& device);

}  // namespace sightline::host
