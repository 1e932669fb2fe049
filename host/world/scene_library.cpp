#include "host/world/scene_library.h"

#include <algorithm>
#include <cmath>

#include "host/config/suggest.h"
#include "host/random.h"
#include "host/world/terrain.h"
#include "host/world/vec3.h"
#include "host/world/village.h"

namespace sightline::host {
namespace {

using kernels::Vec3;

/// The argument `size_m: [x, y, z]`, or the default.
Vec3 size_argument(const ConfigValue& scene, Vec3 size_m) {
  if (const ConfigValue* value = scene.find("size_m")) {
    const std::vector<double> size = value->as_numbers(3);
    size_m = {size[0], size[1], size[2]};
    if (!(size_m.x > 0 && size_m.y > 0 && size_m.z > 0)) value->fail("each size must be above 0");
    constexpr double kMaxSize_m = 1e5;
    if (std::max({size_m.x, size_m.y, size_m.z}) > kMaxSize_m) {
      value->fail("each size must be at most 100000 m");
    }
  }
  return size_m;
}

/// What a generator is to see of a named scene's map: the name and the size are the scene's.
ConfigValue generator_arguments(const ConfigValue& scene) {
  ConfigValue arguments = scene;
  arguments.erase_path("name");
  arguments.erase_path("size_m");
  return arguments;
}

Scene make_village_scene(const ConfigValue& scene) {
  scene.allow_only({"name", "seed", "size_m"});
  VillageOptions options;
  if (const ConfigValue* seed = scene.find("seed")) {
    options.seed = static_cast<std::uint64_t>(seed->as_integer(0));
  }
  options.size_m = size_argument(scene, options.size_m);
  if (options.size_m.x < kMinVillage_m || options.size_m.y < kMinVillageHeight_m ||
      options.size_m.z < kMinVillage_m) {
    scene.at("size_m").fail("a village needs at least [24, 8, 24]");
  }
  return make_village(options);
}

Scene make_rooms_scene(const ConfigValue& scene) {
  SceneBuilder builder("rooms", Frame::kSceneYUp, {{}, size_argument(scene, {36, 3, 24})});
  add_rooms(builder, generator_arguments(scene));
  return builder.build();
}

Scene make_clutter_scene(const ConfigValue& scene) {
  SceneBuilder builder("clutter", Frame::kSceneYUp, {{}, size_argument(scene, {32, 6, 32})});
  add_clutter(builder, generator_arguments(scene));
  return builder.build();
}

Scene make_terrain_scene(const ConfigValue& scene) {
  scene.allow_only({"name", "seed", "size_m", "relief_m", "digs", "tunnels"});
  TerrainOptions options;
  const auto whole = [&](const char* key, std::int64_t* count) {
    constexpr std::int64_t kMost = 10'000;
    if (const ConfigValue* value = scene.find(key)) *count = value->as_integer(0, kMost);
  };
  whole("digs", &options.num_digs);
  whole("tunnels", &options.num_tunnels);
  if (const ConfigValue* seed = scene.find("seed")) {
    options.seed = static_cast<std::uint64_t>(seed->as_integer(0));
  }
  options.size_m = size_argument(scene, options.size_m);
  for (const double length_m : {options.size_m.x, options.size_m.y, options.size_m.z}) {
    const bool is_whole = length_m == kTerrainCell_m * std::floor(length_m / kTerrainCell_m);
    if (is_whole && length_m >= kMinTerrain_m && length_m <= kMaxTerrain_m &&
        options.size_m.y <= kMaxTerrainHeight_m) {
      continue;
    }
    scene.at("size_m").fail(
        "terrain has sizes from 8 to 512 m, at most 64 m up, whole multiples of 0.5 m");
  }
  if (const ConfigValue* relief = scene.find("relief_m")) {
    options.relief_m = relief->as_number(0, options.size_m.y);
  }
  return make_terrain(options);
}

/// What Spatial Memory Must Store (2026), Pilot 2: solid iff 9.5 <= x <= 10.5, 0 <= y <= 10,
/// 0 <= z <= 20 and not in the gap. The bounds hold every observer and target of the pilot.
Scene make_pilot2_scene(const ConfigValue& scene) {
  scene.allow_only({"name", "gap_m", "edges", "lintel_m", "thickness_m"});
  constexpr double kHeight_m = 10, kDepth_m = 20, kWallAt_m = 10;
  double gap[2] = {9, 11}, top = kHeight_m, half = 0.5;
  if (const ConfigValue* value = scene.find("gap_m")) {
    std::copy_n(value->as_numbers(2).begin(), 2, gap);
    if (!(gap[0] < gap[1])) value->fail("the gap must begin below its end");
  }
  const ConfigValue* lintel = scene.find("lintel_m");
  if (lintel && !lintel->is_null()) top = lintel->as_number(0, kHeight_m);
  if (const ConfigValue* value = scene.find("thickness_m")) half = 0.5 * value->as_positive();
  Opening door{{{kWallAt_m - half, 0, gap[0]}, {kWallAt_m + half, top, gap[1]}}};
  if (const ConfigValue* value = scene.find("edges")) door.edges = edges_of(*value);

  SceneBuilder builder("pilot2", Frame::kSceneYUp, {{0, 0, 0}, {32, kHeight_m, kDepth_m}});
  const Bounds wall{{kWallAt_m - half, 0, 0}, {kWallAt_m + half, kHeight_m, kDepth_m}};
  builder.add_box(wall, top > 0 ? std::vector<Opening>{door} : std::vector<Opening>{});
  return builder.build();
}

using Maker = Scene (*)(const ConfigValue&);
constexpr Maker kMakers[] = {make_village_scene, make_rooms_scene, make_clutter_scene,
                             make_terrain_scene, make_pilot2_scene};

std::vector<std::string> scene_names() {
  std::vector<std::string> names;
  for (const NamedScene& scene : named_scenes()) names.push_back(scene.name);
  return names;
}

}  // namespace

const std::vector<NamedScene>& named_scenes() {
  static const std::vector<NamedScene> scenes{
      {"village", "houses with doors, windows and inner rooms, gardens, trees",
       "seed: 1, size_m: [96, 12, 96]"},
      {"rooms", "one building: rooms in rows, a door in every wall",
       "seed: 1, size_m: [36, 3, 24], room_m: 6, wall_m: 0.2, door_m: 1, door_height_m: 2.1, "
       "window_share: 0.5"},
      {"clutter", "boxes at random", "seed: 1, size_m: [32, 6, 32], count: 60, box_m: [0.5, 3]"},
      {"terrain", "hills, with caves and tunnels dug into them",
       "seed: 1, size_m: [32, 12, 32], relief_m: 6, digs: 8, tunnels: 2"},
      {"pilot2", "a wall with a gap: Pilot 2 of What Spatial Memory Must Store",
       "gap_m: [9, 11], edges: closed, lintel_m: null, thickness_m: 1"}};
  return scenes;
}

void check_scene_name(const ConfigValue& name) {
  const std::vector<std::string> names = scene_names();
  if (std::find(names.begin(), names.end(), name.as_text()) != names.end()) return;
  name.fail("there is no scene \"" + name.as_text() + "\"; " + suggestion(name.as_text(), names));
}

Scene make_named_scene(const ConfigValue& scene) {
  check_scene_name(scene.at("name"));
  const std::vector<std::string> names = scene_names();
  const auto found = std::find(names.begin(), names.end(), scene.at("name").as_text());
  return kMakers[found - names.begin()](scene);
}

void add_clutter(SceneBuilder& scene, const ConfigValue& arguments) {
  arguments.allow_only({"count", "box_m", "seed"});
  constexpr std::int64_t kMaxBoxes = 1000000;
  constexpr std::uint64_t kStream = 0x636c7574;  // "clut"
  std::int64_t count = 60;
  std::uint64_t seed = 1;
  double low = 0.5, high = 3;
  if (const ConfigValue* value = arguments.find("count")) count = value->as_integer(1, kMaxBoxes);
  if (const ConfigValue* value = arguments.find("seed")) {
    seed = static_cast<std::uint64_t>(value->as_integer(0));
  }
  if (const ConfigValue* value = arguments.find("box_m")) {
    const std::vector<double> range = value->as_numbers(2);
    low = range[0];
    high = range[1];
    if (!(low > 0 && low <= high)) value->fail("needs two sizes in metres, 0 < low <= high");
  }
  const Bounds& space = scene.bounds_m();
  for (std::int64_t i = 0; i < count; ++i) {
    RandomItem random(seed, kStream, static_cast<std::uint64_t>(i));
    Bounds box;
    for (int axis = 0; axis < 3; ++axis) {
      const double begin = component(space.min, axis), end = component(space.max, axis);
      const double size = std::min(low + (high - low) * random.uniform(), end - begin);
      const double at = begin + (end - begin - size) * random.uniform();
      component(box.min, axis) = at;
      component(box.max, axis) = at + size;
    }
    scene.add_box(box);
  }
}

}  // namespace sightline::host
