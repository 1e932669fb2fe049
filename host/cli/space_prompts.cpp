// sightline space prompts: what a language model is asked about scenes, as a file; and sightline
// space answer: the same prompts answered by the belief solver.
#include <fmt/format.h>

#include <memory>
#include <string>

#include "host/cli/model_options.h"
#include "host/cli/options.h"
#include "host/cli/outputs.h"
#include "host/cli/ray_options.h"
#include "host/cli/space.h"
#include "host/cli/space_exchange.h"
#include "host/config/plural.h"
#include "host/theory_of_space/model_exchange.h"
#include "host/world/binary_file.h"

namespace sightline::cli {
namespace {

using namespace host::tos;

struct PromptsArguments {
  ExchangeArguments exchange;
  std::string out;
  host::ChatModel model{"MODEL", 4096};
  bool to_the_end = false;
};

void run_prompts(const PromptsArguments& a) {
  check_output_as(".jsonl", a.out, a.exchange.inputs());
  const ModelExchange exchange = exchange_of(a.exchange);
  const host::ChatAnswers answers = read_answers(exchange, a.exchange.answers);
  const PromptLines prompts = prompt_lines(exchange, answers, a.model);
  host::write_file(a.out, prompts.lines);
  fmt::print("{} prompts -> {}{}\n", prompts.count, a.out,
             prompts.count == 0 ? "; everything is answered" : "");
}

void run_answer(const PromptsArguments& a) {
  check_output_as(".jsonl", a.out, a.exchange.inputs());
  const ModelExchange exchange = exchange_of(a.exchange);
  const host::ChatAnswers answers = read_answers(exchange, a.exchange.answers);
  const PromptLines solved = solver_lines(exchange, answers, a.to_the_end);
  host::write_file(a.out, solved.lines);
  fmt::print("{} of the belief solver, which is no language model -> {}\n",
             host::plural(solved.count, "answer"), a.out);
}

}  // namespace

void add_space_prompts(CLI::App& space) {
  CLI::App* command =
      add_command(space, "prompts", "Write what a language model is asked about scenes");
  const auto a = std::make_shared<PromptsArguments>();
  add_exchange_options(*command, a->exchange);
  command->add_option("--out", a->out, "File of prompts, a line of JSON each")->required();
  add_model_options(*command, a->model, "--model-seed");  // --seed is that of the questions
  command->footer(
      "The file is what batch interfaces of hosted models take (the OpenAI batch format), and\n"
      "vllm run-batch -i asked.jsonl -o said.jsonl --model MODEL. Where the model explores, this\n"
      "writes the next turn of each scene: give all answers so far, a file a round, until nothing\n"
      "is left to ask.\n\n"
      "Example:\n"
      "  sightline space prompts scenes.jsonl --from scout --ask task --out asked.jsonl\n"
      "  sightline space prompts scenes.jsonl --from model --ask task --ask global_map --out "
      "turn.jsonl");
  command->callback([a] { run_prompts(*a); });
}

void add_space_answer(CLI::App& space) {
  CLI::App* command = add_command(
      space, "answer", "Answer such prompts by the belief solver, in a language model's place");
  const auto a = std::make_shared<PromptsArguments>();
  add_exchange_options(*command, a->exchange);
  command->add_option("--out", a->out, "File of answers, a line {\"id\", \"answer\"} each")
      ->required();
  command->add_flag("--to-the-end", a->to_the_end,
                    "Answer also what follows from its answers, until nothing is left");
  command->footer(
      "The solver is given what the prompts tell and nothing of the truth: an ideal reasoner's\n"
      "score from the same words.\n\n"
      "Example:\n"
      "  sightline space answer scenes.jsonl --from model --ask task --ask changes --to-the-end "
      "--out said.jsonl");
  command->callback([a] { run_answer(*a); });
}

}  // namespace sightline::cli
