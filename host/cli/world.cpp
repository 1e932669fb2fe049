// sightline world: look at a map or a scene, convert it, draw a slice of it. Edits: world_edit.cpp.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "host/cli/commands.h"
#include "host/cli/options.h"
#include "host/cli/world_edit.h"
#include "host/cli/world_options.h"
#include "host/config/json_text.h"
#include "host/config/number_text.h"
#include "host/error.h"
#include "host/world/load.h"
#include "host/world/scene_library.h"
#include "host/world/slice.h"

namespace sightline::cli {
namespace {

using namespace host;
using nlohmann::ordered_json;

std::string scene_list() {
  std::string text = "Scenes:\n";
  for (const NamedScene& scene : named_scenes()) {
    text += fmt::format("  {:<8} {}\n           {{name: {}, {}}}\n", scene.name, scene.summary,
                        scene.name, scene.arguments);
  }
  return text;
}

// ---- info ------------------------------------------------------------------------------------

ordered_json describe(const World& world) {
  const OccupancyGrid& grid = *world.grid;
  const GridGeometry& geometry = grid.geometry();
  const OccupancyGrid::Counts counts = grid.count();
  const Bounds b = extent_of(world);
  ordered_json json;
  json["name"] = world.name;
  json["frame"] = world.frame == Frame::kMapZUp ? "z_up" : "y_up";
  json["dims"] = geometry.dims;
  json["voxel_m"] = geometry.voxel_m;
  json["origin_m"] = geometry.origin_m;
  json["bounds_m"] = {{"min", {b.min.x, b.min.y, b.min.z}}, {"max", {b.max.x, b.max.y, b.max.z}}};
  json["voxels"] = {{"total", grid.num_voxels()},
                    {"occupied", counts.occupied},
                    {"free", counts.free},
                    {"unknown", counts.unknown}};
  json["versions"] = world.versions ? world.versions->num_versions() : 1;
  json["bytes"] = grid.bytes();
  json["bits_per_voxel"] = grid.bits_per_voxel();
  return json;
}

std::string row(const ordered_json& numbers) {
  std::string text;
  for (const ordered_json& number : numbers) {
    text += (text.empty() ? "" : ", ") + short_text(number.get<double>());
  }
  return text;
}

void print_text(const ordered_json& json) {
  const auto line = [](const char* label, const std::string& text) {
    fmt::print("  {:<12}{}\n", label, text);
  };
  fmt::print("{}\n", json["name"].get<std::string>());
  line("frame", json["frame"] == "z_up" ? "z up, right-handed (map)" : "y up, left-handed (scene)");
  line("voxels", row(json["dims"]));
  line("voxel size", row(json["voxel_m"]) + " m");
  line("from", row(json["bounds_m"]["min"]) + " m");
  line("to", row(json["bounds_m"]["max"]) + " m");
  const double total = json["voxels"]["total"].get<double>();
  for (const char* state : {"occupied", "free", "unknown"}) {
    const std::int64_t count = json["voxels"][state];
    line(state, fmt::format("{} ({:.2f} %)", count, 100 * static_cast<double>(count) / total));
  }
  if (json["versions"] > 1) line("versions", host::json_text(json["versions"]));
  line("memory", fmt::format("{} bytes, {:.3f} bits per voxel", json["bytes"].get<std::size_t>(),
                             json["bits_per_voxel"].get<double>()));
}

void add_info(CLI::App& world) {
  CLI::App* command = add_command(world, "info", "Size, place, frame and contents of a world");
  auto arguments = std::make_shared<WorldArguments>();
  auto as_json = std::make_shared<bool>(false);
  command->add_option("file", arguments->file, "World file: " + readable_formats())
      ->option_text("FILE");
  add_world_options(*command, *arguments);
  command->add_flag("--json", *as_json, "Print JSON");
  command->footer(
      "Examples:\n"
      "  sightline world info building.bt\n"
      "  sightline world info --scene village --voxel 0.1 --json\n" +
      format_table() + scene_list());
  command->callback([arguments, as_json] {
    const ordered_json json = describe(open_world(*arguments));
    if (*as_json) {
      fmt::print("{}\n", json_text(json, 2));
    } else {
      print_text(json);
    }
  });
}

// ---- convert ---------------------------------------------------------------------------------

/// Positional arguments [IN] OUT: one alone is OUT, and the world is a scene.
struct InAndOut {
  std::string first, second;

  const std::string& in() const { return second.empty() ? second : first; }
  const std::string& out() const { return second.empty() ? first : second; }
};

void add_in_and_out(CLI::App& command, InAndOut& files, const std::string& out_description) {
  command.add_option("in", files.first, "World file (left out with --scene)")
      ->option_text("FILE")
      ->required();
  command.add_option("out", files.second, out_description)->option_text("FILE");
}

/// One name is the file to write where --scene names the world, and otherwise a world that goes
/// nowhere; `example` is a command that is whole.
void require_out(const InAndOut& files, const WorldArguments& arguments, const char* example) {
  if (!files.second.empty() || !arguments.scene.empty()) return;
  throw InputError(
      fmt::format("{}: is the one file named; name the world and then the file to "
                  "write: {} (or --scene NAME and the file to write)",
                  files.first, example));
}

void add_convert(CLI::App& world) {
  CLI::App* command = add_command(world, "convert", "Write a world in another format");
  auto arguments = std::make_shared<WorldArguments>();
  auto files = std::make_shared<InAndOut>();
  add_in_and_out(*command, *files, "File to write: " + writable_formats());
  add_world_options(*command, *arguments);
  command->footer(
      "Examples:\n"
      "  sightline world convert building.bt building.slw\n"
      "  sightline world convert voxels.npy town.slw --voxel 0.5 --frame z_up\n"
      "  sightline world convert --scene village village.npy\n"
      "What the written file does not say of the world is told as a warning. A .slw file keeps\n"
      "all versions of a world, but with --version, which takes one.\n" +
      format_table());
  command->callback([arguments, files] {
    require_out(*files, *arguments, "sightline world convert building.bt building.slw");
    arguments->file = files->in();
    refuse_input(files->out(), arguments->file.empty() ? arguments->scene : arguments->file);
    World opened = open_world(*arguments);
    if (!arguments->version.empty()) opened.versions = nullptr;  // this one, without the others
    print_warnings(save_world(opened, files->out()));
    fmt::print("wrote {}\n", files->out());
  });
}

// ---- slice -----------------------------------------------------------------------------------

struct SliceArguments {
  InAndOut files;
  std::string axis = "up";
  double at_m = 0;
  int scale = 0;
};

int axis_of(const std::string& name) {
  if (name == "up") return -1;
  return name == "x" ? 0 : name == "y" ? 1 : 2;
}

void add_slice(CLI::App& world) {
  CLI::App* command = add_command(world, "slice", "Draw a cut through a world as a PNG");
  auto arguments = std::make_shared<WorldArguments>();
  auto slice = std::make_shared<SliceArguments>();
  add_in_and_out(*command, slice->files, "Picture to write: .png");
  command->add_option("--axis", slice->axis, "Normal of the cut (default up: a floor plan)")
      ->option_text("up|x|y|z")
      ->check(one_of({"up", "x", "y", "z"}));
  CLI::Option* at =
      command
          ->add_option("--at", slice->at_m,
                       fmt::format("Where it cuts, world coordinates (default: {} m above the "
                                   "lowest point, else the middle)",
                                   kSliceHeight_m))
          ->option_text("METRES");
  command
      ->add_option("--scale", slice->scale, "Pixels per voxel (default: about 1000 pixels in all)")
      ->option_text("N")
      ->check(integer_from(1, 256));
  add_world_options(*command, *arguments);
  command->footer(
      "Dark: occupied. Light: free. Grey-blue: unknown.\n"
      "A voxel is N x N pixels, and nothing else is drawn, so that a picture can be read by a\n"
      "program; the size of a pixel and where the lower left corner lies are printed. A level cut\n"
      "is seen from above: x points right, z (y up) or y (z up) points up. An upright one has the\n"
      "up axis up.\n"
      "Examples:\n"
      "  sightline world slice building.bt plan.png\n"
      "  sightline world slice --scene village village.png --voxel 0.1\n"
      "  sightline world slice building.bt section.png --axis x --at 3.5 --scale 4\n");
  command->callback([arguments, slice, at] {
    require_out(slice->files, *arguments, "sightline world slice building.bt plan.png");
    const std::string& out = slice->files.out();
    arguments->file = slice->files.in();
    if (std::filesystem::path(out).extension() != ".png") {
      throw InputError(out + ": pictures are written as .png; change the extension");
    }
    refuse_input(out, arguments->file.empty() ? arguments->scene : arguments->file);
    SliceOptions options;
    options.axis = axis_of(slice->axis);
    options.scale = slice->scale;
    if (at->count() > 0) options.at_m = slice->at_m;
    const Slice picture = render_slice(open_world(*arguments), options);
    write_png(picture.image, out);
    fmt::print(
        "wrote {}: {} x {} pixels of {:.6g} x {:.6g} m, lower left {} = {:.6g} m, {} = {:.6g} m, "
        "cut at {} = {} m\n",
        out, picture.image.width, picture.image.height, picture.right_m_per_px, picture.up_m_per_px,
        "xyz"[picture.right_axis], picture.left_m, "xyz"[picture.up_axis], picture.bottom_m,
        "xyz"[picture.axis], short_text(picture.at_m));
  });
}

}  // namespace

void add_world(CLI::App& app) {
  CLI::App* world =
      add_command(app, "world", "Look at a world, convert it, draw a slice of it, edit it");
  world->require_subcommand(1);
  world->footer("Example:\n  sightline world info --scene village");
  add_info(*world);
  add_convert(*world);
  add_slice(*world);
  add_world_edit(*world);
  add_world_history(*world);
}

}  // namespace sightline::cli
