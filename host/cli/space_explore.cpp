// sightline space explore: explorers on a file of scenes, what each comes to know and at what cost.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "host/cli/options.h"
#include "host/cli/outputs.h"
#include "host/cli/ray_options.h"
#include "host/cli/space.h"
#include "host/config/json_text.h"
#include "host/theory_of_space/explore_scenes.h"
#include "host/theory_of_space/explorer_kinds.h"
#include "host/theory_of_space/scene_jsonl.h"

namespace sightline::cli {
namespace {

using namespace host::tos;

struct ExploreArguments {
  std::string scenes;
  ExploreSettings settings;
  double noise = 0;
  bool as_json = false;
};

void print_means(const std::vector<ExplorerMeans>& all) {
  std::size_t widest = std::string("explorer").size();
  for (const ExplorerMeans& one : all) widest = std::max(widest, one.explorer.size());
  fmt::print("{:<{}}  {:>8}  {:>8}  {:>8}  {:>8}  {:>8}  {:>8}  {:>8}\n", "explorer", widest,
             "scenes", "observes", "cost", "gain", "nodes", "edges", "resolved");
  for (const ExplorerMeans& one : all) {
    fmt::print("{:<{}}  {:>8}  {:>8.2f}  {:>8.2f}  {:>8.3f}  {:>8.3f}  {:>8.3f}  {:>8.3f}\n",
               one.explorer, widest, one.num_scenes, one.observes, one.cost, one.information_gain,
               one.node_coverage, one.edge_coverage, one.resolved);
  }
  for (const ExplorerMeans& one : all) {
    if (one.contradictory == 0) continue;
    fmt::print("{}: in {:.3f} of scenes what was seen cannot all be true\n", one.explorer,
               one.contradictory);
  }
}

std::string json_line(const ExplorerMeans& one) {
  const nlohmann::ordered_json json{{"explorer", one.explorer},
                                    {"scenes", one.num_scenes},
                                    {"observes", one.observes},
                                    {"cost", one.cost},
                                    {"information_gain", one.information_gain},
                                    {"node_coverage", one.node_coverage},
                                    {"edge_coverage", one.edge_coverage},
                                    {"resolved", one.resolved},
                                    {"contradictory", one.contradictory}};
  return host::json_text(json);
}

void run_explore(ExploreArguments& a) {
  ExploreSettings& settings = a.settings;
  if (settings.explorers.empty()) settings.explorers = {"scout"};
  for (const std::string& name : settings.explorers) check_explorer_name(name, "--explorer");
  if (!settings.log.empty()) check_output_as(".jsonl", settings.log, {a.scenes}, "--log");
  BinNoise& noise = settings.episode.noise;
  noise.direction = noise.distance = noise.facing = a.noise;
  const std::vector<ExplorerMeans> means =
      explore_scenes(read_scenes(a.scenes), settings, "--explorer");
  if (!a.as_json) return print_means(means);
  for (const ExplorerMeans& one : means) fmt::print("{}\n", json_line(one));
}

std::string explorer_list() {
  std::string list;
  for (const std::string& name : explorer_names()) list += (list.empty() ? "" : "|") + name;
  return list;
}

void add_episode_options(CLI::App& command, ExploreArguments& a) {
  constexpr int kMostTurns = 1'000'000;
  EpisodeOptions& episode = a.settings.episode;
  command.add_option("--budget", episode.budget, "Turns, at most (default 0: no limit)")
      ->option_text("N")
      ->check(integer_from(0, kMostTurns));
  add_choice(command, "--field-of-view", episode.field,
             {{"60", FieldOfView::k60},
              {"90", FieldOfView::k90},
              {"120", FieldOfView::k120},
              {"180", FieldOfView::k180}},
             "How wide one sees, degrees");
  command
      .add_option("--noise", a.noise,
                  "Probability that a direction, a distance or a facing is seen as another "
                  "(default 0)")
      ->option_text("P")
      ->check(probability());
  add_choice(command, "--profile", a.settings.profile,
             {{"code", Profile::kCode}, {"paper", Profile::kPaper}},
             "Where the published code and the paper differ, follow");
}

}  // namespace

void add_space_explore(CLI::App& space) {
  CLI::App* command =
      add_command(space, "explore", "Let explorers explore scenes, and tell what they learn");
  const auto a = std::make_shared<ExploreArguments>();
  command->add_option("scenes", a->scenes, "Scenes, .jsonl")->required();
  command
      ->add_option("--explorer", a->settings.explorers, "Who explores; repeatable (default scout)")
      ->option_text(explorer_list());
  add_episode_options(*command, *a);
  add_seed(*command, a->settings.seed,
           "Of errors of perception and of explorers that draw (default 1)");
  command->add_option("--threads", a->settings.num_threads, "CPU threads (default: all cores)")
      ->check(at_least_one());
  command->add_option("--log", a->settings.log, "Write all turns, an object a line (.jsonl)")
      ->option_text("FILE");
  command->add_flag("--json", a->as_json, "Print one JSON object an explorer");
  command->footer(
      "Columns are means over scenes, at the end of each exploration: observes made, cost (1 an\n"
      "Observe, 2 a Query), information gain of an ideal observer, share of things and of pairs "
      "seen,\n"
      "and share of scenes where all things are known to the cell.\n\n"
      "Examples:\n"
      "  sightline space explore scenes.jsonl --explorer scout --explorer gain\n"
      "  sightline space explore scenes.jsonl --explorer strategist --budget 20 --log log.jsonl "
      "--json");
  command->callback([a] { run_explore(*a); });
}

}  // namespace sightline::cli
