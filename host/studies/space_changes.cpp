#include "host/studies/space_changes.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "host/studies/space_settings.h"
#include "host/theory_of_space/false_belief_phase.h"

namespace sightline::host {
namespace {

enum class Measure : std::uint8_t {
  kF1,
  kF1Moved,
  kF1Rotated,
  kCorrectness,
  kInertia,
  kFacingInertia,
  kSteps,
  kRedundancy
};

struct ChangesArm {
  std::string explorer;
  tos::Believer believer = tos::Believer::kRevises;
};

class SpaceChanges final : public Study {
 public:
  struct Settings {
    SpaceSettings space;
    tos::ChangeSettings changes;
    int budget = 15;
    Measure measure = Measure::kF1;
  };

  SpaceChanges(Settings settings, std::vector<ChangesArm> arms)
      : settings_(std::move(settings)), arms_(std::move(arms)) {}

  std::int64_t num_trials() const override { return settings_.space.num_scenes; }
  std::vector<std::string> files() const override { return settings_.space.files(); }

  std::vector<ArmAnswers> run(Device& device) const override {
    std::vector<ArmAnswers> answers(arms_.size());
    for (ArmAnswers& arm : answers) {
      arm.right.assign(static_cast<std::size_t>(num_trials()), 0);
      arm.score.assign(static_cast<std::size_t>(num_trials()), 0);
    }
    for_each_trial(num_trials(), device, [&](std::int64_t trial) {
      const auto number = static_cast<std::uint64_t>(trial);
      const tos::Scene scene = settings_.space.scene(trial);
      const auto changes =
          tos::draw_changes(scene, settings_.changes, settings_.space.seed, number);
      for (std::size_t arm = 0; arm < arms_.size(); ++arm) {
        tos::FalseBeliefSettings phase;
        phase.explorer = arms_[arm].explorer;
        phase.believer = arms_[arm].believer;
        phase.first = settings_.space.episode_of(trial);
        phase.profile = settings_.space.profile;
        phase.budget = settings_.budget;
        phase.seed = number;
        const double score = score_of(tos::run_false_belief(scene, changes, phase));
        answers[arm].score[static_cast<std::size_t>(trial)] = score;
        answers[arm].right[static_cast<std::size_t>(trial)] = score >= 1 ? 1 : 0;
      }
    });
    return answers;
  }

 private:
  double score_of(const tos::FalseBeliefResult& result) const {
    const double budget = settings_.budget;
    switch (settings_.measure) {
      case Measure::kF1:
        return result.f1.overall;
      case Measure::kF1Moved:
        return result.f1.position;
      case Measure::kF1Rotated:
        return result.f1.facing;
      case Measure::kCorrectness:
        return result.correctness;
      case Measure::kInertia:
        return (1 + result.inertia) / 2;
      case Measure::kFacingInertia:
        return result.facing_inertia;
      case Measure::kSteps:
        return result.num_turns / budget;
      case Measure::kRedundancy:
        break;
    }
    return std::min(1.0, result.redundancy / budget);
  }

  Settings settings_;
  std::vector<ChangesArm> arms_;
};

ChangesArm parse_arm(const ConfigValue& map) {
  map.allow_only({"explorer", "belief"});
  ChangesArm arm;
  arm.explorer = parse_explorer(map);
  if (const ConfigValue* belief = map.find("belief")) {
    arm.believer = static_cast<tos::Believer>(belief->as_choice({"revises", "stale", "exact"}));
  }
  return arm;
}

}  // namespace

std::unique_ptr<Study> make_space_changes(const StudySettings& settings) {
  const ConfigValue& study = settings.study;
  study.allow_only({"scenes", "episode", "budget", "rotated", "moved", "measure"});
  SpaceChanges::Settings parsed;
  parsed.space = parse_space_settings(settings);
  constexpr std::int64_t kMostTurns = 1000, kMostChanges = 20;
  if (const ConfigValue* budget = study.find("budget")) {
    parsed.budget = static_cast<int>(budget->as_integer(1, kMostTurns));
  }
  if (const ConfigValue* rotated = study.find("rotated")) {
    parsed.changes.num_rotated = static_cast<int>(rotated->as_integer(0, kMostChanges));
  }
  if (const ConfigValue* moved = study.find("moved")) {
    parsed.changes.num_moved = static_cast<int>(moved->as_integer(0, kMostChanges));
  }
  if (const ConfigValue* measure = study.find("measure")) {
    parsed.measure = static_cast<Measure>(
        measure->as_choice({"f1", "f1_moved", "f1_rotated", "correctness", "inertia",
                            "facing_inertia", "steps", "redundancy"}));
  }
  std::vector<ChangesArm> arms;
  for (const auto& arm : settings.arms) arms.push_back(parse_arm(arm.second));
  return std::make_unique<SpaceChanges>(std::move(parsed), std::move(arms));
}

}  // namespace sightline::host
