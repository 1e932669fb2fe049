// Worlds from files and scenes, and back to files.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "host/config/value.h"
#include "host/world/voxelise.h"
#include "host/world/world.h"

namespace sightline::host {

/// Voxels of a scene for which no `solid` is given.
constexpr double kDefaultVoxel_m = 0.25;

/// Reads a world file; the format is told by its extension and checked by its magic:
/// `.bt`, `.ot` (OctoMap), `.npy` (boolean or uint8 [nx, ny, nz]; 0 free, 1 occupied, 2 unknown),
/// `.slw` (Sightline world, with its versions if it has any), `.yaml` (a scene, voxelised at
/// kDefaultVoxel_m). An array does not say where it lies: origin, voxel size and frame of a `.npy`
/// are those of `npy_placement`. Throws InputError naming the file, what is wrong and the fix.
World load_world(const std::string& path, const GridGeometry& npy_placement = {});

/// Writes the grid as `.npy` (uint8) or `.slw`, by extension: to a temporary file, then renamed. A
/// world with versions keeps them all in a `.slw`; world.versions = nullptr before writes the one.
/// Throws InputError if the world has no grid or the extension is another.
void save_world(const World& world, const std::string& path);

/// The `world:` map of a sweep file:
///
///     world: {file: map.bt}
///     world: {file: map.npy, voxel_m: 0.1, origin_m: [0, 0, 0], frame: z_up}
///     world: {file: edited.slw, version: 3}           or latest, the default
///     world: {scene: village}                         a grid of 0.25 m, filled by overlap
///     world: {scene: pilot2, solid: analytic}         no grid
///     world: {scene: pilot2, solid: {grid: {voxel_m: 0.5, fill: center, origin_m: [0, 0, 0]}}}
///     world: {scene: pilot2, solid: {analytic: true, grid: {voxel_m: 0.5}}}      both
struct WorldSpec {
  std::string file;                     ///< empty: a scene
  GridGeometry npy_placement;           ///< of a `.npy` file; its dims are not used
  std::optional<std::int64_t> version;  ///< of a file with versions; default: the latest
  ConfigValue scene;       ///< null: a file; otherwise a map (a name or a path is resolved)
  std::string scene_file;  ///< the YAML file the scene was read from, if any
  bool analytic = false;   ///< the world keeps its analytic set
  double voxel_m = 0;      ///< > 0: the scene is voxelised
  Fill fill = Fill::kOverlap;
  std::optional<std::array<double, 3>> grid_origin_m;  ///< default: the low corner of the bounds
  std::string canonical;  ///< equal text, equal world (as long as the file is the same)
};

/// Checks everything that can be checked without voxelising a scene or reading a world file.
/// Throws InputError with the place of the fault.
WorldSpec parse_world_spec(const ConfigValue& world);

/// Builds or reads it: a scene has an analytic set, a grid or both, a file has a grid.
World make_world(const WorldSpec& spec);

}  // namespace sightline::host
