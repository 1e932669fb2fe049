// Where one can stand in a world.
#pragma once

#include <optional>

#include "host/world/world.h"

namespace sightline::host {

/// Height of a map's floor along its up axis, metres: the top of the layer with the most occupied
/// voxels in the lower half, which is where a scanned building has its floor. 0 without a grid.
double map_floor_m(const World& world);

/// Height of the ground at a place, along the up axis, metres: the top of the highest occupied
/// voxel of its column. Absent where the column holds none, or lies outside the grid.
std::optional<double> ground_m(const OccupancyGrid& grid, int up_axis,
                               const kernels::Vec3& place_m);

}  // namespace sightline::host
