// A campus as a world of voxels: buildings and things as solid boxes of them.
//
// What stands in a robot's view when it walks there: Meta-Memory's scenes that change
// (moving_things.h) are seen through it. Frame kMapZUp: x east, y north, z up, metres.
#pragma once

#include <cstdint>
#include <vector>

#include "host/truth/campus.h"
#include "host/world/world.h"

namespace sightline::host {

struct CampusVoxelSettings {
  double voxel_m = 0.5;
  double height_m = 2;                            ///< of the world, which buildings fill
  double margin_m = 10;                           /**< of the world around paths and buildings */
  double small_thing_m = 0.5, large_thing_m = 1;  ///< edges of the cubes that things are
};

/// Voxels whose centre, seen from above, lies in a building are solid from the ground up, and those
/// that a thing's cube, standing on its place, shares volume with. `is_there`: [objects] 1 for each
/// that stands; empty: all. The grid follows from paths, buildings and settings alone, so that
/// campuses that differ in their things number voxels alike. Throws InputError for settings that
/// cannot be, flags of another number and a campus without a place.
World campus_world(const Campus& campus, const std::vector<std::uint8_t>& is_there,
                   const CampusVoxelSettings& settings);

}  // namespace sightline::host
