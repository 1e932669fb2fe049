// `sightline doctor`: what this build is made of, what the machine offers, and what is missing.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "host/cli/commands.h"
#include "host/cli/options.h"
#include "host/environment.h"

namespace sightline::cli {
namespace {

using host::Environment;
using host::LibraryInfo;

std::string or_none(const std::string& text) { return text.empty() ? "none" : text; }

std::string gigabytes(std::int64_t bytes) {
  constexpr double kBytesPerGib = 1024.0 * 1024.0 * 1024.0;
  return fmt::format("{:.1f} GiB", static_cast<double>(bytes) / kBytesPerGib);
}

void print_build(const host::BuildInfo& build) {
  fmt::print("sightline {}\n", build.version);
  fmt::print("  revision       {}{}\n", build.git_revision, build.git_dirty ? " (modified)" : "");
  fmt::print("  build type     {}\n", or_none(build.build_type));
  fmt::print("  compiler       {}\n", build.compiler);
  fmt::print("  CUDA           {}\n",
             build.cuda_compiler.empty() ? "not compiled in" : build.cuda_compiler);
  fmt::print("  sanitizers     {}\n", or_none(build.sanitizers));
}

void print_machine(const Environment& environment) {
  const host::MachineInfo& machine = environment.machine;
  fmt::print("\nmachine {}\n", machine.hostname);
  fmt::print("  system         {}\n", machine.os);
  fmt::print("  CPU            {}, {} cores\n", machine.cpu_model, machine.num_cores);
  fmt::print("  CPU features   {}\n",
             or_none(fmt::format("{}", fmt::join(machine.cpu_features, " "))));
  fmt::print("  vectors used   {}\n", machine.vectors);
  fmt::print("  memory         {}\n", gigabytes(machine.memory_bytes));
  for (const host::GpuInfo& gpu : environment.gpus) {
    fmt::print("  GPU            {}, compute capability {}.{}, {}\n", gpu.name, gpu.compute_major,
               gpu.compute_minor, gigabytes(gpu.memory_bytes));
  }
  if (environment.gpus.empty()) {
    fmt::print("  GPU            {}\n", environment.build.cuda_compiler.empty()
                                            ? "not looked for: this build has no CUDA"
                                            : "none: runs use the CPU");
  }
}

void print_libraries(const std::vector<LibraryInfo>& libraries) {
  fmt::print("\nlibraries and tools\n");
  for (const LibraryInfo& library : libraries) {
    if (!library.found) continue;
    fmt::print("  {:<17}{:<37}{}\n", library.name,
               library.version.empty() ? "found" : library.version, need_name(library.need));
  }
}

/// What the user loses without it.
const char* consequence(host::Need need) {
  switch (need) {
    case host::Need::kRequired:
      return "the program cannot be built";
    case host::Need::kTests:
      return "the tests cannot be built";
    case host::Need::kBenchmarks:
      return "the benchmarks cannot be built";
    case host::Need::kPeers:
      return "the benchmarks run without this peer (setup.sh --peers)";
    case host::Need::kRetrieval:
      return "memories cannot be searched";
    case host::Need::kFigures:
      return "reports cannot draw figures";
    case host::Need::kGpu:
      return "runs use the CPU";
    case host::Need::kRanks:
      return "sweeps join no ranks of mpirun (--shard does without)";
  }
  return "";
}

void print_missing(const std::vector<LibraryInfo>& libraries) {
  bool any = false;
  for (const LibraryInfo& library : libraries) {
    if (library.found) continue;
    if (!any) fmt::print("\nmissing\n");
    any = true;
    fmt::print("  {:<17}{:<37}{}\n", library.name, library.package, consequence(library.need));
  }
  if (!any) fmt::print("\nnothing is missing\n");
}

void run_doctor(bool as_json) {
  Environment environment = host::inspect_environment();
  const std::vector<LibraryInfo> tools = host::installed_tools();
  environment.libraries.insert(environment.libraries.end(), tools.begin(), tools.end());
  if (as_json) {
    fmt::print("{}\n", host::to_json(environment));
    return;
  }
  print_build(environment.build);
  print_machine(environment);
  print_libraries(environment.libraries);
  print_missing(environment.libraries);
}

}  // namespace

void add_doctor(CLI::App& app) {
  CLI::App* command =
      add_command(app, "doctor", "Show what was found, the machine, and what is missing");
  const auto as_json = std::make_shared<bool>(false);
  command->add_flag("--json", *as_json, "Print one JSON object");
  command->footer("Examples:\n  sightline doctor\n  sightline doctor --json >machine.json");
  command->callback([as_json] { run_doctor(*as_json); });
}

}  // namespace sightline::cli
