#include "host/studies/battery.h"

#include <cmath>

#include "host/studies/battery_arms.h"
#include "host/studies/battery_trials.h"
#include "host/world/turn.h"

namespace sightline::host {
namespace {

constexpr std::int64_t kUsualTrials = 400, kMostTrials = 1'000'000;
constexpr double kUsualConeCos = 0.70710678118654752;  ///< half an angle of 45 degrees

BatteryArm parse_battery_arm(const ConfigValue& map) {
  map.allow_only({"answer", "anchors", "method", "step_m", "half_angle_deg", "box_m", "min_pixels",
                  "width", "height", "horizontal_deg"});
  BatteryArm arm;
  arm.answer = static_cast<BatteryAnswer>(
      map.at("answer").as_choice({"text", "coordinates", "scene_graph", "cone",
                                  "cone_line_of_sight", "rendered_view", "geometry"}));
  arm.anchors = parse_anchors(map);
  arm.sight = parse_sight_method(map);
  if (arm.answer == BatteryAnswer::kRenderedView && arm.sight.is_march()) {
    map.at("method").fail("a rendered view needs exact walks; give method: hdda");
  }
  arm.min_cos = kUsualConeCos;
  if (const ConfigValue* angle = map.find("half_angle_deg")) {
    constexpr double kHalfTurn_deg = 180;
    arm.min_cos = std::cos(angle->as_number(0, kHalfTurn_deg) * kPi / kHalfTurn_deg);
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

class Battery final : public Study {
 public:
  explicit Battery(const StudySettings& settings) : seed_(settings.seed) {
    const ConfigValue& study = settings.study;
    study.allow_only({"type", "trials"});
    type_ = static_cast<QuestionType>(
        study.at("type").as_choice({"presence", "occlusion", "relation", "coverage",
                                    "near_duplicate", "multi_region", "control"}));
    if (const ConfigValue* trials = study.find("trials")) {
      num_trials_ = trials->as_integer(1, kMostTrials);
    }
    for (const ConfigValue::Entry& arm : settings.arms) {
      arms_.push_back(parse_battery_arm(arm.second));
    }
  }

  std::int64_t num_trials() const override { return num_trials_; }

  std::vector<ArmAnswers> run(Device& device) const override {
    const World world = battery_world();
    const std::vector<BatteryTrial> trials =
        make_battery_trials(type_, num_trials_, seed_, world, device);
    std::vector<ArmAnswers> all;
    for (const BatteryArm& arm : arms_) {
      ArmAnswers& counted = all.emplace_back();
      if (!applies(arm.answer, type_)) continue;
      const BatteryAnswers answers = ask(arm, type_, trials, world, device);
      counted.coordinate_reads = answers.coordinate_reads;
      counted.num_candidates = answers.num_candidates;
      for (std::size_t i = 0; i < trials.size(); ++i) {
        counted.right.push_back(answers.said[i] == trials[i].truth);
        counted.num_unanswered += answers.said[i] == BatteryAnswers::kNothing;
      }
    }
    return all;
  }

  // The paper says it of its own battery: geometry computes the predicate that authors the truth.
  std::vector<TruthTie> truth_ties() const override {
    std::vector<TruthTie> ties(arms_.size());
    for (std::size_t i = 0; i < arms_.size(); ++i) {
      ties[i].same_predicate = arms_[i].answer == BatteryAnswer::kGeometry &&
                               arms_[i].anchors == Anchors::kSubject &&
                               type_ != QuestionType::kControl;
    }
    return ties;
  }

 private:
  QuestionType type_;
  std::int64_t num_trials_ = kUsualTrials;
  std::uint64_t seed_;
  std::vector<BatteryArm> arms_;
};

}  // namespace

std::unique_ptr<Study> make_battery(const StudySettings& settings) {
  return std::make_unique<Battery>(settings);
}

}  // namespace sightline::host
