#include "host/studies/space_beliefs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "host/error.h"
#include "host/studies/kept_work.h"
#include "host/studies/space_settings.h"
#include "host/theory_of_space/model_exchange.h"
#include "host/theory_of_space/scene_jsonl.h"

namespace sightline::host {
namespace {

/// Measures as evaluations call them (SceneEvaluation::scores), in the order of as_measure().
constexpr std::array<const char*, 12> kOfEvaluation{
    "map correctness overall",       "map correctness facing",
    "map correctness position",      "perception facing",
    "perception position",           "local and global map facing",
    "local and global map position", "map stability facing",
    "map stability position",        "map self-tracking facing",
    "map self-tracking position",    "unexplored F1"};

std::size_t as_measure(const ConfigValue& name) {
  return name.as_choice({"correctness", "correctness_facing", "correctness_position",
                         "perception_facing", "perception_position", "consistency_facing",
                         "consistency_position", "stability_facing", "stability_position",
                         "tracking_facing", "tracking_position", "uncertainty"});
}

struct BeliefsArm {
  std::string explorer;
  int budget = 0;
  tos::SolverKind solver = tos::SolverKind::kSettles;
};

/// All measures of one arm, for each scene; NaN: none of its turns has it.
using Evaluated = std::vector<std::array<double, kOfEvaluation.size()>>;

Evaluated evaluate_arm(const SpaceSettings& space, const BeliefsArm& arm, Device& device) {
  tos::EvaluationSettings settings;
  settings.from = arm.explorer;
  settings.asks = {tos::Ask::kGlobalMap, tos::Ask::kLocalMap, tos::Ask::kUnexplored};
  settings.budget_of_explorer = arm.budget;
  settings.field = space.episode.field;
  settings.noise = space.episode.noise.direction;  // alike of all (space_settings.h)
  settings.seed = space.seed;
  Evaluated evaluated(static_cast<std::size_t>(space.num_scenes));
  for_each_trial(space.num_scenes, device, [&](std::int64_t trial) {
    const tos::EvaluatedScene asked{space.scene(trial), static_cast<std::uint64_t>(trial), {}};
    const tos::SceneEvaluation evaluation = evaluate_solver(asked, settings, arm.solver);
    for (std::size_t measure = 0; measure < kOfEvaluation.size(); ++measure) {
      const auto found = evaluation.scores.find(kOfEvaluation[measure]);
      evaluated[static_cast<std::size_t>(trial)][measure] =
          found == evaluation.scores.end() ? std::nan("") : found->second.front();
    }
  });
  return evaluated;
}

/// Of all arms. Configurations that differ in their measure share one.
std::shared_ptr<const std::vector<Evaluated>> evaluation_of(const std::string& key,
                                                            const SpaceSettings& space,
                                                            const std::vector<BeliefsArm>& arms,
                                                            Device& device) {
  static KeptWork<std::vector<Evaluated>> kept;
  return kept.of(key, [&] {
    std::vector<Evaluated> evaluated;
    for (const BeliefsArm& arm : arms) evaluated.push_back(evaluate_arm(space, arm, device));
    return std::make_shared<const std::vector<Evaluated>>(std::move(evaluated));
  });
}

class SpaceBeliefs final : public Study {
 public:
  struct Settings {
    SpaceSettings space;
    std::size_t measure = 0;
    std::string key;    ///< of all but the measure
    std::string place;  ///< of the measure in the sweep file, or of the study
  };

  SpaceBeliefs(Settings settings, std::vector<BeliefsArm> arms)
      : settings_(std::move(settings)), arms_(std::move(arms)) {}

  std::int64_t num_trials() const override { return settings_.space.num_scenes; }
  std::string work_key() const override { return settings_.key; }
  std::vector<std::string> files() const override { return settings_.space.files(); }

  std::vector<ArmAnswers> run(Device& device) const override {
    const auto evaluated = evaluation_of(settings_.key, settings_.space, arms_, device);
    std::vector<ArmAnswers> answers(arms_.size());
    for (std::size_t scene = 0; scene < evaluated->front().size(); ++scene) {
      const bool is_trial = std::none_of(
          evaluated->begin(), evaluated->end(),
          [&](const Evaluated& of_arm) { return std::isnan(of_arm[scene][settings_.measure]); });
      if (!is_trial) continue;
      for (std::size_t arm = 0; arm < arms_.size(); ++arm) {
        const double score = (*evaluated)[arm][scene][settings_.measure];
        answers[arm].score.push_back(score);
        answers[arm].right.push_back(score >= 1 ? 1 : 0);
        answers[arm].trials.push_back(static_cast<std::int32_t>(scene));
      }
    }
    if (answers.front().right.empty()) {
      throw InputError(settings_.place + ": no turn of any scene has this for every arm; give " +
                       "scenes more objects, or explorers more turns");
    }
    return answers;
  }

 private:
  Settings settings_;
  std::vector<BeliefsArm> arms_;
};

BeliefsArm parse_arm(const ConfigValue& map, int budget) {
  map.allow_only({"explorer", "budget", "belief"});
  const ConfigValue* own = map.find("budget");
  BeliefsArm arm{parse_explorer(map), own != nullptr ? as_budget(*own) : budget};
  if (const ConfigValue* belief = map.find("belief")) {
    arm.solver = static_cast<tos::SolverKind>(belief->as_choice({"settles", "guesses"}));
  }
  return arm;
}

/// Of all that an evaluation depends on: of a file, its scenes.
std::string key_of(const StudySettings& settings, const SpaceSettings& space) {
  ConfigValue study = settings.study;
  study.erase_entry("measure");
  std::string key = std::to_string(settings.seed) + " " + study.canonical_json();
  for (const auto& [name, arm] : settings.arms) key += " " + arm.canonical_json();
  for (const tos::Scene& scene : space.read) key += " " + tos::scene_line(scene);
  return key;
}

}  // namespace

std::unique_ptr<Study> make_space_beliefs(const StudySettings& settings) {
  const ConfigValue& study = settings.study;
  study.allow_only({"scenes", "episode", "measure"});
  const ConfigValue* episode = study.find("episode");
  if (episode != nullptr && episode->find("profile") != nullptr) {
    episode->find("profile")->fail_at_key(
        "is not of this study, whose belief is that of the released code; leave it out");
  }
  SpaceBeliefs::Settings parsed;
  parsed.space = parse_space_settings(settings);
  parsed.place = study.where();
  if (const ConfigValue* measure = study.find("measure")) {
    parsed.measure = as_measure(*measure);
    parsed.place = measure->where() + " = " + measure->as_text();
  }
  parsed.key = key_of(settings, parsed.space);
  std::vector<BeliefsArm> arms;
  for (const auto& arm : settings.arms) {
    arms.push_back(parse_arm(arm.second, parsed.space.episode.budget));
  }
  return std::make_unique<SpaceBeliefs>(std::move(parsed), std::move(arms));
}

}  // namespace sightline::host
