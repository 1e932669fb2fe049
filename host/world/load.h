// Worlds from files and scenes, and back to files.
#pragma once

#include <string>

#include "host/config/value.h"
#include "host/world/world.h"

namespace sightline::host {

/// Reads a world file; the format is told by its extension and checked by its magic:
/// `.bt`, `.ot` (OctoMap), `.npy` (boolean or uint8 [nx, ny, nz]; 0 free, 1 occupied, 2 unknown),
/// `.slw` (Sightline world). Throws InputError naming the file, what is wrong and the fix.
World load_world(const std::string& path);

/// Writes the grid as `.npy` (uint8) or `.slw`, by extension: to a temporary file, then renamed.
void save_world(const World& world, const std::string& path);

/// How a voxel is judged when a scene becomes a grid.
enum class Fill {
  kCenter,  ///< solid iff its centre is
  kOverlap  ///< solid iff the solid set meets its interior: a thin wall never vanishes
};

/// The `world:` map of a sweep file: {file: PATH} or {scene: NAME-or-map}, and
/// {solid: analytic} or {solid: {grid: {voxel_m: 0.25, fill: overlap}}}.
struct WorldSpec {
  std::string file;   ///< empty: a scene
  ConfigValue scene;  ///< null: a file
  bool analytic = false;            ///< march samples the analytic set
  double voxel_m = 0;               ///< > 0: the scene is voxelised
  Fill fill = Fill::kOverlap;
  std::string canonical;            ///< equal text, equal world
};
/// Checks everything that can be checked without building or reading the world.
WorldSpec parse_world_spec(const ConfigValue& world);
/// Builds or reads it. A scene given `solid: analytic` also gets no grid unless voxel_m > 0.
World make_world(const WorldSpec& spec);

}  // namespace sightline::host
