// sightline space correlate: do scenes whose map is more right have their tasks solved better?
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "host/cli/options.h"
#include "host/cli/outputs.h"
#include "host/cli/space.h"
#include "host/config/json_text.h"
#include "host/error.h"
#include "host/stats/correlation.h"
#include "host/theory_of_space/explorer_kinds.h"
#include "host/theory_of_space/scene_jsonl.h"
#include "host/theory_of_space/scene_scores.h"
#include "host/world/binary_file.h"

namespace sightline::cli {
namespace {

using namespace host::tos;

struct CorrelateArguments {
  std::string file, x = "map_correctness", y = "task_score", out;
  SceneScoring scoring;
  bool explores = false, as_json = false;
};

SceneScores scores_of(const CorrelateArguments& a) {
  if (a.explores) return score_scenes(read_scenes(a.file), a.scoring);
  if (!a.out.empty())
    throw host::InputError("--out goes with --explorer: a table is there already");
  return read_scene_scores(a.file, a.x, a.y);
}

std::string table_of(const SceneScores& scores, const CorrelateArguments& a) {
  std::string table;
  for (std::size_t i = 0; i < scores.scene.size(); ++i) {
    const nlohmann::ordered_json row{
        {"scene", scores.scene[i]}, {a.x, scores.x[i]}, {a.y, scores.y[i]}};
    table += host::json_text(row) + "\n";
  }
  return table;
}

void run_correlate(const CorrelateArguments& a) {
  if (!a.out.empty()) check_output_as(".jsonl", a.out, {a.file});
  const SceneScores scores = scores_of(a);
  const host::stats::Correlation found = host::stats::pearson(scores.x, scores.y);
  if (!a.out.empty()) host::write_file(a.out, table_of(scores, a));
  if (a.as_json) {
    const nlohmann::ordered_json json{{"x", a.x},
                                      {"y", a.y},
                                      {"scenes", found.n},
                                      {"r", found.r},
                                      {"low", found.interval.low},
                                      {"high", found.interval.high},
                                      {"p", found.p}};
    fmt::print("{}\n", host::json_text(json));
    return;
  }
  fmt::print("{}: {} against {}\n", a.file, a.x, a.y);
  fmt::print("  scenes     {}\n", found.n);
  fmt::print("  Pearson r  {:.4f}, 95 % interval {:.4f} to {:.4f} (Fisher)\n", found.r,
             found.interval.low, found.interval.high);
  fmt::print("  p          {:.3g} of r = 0, two-sided\n", found.p);
}

}  // namespace

void add_space_correlate(CLI::App& space) {
  CLI::App* correlate =
      add_command(space, "correlate",
                  "Pearson's r, over scenes, of how right maps are and how well tasks are solved");
  correlate->footer(
      "Examples:\n"
      "  sightline space correlate scores.csv\n"
      "  sightline space correlate many_scenes.jsonl --explorer random --out scores.jsonl");
  const auto a = std::make_shared<CorrelateArguments>();
  correlate
      ->add_option("file", a->file,
                   "A table with the columns scene, X and Y, .csv or .jsonl; with --explorer "
                   "scenes, .jsonl")
      ->required();
  correlate->add_option("--x", a->x, "A column (default map_correctness)")->option_text("X");
  correlate->add_option("--y", a->y, "Another (default task_score)")->option_text("Y");
  CLI::Option* explorer = correlate->add_option(
      "--explorer", a->scoring.explorer,
      "Explore the scenes; X is how right the map is that was seen, Y the mean score over the "
      "nine tasks of exact solvers that have this map");
  explorer->option_text("NAME")->check(one_of(explorer_names()));
  correlate
      ->add_option("--questions", a->scoring.num_questions, "Of each task and scene (default 3)")
      ->needs(explorer)
      ->option_text("N")
      ->check(integer_from(1, 100));
  add_seed(*correlate, a->scoring.seed, "Of the questions (default 1)")->needs(explorer);
  correlate->add_option("--out", a->out, "Write the scores of the explored scenes, .jsonl")
      ->option_text("FILE");
  correlate->add_flag("--json", a->as_json, "One JSON object instead of text");
  correlate->callback([a, explorer] {
    a->explores = explorer->count() > 0;
    run_correlate(*a);
  });
}

}  // namespace sightline::cli
