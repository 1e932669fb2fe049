#include "host/studies/render_as_recall.h"

#include <algorithm>
#include <type_traits>

#include "host/config/place.h"
#include "host/random.h"
#include "host/studies/occluder_texts.h"
#include "host/studies/occlusion_arms.h"
#include "host/studies/study_worlds.h"
#include "host/world/load.h"

namespace sightline::host {
namespace {

constexpr std::int64_t kMostPoses = 1'000'000, kMostTargets = 1'000'000, kMostFrames = 100'000;
constexpr double kMostRange_m = 10'000, kMost_deg = 170;

void read_counts(const ConfigValue& study, OcclusionSettings* parsed) {
  const auto whole = [&](const char* key, std::int64_t most, std::int64_t* value) {
    if (const ConfigValue* given = study.find(key)) *value = given->as_integer(1, most);
  };
  whole("poses", kMostPoses, &parsed->num_poses);
  whole("targets", kMostTargets, &parsed->num_targets);
  whole("frames", kMostFrames, &parsed->num_frames);
  if (parsed->num_targets % 4 != 0) {
    study.at("targets").fail(
        "is no multiple of 4; a quarter each is hidden or visible, grazing or clear");
  }
}

OcclusionSettings parse_queries(const ConfigValue& study, const ConfigValue& world) {
  OcclusionSettings parsed;
  read_counts(study, &parsed);
  const auto length = [&](const char* key, double low, double* value) {
    if (const ConfigValue* given = study.find(key)) *value = given->as_number(low, kMostRange_m);
  };
  constexpr double kNear_m = 0.01;
  length("nearest_m", kNear_m, &parsed.nearest_m);
  length("range_m", kNear_m, &parsed.range_m);
  length("graze_m", kNear_m, &parsed.graze_m);
  if (parsed.nearest_m >= parsed.range_m) {
    study.fail("nearest_m is not below range_m: no target would be near enough");
  }
  if (const ConfigValue* angle = study.find("horizontal_deg")) {
    parsed.horizontal_deg = angle->as_number(1, kMost_deg);
  }
  if (const ConfigValue* asked = study.find("asked")) {
    parsed.asked = static_cast<AskedSight>(asked->as_choice({"any", "hidden", "visible"}));
  }
  if (const ConfigValue* cases = study.find("cases")) {
    parsed.cases = static_cast<AskedCases>(cases->as_choice({"any", "clear", "grazing"}));
  }
  if (const ConfigValue* question = study.find("question")) {
    parsed.question = static_cast<AskedFrom>(question->as_choice({"from_here", "from_frames"}));
  }
  if (const ConfigValue* walk = world.find("walk")) parsed.walk = parse_walk(*walk);
  return parsed;
}

WorldSpec spec_of(const ConfigValue& world) {
  ConfigValue without_walk = world;
  without_walk.erase_path("walk");
  WorldSpec spec = parse_world_spec(without_walk);
  if (spec.file.empty() && !(spec.voxel_m > 0)) {
    world.fail("has no voxels, which pictures are of; give solid: {grid: {voxel_m: 0.1}}");
  }
  return spec;
}

class RenderAsRecall final : public Study {
 public:
  explicit RenderAsRecall(const StudySettings& settings)
      : queries_(parse_queries(settings.study, chosen_world(settings.study))),
        spec_(spec_of(chosen_world(settings.study))),
        place_(chosen_world(settings.study).where()) {
    settings.study.allow_only({"world", "worlds", "poses", "targets", "frames", "range_m",
                               "nearest_m", "graze_m", "horizontal_deg", "asked", "cases",
                               "question", "damage"});
    queries_.seed = settings.seed;
    if (const ConfigValue* damage = settings.study.find("damage")) damage_ = parse_damage(*damage);
    for (const ConfigValue::Entry& arm : settings.arms) {
      arms_.push_back(parse_occlusion_arm(arm.second, queries_));
    }
  }

  std::int64_t num_trials() const override { return queries_.num_queries(); }

  std::vector<std::string> files() const override {
    std::vector<std::string> files;
    for (const std::string& file : {spec_.file, spec_.scene_file}) {
      if (!file.empty()) files.push_back(file);
    }
    return files;
  }

  std::vector<ArmAnswers> run(Device& device) const override {
    return with_task(device, [&](const OcclusionTask& task) {
      warm_up(task, device);
      std::vector<ArmAnswers> answers;
      for (const OcclusionArm& arm : arms_) answers.push_back(ask_occlusion(arm, task, device));
      return answers;
    });
  }

  std::vector<Prompt> prompts(std::size_t arm, Device& device) const override {
    if (!arms_.at(arm).is_text()) return {};
    return with_task(device, [&](const OcclusionTask& task) {
      return occlusion_prompts(arms_[arm], task, device);
    });
  }

  /// An exact walk over the undamaged map asks what the truth asks, by other code.
  std::vector<TruthTie> truth_ties() const override {
    std::vector<TruthTie> ties(arms_.size());
    for (std::size_t i = 0; i < arms_.size(); ++i) {
      const OcclusionArm& arm = arms_[i];
      ties[i].same_predicate = arm.answer == OcclusionAnswer::kLineOfSight &&
                               !arm.sight.is_march() && queries_.question == AskedFrom::kHere &&
                               !arm.has_anothers_pose && !arm.has_shuffled_targets &&
                               !(damage_.amount > 0);
    }
    return ties;
  }

 private:
  /// Makes world, questions, truth and what arms are given of them, in this order.
  template <class Use>
  std::invoke_result_t<Use, const OcclusionTask&> with_task(Device& device, const Use& use) const {
    const World world = make_world(spec_);
    const VoxelSight sight(*world.grid);
    const OcclusionSet set =
        at_place(place_, [&] { return make_occlusion_set(queries_, world, sight, device); });
    const Reconstruction given = damaged(world, sight, set, damage_, queries_.seed);
    std::vector<Bounds> boxes;
    const bool reads_boxes = std::any_of(arms_.begin(), arms_.end(), [](const OcclusionArm& arm) {
      return arm.answer == OcclusionAnswer::kCoordinates;
    });
    if (reads_boxes) boxes = boxes_of(*given.world.grid);
    return use(OcclusionTask{queries_, set, given, boxes});
  }

  /// The map is on the device, and the device awake, before any arm is timed.
  static void warm_up(const OcclusionTask& task, Device& device) {
    RayBatch ray;
    ray.observers = {task.given.poses.front().eye_m};
    ray.targets = {task.set.queries.front().target_m};
    (void)line_of_sight(task.given.world, ray, {}, 0, device);
  }

  OcclusionSettings queries_;
  WorldSpec spec_;
  std::string place_;
  DamageSettings damage_;
  std::vector<OcclusionArm> arms_;
};

}  // namespace

std::unique_ptr<Study> make_render_as_recall(const StudySettings& settings) {
  return std::make_unique<RenderAsRecall>(settings);
}

}  // namespace sightline::host
