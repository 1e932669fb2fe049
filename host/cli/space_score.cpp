// sightline space score: what a language model's answers about scenes are worth.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>

#include "host/cli/options.h"
#include "host/cli/space.h"
#include "host/cli/space_exchange.h"
#include "host/config/plural.h"
#include "host/theory_of_space/model_exchange.h"

namespace sightline::cli {
namespace {

using namespace host::tos;

struct ScoreArguments {
  ExchangeArguments exchange;
  bool as_json = false;
};

void print_score(const ExchangeScore& score) {
  fmt::print("{}, {} of them to the end\n\n", host::plural(score.num_scenes, "scene"),
             score.num_ended);
  fmt::print("{:<14}  {:>7}  {:>7}  {:>7}  {:>9}\n", "prompts", "asked", "missing", "failed",
             "no answer");
  for (const auto& [ask, counts] : score.counts) {
    fmt::print("{:<14}  {:>7}  {:>7}  {:>7}  {:>9}\n", name_of(ask), counts.asked, counts.missing,
               counts.failed, counts.unparsed);
  }
  std::size_t widest = 0;
  for (const auto& row : score.scores) widest = std::max(widest, row.first.size());
  fmt::print("\n{:<{}}  {:>7}  {:>8}  {}\n", "score", widest, "n", "mean", "95 % interval");
  for (const auto& [measure, of_measure] : score.scores) {
    fmt::print("{:<{}}  {:>7}  {:>8.4f}", measure, widest, of_measure.n, of_measure.mean);
    if (of_measure.interval) {
      fmt::print("  [{:.4f}, {:.4f}]", of_measure.interval->low, of_measure.interval->high);
    }
    fmt::print("\n");
  }
}

void run_score(const ScoreArguments& a) {
  const ModelExchange exchange = exchange_of(a.exchange);
  const host::ChatAnswers answers = read_answers(exchange, a.exchange.answers);
  const ExchangeScore score = score_exchange(exchange, answers);
  if (a.as_json) {
    fmt::print("{}\n", score_json(score));
  } else {
    print_score(score);
  }
}

}  // namespace

void add_space_score(CLI::App& space) {
  CLI::App* command =
      add_command(space, "score", "Score what a language model answered about scenes");
  const auto a = std::make_shared<ScoreArguments>();
  add_exchange_options(*command, a->exchange);
  command->get_option("--answers")->required();
  command->add_flag("--strict", a->exchange.settings.scoring.is_strict,
                    "No credit for parts of a label, nor for direction and distance swapped");
  command->add_flag("--json", a->as_json, "One object of JSON");
  command->footer(
      "Give the options that the prompts were written with. What is missing or no answer is\n"
      "counted, and scores 0; of an exploration that has not ended nothing is scored. n counts\n"
      "questions of tasks, and scenes of all else: turns of a scene count once, by their mean. An\n"
      "id that was not asked, or is there twice, is refused.\n\n"
      "Example:\n"
      "  sightline space answer scenes.jsonl --from scout --out said.jsonl\n"
      "  sightline space score scenes.jsonl --from scout --answers said.jsonl");
  command->callback([a] { run_score(*a); });
}

}  // namespace sightline::cli
