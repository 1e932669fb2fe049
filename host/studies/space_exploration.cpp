#include "host/studies/space_exploration.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "host/studies/space_settings.h"
#include "host/theory_of_space/believed_map.h"
#include "host/theory_of_space/cognitive_map.h"
#include "host/theory_of_space/explorer_kinds.h"
#include "host/theory_of_space/proxies.h"

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

/// Of counts, which scores must not exceed 1.
double hundredth(int looks) {
  constexpr double kHundred = 100;
  return std::min(1.0, looks / kHundred);
}

/// The gain that STRATEGIST ends with, and its observes.
struct Aim {
  double gain = 0;
  int num_observes = 0;
};

class SpaceExploration final : public Study {
 public:
  SpaceExploration(SpaceSettings settings, Measure measure, std::vector<std::string> arms)
      : settings_(std::move(settings)), measure_(measure), arms_(std::move(arms)) {}

  std::int64_t num_trials() const override { return settings_.num_scenes; }
  std::vector<std::string> files() const override {
    if (settings_.file.empty()) return {};
    return {settings_.file};
  }

  std::vector<ArmAnswers> run(Device&) const override {
    const auto num_trials = static_cast<std::size_t>(settings_.num_scenes);
    std::vector<ArmAnswers> answers(arms_.size());
    std::vector<std::vector<int>> observes(arms_.size(), std::vector<int>(num_trials));
    for (ArmAnswers& arm : answers) {
      arm.right.assign(num_trials, 0);
      arm.score.assign(num_trials, 0);
    }
    for_each_trial(settings_.num_scenes, [&](std::int64_t trial) {
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
    tos::Strategist strategist(scene, false);
    const tos::Exploration tour =
        tos::explore(scene, &strategist, settings_.episode_of(trial), settings_.profile);
    return {tour.last().information_gain, tour.num_observes()};
  }

  double score(const tos::Scene& scene, std::int64_t trial, const std::string& name, const Aim& aim,
               int* num_observes) const {
    const tos::EpisodeOptions options = settings_.episode_of(trial);
    const auto explorer = tos::make_explorer(name, scene, options, settings_.profile,
                                             static_cast<std::uint64_t>(trial), "explorer");
    tos::RevisingBelief belief(scene.num_items(), scene.grid,
                               tos::belief_options(scene, options, settings_.profile));
    const bool draws_map = measure_ == Measure::kMapCorrectness;
    tos::SpatialMap map;
    const tos::Exploration tour =
        tos::explore(scene, explorer.get(), options, settings_.profile,
                     [&](const tos::Episode& episode, const tos::Belief&) {
                       if (!draws_map) return;
                       belief.add(episode.last(), episode.node());
                       map = tos::believed_map(belief, tos::briefing_of(scene), episode.node(),
                                               episode.pose().heading);
                     });
    *num_observes = tour.num_observes();
    switch (measure_) {
      case Measure::kInformationGain:
        return std::max(0.0, tour.last().information_gain);
      case Measure::kNodeCoverage:
        return tour.last().node_coverage;
      case Measure::kEdgeCoverage:
        return tour.last().edge_coverage;
      case Measure::kMapCorrectness:
        return map_correctness(scene, tour, map);
      case Measure::kLooks:
        return hundredth(tour.num_observes());
      case Measure::kLooksToGain:
        break;
    }
    return hundredth(looks_to(tour, aim));
  }

  double map_correctness(const tos::Scene& scene, const tos::Exploration& tour,
                         const tos::SpatialMap& map) const {
    tos::SpatialMap truth = tos::true_map(scene);
    truth.agent = tos::MapEntry{tour.pose.cell - scene.start.cell, tour.pose.heading, false};
    return tos::score_map(truth, map, tos::map_scale(scene), settings_.profile).overall();
  }

  static int looks_to(const tos::Exploration& tour, const Aim& aim) {
    constexpr double kRounding = 1e-9;  // of sums of logarithms in another order
    for (const tos::TurnRecord& turn : tour.turns) {
      if (turn.information_gain >= aim.gain - kRounding) return turn.num_observes;
    }
    return 2 * aim.num_observes;
  }

  SpaceSettings settings_;
  Measure measure_;
  std::vector<std::string> arms_;
};

}  // namespace

std::unique_ptr<Study> make_space_exploration(const StudySettings& settings) {
  settings.study.allow_only({"scenes", "episode", "measure"});
  Measure measure = Measure::kInformationGain;
  if (const ConfigValue* name = settings.study.find("measure")) {
    measure =
        static_cast<Measure>(name->as_choice({"information_gain", "node_coverage", "edge_coverage",
                                              "map_correctness", "looks", "looks_to_gain"}));
  }
  std::vector<std::string> arms;
  for (const auto& arm : settings.arms) {
    arm.second.allow_only({"explorer"});
    arms.push_back(parse_explorer(arm.second));
  }
  return std::make_unique<SpaceExploration>(parse_space_settings(settings), measure,
                                            std::move(arms));
}

}  // namespace sightline::host
