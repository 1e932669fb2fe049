// Sculpted terrain: hills of voxels, with bowls, overhangs and tunnels dug into them.
#pragma once

#include <cstdint>

#include "host/world/scene.h"

namespace sightline::host {

struct TerrainOptions {
  std::uint64_t seed = 1;
  kernels::Vec3 size_m{32, 12, 32};  ///< x, y (up), z
  double relief_m = 6;               ///< height of the hills, below size_m.y
  std::int64_t num_digs = 8;         ///< bowls and caves: balls taken away near the surface
  std::int64_t num_tunnels = 2;      ///< level, from one side to the other
};

/// Terrain is made of cubes of this side.
constexpr double kTerrainCell_m = 0.5;
constexpr double kMinTerrain_m = 8, kMaxTerrain_m = 512, kMaxTerrainHeight_m = 64;

/// Hills of value noise in three octaves, then digs, then tunnels. At least one layer of cubes
/// stays everywhere. Scene frame; bounds from the origin. The same options give the same terrain
/// everywhere.
Scene make_terrain(const TerrainOptions& options);

}  // namespace sightline::host
