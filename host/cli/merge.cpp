// `sightline merge`: the shards of a run as one run.
#include "host/sweep/merge.h"

#include <fmt/format.h>

#include <memory>
#include <string>

#include "host/cli/commands.h"
#include "host/cli/options.h"
#include "host/cli/results.h"
#include "host/error.h"
#include "host/sweep/summary.h"

namespace sightline::cli {
namespace {

struct MergeArguments {
  std::string out;
  bool quiet = false, json = false, fail_on_claims = false;
};

void print_merged(const MergeArguments& arguments, const host::MergeResult& merged) {
  const host::RunData& run = merged.run;
  if (arguments.json) {
    fmt::print("{}", host::summary_json(run));
    return;
  }
  if (arguments.quiet) return;
  print_rates(run.kind(), host::summarize_arms(run));
  if (run.complete()) print_claims(merged.claims);
  for (const host::ShardState& shard : merged.shards) {
    fmt::print("{}: {} configurations, {}\n", shard.folder, shard.num_finished, shard.status);
  }
  fmt::print("{} of {} configurations\n", run.num_finished, run.num_configurations);
  print_places(arguments.out);
}

void run_merge(const MergeArguments& arguments) {
  const host::MergeResult merged = host::merge_shards(arguments.out, own_command_line());
  print_warnings(merged.warnings);
  print_merged(arguments, merged);
  const host::RunData& run = merged.run;
  if (run.complete()) {
    if (arguments.fail_on_claims) require_claims(arguments.out, merged.claims);
    return;
  }
  throw host::RunError(fmt::format(
      "{}: {} of {} configurations are missing{}; run the shards that are not there "
      "or not complete with --resume, and merge again",
      arguments.out, run.num_configurations - run.num_finished, run.num_configurations,
      run.failures.empty()
          ? ""
          : fmt::format(", of which {} failed (see summary.json)", run.failures.size())));
}

}  // namespace

void add_merge(CLI::App& app) {
  CLI::App* command = add_command(app, "merge", "Put the shards of a run (sweep --shard) together");
  const auto arguments = std::make_shared<MergeArguments>();
  command->add_option("run", arguments->out, "The --out folder that the shards share")->required();
  command->add_flag("--fail-on-claims", arguments->fail_on_claims,
                    "Exit code 1 if a claim is not reproduced or not tested; all is saved");
  command->add_flag("--quiet", arguments->quiet, "No table");
  command->add_flag("--json", arguments->json, "Print what summary.json holds instead of a table");
  command->footer(
      "Writes the files of a run into the folder, with the bytes that one process would have\n"
      "written. Shards that still run are left out; merging again takes them.\n"
      "Exit code 1 while configurations are missing.\n\n"
      "Example:\n"
      "  sightline sweep configs/quickstart.yaml --out runs/both --shard 1/2\n"
      "  sightline sweep configs/quickstart.yaml --out runs/both --shard 2/2\n"
      "  sightline merge runs/both");
  command->callback([arguments] { run_merge(*arguments); });
}

}  // namespace sightline::cli
