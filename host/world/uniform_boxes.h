// Boxes of a grid whose voxels are all alike, found in the packed block: what writers need to pass
// over empty space without asking for each voxel.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>

#include "host/world/occupancy_grid.h"

namespace sightline::host {

/// The state that all voxels of [lo, hi) share; none if they differ. The box is not empty and lies
/// in the grid.
std::optional<VoxelState> uniform_state(const OccupancyGrid& grid,
                                        const std::array<std::int64_t, 3>& lo,
                                        const std::array<std::int64_t, 3>& hi);

/// Is any voxel of [lo, hi) occupied? The box is not empty and lies in the grid.
bool any_occupied(const OccupancyGrid& grid, const std::array<std::int64_t, 3>& lo,
                  const std::array<std::int64_t, 3>& hi);

/// Calls `visit(lo, hi, state)` for boxes that cover the grid, each voxel once: cubes of 2^n voxels
/// on multiples of 2^n, n from 6 down to 0, cut off at the grid's end.
void for_each_uniform_box(
    const OccupancyGrid& grid,
    const std::function<void(const std::array<std::int64_t, 3>&, const std::array<std::int64_t, 3>&,
                             VoxelState)>& visit);

}  // namespace sightline::host
