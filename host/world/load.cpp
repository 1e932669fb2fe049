#include "host/world/load.h"

#include <filesystem>
#include <utility>
#include <vector>

#include "host/error.h"
#include "host/world/binary_file.h"
#include "host/world/scene.h"
#include "host/world/slw.h"
#include "host/world/vec3.h"

namespace sightline::host {
namespace {

constexpr const char* kVersionsExtension = ".slw";  ///< the one format that keeps versions

bool is_scene_file(const std::string& path) {
  const std::string extension = extension_of(path);
  return extension == ".yaml" || extension == ".yml";
}

/// The format of a file to read. Throws InputError if there is none.
const WorldFormat& format_to_read(const std::string& path) {
  const WorldFormat* format = find_format(path);
  if (format == nullptr || format->read == nullptr) {
    InputFile(path).fail("has an extension that names no world format; " + readable_formats() +
                         " can be read");
  }
  return *format;
}

std::array<double, 3> three_numbers(const ConfigValue& value) {
  const std::vector<double> numbers = value.as_numbers(3);
  return {numbers[0], numbers[1], numbers[2]};
}

/// One size for all axes, or one each.
std::array<double, 3> voxel_sizes(const ConfigValue& value) {
  std::array<double, 3> sizes;
  if (value.is_list()) {
    sizes = three_numbers(value);
  } else {
    sizes.fill(value.as_positive());
  }
  for (const double size : sizes) {
    if (!(size > 0)) value.fail("each voxel size must be above 0");
  }
  return sizes;
}

/// How many versions a world has before edits: of a file, its header tells.
std::int64_t num_versions_of(const std::string& path) {
  const bool has_versions = extension_of(path) == kVersionsExtension;
  return has_versions ? slw_num_versions(path) : 1;
}

/// The edits, and a version that exists once they are done: its number, whatever it is called.
void parse_versions(const ConfigValue& world, WorldSpec& spec) {
  if (const ConfigValue* edits = world.find("edits")) spec.edits = parse_world_edits(*edits);
  const ConfigValue* version = world.find("version");
  const bool latest = !version || (version->is_text() && version->as_text() == "latest");
  std::int64_t number = -1;
  if (!latest && version->is_number()) number = version->as_integer(0, INT64_MAX);
  if (!latest && number < 0) version->fail("must be the number of a version, from 0, or latest");
  std::int64_t num_versions = static_cast<std::int64_t>(spec.edits.size());
  try {
    num_versions += num_versions_of(spec.file);
  } catch (const InputError& error) {
    if (latest) return;  // who reads the world tells the same
    version->fail(error.what());
  }
  if (latest) number = num_versions - 1;
  if (number < num_versions) {
    spec.version = number;
    return;
  }
  version->fail((spec.file.empty() ? "the world" : spec.file) + " has no version " +
                std::to_string(number) + ": its latest is " + std::to_string(num_versions - 1) +
                " (sightline world history)");
}

/// A version's part of the canonical text: its number, so that two names of one are equal.
std::string canonical_version(const WorldSpec& spec) {
  return " version " + (spec.version ? std::to_string(*spec.version) : "latest");
}

void parse_file(const ConfigValue& world, WorldSpec& spec) {
  world.allow_only({"file", "edits", "version", "voxel_m", "origin_m", "frame"});
  spec.file = world.at("file").as_text();
  const WorldFormat* format = nullptr;
  try {
    const InputFile checked(spec.file);
    format = &format_to_read(spec.file);
  } catch (const InputError& error) {
    world.at("file").fail(error.what());
  }
  if (const ConfigValue* voxel = world.find("voxel_m")) {
    spec.placement.voxel_m = voxel_sizes(*voxel);
  }
  if (const ConfigValue* origin = world.find("origin_m")) {
    spec.placement.origin_m = three_numbers(*origin);
  }
  if (const ConfigValue* frame = world.find("frame")) {
    const bool is_z_up = frame->as_choice({"y_up", "z_up"}) == 1;
    spec.placement.frame = is_z_up ? Frame::kMapZUp : Frame::kSceneYUp;
  }
  try {
    check_placement(*format, spec.file, spec.placement);
  } catch (const InputError& error) {
    world.fail(error.what());
  }
  parse_versions(world, spec);
  ConfigValue unversioned = world;
  unversioned.erase_entry("version");
  spec.all_versions = unversioned.canonical_json();
  spec.canonical = spec.all_versions + canonical_version(spec);
}

void parse_grid(const ConfigValue& grid, WorldSpec& spec) {
  grid.allow_only({"voxel_m", "fill", "origin_m"});
  spec.voxel_m = kDefaultVoxel_m;
  if (const ConfigValue* voxel = grid.find("voxel_m")) spec.voxel_m = voxel->as_positive();
  if (const ConfigValue* fill = grid.find("fill")) {
    spec.fill = fill->as_choice({"center", "overlap"}) == 0 ? Fill::kCenter : Fill::kOverlap;
  }
  if (const ConfigValue* origin = grid.find("origin_m"))
    spec.grid_origin_m = three_numbers(*origin);
}

/// `analytic`, `grid`, or a map with one or both.
void parse_solid(const ConfigValue* solid, WorldSpec& spec) {
  if (solid != nullptr && solid->is_map()) {
    solid->allow_only({"analytic", "grid"});
    if (const ConfigValue* analytic = solid->find("analytic")) spec.analytic = analytic->as_bool();
    if (const ConfigValue* grid = solid->find("grid")) parse_grid(*grid, spec);
  } else if (solid != nullptr) {
    spec.analytic = solid->as_choice({"analytic", "grid"}) == 0;
  }
  if (!spec.analytic && spec.voxel_m == 0) spec.voxel_m = kDefaultVoxel_m;
}

ConfigValue numbers_value(const std::array<double, 3>& numbers) {
  return ConfigValue::list({ConfigValue::number(numbers[0]), ConfigValue::number(numbers[1]),
                            ConfigValue::number(numbers[2])});
}

std::string canonical_scene(const WorldSpec& spec) {
  ConfigValue text =
      ConfigValue::map({{"analytic", ConfigValue::boolean(spec.analytic)}, {"scene", spec.scene}});
  if (spec.voxel_m > 0) {
    text.set_path("voxel_m", ConfigValue::number(spec.voxel_m));
    text.set_path("fill", ConfigValue::text(spec.fill == Fill::kCenter ? "center" : "overlap"));
    if (spec.grid_origin_m) text.set_path("origin_m", numbers_value(*spec.grid_origin_m));
  }
  return text.canonical_json();
}

GridGeometry scene_grid(const Scene& scene, const WorldSpec& spec) {
  Bounds bounds = scene.bounds_m;
  if (spec.grid_origin_m) {
    for (int axis = 0; axis < 3; ++axis) {
      component(bounds.min, axis) = (*spec.grid_origin_m)[static_cast<std::size_t>(axis)];
      if (component(bounds.min, axis) < component(bounds.max, axis)) continue;
      throw InputError("origin_m lies beyond the scene's bounds along " +
                       std::string(1, "xyz"[axis]));
    }
  }
  return grid_over(bounds, scene.frame, spec.voxel_m);
}

void parse_scene(const ConfigValue& world, WorldSpec& spec) {
  world.allow_only({"scene", "solid", "edits", "version"});
  const ConfigValue& scene = world.at("scene");
  spec.scene = resolve_scene(scene);
  if (scene.is_text() && is_scene_file(scene.as_text())) spec.scene_file = scene.as_text();
  parse_solid(world.find("solid"), spec);
  const Scene built = make_scene(spec.scene);  // finds every fault in it
  try {
    if (spec.voxel_m > 0) scene_grid(built, spec);
  } catch (const InputError& error) {
    world.fail(error.what());
  }
  parse_versions(world, spec);
  if (!spec.edits.empty() && spec.voxel_m <= 0) {
    world.at("edits").fail("needs voxels; give solid: {analytic: true, grid: {voxel_m: ...}}");
  }
  spec.canonical = canonical_scene(spec);
  if (!spec.edits.empty()) spec.canonical += " edits " + world.at("edits").canonical_json();
  spec.canonical += canonical_version(spec);
}

World world_of_file(const std::string& path, OccupancyGrid grid) {
  return world_of(std::filesystem::path(path).filename().string(), std::move(grid));
}

World read_world(const std::string& path, const Placement& placement) {
  const WorldFormat& format = format_to_read(path);
  check_placement(format, path, placement);
  if (extension_of(path) != kVersionsExtension) {
    return world_of_file(path, format.read(path, placement));
  }
  SlwWorld file = read_slw_world(path);
  World world = world_of_file(path, std::move(file.grid));
  world.versions = std::move(file.versions);
  return world;
}

World build_scene(const WorldSpec& spec) {
  Scene scene = make_scene(spec.scene);
  World world;
  world.name = scene.name;
  world.frame = scene.frame;
  world.bounds_m = scene.bounds_m;
  if (spec.voxel_m > 0) world.grid = voxelise(scene.solid, scene_grid(scene, spec), spec.fill);
  if (spec.analytic) world.analytic = std::move(scene.solid);
  return world;
}

}  // namespace

World world_of(std::string name, OccupancyGrid grid) {
  World world;
  world.name = std::move(name);
  world.frame = grid.geometry().frame;
  world.bounds_m = bounds_of(grid.geometry());
  world.grid = std::move(grid);
  return world;
}

World load_world(const std::string& path, const Placement& placement) {
  if (is_scene_file(path)) {
    return make_world(parse_world_spec(ConfigValue::map({{"scene", ConfigValue::text(path)}})));
  }
  return read_world(path, placement);
}

std::vector<std::string> save_world(const World& world, const std::string& path) {
  if (!world.grid) {
    throw InputError(path + ": " + world.name + " has no voxels to write; voxelise it first");
  }
  const WorldFormat* format = find_format(path);
  if (format == nullptr || format->write == nullptr) {
    throw InputError(path + ": worlds are written as " + writable_formats() +
                     "; change the extension");
  }
  if (world.versions && extension_of(path) == kVersionsExtension) {
    write_slw(*world.versions, path);
    return {};
  }
  format->write(*world.grid, path);
  std::vector<std::string> lost = losses(*format, *world.grid);
  const std::int64_t num_versions = world.versions ? world.versions->num_versions() : 1;
  if (num_versions > 1) {
    lost.push_back(path + ": holds one version of " + std::to_string(num_versions) +
                   ", without notes; " + kVersionsExtension + " keeps all");
  }
  return lost;
}

WorldSpec parse_world_spec(const ConfigValue& world) {
  WorldSpec spec;
  const bool has_file = world.find("file") != nullptr, has_scene = world.find("scene") != nullptr;
  if (has_file && has_scene) world.fail("has both file and scene; keep one");
  if (has_file && world.find("solid")) {
    world.at("solid").fail("is for scenes; a map file brings its own voxels, remove this key");
  }
  if (!has_file && !has_scene) {
    world.allow_only({"file", "scene", "solid", "edits", "version"});
    world.fail("names no world; give file: PATH or scene: NAME");
  }
  if (has_file) {
    parse_file(world, spec);
  } else {
    parse_scene(world, spec);
  }
  return spec;
}

World read_all_versions(const WorldSpec& spec) {
  World world = read_world(spec.file, spec.placement);
  if (!spec.edits.empty()) apply_world_edits(world, spec.edits, spec.fill, std::nullopt);
  return world;
}

World choose_version(const World& all_versions, const WorldSpec& spec) {
  return spec.version ? at_version(all_versions, *spec.version) : all_versions;
}

World make_world(const WorldSpec& spec) {
  if (!spec.file.empty()) return choose_version(read_all_versions(spec), spec);
  World world = build_scene(spec);
  if (!spec.edits.empty()) {
    apply_world_edits(world, spec.edits, spec.fill, spec.version);
  } else if (spec.version) {
    world = at_version(world, *spec.version);
  }
  return world;
}

}  // namespace sightline::host
