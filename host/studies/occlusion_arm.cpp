// Arms of render_as_recall as a sweep file says them.
#include <cmath>
#include <limits>
#include <string>

#include "host/config/place.h"
#include "host/studies/occlusion_arms.h"

namespace sightline::host {
namespace {

constexpr std::int64_t kUsualWidth = 33, kMostBoxes = 100'000, kMostCandidates = 100'000;
constexpr double kUsualTurned_deg = 20, kMost_deg = 179;

struct Named {
  const char* key;
  bool has_use;
  const char* whose;
};

/// A key that such an arm has no use for is a mistake.
void check_use(const ConfigValue& map, const Named& named) {
  const ConfigValue* value = map.find(named.key);
  if (value && !named.has_use) value->fail(std::string("is for ") + named.whose + "; leave it out");
}

Viewpoint parse_from(const ConfigValue& map, OcclusionAnswer answer) {
  const ConfigValue* from = map.find("from");
  if (answer == OcclusionAnswer::kFieldOfView) {
    if (!from) return Viewpoint::kObserver;
    return from->as_choice({"observer", "frames"}) == 0 ? Viewpoint::kObserver : Viewpoint::kFrames;
  }
  if (answer != OcclusionAnswer::kView) return Viewpoint::kObserver;
  return static_cast<Viewpoint>(
      map.at("from").as_choice({"observer", "query", "keyframe", "best_frame"}));
}

void parse_camera(const ConfigValue& map, const OcclusionSettings& settings, OcclusionArm* arm) {
  const auto whole = [&](const char* key, std::int64_t usual) {
    const ConfigValue* value = map.find(key);
    return value ? value->as_integer(1, std::numeric_limits<std::int16_t>::max()) : usual;
  };
  arm->camera.width = whole("width", kUsualWidth);
  arm->camera.height = whole("height", (3 * arm->camera.width + 2) / 4);
  const bool turns = arm->from != Viewpoint::kObserver;
  arm->camera.horizontal_deg = turns ? kUsualTurned_deg : settings.horizontal_deg;
  if (const ConfigValue* angle = map.find("horizontal_deg")) {
    arm->camera.horizontal_deg = angle->as_number(1, kMost_deg);
  }
  arm->camera.range_m = 2 * settings.range_m;  // a frame elsewhere may be further away
  (void)at_place(map.where(), [&] { return make_camera(arm->camera); });
  if (const ConfigValue* box = map.find("box_m")) arm->rule.box_m = box->as_positive();
  if (const ConfigValue* pixels = map.find("min_pixels")) {
    arm->rule.min_pixels = pixels->as_integer(1);
  }
  if (const ConfigValue* share = map.find("min_share"))
    arm->rule.min_share = share->as_number(0, 1);
}

}  // namespace

OcclusionArm parse_occlusion_arm(const ConfigValue& map, const OcclusionSettings& settings) {
  map.allow_only({"answer", "from", "method", "step_m", "width", "height", "horizontal_deg",
                  "box_m", "min_pixels", "min_share", "candidates", "boxes", "pose", "targets"});
  constexpr std::int64_t kUsualBoxes = 64, kUsualCandidates = 16;
  OcclusionArm arm;
  arm.answer = static_cast<OcclusionAnswer>(map.at("answer").as_choice(
      {"text", "coordinates", "field_of_view", "line_of_sight", "view"}));
  const bool is_view = arm.answer == OcclusionAnswer::kView;
  const bool is_sight = arm.answer == OcclusionAnswer::kLineOfSight;
  const bool has_places = arm.answer != OcclusionAnswer::kText;
  arm.from = parse_from(map, arm.answer);
  for (const Named& named :
       {Named{"method", is_sight, "answer: line_of_sight"},
        Named{"step_m", is_sight, "answer: line_of_sight"},
        Named{"from", is_view || arm.answer == OcclusionAnswer::kFieldOfView,
              "answer: view or field_of_view"},
        Named{"width", is_view, "answer: view"}, Named{"height", is_view, "answer: view"},
        Named{"horizontal_deg", is_view, "answer: view"}, Named{"box_m", is_view, "answer: view"},
        Named{"min_pixels", is_view, "answer: view"}, Named{"min_share", is_view, "answer: view"},
        Named{"candidates", arm.from == Viewpoint::kBestFrame, "from: best_frame"},
        Named{"boxes", arm.answer == OcclusionAnswer::kCoordinates, "answer: coordinates"},
        Named{"pose", has_places, "arms that read places"},
        Named{"targets", has_places, "arms that read places"}}) {
    check_use(map, named);
  }
  if (is_sight) arm.sight = parse_sight_method(map);
  if (is_view) parse_camera(map, settings, &arm);
  const auto whole = [&](const char* key, std::int64_t usual, std::int64_t most) {
    const ConfigValue* value = map.find(key);
    return value ? value->as_integer(1, most) : usual;
  };
  arm.num_boxes = whole("boxes", kUsualBoxes, kMostBoxes);
  arm.candidates = whole("candidates", kUsualCandidates, kMostCandidates);
  if (const ConfigValue* pose = map.find("pose")) {
    arm.has_anothers_pose = pose->as_choice({"own", "another"}) == 1;
    if (arm.has_anothers_pose && settings.num_poses < 2) pose->fail("needs poses: 2 or more");
  }
  if (const ConfigValue* targets = map.find("targets")) {
    arm.has_shuffled_targets = targets->as_choice({"own", "shuffled"}) == 1;
  }
  return arm;
}

}  // namespace sightline::host
