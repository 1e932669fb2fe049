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

  /// An arm without an explorer has the true map.
  SpaceTasks(Settings settings, std::vector<std::string> explorers)
      : settings_(std::move(settings)), explorers_(std::move(explorers)) {}

  std::int64_t num_trials() const override {
    return settings_.space.num_scenes * settings_.questions;
  }
  std::vector<std::string> files() const override {
    if (settings_.space.file.empty()) return {};
    return {settings_.space.file};
  }

  std::vector<ArmAnswers> run(Device&) const override {
    std::vector<ArmAnswers> answers(explorers_.size());
    for (ArmAnswers& arm : answers) {
      arm.right.assign(static_cast<std::size_t>(num_trials()), 0);
      arm.score.assign(static_cast<std::size_t>(num_trials()), 0);
    }
    std::vector<std::vector<std::uint8_t>> answered(
        explorers_.size(), std::vector<std::uint8_t>(static_cast<std::size_t>(num_trials())));
    for_each_trial(settings_.space.num_scenes, [&](std::int64_t number) {
      const tos::Scene scene = settings_.space.scene(number);
      const auto questions =
          tos::draw_questions(scene, settings_.task, static_cast<int>(settings_.questions),
                              settings_.space.seed, static_cast<std::uint64_t>(number));
      const tos::SpatialMap truth = tos::true_map(scene);
      for (std::size_t arm = 0; arm < explorers_.size(); ++arm) {
        const tos::SpatialMap map =
            explorers_[arm].empty() ? truth : map_of(scene, number, explorers_[arm]);
        for (std::size_t i = 0; i < questions.size(); ++i) {
          const auto trial = static_cast<std::size_t>(number * settings_.questions) + i;
          const std::string answer = tos::solve(questions[i], map);
          answered[arm][trial] = answer.empty() ? 0 : 1;
          const double score = tos::score_answer(questions[i], truth, answer, settings_.scoring);
          answers[arm].score[trial] = score;
          answers[arm].right[trial] = score >= 1 ? 1 : 0;
        }
      }
    });
    for (std::size_t arm = 0; arm < answers.size(); ++arm) {
      for (const std::uint8_t is_answered : answered[arm]) {
        answers[arm].num_unanswered += is_answered == 0 ? 1 : 0;
      }
    }
    return answers;
  }

 private:
  tos::SpatialMap map_of(const tos::Scene& scene, std::int64_t number,
                         const std::string& name) const {
    const tos::EpisodeOptions options = settings_.space.episode_of(number);
    const auto explorer = tos::make_explorer(name, scene, options, settings_.space.profile,
                                             static_cast<std::uint64_t>(number), "explorer");
    return tos::explore_and_map(scene, explorer.get(), options, settings_.space.profile).map;
  }

  Settings settings_;
  std::vector<std::string> explorers_;
};

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
  std::vector<std::string> explorers;
  for (const auto& arm : settings.arms) {
    const ConfigValue* map = arm.second.find("map");
    arm.second.allow_only({"map", "explorer"});
    if (map != nullptr && arm.second.find("explorer") != nullptr) {
      map->fail_at_key("stands beside explorer; an arm has the true map or explores");
    }
    if (map != nullptr && !map->as_bool())
      map->fail("is false; leave it out, and name an explorer");
    explorers.push_back(map != nullptr ? "" : parse_explorer(arm.second));
  }
  return std::make_unique<SpaceTasks>(std::move(parsed), std::move(explorers));
}

}  // namespace sightline::host
