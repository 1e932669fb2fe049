#include "host/studies/battery_arm.h"

#include <cmath>

#include "host/world/turn.h"

namespace sightline::host {
namespace {

constexpr double kUsualConeCos = 0.70710678118654752;  ///< half an angle of 45 degrees

}  // namespace

QuestionType parse_question_type(const ConfigValue& type) {
  return static_cast<QuestionType>(type.as_choice({"presence", "occlusion", "relation", "coverage",
                                                   "near_duplicate", "multi_region", "control"}));
}

bool parse_truth_of_memories(const ConfigValue& study) {
  const ConfigValue* truth = study.find("truth");
  return truth && truth->as_choice({"things", "memories"}) == 1;
}

BatteryArm parse_battery_arm(const ConfigValue& map) {
  map.allow_only({"answer", "anchors", "method", "step_m", "half_angle_deg", "box_m", "min_pixels",
                  "width", "height", "horizontal_deg"});
  BatteryArm arm;
  arm.answer = static_cast<BatteryAnswer>(map.at("answer").as_choice(
      {"text", "coordinates", "scene_graph", "cone", "cone_line_of_sight", "rendered_view",
       "geometry", "text_coordinates"}));
  arm.anchors = parse_anchors(map);
  arm.sight = parse_sight_method(map);
  if (arm.answer == BatteryAnswer::kRenderedView && arm.sight.is_march()) {
    map.at("method").fail("a rendered view needs exact walks; give method: hdda");
  }
  arm.min_cos = kUsualConeCos;
  if (const ConfigValue* angle = map.find("half_angle_deg")) {
    constexpr double kHalfTurn_deg = 180;
    arm.min_cos = cos_of_degrees(angle->as_number(0, kHalfTurn_deg));
  }
  arm.camera = {96, 72, 90, 0, 100};
  const auto whole = [&](const char* key, std::int64_t* value) {
    constexpr std::int64_t kMost = 4096;
    if (const ConfigValue* given = map.find(key)) *value = given->as_integer(1, kMost);
  };
  whole("width", &arm.camera.width);
  whole("height", &arm.camera.height);
  whole("min_pixels", &arm.min_pixels);
  if (const ConfigValue* box = map.find("box_m")) arm.box_m.fill(box->as_positive());
  return arm;
}

bool is_sound_geometry(const BatteryArm& arm) {
  return arm.answer == BatteryAnswer::kGeometry && arm.anchors == Anchors::kSubject;
}

bool applies(BatteryAnswer answer, QuestionType type) {
  switch (answer) {
    case BatteryAnswer::kText:
    case BatteryAnswer::kGeometry:
    case BatteryAnswer::kTextCoordinates:
      return true;
    case BatteryAnswer::kCoordinates:  // no line of sight, no heading, no bounds of rooms
      return type != QuestionType::kOcclusion && type != QuestionType::kRelation &&
             type != QuestionType::kMultiRegion;
    case BatteryAnswer::kSceneGraph:  // not what stands between, nor looks, nor sentences
      return type != QuestionType::kOcclusion && type != QuestionType::kCoverage &&
             type != QuestionType::kControl;
    case BatteryAnswer::kCone:
    case BatteryAnswer::kConeLineOfSight:
    case BatteryAnswer::kRenderedView:
      break;  // perception alone
  }
  return type == QuestionType::kOcclusion;
}

}  // namespace sightline::host
