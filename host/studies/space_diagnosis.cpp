#include "host/studies/space_diagnosis.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "host/error.h"
#include "host/studies/space_settings.h"
#include "host/theory_of_space/believed_map.h"
#include "host/theory_of_space/explorer_kinds.h"
#include "host/theory_of_space/scene_scores.h"

namespace sightline::host {
namespace {

/// What an arm is scored by: the map, all tasks, or one of them.
constexpr int kMap = -2, kAllTasks = -1;

class SpaceDiagnosis final : public Study {
 public:
  struct Settings {
    SpaceSettings space;
    std::string explorer;
    int questions = 3;  ///< of each task and scene
    std::string place;  ///< of the study in the sweep file
  };

  SpaceDiagnosis(Settings settings, std::vector<int> arms)
      : settings_(std::move(settings)), arms_(std::move(arms)) {}

  std::int64_t num_trials() const override { return settings_.space.num_scenes; }
  std::vector<std::string> files() const override { return settings_.space.files(); }

  std::vector<ArmAnswers> run(Device& device) const override {
    std::vector<std::vector<double>> scores(static_cast<std::size_t>(num_trials()));
    for_each_trial(num_trials(), device, [&](std::int64_t trial) {
      scores[static_cast<std::size_t>(trial)] = scores_of(trial);
    });
    std::vector<ArmAnswers> answers(arms_.size());
    for (std::size_t scene = 0; scene < scores.size(); ++scene) {
      const auto is_none = [](double score) { return std::isnan(score); };
      if (std::any_of(scores[scene].begin(), scores[scene].end(), is_none)) continue;
      for (std::size_t arm = 0; arm < arms_.size(); ++arm) {
        const double score = scores[scene][arm];
        answers[arm].score.push_back(score);
        answers[arm].right.push_back(score >= 1 ? 1 : 0);
        answers[arm].trials.push_back(static_cast<std::int32_t>(scene));
      }
    }
    if (answers.front().right.empty()) {
      throw InputError(settings_.place +
                       ": no scene has a question of each task; give scenes more objects");
    }
    return answers;
  }

 private:
  /// [arms]; NaN: nothing is asked about this scene.
  std::vector<double> scores_of(std::int64_t trial) const {
    const tos::Scene scene = settings_.space.scene(trial);
    const tos::EpisodeOptions options = settings_.space.episode_of(trial);
    const tos::Profile profile = settings_.space.profile;
    const auto number = static_cast<std::uint64_t>(trial);
    const auto explorer =
        tos::make_explorer(settings_.explorer, scene, options, profile, number, "explorer");
    const tos::MappedExploration tour =
        tos::explore_and_map(scene, explorer.get(), options, profile);
    const auto tasks =
        tos::task_scores(scene, number, tour.map, settings_.questions, settings_.space.seed);
    std::vector<double> scores;
    for (const int arm : arms_) {
      scores.push_back(arm == kMap
                           ? tos::map_correctness(scene, tour.exploration.pose, tour.map, profile)
                       : arm == kAllTasks ? tos::mean_task_score(tasks)
                                          : tasks[static_cast<std::size_t>(arm)]);
    }
    return scores;
  }

  Settings settings_;
  std::vector<int> arms_;
};

int parse_arm(const ConfigValue& arm) {
  arm.allow_only({"score"});
  return static_cast<int>(arm.at("score").as_choice(
             {"map", "tasks", "direction", "persp.take", "perc.dec", "act2view", "view2act",
              "alloc.map", "ment.rot", "loc2view", "view2loc"})) +
         kMap;
}

}  // namespace

std::unique_ptr<Study> make_space_diagnosis(const StudySettings& settings) {
  const ConfigValue& study = settings.study;
  study.allow_only({"scenes", "episode", "explorer", "questions"});
  SpaceDiagnosis::Settings parsed;
  parsed.space = parse_space_settings(settings);
  parsed.explorer = as_explorer(study.at("explorer"));
  parsed.place = study.where();
  constexpr std::int64_t kMostQuestions = 100;
  if (const ConfigValue* questions = study.find("questions")) {
    parsed.questions = static_cast<int>(questions->as_integer(1, kMostQuestions));
  }
  std::vector<int> arms;
  for (const auto& arm : settings.arms) arms.push_back(parse_arm(arm.second));
  return std::make_unique<SpaceDiagnosis>(std::move(parsed), std::move(arms));
}

}  // namespace sightline::host
