// Worlds as NumPy arrays [nx, ny, nz]: 0 free, 1 occupied, 2 unknown.
#pragma once

#include <cstdint>
#include <string>

#include "host/world/formats.h"

namespace sightline::host {

/// Reads bool or uint8 [nx, ny, nz] in C or Fortran order. The array says nothing about place and
/// scale: unless `placement` does, voxels are 1 m, the origin is 0 0 0 and y is up. Throws
/// InputError naming the file (and the voxel of a value that is no state). Reads slab by slab:
/// needs the packed grid and one slab of memory.
OccupancyGrid read_grid_npy(const std::string& path, const Placement& placement);

/// A grid of states [nx, ny, nz] in C order, in memory. Throws InputError naming the voxel of a
/// value that is no state.
OccupancyGrid grid_of_states(const GridGeometry& geometry, const std::uint8_t* states);
/// And back: fills `states` [nx, ny, nz].
void copy_states(const OccupancyGrid& grid, std::uint8_t* states);

/// Writes uint8 [nx, ny, nz] in C order. Origin, voxel size and frame are not kept by the format.
void write_grid_npy(const OccupancyGrid& grid, const std::string& path);

}  // namespace sightline::host
