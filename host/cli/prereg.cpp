// `sightline prereg`: fixes what an experiment claims before it is scored.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "host/cli/commands.h"
#include "host/cli/options.h"
#include "host/sweep/plan.h"
#include "host/sweep/preregistration.h"

namespace sightline::cli {
namespace {

struct FreezeArguments {
  std::string config, out;
  std::vector<std::string> overrides;
};

void run_freeze(const FreezeArguments& arguments) {
  const host::SweepPlan plan = host::SweepPlan::load(arguments.config, arguments.overrides);
  print_warnings(plan.warnings());
  host::freeze(plan, arguments.out);
  fmt::print("{}\nsweep with: -s preregistration={}\n", arguments.out, arguments.out);
}

}  // namespace

void add_prereg(CLI::App& app) {
  CLI::App* prereg = add_command(app, "prereg", "Preregister a sweep: fix it before it is scored");
  prereg->require_subcommand(1);
  prereg->footer(
      "Example:\n  sightline prereg freeze configs/battery.yaml --out preregistered.json");
  CLI::App* command =
      add_command(*prereg, "freeze",
                  "Hash hypothesis, corpus, arms and analysis of a sweep file into a JSON file");
  const auto arguments = std::make_shared<FreezeArguments>();
  command->add_option("config", arguments->config, "Sweep file, with `claims`")->required();
  command->add_option("--out", arguments->out, "File to write; must not be there yet")->required();
  command->add_option("-s,--set", arguments->overrides, "Set a key, as for sightline sweep");
  command->footer(
      "A sweep that names the file runs only if nothing of it has changed, input files and the\n"
      "program included; else it ends with exit code 2 and tells what did. The hash is in the "
      "run's\n"
      "manifest and report.\n\n"
      "Example:\n"
      "  sightline prereg freeze configs/battery.yaml --out battery.json\n"
      "  sightline sweep configs/battery.yaml -s preregistration=battery.json --out runs/battery");
  command->callback([arguments] { run_freeze(*arguments); });
}

}  // namespace sightline::cli
