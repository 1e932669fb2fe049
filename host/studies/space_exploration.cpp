#include "host/studies/space_exploration.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "host/studies/space_settings.h"
#include "host/theory_of_space/agent_team.h"
#include "host/theory_of_space/believed_map.h"
#include "host/theory_of_space/explorer_kinds.h"

namespace sightline::host {
namespace {

enum class Measure : std::uint8_t {
  kInformationGain,
  kNodeCoverage,
  kEdgeCoverage,
  kMapCorrectness,
  kLooks,
  kLooksToGain
};

/// Who explores: an explorer by its name, or several of them.
struct Arm {
  std::string explorer;
  int num_agents = 1;
};

/// Of counts, which scores must not exceed 1.
double hundredth(double looks) {
  constexpr double kHundred = 100;
  return std::min(1.0, looks / kHundred);
}

/// Whose final gain is the aim, and which of their observes count.
struct AimSettings {
  std::string explorer = "strategist";
  bool counts_all = true;  ///< else up to where its gain first is what it ends with
};

/// The gain that some explorer ends with, and all its observes.
struct Aim {
  double gain = 0;
  int num_observes = 0;
};

class SpaceExploration final : public Study {
 public:
  SpaceExploration(SpaceSettings settings, Measure measure, AimSettings aim, std::vector<Arm> arms)
      : settings_(std::move(settings)),
        measure_(measure),
        aim_(std::move(aim)),
        arms_(std::move(arms)) {}

  std::int64_t num_trials() const override { return settings_.num_scenes; }
  std::vector<std::string> files() const override { return settings_.files(); }

  std::vector<ArmAnswers> run(Device& device) const override {
    const auto num_trials = static_cast<std::size_t>(settings_.num_scenes);
    std::vector<ArmAnswers> answers(arms_.size());
    std::vector<std::vector<int>> observes(arms_.size(), std::vector<int>(num_trials));
    for (ArmAnswers& arm : answers) {
      arm.right.assign(num_trials, 0);
      arm.score.assign(num_trials, 0);
    }
    for_each_trial(settings_.num_scenes, device, [&](std::int64_t trial) {
      const tos::Scene scene = settings_.scene(trial);
      const auto i = static_cast<std::size_t>(trial);
      const Aim aim = measure_ == Measure::kLooksToGain ? aim_of(scene, trial) : Aim{};
      for (std::size_t arm = 0; arm < arms_.size(); ++arm) {
        answers[arm].score[i] = score(scene, trial, arms_[arm], aim, &observes[arm][i]);
        answers[arm].right[i] = answers[arm].score[i] >= 1 ? 1 : 0;
      }
    });
    for (std::size_t arm = 0; arm < arms_.size(); ++arm) {
      for (const int looks : observes[arm]) answers[arm].num_candidates += looks;
    }
    return answers;
  }

 private:
  Aim aim_of(const tos::Scene& scene, std::int64_t trial) const {
    const tos::Exploration tour = explore(scene, trial, aim_.explorer).exploration;
    return {tour.last().information_gain, tour.num_observes()};
  }

  double score(const tos::Scene& scene, std::int64_t trial, const Arm& arm, const Aim& aim,
               int* num_observes) const {
    const tos::MappedExploration tour = arm.num_agents == 1
                                            ? explore(scene, trial, arm.explorer)
                                            : explore_as_team(scene, trial, arm.num_agents);
    const tos::TurnRecord& last = tour.exploration.last();
    *num_observes = last.num_observes;
    switch (measure_) {
      case Measure::kInformationGain:
        return std::max(0.0, last.information_gain);
      case Measure::kNodeCoverage:
        return last.node_coverage;
      case Measure::kEdgeCoverage:
        return last.edge_coverage;
      case Measure::kMapCorrectness:
        return tos::map_correctness(scene, tour.exploration.pose, tour.map, settings_.profile);
      case Measure::kLooks:
        return hundredth(static_cast<double>(last.num_observes) / arm.num_agents);
      case Measure::kLooksToGain:
        break;
    }
    // Whose gain is the aim does not know that it could stop earlier: all of its looks count.
    const bool is_aim = arm.num_agents == 1 && arm.explorer == aim_.explorer;
    if (is_aim && aim_.counts_all) return hundredth(aim.num_observes);
    return hundredth(looks_to(tour.exploration, aim, arm.num_agents));
  }

  /// With a map if that is what is measured.
  tos::MappedExploration explore(const tos::Scene& scene, std::int64_t trial,
                                 const std::string& name) const {
    const tos::EpisodeOptions options = settings_.episode_of(trial);
    const auto explorer = tos::make_explorer(name, scene, options, settings_.profile,
                                             static_cast<std::uint64_t>(trial), "explorer");
    if (measure_ == Measure::kMapCorrectness) {
      return tos::explore_and_map(scene, explorer.get(), options, settings_.profile);
    }
    return {tos::explore(scene, explorer.get(), options, settings_.profile), {}};
  }

  /// The map has the first agent in it.
  tos::MappedExploration explore_as_team(const tos::Scene& scene, std::int64_t trial,
                                         int num_agents) const {
    const tos::EpisodeOptions options = settings_.episode_of(trial);
    tos::AgentTeam team(scene, num_agents, options, settings_.profile);
    if (measure_ != Measure::kMapCorrectness) return {team.explore().together, {}};
    tos::RevisingBelief belief(scene.num_items(), scene.grid,
                               tos::belief_options(scene, options, settings_.profile));
    tos::MappedExploration tour;
    tour.exploration = team.explore([&](int, const tos::Episode& episode) {
                             belief.add(episode.last(), episode.node());
                           })
                           .together;
    tour.map = tos::believed_map(belief, tos::briefing_of(scene), team.memory(0).node(),
                                 team.memory(0).heading());
    return tour;
  }

  /// Of each agent.
  static double looks_to(const tos::Exploration& tour, const Aim& aim, int num_agents) {
    constexpr double kRounding = 1e-9;  // of sums of logarithms in another order
    for (const tos::TurnRecord& turn : tour.turns) {
      if (turn.information_gain >= aim.gain - kRounding) {
        return static_cast<double>(turn.num_observes) / num_agents;
      }
    }
    return 2.0 * aim.num_observes;
  }

  SpaceSettings settings_;
  Measure measure_;
  AimSettings aim_;
  std::vector<Arm> arms_;
};

Arm parse_arm(const ConfigValue& settings) {
  settings.allow_only({"explorer", "agents"});
  Arm arm;
  arm.explorer = parse_explorer(settings);
  if (const ConfigValue* agents = settings.find("agents")) {
    arm.num_agents = static_cast<int>(agents->as_integer(1, tos::AgentTeam::kMostAgents));
    if (arm.explorer != "gain") {
      agents->fail_at_key("goes with explorer: gain, whose agents tell each other what they see");
    }
  }
  return arm;
}

}  // namespace

std::unique_ptr<Study> make_space_exploration(const StudySettings& settings) {
  settings.study.allow_only({"scenes", "episode", "measure", "aim", "aim_looks"});
  Measure measure = Measure::kInformationGain;
  if (const ConfigValue* name = settings.study.find("measure")) {
    measure =
        static_cast<Measure>(name->as_choice({"information_gain", "node_coverage", "edge_coverage",
                                              "map_correctness", "looks", "looks_to_gain"}));
  }
  AimSettings aim;
  if (const ConfigValue* explorer = settings.study.find("aim"))
    aim.explorer = as_explorer(*explorer);
  if (const ConfigValue* looks = settings.study.find("aim_looks")) {
    aim.counts_all = looks->as_choice({"all", "needed"}) == 0;
  }
  std::vector<Arm> arms;
  for (const auto& arm : settings.arms) arms.push_back(parse_arm(arm.second));
  return std::make_unique<SpaceExploration>(parse_space_settings(settings), measure, std::move(aim),
                                            std::move(arms));
}

}  // namespace sightline::host
