#include "host/cli/world_options.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <utility>

#include "host/cli/options.h"
#include "host/cli/patience.h"
#include "host/error.h"
#include "host/world/binary_file.h"

namespace sightline::cli {
namespace {

using namespace host;

ConfigValue from_command_line(ConfigValue value, const char* option) {
  return value.with_mark({option, 0, 0});
}

ConfigValue numbers(const std::vector<double>& values, const char* option) {
  for (const double value : values) {
    if (!std::isfinite(value)) throw InputError(std::string(option) + ": must be finite");
  }
  if (values.size() == 1) return from_command_line(ConfigValue::number(values[0]), option);
  std::vector<ConfigValue> items;
  for (const double value : values) items.push_back(ConfigValue::number(value));
  return from_command_line(ConfigValue::list(std::move(items)), option);
}

/// The `world:` map that a sweep file would hold for these arguments.
ConfigValue to_config(const WorldArguments& arguments) {
  ConfigValue world = ConfigValue::map();
  const std::string extension = extension_of(arguments.file);
  const bool is_scene_file = extension == ".yaml" || extension == ".yml";
  const bool is_scene = arguments.file.empty() || is_scene_file;
  if (is_scene_file) {
    world.set_path("scene", ConfigValue::text(arguments.file));
  } else if (is_scene) {
    world.set_path("scene", ConfigValue::parse_yaml(arguments.scene, "--scene"));
  } else {
    world.set_path("file", ConfigValue::text(arguments.file));
  }
  const std::string grid = is_scene ? "solid.grid." : "";
  const auto set_text = [&](const std::string& key, const std::string& text, const char* option) {
    if (!text.empty()) world.set_path(key, from_command_line(ConfigValue::text(text), option));
  };
  if (!arguments.voxel_m.empty()) {
    world.set_path(grid + "voxel_m", numbers(arguments.voxel_m, "--voxel"));
  }
  if (!arguments.origin_m.empty()) {
    world.set_path(grid + "origin_m", numbers(arguments.origin_m, "--origin"));
  }
  if (is_scene) {
    if (!arguments.version.empty()) throw InputError("--version: a scene has no versions");
    if (!arguments.frame.empty()) throw InputError("--frame: a scene says its frame itself");
    set_text("solid.grid.fill", arguments.fill, "--fill");
  } else {
    set_text("frame", arguments.frame, "--frame");
    if (!arguments.version.empty()) {
      world.set_path(
          "version",
          from_command_line(ConfigValue::parse_yaml(arguments.version, "--version"), "--version"));
    }
    if (!arguments.fill.empty()) throw InputError("--fill: is for scenes; a map is voxels already");
  }
  return world;
}

/// What takes long is making voxels, whose number grows with the cube of their fineness. Empty
/// where a file brings them.
std::string voxels_to_make(const WorldSpec& spec) {
  double voxel_m = spec.voxel_m;
  const WorldFormat* format = find_format(spec.file);
  const bool is_surface = format != nullptr && format->voxel_m == Source::kRequired;
  if (is_surface && spec.placement.voxel_m) voxel_m = spec.placement.voxel_m->front();
  return voxel_m > 0 ? fmt::format(": voxels of {} m; larger ones (--voxel) take less", voxel_m)
                     : "";
}

}  // namespace

void add_placement_options(CLI::App& command, WorldArguments& arguments) {
  command
      .add_option("--voxel", arguments.voxel_m,
                  "Voxel size: of a scene's grid (default 0.25), of a file that does not say it "
                  "(default 1)")
      ->option_text("METRES")
      ->expected(1, 3);
  command
      .add_option("--origin", arguments.origin_m,
                  "Low corner of the grid (default: a scene's bounds; 0 0 0 for a file)")
      ->option_text("X Y Z")
      ->expected(3);
  command
      .add_option("--frame", arguments.frame,
                  "Frame and up axis of a file that does not say it (default y_up)")
      ->option_text("y_up|z_up")
      ->check(one_of({"y_up", "z_up"}));
  command
      .add_option("--version", arguments.version,
                  "Which version of an edited world (default latest; see world history)")
      ->option_text("N|latest");
}

void add_world_options(CLI::App& command, WorldArguments& arguments) {
  command
      .add_option("--scene", arguments.scene,
                  "Built-in scene, or \"{name: village, seed: 7}\", or a .yaml file")
      ->option_text("NAME");
  add_placement_options(command, arguments);
  command.add_option("--fill", arguments.fill, "How a scene becomes voxels (default overlap)")
      ->option_text("overlap|center")
      ->check(one_of({"overlap", "center"}));
}

void refuse_input(const std::string& out, const std::string& in) {
  if (same_file(in, out)) throw InputError(out + ": is the input itself; write to another file");
}

WorldSpec world_spec(const WorldArguments& arguments) {
  if (arguments.file.empty() == arguments.scene.empty()) {
    throw InputError("name one world: a FILE, or --scene NAME");
  }
  return parse_world_spec(to_config(arguments));
}

World open_world(const WorldArguments& arguments) {
  constexpr std::chrono::seconds kFirst{3}, kEvery{10};
  const WorldSpec spec = world_spec(arguments);
  const std::string voxels = voxels_to_make(spec);
  const Patience patience(kFirst, kEvery, [&](double seconds) {
    write_stderr(
        fmt::format("sightline: still making the world, {:.0f} s so far{}\n", seconds, voxels));
  });
  return make_world(spec);
}

}  // namespace sightline::cli
