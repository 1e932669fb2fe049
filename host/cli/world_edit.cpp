#include "host/cli/world_edit.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "host/cli/options.h"
#include "host/cli/world_options.h"
#include "host/config/json_text.h"
#include "host/config/plural.h"
#include "host/error.h"
#include "host/world/binary_file.h"
#include "host/world/edit_file.h"
#include "host/world/file_lock.h"
#include "host/world/load.h"

namespace sightline::cli {
namespace {

using namespace host;
using nlohmann::ordered_json;

// ---- edit ------------------------------------------------------------------------------------

struct EditArguments {
  WorldArguments world;
  std::vector<std::string> set, clear, unknown;
  std::string file, note, out;
  double time_s = 0;
  bool metres = false;
};

/// Edits of the command line, in the order they were written.
EditStep edits_of(const CLI::App& command, const EditArguments& a, const GridGeometry& geometry) {
  struct Kind {
    const std::vector<std::string>& places;
    VoxelState state;
    std::size_t next = 0;
  };
  std::map<std::string, Kind> kinds{{"--set", {a.set, VoxelState::kOccupied}},
                                    {"--clear", {a.clear, VoxelState::kFree}},
                                    {"--unknown", {a.unknown, VoxelState::kUnknown}}};
  EditStep step;
  for (const CLI::Option* option : command.parse_order()) {
    const auto found = kinds.find(option->get_name());
    if (found == kinds.end()) continue;
    Kind& kind = found->second;
    try {
      step.edits.push_back(parse_edit(kind.places.at(kind.next++), a.metres, kind.state, geometry));
    } catch (const InputError& error) {
      throw InputError(found->first + ": " + error.what());
    }
  }
  return step;
}

std::string output_of(const EditArguments& a) {
  const std::string out = a.out.empty() ? a.world.file : a.out;
  if (extension_of(out) != ".slw") {
    throw InputError(out + ": versions are kept in .slw files; give one with -o FILE.slw");
  }
  check_output_path(out);
  refuse_input(out, a.file);
  // A world of another format may be reached by a name of this one.
  if (extension_of(a.world.file) != ".slw") refuse_input(out, a.world.file);
  return out;
}

void run_edit(const CLI::App& command, const EditArguments& a) {
  const bool on_line = !a.set.empty() || !a.clear.empty() || !a.unknown.empty();
  if (on_line == !a.file.empty()) {
    throw InputError("give edits: --set, --clear and --unknown, or --edits FILE");
  }
  const bool has_time = command.get_option("--time")->count() > 0;
  if (!a.file.empty() && (has_time || a.metres)) {
    throw InputError(
        extension_of(a.file) == ".csv"
            ? a.file +
                  ": a .csv of edits says neither metres nor a time; leave out --metres and "
                  "--time, or write a .yaml with metres: true and time_s"
            : "--time and --metres are for --set, --clear and --unknown; a .yaml of edits says "
              "both");
  }
  const std::string note_fault = fault_of_note(a.note);
  if (!note_fault.empty()) throw InputError("--note: " + note_fault);
  const std::string out = output_of(a);
  std::optional<FileLock> lock;
  if (same_file(out, a.world.file)) lock.emplace(out);
  World world = open_world(a.world);
  VersionedGrid& versions = start_versions(world);
  std::vector<EditStep> steps;
  if (on_line) {
    steps.push_back(edits_of(command, a, versions.geometry()));
    if (has_time) {
      steps[0].note.time_s = a.time_s;
      steps[0].time_place = "--time";
    }
  } else {
    steps = read_edits(a.file, versions.geometry());
  }
  for (EditStep& step : steps) {
    if (step.note.text.empty()) step.note.text = a.note;
  }
  const std::int64_t before = versions.latest();
  apply_steps(versions, steps);
  save_world(world, out);
  const std::int64_t latest = versions.latest();
  std::size_t bytes = 0;
  for (std::int64_t v = before + 1; v <= latest; ++v) bytes += versions.bytes(v);
  const std::int64_t changed = versions.num_changed(before, latest);
  fmt::print("wrote {}: {}, {} changed, {} bytes; the latest is {}, with {} occupied voxels\n", out,
             plural(steps.size(), "new version"), plural(changed, "voxel"), bytes, latest,
             versions.version(latest).counts.occupied);
}

// ---- history ---------------------------------------------------------------------------------

ordered_json describe(const VersionedGrid& versions) {
  ordered_json list = ordered_json::array();
  std::size_t total = 0;
  for (std::int64_t v = 0; v < versions.num_versions(); ++v) {
    const GridVersion& version = versions.version(v);
    total += versions.bytes(v);
    ordered_json row;
    row["version"] = v;
    row["edits"] = version.edits.size();
    row["note"] = version.note.text;
    row["time_s"] = version.note.time_s ? ordered_json(*version.note.time_s) : ordered_json();
    row["bricks"] = v == 0 ? ordered_json() : ordered_json(version.num_bricks);
    row["bytes"] = versions.bytes(v);
    row["total_bytes"] = total;
    row["occupied"] = version.counts.occupied;
    row["unknown"] = version.counts.unknown;
    list.push_back(std::move(row));
  }
  return list;
}

void print_table(const ordered_json& rows) {
  fmt::print("{:>7} {:>6} {:>8} {:>12} {:>12} {:>12}  {}\n", "version", "edits", "bricks", "bytes",
             "total bytes", "occupied", "note");
  for (const ordered_json& row : rows) {
    std::string note = escaped_note(row["note"].get<std::string>());
    if (!row["time_s"].is_null()) {
      note = fmt::format("{} s{}{}", row["time_s"].get<double>(), note.empty() ? "" : ": ", note);
    }
    const std::string line =
        fmt::format("{:>7} {:>6} {:>8} {:>12} {:>12} {:>12}  {}",
                    row["version"].get<std::int64_t>(), row["edits"].get<std::int64_t>(),
                    row["bricks"].is_null() ? "" : host::json_text(row["bricks"]),
                    row["bytes"].get<std::int64_t>(), row["total_bytes"].get<std::int64_t>(),
                    row["occupied"].get<std::int64_t>(), note);
    fmt::print("{}\n", line.substr(0, line.find_last_not_of(' ') + 1));
  }
}

}  // namespace

void add_world_edit(CLI::App& world) {
  CLI::App* command =
      add_command(world, "edit", "Set and clear voxels; the world keeps its earlier versions");
  auto arguments = std::make_shared<EditArguments>();
  EditArguments& a = *arguments;
  command->add_option("file", a.world.file, "World file: .slw, .bt, .ot, .npy or .yaml")
      ->option_text("FILE")
      ->required();
  const auto add_places = [&](const char* name, std::vector<std::string>& places,
                              const char* description) {
    command->add_option(name, places, description)->option_text("PLACE")->take_all()->expected(1);
  };
  add_places("--set", a.set, "Voxels to occupy: 3,4,5 or a box 0,0,0..4,4,4 (end excluded)");
  add_places("--clear", a.clear, "Voxels to free");
  add_places("--unknown", a.unknown, "Voxels that nobody knows any more");
  command->add_flag("--metres", a.metres, "Places are points and boxes in metres, world frame");
  command->add_option("--edits", a.file, "File of edits instead: .yaml (versions) or .csv")
      ->option_text("FILE");
  command
      ->add_option("--note", a.note,
                   "What happened, one line; of every new version that has no note")
      ->option_text("TEXT");
  command->add_option("--time", a.time_s, "When it happened, seconds on any clock")
      ->option_text("SECONDS");
  command->add_option("-o,--out", a.out, "File to write (default: the .slw file itself)")
      ->option_text("FILE.slw");
  command->footer(
      "All edits of the line, in its order, make one version. Of a box, what lies in the grid "
      "counts.\n"
      "CSV columns: i,j,k,state or i,j,k,i_end,j_end,k_end,state, where state is free, occupied "
      "or\n"
      "unknown; rows in a row with an equal step (one more column) are one version.\n"
      "YAML: {metres: true, versions: [{note: a kiosk, time_s: 60, edits: [{set: [[0, 0, 0], [4, "
      "4, "
      "4]]},\n"
      "{clear: [1, 1, 1]}, {unknown: [5, 1, 1]}]}]}, where metres, note and time_s may be left "
      "out.\n"
      "Examples:\n"
      "  sightline world edit town.slw --set 0,0,0..4,4,4 --clear 1,1,1 --note \"a kiosk\"\n"
      "  sightline world edit town.slw --clear 1.2,0,3..2.2,2,3.1 --metres -o open.slw\n"
      "  sightline world edit town.slw --edits building_site.csv\n");
  command->callback([command, arguments] { run_edit(*command, *arguments); });
}

void add_world_history(CLI::App& world) {
  CLI::App* command = add_command(world, "history", "The versions of a world and what they cost");
  auto arguments = std::make_shared<WorldArguments>();
  auto as_json = std::make_shared<bool>(false);
  command->add_option("file", arguments->file, "World file: .slw")->option_text("FILE")->required();
  command->add_flag("--json", *as_json, "Print JSON");
  command->footer(
      "Bricks and bytes are those that the version added to the ones before it.\n"
      "Example:\n"
      "  sightline world history town.slw\n");
  command->callback([arguments, as_json] {
    World opened = open_world(*arguments);
    const ordered_json rows = describe(start_versions(opened));
    if (*as_json) {
      fmt::print("{}\n", json_text(rows, 2));
    } else {
      print_table(rows);
    }
  });
}

}  // namespace sightline::cli
