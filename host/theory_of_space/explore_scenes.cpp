#include "host/theory_of_space/explore_scenes.h"

#include <algorithm>
#include <optional>

#include "host/memory/parallel_rows.h"
#include "host/random.h"
#include "host/theory_of_space/explorer_kinds.h"
#include "host/theory_of_space/turn_json.h"
#include "host/world/binary_file.h"

namespace sightline::host::tos {
namespace {

/// What one explorer made of one scene.
struct Outcome {
  TurnRecord last;
  bool is_resolved = false;
  std::string lines;  ///< of the log
};

Outcome explore_one(const Scene& scene, std::uint64_t number, const std::string& name,
                    const ExploreSettings& settings, const std::string& where) {
  constexpr std::uint64_t kStream = stream_of("theory of space: explorers");
  EpisodeOptions options = settings.episode;
  options.noise.seed = noise_seed(settings.seed, number);
  const auto explorer = make_explorer(name, scene, options, settings.profile,
                                      RandomItem(settings.seed, kStream, number)(), where);
  Outcome outcome;
  const Exploration tour = explore(scene, explorer.get(), options, settings.profile,
                                   [&](const Episode& episode, const RevisingBelief& belief) {
                                     outcome.is_resolved = belief.belief().is_certain();
                                     if (settings.log.empty()) return;
                                     TurnJsonOptions json;
                                     json.explorer = name;
                                     json.tells_truth = true;
                                     json.information_gain = belief.belief().information_gain();
                                     outcome.lines += turn_json(episode, json) + "\n";
                                   });
  outcome.last = tour.last();
  return outcome;
}

void add(const Outcome& outcome, ExplorerMeans* sum) {
  ++sum->num_scenes;
  sum->observes += outcome.last.num_observes;
  sum->cost += outcome.last.cost;
  sum->information_gain += outcome.last.information_gain;
  sum->node_coverage += outcome.last.node_coverage;
  sum->edge_coverage += outcome.last.edge_coverage;
  sum->resolved += outcome.is_resolved ? 1 : 0;
  sum->contradictory += outcome.last.num_dropped > 0 ? 1 : 0;
}

void divide(ExplorerMeans* sum) {
  const auto count = static_cast<double>(sum->num_scenes);
  for (double* mean : {&sum->observes, &sum->cost, &sum->information_gain, &sum->node_coverage,
                       &sum->edge_coverage, &sum->resolved, &sum->contradictory}) {
    *mean /= count;
  }
}

}  // namespace

std::vector<ExplorerMeans> explore_scenes(const std::vector<Scene>& scenes,
                                          const ExploreSettings& settings,
                                          const std::string& where) {
  for (const std::string& name : settings.explorers) check_explorer_name(name, where);
  std::optional<OutputFile> log;
  if (!settings.log.empty()) log.emplace(settings.log);
  std::vector<ExplorerMeans> means(settings.explorers.size());
  for (std::size_t i = 0; i < means.size(); ++i) means[i].explorer = settings.explorers[i];
  constexpr std::size_t kBlock = 1024;  // scenes whose lines are in memory at a time
  for (std::size_t first = 0; first < scenes.size(); first += kBlock) {
    const std::size_t size = std::min(kBlock, scenes.size() - first);
    std::vector<Outcome> outcomes(size * means.size());  // [scene][explorer]
    const auto explore = [&](std::int64_t row) {
      const std::size_t scene = first + static_cast<std::size_t>(row);
      for (std::size_t i = 0; i < means.size(); ++i) {
        outcomes[static_cast<std::size_t>(row) * means.size() + i] =
            explore_one(scenes[scene], scene, means[i].explorer, settings, where);
      }
    };
    for_each_row(static_cast<std::int64_t>(size), settings.num_threads, explore, 1);
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      add(outcomes[i], &means[i % means.size()]);
      if (log) log->write(outcomes[i].lines.data(), outcomes[i].lines.size());
    }
  }
  for (ExplorerMeans& one : means) divide(&one);
  if (log) log->commit();
  return means;
}

}  // namespace sightline::host::tos
