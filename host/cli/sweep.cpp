// `sightline sweep`: runs a sweep file into a folder, or resumes it.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "host/cli/commands.h"
#include "host/cli/options.h"
#include "host/cli/progress.h"
#include "host/cli/results.h"
#include "host/config/plural.h"
#include "host/device.h"
#include "host/error.h"
#include "host/ranks.h"
#include "host/sweep/plan.h"
#include "host/sweep/run.h"
#include "host/sweep/shard.h"

namespace sightline::cli {
namespace {

struct SweepArguments {
  std::string config, shard;
  std::vector<std::string> overrides;
  host::SweepOptions options;
  DeviceArguments device;
  std::int64_t max_rays_per_batch = 0;
  bool quiet = false, json = false, fail_on_claims = false;
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

/// Of a part of a run there are no rates to tell yet.
void print_shard(const SweepArguments& arguments, const host::SweepSummary& summary) {
  fmt::print("shard {} of {}: {} run, {} done before, {} failed, {:.1f} s\n",
             arguments.options.shard.number, arguments.options.shard.count,
             host::plural(summary.ran, "configuration"), summary.skipped, summary.failed,
             summary.seconds);
  fmt::print("when all shards are done: sightline merge {}\n", arguments.options.output_directory);
}

/// CPU threads of a rank: its share of the cores, unless it was told.
int threads_of_rank(const DeviceArguments& device, const host::Ranks& ranks) {
  const bool told = device.num_threads > 0 || std::getenv("OMP_NUM_THREADS");
  return told ? device.num_threads : ranks.num_threads();
}

/// The plan and the device of a run: what each rank makes for itself.
struct SweepInputs {
  host::SweepPlan plan;
  std::unique_ptr<host::Device> device;
};

SweepInputs make_inputs(const SweepArguments& arguments, const host::Ranks& ranks) {
  host::SweepPlan plan = host::SweepPlan::load(arguments.config, arguments.overrides);
  if (ranks.rank() == 0) print_warnings(plan.warnings());
  DeviceArguments with_threads = arguments.device;
  with_threads.num_threads = threads_of_rank(arguments.device, ranks);
  // Not std::make_unique(), which would move the device.
  std::unique_ptr<host::Device> device(
      new host::Device(make_device(with_threads, ranks.node_rank())));
  device->set_max_rays_per_batch(arguments.max_rays_per_batch);
  print_warnings_of(*device);
  return {std::move(plan), std::move(device)};
}

void print_summary(const SweepArguments& arguments, const host::SweepSummary& summary) {
  if (arguments.json) {
    fmt::print("{}", summary.summary_json);
  } else if (!arguments.quiet && !arguments.options.shard.is_whole()) {
    print_shard(arguments, summary);
  } else if (!arguments.quiet) {
    print_rates(summary.kind, summary.arms);
    print_claims(summary.claims);
    fmt::print("{} run, {} done before, {} failed, {:.1f} s\n",
               host::plural(summary.ran, "configuration"), summary.skipped, summary.failed,
               summary.seconds);
    print_places(summary.directory);
  }
}

/// Tells warnings at once, but keeps those that come while a bar is drawn until it is gone.
class WarningPrinter {
 public:
  explicit WarningPrinter(bool quiet) : quiet_(quiet) {}

  void tell(const std::string& text) {
    held_.push_back(text);
    if (!holding_) release();
  }
  void hold() { holding_ = true; }
  void release() {
    if (!quiet_) print_warnings(held_);
    held_.clear();
  }

 private:
  const bool quiet_;
  bool holding_ = false;
  std::vector<std::string> held_;
};

void take_shard(SweepArguments& arguments, const host::Ranks& ranks) {
  if (!arguments.shard.empty()) arguments.options.shard = host::parse_shard(arguments.shard);
  if (arguments.options.shard.is_whole()) return;
  if (ranks.size() > 1) {
    throw host::InputError(
        "--shard: the ranks of one mpirun are dealt blocks without it, and would "
        "all run the same shard with it; leave it out");
  }
  if (arguments.fail_on_claims) {
    throw host::InputError(
        "--fail-on-claims: one shard alone judges no claim; give it to `sightline merge` instead");
  }
}

void run_sweep_command(SweepArguments& arguments) {
  host::Ranks ranks = host::Ranks::of_launcher();
  std::optional<SweepInputs> inputs;
  ranks.together([&] {  // one rank tells what is wrong
    take_shard(arguments, ranks);
    inputs.emplace(make_inputs(arguments, ranks));
  });
  catch_stop_signals();
  const auto stop = [] { return stop_asked.load(); };
  WarningPrinter warnings(ranks.rank() > 0);
  ProgressPrinter progress(arguments.quiet || ranks.rank() > 0, stop);
  arguments.options.command = own_command_line();
  arguments.options.stop_requested = stop;
  arguments.options.on_warning = [&](const std::string& text) { warnings.tell(text); };
  arguments.options.on_progress = [&](const host::Progress& now) {
    warnings.hold();
    progress.update(now);
  };
  arguments.options.on_stopping = [&](const std::string& text) {
    progress.finish();
    write_stderr(fmt::format("sightline: {}\n", text));
  };
  const host::SweepSummary summary =
      host::run_sweep(inputs->plan, arguments.options, *inputs->device, ranks);
  progress.finish();
  warnings.release();
  if (ranks.rank() > 0) return;  // the first tells it for all
  print_summary(arguments, summary);
  if (summary.failed > 0) {
    throw host::RunError(
        fmt::format("{}: {} of {} configurations failed (see summary.json); "
                    "try them again with --resume",
                    summary.directory, summary.failed, summary.num_configurations));
  }
  if (arguments.fail_on_claims) require_claims(summary.directory, summary.claims);
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
  command
      .add_option(
          "--shard", arguments.shard,
          "Run only part I of N, 1 to N; the parts may share DIR, and `sightline merge` joins them")
      ->type_name("I/N");
  add_device_options(command, arguments.device);
  command
      .add_option("--batch", arguments.max_rays_per_batch,
                  "Most rays in one piece (default: as many as fit); no answer depends on it")
      ->check(at_least_one());
  command.add_flag("--keep-going", arguments.options.keep_going,
                   "Record configurations that fail and go on");
  command.add_flag("--trials", arguments.options.trials,
                   "Also write what every trial was answered, DIR/trials/CONFIGURATION_ID.npy");
  command.add_flag("--fail-on-claims", arguments.fail_on_claims,
                   "Exit code 1 if a claim is not reproduced or not tested; all is saved");
  command.add_flag("--quiet", arguments.quiet, "No progress and no table");
  command.add_flag("--json", arguments.json, "Print what summary.json holds instead of a table");
}

}  // namespace

void add_sweep(CLI::App& app) {
  CLI::App* command =
      add_command(app, "sweep", "Run every configuration of a sweep file into a folder");
  const auto arguments = std::make_shared<SweepArguments>();
  add_options(*command, *arguments);
  command->footer(
      "Started by mpirun, its ranks are dealt the blocks of the sweep; those of a machine take\n"
      "its GPUs in turn, or all take GPU N with --device cuda:N:\n"
      "  mpirun --bind-to none -np 4 sightline sweep CONFIG --out DIR\n"
      "After Ctrl-C mpirun itself ends with 1; what was finished is kept, and --resume goes on.\n\n"
      "--trials writes a structured NumPy array with a row for each ray, query or trial of a "
      "study.\n"
      "A row takes 9 bytes and 2 for each arm of a ray; 12 and 5 of a query (21 for an arm with\n"
      "verify); 4 and 9 of a trial of a study. configs/README.md names the columns.\n\n"
      "Examples:\n"
      "  sightline sweep configs/quickstart.yaml --out runs/quickstart\n"
      "  sightline sweep configs/building.yaml --out runs/map -s world.file=map.bt\n"
      "  sightline sweep configs/building.yaml --out runs/map -s world.file=map.bt --resume\n"
      "  sightline sweep configs/quickstart.yaml --out runs/both --shard 1/2\n"
      "  sightline sweep configs/quickstart.yaml --out runs/rows --trials");
  command->callback([arguments] { run_sweep_command(*arguments); });
}

}  // namespace sightline::cli
