// Worlds from files and scenes, and back to files.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/config/value.h"
#include "host/world/formats.h"
#include "host/world/voxelise.h"
#include "host/world/world.h"
#include "host/world/world_edits.h"

namespace sightline::host {

/// Voxels of a scene for which no `solid` is given.
constexpr double kDefaultVoxel_m = 0.25;

/// Reads a world file; its extension tells the format (formats.h), its content is checked for it.
/// `.yaml` is a scene, voxelised at kDefaultVoxel_m; a `.slw` brings its versions if it has any.
/// Throws InputError naming the file, what is wrong and the fix.
World load_world(const std::string& path, const Placement& placement = {});

/// Writes the grid in the format of the extension (formats.h): to a temporary file, then renamed. A
/// world with versions keeps them all in a `.slw`; world.versions = nullptr before writes the one.
/// Throws InputError if the world has no grid, or if the format cannot be written or cannot hold
/// it. Returns what of the world the file does not say, one sentence each, for people.
std::vector<std::string> save_world(const World& world, const std::string& path);

/// The `world:` map of a sweep file:
///
///     world: {file: map.bt}
///     world: {file: map.npy, voxel_m: 0.1, origin_m: [0, 0, 0], frame: z_up}
///     world: {file: house.obj, voxel_m: 0.05}         surfaces and points: the size is needed
///     world: {file: edited.slw, version: 3}           or latest, the default
///     world: {scene: village, edits: [...], version: 1}          world_edits.h
///     world: {scene: village}                         a grid of 0.25 m, filled by overlap
///     world: {scene: pilot2, solid: analytic}         no grid
///     world: {scene: pilot2, solid: {grid: {voxel_m: 0.5, fill: center, origin_m: [0, 0, 0]}}}
///     world: {scene: pilot2, solid: {analytic: true, grid: {voxel_m: 0.5}}}      both
struct WorldSpec {
  std::string file;                     ///< empty: a scene
  Placement placement;                  ///< of the file
  std::vector<WorldEdit> edits;         ///< done once it is read or built
  std::optional<std::int64_t> version;  ///< its number; none: the latest, if no header tells it
  ConfigValue scene;       ///< null: a file; otherwise a map (a name or a path is resolved)
  std::string scene_file;  ///< the YAML file the scene was read from, if any
  bool analytic = false;   ///< the world keeps its analytic set
  double voxel_m = 0;      ///< > 0: the scene is voxelised
  Fill fill = Fill::kOverlap;
  std::optional<std::array<double, 3>> grid_origin_m;  ///< default: the low corner of the bounds
  std::string canonical;     ///< equal text, equal world (as long as the file is the same)
  std::string all_versions;  ///< of a file: equal text, equal but for the version
};

/// Checks everything that can be checked without voxelising a scene or reading a world file.
/// Throws InputError with the place of the fault.
WorldSpec parse_world_spec(const ConfigValue& world);

/// The world of a grid alone.
World world_of(std::string name, OccupancyGrid grid);

/// Builds or reads it: a scene has an analytic set, a grid or both, a file has a grid.
World make_world(const WorldSpec& spec);

/// In two steps, for a spec with a file: reads it and does the edits; then chooses the version,
/// which copies no voxel. Worlds of equal `all_versions` have the first step in common.
World read_all_versions(const WorldSpec& spec);
World choose_version(const World& all_versions, const WorldSpec& spec);

}  // namespace sightline::host
