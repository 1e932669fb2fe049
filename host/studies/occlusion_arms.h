// Who answers the questions of render_as_recall.h, and how. Not for users of the library.
#pragma once

#include <cstdint>
#include <vector>

#include "host/studies/arm_settings.h"
#include "host/studies/map_damage.h"
#include "host/studies/occlusion_pictures.h"
#include "host/studies/study.h"

namespace sightline::host {

enum class OcclusionAnswer : std::uint8_t {
  kText,         ///< a sentence that tells no place
  kCoordinates,  ///< boxes of the map as text, read by a rule
  kFieldOfView,  ///< a gate that knows no walls
  kLineOfSight,
  kView  ///< a rendered picture
};

/// Where a picture is taken, and what a field of view is that of.
enum class Viewpoint : std::uint8_t {
  kObserver,   ///< the observer's pose: one picture for all its targets
  kQuery,      ///< the observer's place, turned to the target
  kKeyframe,   ///< the stored frame nearest to the observer, turned to the target
  kBestFrame,  ///< the nearest of the stored frames that has the target in sight, turned to it
  kFrames      ///< of a field of view: the observer's, and that of any stored frame
};

struct OcclusionArm {
  OcclusionAnswer answer = OcclusionAnswer::kText;
  Viewpoint from = Viewpoint::kObserver;
  SightMethod sight;            ///< of kLineOfSight
  CameraSettings camera;        ///< of kView
  PictureRule rule;             ///< of kView
  std::int64_t num_boxes = 0;   ///< of kCoordinates: told in one question, at most
  std::int64_t candidates = 0;  ///< of kBestFrame: the nearest frames that are looked from
  bool has_anothers_pose = false, has_shuffled_targets = false;  ///< what must not pass

  bool is_text() const {
    return answer == OcclusionAnswer::kText || answer == OcclusionAnswer::kCoordinates;
  }
};

/// Reads an arm as render_as_recall.h has it. Throws InputError.
OcclusionArm parse_occlusion_arm(const ConfigValue& arm, const OcclusionSettings& settings);

/// What arms answer from: never the truth.
struct OcclusionTask {
  const OcclusionSettings& settings;
  const OcclusionSet& set;
  const Reconstruction& given;
  const std::vector<Bounds>& boxes;  ///< of the given map; empty if no arm reads them
};

/// The answers of an arm, with the seconds that it took (the least of some times, if they are few)
/// and the bytes that it keeps.
ArmAnswers ask_occlusion(const OcclusionArm& arm, const OcclusionTask& task, Device& device);

/// What a text arm is given; empty for others.
std::vector<Prompt> occlusion_prompts(const OcclusionArm& arm, const OcclusionTask& task,
                                      Device& device);

}  // namespace sightline::host
