#include "host/studies/space_tasks.h"

#include <utility>

#include "host/studies/space_settings.h"
#include "host/theory_of_space/believed_map.h"
#include "host/theory_of_space/explorer_kinds.h"
#include "host/theory_of_space/task_questions.h"
#include "host/theory_of_space/task_scorers.h"
#include "host/theory_of_space/task_solvers.h"

namespace sightline::host {
namespace {

class SpaceTasks final : public Study {
 public:
  struct Settings {
    SpaceSettings space;
    tos::TaskKind task = tos::TaskKind::kDirection;
    std::int64_t questions = 3;  ///< of each scene
    tos::ScoringOptions scoring;
  };

  struct Arm {
    std::string explorer;  ///< empty: it has the true map
    int budget = 0;
  };

  SpaceTasks(Settings settings, std::vector<Arm> arms)
      : settings_(std::move(settings)), arms_(std::move(arms)) {}

  std::int64_t num_trials() const override {
    return settings_.space.num_scenes * settings_.questions;
  }
  std::vector<std::string> files() const override { return settings_.space.files(); }

  std::vector<ArmAnswers> run(Device& device) const override {
    // [arms][scenes][questions drawn]
    std::vector<std::vector<std::vector<Scored>>> scored(
        arms_.size(),
        std::vector<std::vector<Scored>>(static_cast<std::size_t>(settings_.space.num_scenes)));
    for_each_trial(settings_.space.num_scenes, device, [&](std::int64_t number) {
      const tos::Scene scene = settings_.space.scene(number);
      const auto questions =
          tos::draw_questions(scene, settings_.task, static_cast<int>(settings_.questions),
                              settings_.space.seed, static_cast<std::uint64_t>(number));
      const tos::SpatialMap truth = tos::true_map(scene);
      for (std::size_t arm = 0; arm < arms_.size(); ++arm) {
        const tos::SpatialMap map =
            arms_[arm].explorer.empty() ? truth : map_of(scene, number, arms_[arm]);
        for (const tos::TaskQuestion& question : questions) {
          const std::string answer = tos::solve(question, map);
          scored[arm][static_cast<std::size_t>(number)].push_back(
              {tos::score_answer(question, truth, answer, settings_.scoring), !answer.empty()});
        }
      }
    });
    std::vector<ArmAnswers> answers;
    for (const auto& arm : scored) answers.push_back(in_one(arm));
    if (answers.front().right.empty()) {
      throw InputError("space_tasks: no question of " + std::string(tos::name_of(settings_.task)) +
                       " can be drawn of these scenes; give them more objects");
    }
    return answers;
  }

 private:
  struct Scored {
    double score = 0;
    bool is_answered = false;
  };

  /// Of a scene fewer questions may be drawn than are asked for.
  ArmAnswers in_one(const std::vector<std::vector<Scored>>& scenes) const {
    ArmAnswers answers;
    for (std::size_t scene = 0; scene < scenes.size(); ++scene) {
      for (std::size_t i = 0; i < scenes[scene].size(); ++i) {
        const Scored& one = scenes[scene][i];
        const auto trial =
            static_cast<std::int64_t>(scene) * settings_.questions + static_cast<std::int64_t>(i);
        answers.trials.push_back(static_cast<std::int32_t>(trial));
        answers.score.push_back(one.score);
        answers.right.push_back(one.score >= 1 ? 1 : 0);
        answers.num_unanswered += one.is_answered ? 0 : 1;
      }
    }
    return answers;
  }

  tos::SpatialMap map_of(const tos::Scene& scene, std::int64_t number, const Arm& arm) const {
    tos::EpisodeOptions options = settings_.space.episode_of(number);
    options.budget = arm.budget;
    const auto explorer = tos::make_explorer(arm.explorer, scene, options, settings_.space.profile,
                                             static_cast<std::uint64_t>(number), "explorer");
    return tos::explore_and_map(scene, explorer.get(), options, settings_.space.profile).map;
  }

  Settings settings_;
  std::vector<Arm> arms_;
};

SpaceTasks::Arm parse_arm(const ConfigValue& arm, int budget) {
  arm.allow_only({"map", "explorer", "budget"});
  const ConfigValue* map = arm.find("map");
  if (map == nullptr) {
    const ConfigValue* own = arm.find("budget");
    return {parse_explorer(arm), own != nullptr ? as_budget(*own) : budget};
  }
  for (const char* key : {"explorer", "budget"}) {
    if (arm.find(key) == nullptr) continue;
    map->fail_at_key(std::string("stands beside ") + key + "; an arm has the true map or explores");
  }
  if (!map->as_bool()) map->fail("is false; leave it out, and name an explorer");
  return {};
}

}  // namespace

std::unique_ptr<Study> make_space_tasks(const StudySettings& settings) {
  const ConfigValue& study = settings.study;
  study.allow_only({"scenes", "episode", "task", "questions", "strict"});
  SpaceTasks::Settings parsed;
  parsed.space = parse_space_settings(settings);
  parsed.task = static_cast<tos::TaskKind>(
      study.at("task").as_choice({"direction", "persp.take", "perc.dec", "act2view", "view2act",
                                  "alloc.map", "ment.rot", "loc2view", "view2loc"}));
  constexpr std::int64_t kMostQuestions = 100;
  if (const ConfigValue* questions = study.find("questions")) {
    parsed.questions = questions->as_integer(1, kMostQuestions);
  }
  if (const ConfigValue* strict = study.find("strict"))
    parsed.scoring.is_strict = strict->as_bool();
  std::vector<SpaceTasks::Arm> arms;
  for (const auto& arm : settings.arms) {
    arms.push_back(parse_arm(arm.second, parsed.space.episode.budget));
  }
  return std::make_unique<SpaceTasks>(std::move(parsed), std::move(arms));
}

}  // namespace sightline::host
