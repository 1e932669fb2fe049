#include "host/cli/space_exchange.h"

#include "host/cli/options.h"
#include "host/theory_of_space/explorer_kinds.h"
#include "host/theory_of_space/scene_jsonl.h"

namespace sightline::cli {
namespace {

using namespace host::tos;

/// All that may be asked for; turns are asked for of themselves.
std::vector<std::string> ask_names() {
  std::vector<std::string> names;
  for (int i = 0; i < kNumAsks; ++i) {
    const auto ask = static_cast<Ask>(i);
    if (ask != Ask::kTurn) names.emplace_back(name_of(ask));
  }
  return names;
}

std::set<Ask> asks_of(const std::vector<std::string>& names) {
  std::set<Ask> asks;
  for (int i = 0; i < kNumAsks; ++i) {
    const auto ask = static_cast<Ask>(i);
    for (const std::string& name : names) {
      if (name == name_of(ask)) asks.insert(ask);
    }
  }
  return asks;
}

std::string joined(const std::vector<std::string>& words) {
  std::string list;
  for (const std::string& word : words) list += (list.empty() ? "" : "|") + word;
  return list;
}

}  // namespace

std::vector<std::string> ExchangeArguments::inputs() const {
  std::vector<std::string> files{scenes};
  if (!questions.empty()) files.push_back(questions);
  files.insert(files.end(), answers.begin(), answers.end());
  return files;
}

void add_exchange_options(CLI::App& command, ExchangeArguments& a) {
  command.add_option("scenes", a.scenes, "Scenes, .jsonl")->required();
  command
      .add_option("--from", a.settings.from,
                  "Who explores: the model itself, an explorer whose log it is told, or nobody: "
                  "truth tells the true map (default model)")
      ->option_text("model|truth|" + joined(explorer_names()));
  command
      .add_option("--ask", a.asks,
                  "What is asked; repeatable: tasks, tasks after their map, or after turns what "
                  "is believed (default task)")
      ->option_text(joined(ask_names()))
      ->check(one_of(ask_names()));
  command.add_option("--questions", a.questions,
                     "Questions of the tasks, .jsonl (default: drawn, as space questions does)");
  command.add_option("--count", a.count, "Questions of each task and scene, if drawn (default 3)")
      ->check(at_least_one());
  add_seed(command, a.settings.seed, "Of all that is drawn (default 1)");
  command.add_option("--budget", a.settings.budget, "Turns of a model, at most (default 20)")
      ->check(at_least_one());
  add_choice(command, "--field-of-view", a.settings.field,
             {{"60", FieldOfView::k60},
              {"90", FieldOfView::k90},
              {"120", FieldOfView::k120},
              {"180", FieldOfView::k180}},
             "How wide one sees, degrees");
  command
      .add_option("--noise", a.settings.noise,
                  "Probability that a direction, a distance or a facing is told as another "
                  "(default 0)")
      ->option_text("P")
      ->check(probability());
  add_choice(command, "--probe", a.settings.probes_each_turn, {{"each", true}, {"last", false}},
             "After which turns maps are asked for");
  command.add_option(
      "--answers", a.answers,
      "Answers so far, .jsonl, as a batch wrote them or {\"id\", \"answer\"}: one file "
      "or more");
}

ModelExchange exchange_of(const ExchangeArguments& a) {
  ModelExchange exchange;
  exchange.settings = a.settings;
  exchange.settings.asks = asks_of(a.asks);
  check_settings(exchange.settings);
  const std::vector<Scene> scenes = read_scenes(a.scenes);
  std::vector<SceneQuestion> questions;
  if (!a.questions.empty()) questions = read_questions(a.questions, scenes);
  exchange.scenes = scenes_to_evaluate(scenes, questions, a.count, a.settings.seed);
  return exchange;
}

}  // namespace sightline::cli
