// A village to look around in: the built-in world of the main job.
#pragma once

#include <cstdint>

#include "host/world/scene.h"

namespace sightline::host {

struct VillageOptions {
  std::uint64_t seed = 1;
  kernels::Vec3 size_m{96, 12, 96};  ///< x, y (up), z
};

constexpr double kMinVillage_m = 24, kMinVillageHeight_m = 8;
/// The ground is a slab of this thickness whose top is y = 0; the bounds begin at its underside.
constexpr double kVillageGround_m = 0.5;

/// Lots along lanes: houses with doors, windows, inner rooms and roofs, orchards, fences and sheds,
/// bushes and trees, and a square with a well and a tower. Scene frame; bounds from
/// (0, -kVillageGround_m, 0). The same options give the same village everywhere.
Scene make_village(const VillageOptions& options);

}  // namespace sightline::host
