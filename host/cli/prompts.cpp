// `sightline prompts`: an arm of a study answered by a language model, by files.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "host/cli/commands.h"
#include "host/cli/model_options.h"
#include "host/cli/options.h"
#include "host/cli/outputs.h"
#include "host/cli/ray_options.h"
#include "host/cli/results.h"
#include "host/config/plural.h"
#include "host/error.h"
#include "host/sweep/claims.h"
#include "host/sweep/prompt_exchange.h"
#include "host/sweep/results_csv.h"
#include "host/world/binary_file.h"

namespace sightline::cli {
namespace {

struct PromptsArguments {
  std::string config, answers, out;
  std::vector<std::string> overrides;
  host::PromptRequest request;
  bool quiet = false;
};

host::SweepPlan plan_of(const PromptsArguments& arguments) {
  host::SweepPlan plan = host::SweepPlan::load(arguments.config, arguments.overrides);
  print_warnings(plan.warnings());
  return plan;
}

void run_export(const PromptsArguments& arguments) {
  check_output_as(".jsonl", arguments.out, {arguments.config});
  const host::SweepPlan plan = plan_of(arguments);
  host::Device device;
  const std::string lines = host::prompt_lines(plan, arguments.request, device);
  host::write_file(arguments.out, lines);
  if (arguments.quiet) return;
  fmt::print("{} of {} -> {}\n",
             host::plural(std::count(lines.begin(), lines.end(), '\n'), "prompt"),
             host::plural(plan.num_configurations(), "configuration"), arguments.out);
}

/// "3 missing: a, b, c".
void print_lacking(const char* what, const std::vector<std::string>& ids) {
  constexpr std::size_t kMostShown = 5;
  if (ids.empty()) return;
  const std::vector<std::string> shown(
      ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(std::min(ids.size(), kMostShown)));
  fmt::print("{} {}: {}{}\n", ids.size(), what, fmt::join(shown, ", "),
             ids.size() > kMostShown ? ", .." : "");
}

void print_score(const PromptsArguments& arguments, const host::PromptScore& score) {
  const std::string& arm = arguments.request.arm;
  const std::size_t num_lacking =
      score.missing.size() + score.failed.size() + score.unparsed.size();
  fmt::print("{} prompts of arm {}, {} answered by {}, which stands for the arm below\n",
             score.num_prompts, arm, score.num_prompts - static_cast<std::int64_t>(num_lacking),
             arguments.answers);
  print_lacking("missing", score.missing);
  print_lacking("failed", score.failed);
  print_lacking("without a clear answer", score.unparsed);
  fmt::print("\n");
  for (const host::RunData::Row& row : score.run.rows) {
    if (row.result.arm != arm) continue;
    const host::StudyAnswers& answers = row.result.study;
    std::string of_what = arm;
    for (std::size_t i = 0; i < row.axis_labels.size(); ++i) {
      of_what += fmt::format(", {} {}", score.run.axis_keys[i], row.axis_labels[i]);
    }
    const std::string right =
        fmt::format("{}: {} of {} right", of_what, answers.right, answers.num_trials);
    if (score.run.num_model_unanswered > 0) {
      fmt::print("{}, {} without an answer or a clear one\n", right, answers.num_unanswered);
      continue;  // no rate of answers that are still to come
    }
    const auto rate = host::rate_of(answers.right, answers.num_trials);
    const double p =
        host::stats::mcnemar_exact(answers.only_arm_right, answers.only_baseline_right);
    fmt::print("{}, {:.4f} [{:.4f}, {:.4f}]; against the baseline b {}, c {}, p {:.3g}\n", right,
               rate->value, rate->interval.low, rate->interval.high, answers.only_arm_right,
               answers.only_baseline_right, p);
  }
  fmt::print("\n");
  print_claims(host::evaluate_claims(score.run));
  fmt::print(
      "results: {}{}\n", arguments.out,
      score.run.num_model_unanswered > 0 ? ", where what has no answer yet counts as wrong" : "");
}

void run_score(const PromptsArguments& arguments) {
  check_output_as(".csv", arguments.out, {arguments.config, arguments.answers});
  const host::SweepPlan plan = plan_of(arguments);
  host::Device device;
  const host::PromptScore score =
      host::score_answers(plan, arguments.request.arm, arguments.answers, device);
  host::write_file(arguments.out, host::results_csv(score.run));
  if (!arguments.quiet) print_score(arguments, score);
}

void add_shared_options(CLI::App& command, PromptsArguments& arguments) {
  command.add_option("config", arguments.config, "Sweep file of a study (YAML)")->required();
  command.add_option("--arm", arguments.request.arm, "Arm that a language model answers for")
      ->required();
  command.add_option("-s,--set", arguments.overrides, "Override a setting or an axis; repeatable")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command.add_flag("--quiet", arguments.quiet, "Print nothing");
}

void add_export(CLI::App& parent) {
  CLI::App* command = add_command(parent, "export", "Write the prompts of an arm");
  const auto arguments = std::make_shared<PromptsArguments>();
  add_shared_options(*command, *arguments);
  command->add_option("--out", arguments->out, "File of prompts, a line of JSON each")->required();
  add_model_options(*command, arguments->request.model, "--seed");
  command->footer(
      "The file is what batch interfaces of hosted models take (the OpenAI batch format), and\n"
      "vllm run-batch -i prompts.jsonl -o answers.jsonl --model MODEL.\n\n"
      "Example:\n"
      "  sightline prompts export configs/storage_medium.yaml --arm rule_based_reader --out "
      "ask.jsonl");
  command->callback([arguments] { run_export(*arguments); });
}

void add_score(CLI::App& parent) {
  CLI::App* command = add_command(parent, "score", "Score the answers that came back");
  const auto arguments = std::make_shared<PromptsArguments>();
  add_shared_options(*command, *arguments);
  command->add_option("--answers", arguments->answers, "File that the batch wrote")->required();
  command->add_option("--out", arguments->out, "Table of the sweep with these answers (.csv)")
      ->required();
  command->footer(
      "Answers are lines of a batch's output file, or of your own: {\"id\": CUSTOM_ID, \"answer\": "
      "\"HIDDEN\"}.\nThe last line of an answer must be one of the words that its prompt asks "
      "for.\n\n"
      "The table is results.csv of the sweep, with the answers of the file in place of those that\n"
      "the program gives for the arm. Prompts without a clear answer count as wrong. An id that "
      "is\n"
      "not of this arm, or there twice, is refused, and nothing is written.\n\n"
      "Example:\n"
      "  sightline prompts score configs/storage_medium.yaml --arm rule_based_reader "
      "--answers said.jsonl --out said.csv");
  command->callback([arguments] { run_score(*arguments); });
}

}  // namespace

void add_prompts(CLI::App& app) {
  CLI::App* command =
      add_command(app, "prompts", "Let a language model answer for an arm of a study, by files");
  command->require_subcommand(1);
  command->footer(
      "Example:\n"
      "  sightline prompts export configs/storage_medium.yaml --arm "
      "blind_text_rule_based_reader --out blind.jsonl");
  add_export(*command);
  add_score(*command);
}

}  // namespace sightline::cli
