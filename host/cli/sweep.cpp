// `sightline sweep`: runs a sweep file into a folder, or resumes it.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/cli/commands.h"
#include "host/cli/options.h"
#include "host/cli/progress.h"
#include "host/device.h"
#include "host/error.h"
#include "host/sweep/plan.h"
#include "host/sweep/run.h"

namespace sightline::cli {
namespace {

struct SweepArguments {
  std::string config;
  std::vector<std::string> overrides;
  host::SweepOptions options;
  DeviceArguments device;
  std::int64_t max_rays_per_batch = 0;
  bool quiet = false, json = false;
};

std::atomic<bool> stop_asked{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may only set such a flag");

void ask_to_stop(int) { stop_asked = true; }

/// The first SIGINT or SIGTERM asks the run to stop; the second ends the program at once, which the
/// run folder survives.
void catch_stop_signals() {
  struct sigaction action {};
  action.sa_handler = ask_to_stop;
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

/// The command line as the user gave it.
std::vector<std::string> own_command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> arguments;
  for (std::string argument; std::getline(file, argument, '\0');) arguments.push_back(argument);
  return arguments;
}

std::string mean_text(const std::optional<host::RateSummary>& rate) {
  return rate ? fmt::format("{:.4f}", rate->mean) : std::string("-");
}

/// "false_visible_rate" as a heading: "false visible".
std::string heading_of(std::string name) {
  const std::size_t rate = name.rfind("_rate");
  if (rate != std::string::npos) name.erase(rate);
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

void print_claims(const std::vector<host::ClaimResult>& claims) {
  for (const host::ClaimResult& claim : claims) {
    fmt::print("{:<15} {}\n{:<15} {}: claimed {}; found {}\n", claim.verdict(), claim.text, "",
               claim.arm, claim.expected, claim.found.empty() ? "nothing" : claim.found);
  }
  if (!claims.empty()) fmt::print("\n");
}

void print_result(const host::SweepSummary& summary) {
  std::size_t widest = std::string("arm").size();
  for (const host::ArmSummary& arm : summary.arms) widest = std::max(widest, arm.arm.size());
  const std::vector<host::RateColumn>& rates = host::measures_of(summary.kind).rates;
  std::vector<std::size_t> shown;  // those that some arm has
  for (std::size_t i = 0; i < rates.size(); ++i) {
    if (std::any_of(summary.arms.begin(), summary.arms.end(),
                    [i](const host::ArmSummary& arm) { return arm.rates[i].has_value(); })) {
      shown.push_back(i);
    }
  }
  fmt::print("{:<{}}  {:>14}", "arm", widest, "configurations");
  for (const std::size_t i : shown) fmt::print("  {:>14}", heading_of(rates[i].name));
  fmt::print("\n");
  for (const host::ArmSummary& arm : summary.arms) {
    fmt::print("{:<{}}  {:>14}", arm.arm, widest, arm.num_configurations);
    for (const std::size_t i : shown) fmt::print("  {:>14}", mean_text(arm.rates[i]));
    fmt::print("\n");
  }
  fmt::print("\n");
  print_claims(summary.claims);
  fmt::print("{} configurations run, {} done before, {} failed, {:.1f} s\n", summary.ran,
             summary.skipped, summary.failed, summary.seconds);
  fmt::print("results: {}/results.csv\nreport:  sightline report {}\n", summary.directory,
             summary.directory);
}

void run_sweep_command(SweepArguments& arguments) {
  const host::SweepPlan plan = host::SweepPlan::load(arguments.config, arguments.overrides);
  print_warnings(plan.warnings());
  host::Device device(arguments.device.choice, arguments.device.num_threads);
  device.set_max_rays_per_batch(arguments.max_rays_per_batch);
  catch_stop_signals();
  const auto stop = [] { return stop_asked.load(); };
  ProgressPrinter progress(arguments.quiet, stop);
  arguments.options.command = own_command_line();
  arguments.options.stop_requested = stop;
  arguments.options.on_progress = [&](const host::Progress& now) { progress.update(now); };
  const host::SweepSummary summary = host::run_sweep(plan, arguments.options, device);
  progress.finish();
  if (arguments.json) {
    fmt::print("{}", summary.summary_json);
  } else if (!arguments.quiet) {
    print_result(summary);
  }
  if (summary.failed > 0) {
    throw host::RunError(
        fmt::format("{}: {} of {} configurations failed (see summary.json); "
                    "try them again with --resume",
                    summary.directory, summary.failed, summary.num_configurations));
  }
}

void add_options(CLI::App& command, SweepArguments& arguments) {
  command.add_option("config", arguments.config, "Sweep file (YAML)")->required();
  command.add_option("--out", arguments.options.output_directory, "Run folder")
      ->required()
      ->type_name("DIR");
  command.add_flag("--resume", arguments.options.resume,
                   "Run what is missing in DIR; starts it if there is nothing yet");
  command.add_option("-s,--set", arguments.overrides, "Override a setting or an axis; repeatable")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  add_device_options(command, arguments.device);
  command
      .add_option("--batch", arguments.max_rays_per_batch,
                  "Most rays in one piece (default: as many as fit); no answer depends on it")
      ->check(at_least_one());
  command.add_flag("--keep-going", arguments.options.keep_going,
                   "Record configurations that fail and go on");
  command.add_flag("--quiet", arguments.quiet, "No progress and no table");
  command.add_flag("--json", arguments.json, "Print what summary.json holds instead of a table");
}

}  // namespace

void add_sweep(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("sweep", "Run every configuration of a sweep file into a folder");
  const auto arguments = std::make_shared<SweepArguments>();
  add_options(*command, *arguments);
  command->footer(
      "Examples:\n"
      "  sightline sweep configs/quickstart.yaml --out runs/quickstart\n"
      "  sightline sweep configs/building.yaml --out runs/map -s world.file=map.bt\n"
      "  sightline sweep configs/building.yaml --out runs/map -s world.file=map.bt --resume");
  command->callback([arguments] { run_sweep_command(*arguments); });
}

}  // namespace sightline::cli
