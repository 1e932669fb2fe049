// `sightline texts`: the texts that a study embeds, for a model to embed.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "host/cli/commands.h"
#include "host/cli/options.h"
#include "host/cli/outputs.h"
#include "host/cli/ray_options.h"
#include "host/config/plural.h"
#include "host/device.h"
#include "host/sweep/embedded_texts.h"
#include "host/world/binary_file.h"

namespace sightline::cli {
namespace {

struct TextsArguments {
  std::string config, out;
  std::vector<std::string> overrides;
  bool quiet = false;
};

void run_texts(const TextsArguments& arguments) {
  check_output_as(".jsonl", arguments.out, {arguments.config});
  const host::SweepPlan plan = host::SweepPlan::load(arguments.config, arguments.overrides);
  print_warnings(plan.warnings());
  host::Device device;
  const std::string lines = host::embedded_text_lines(plan, device);
  host::write_file(arguments.out, lines);
  if (arguments.quiet) return;
  fmt::print("{} of {} -> {}\n", host::plural(std::count(lines.begin(), lines.end(), '\n'), "text"),
             host::plural(plan.num_configurations(), "configuration"), arguments.out);
}

}  // namespace

void add_texts(CLI::App& app) {
  CLI::App* command = add_command(app, "texts", "List the texts that a study embeds");
  const auto arguments = std::make_shared<TextsArguments>();
  command->add_option("config", arguments->config, "Sweep file of a study (YAML)")->required();
  command->add_option("--out", arguments->out, "List to write (.jsonl)")->required();
  command->add_option("-s,--set", arguments->overrides, "Override a setting or an axis; repeatable")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command->add_flag("--quiet", arguments->quiet, "Print nothing");
  command->footer(
      "scripts/embed.py makes a row of embeddings of each; the study reads both from one "
      "folder.\n\n"
      "Example:\n"
      "  sightline texts configs/landscape.yaml -s study.landscape.embeddings=null --out "
      "texts.jsonl");
  command->callback([arguments] { run_texts(*arguments); });
}

}  // namespace sightline::cli
