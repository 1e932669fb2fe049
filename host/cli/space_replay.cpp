// sightline space replay: an exploration as a page, turn by turn, what was believed beside the
// truth.
#include <fmt/format.h>

#include <memory>
#include <string>

#include "host/cli/options.h"
#include "host/cli/outputs.h"
#include "host/cli/ray_options.h"
#include "host/cli/space.h"
#include "host/cli/space_exchange.h"
#include "host/config/suggest.h"
#include "host/error.h"
#include "host/report/replay_page.h"
#include "host/theory_of_space/model_exchange.h"
#include "host/world/binary_file.h"

namespace sightline::cli {
namespace {

using namespace host::tos;

struct ReplayArguments {
  ExchangeArguments exchange;
  std::string scene, out;
};

const EvaluatedScene& scene_named(const ModelExchange& exchange, const std::string& id) {
  if (id.empty()) return exchange.scenes.front();
  std::vector<std::string> ids;
  for (const EvaluatedScene& scene : exchange.scenes) {
    if (scene.scene.id == id) return scene;
    ids.push_back(scene.scene.id);
  }
  throw host::InputError("--scene " + id + ": no scene has this id; " + host::suggestion(id, ids));
}

void run_replay(const ReplayArguments& a) {
  check_output_as(".html", a.out, a.exchange.inputs());
  ModelExchange exchange = exchange_of(a.exchange);
  if (exchange.settings.from == kFromTruth) {
    throw host::InputError("--from truth: nobody explores; name an explorer, or model");
  }
  exchange.settings.asks.insert(Ask::kGlobalMap);
  const EvaluatedScene& scene = scene_named(exchange, a.scene);
  const bool is_solver = a.exchange.answers.empty();
  const SceneEvaluation evaluation =
      is_solver ? evaluate_solver(scene, exchange.settings)
                : evaluate(scene, exchange.settings, read_answers(exchange, a.exchange.answers));
  const std::string believer = is_solver ? "the belief solver" : "the model";
  const std::string& from = exchange.settings.from;
  host::write_file(a.out,
                   host::report::replay_page({scene.scene, evaluation.lived, evaluation.maps,
                                              from == kFromModel ? believer : from, believer}));
  fmt::print("{} turns of scene {} -> {}\n", evaluation.lived.turns.size(), scene.scene.id, a.out);
}

}  // namespace

void add_space_replay(CLI::App& space) {
  CLI::App* command =
      add_command(space, "replay", "Draw an exploration turn by turn, beliefs beside the truth");
  const auto a = std::make_shared<ReplayArguments>();
  add_exchange_options(*command, a->exchange);
  command->add_option("--scene", a->scene, "Which scene, by id (default: the first)");
  command->add_option("--out", a->out, "Page, .html; it needs no other file")->required();
  command->footer(
      "The maps are those that --answers hold, answers to global_map; without --answers the "
      "belief\n"
      "solver says what it believes, and explores where the model would.\n\n"
      "Example:\n"
      "  sightline space replay scenes.jsonl --from scout --out replay.html");
  command->callback([a] { run_replay(*a); });
}

}  // namespace sightline::cli
