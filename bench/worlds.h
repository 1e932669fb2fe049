// The worlds that benchmarks run in. Everything is measured in voxels: the grid's own scale plays
// no part.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "host/world/occupancy_grid.h"

namespace sightline::bench {

struct BenchWorld {
  std::string name;
  host::OccupancyGrid grid;
};

/// A scanned building (octomap_geb079/geb079.bt), below the folder that the environment variable
/// SIGHTLINE_REFERENCE_DATA names, or the CMake variable of that name. Throws InputError if it is
/// not there.
BenchWorld load_building();

/// Storeys of rooms: slabs with stairwells, walls with doors and windows, furniture, clutter.
/// A cube of edge^3 voxels without unknown space, z up; the same for the same seed.
BenchWorld make_rooms(std::int64_t edge, std::uint64_t seed);

/// Calls visit(x, y, z) for every occupied voxel, x fastest.
template <class Visit>
void for_each_occupied(const host::OccupancyGrid& grid, Visit&& visit) {
  const kernels::PlaneView plane = grid.view().occupied();
  const std::int32_t* dims = grid.layout().dims;
  for (std::int32_t z = 0; z < dims[2]; ++z) {
    for (std::int32_t y = 0; y < dims[1]; ++y) {
      for (std::int32_t x = 0; x < dims[0]; ++x) {
        if (plane.get(x, y, z)) visit(x, y, z);
      }
    }
  }
}

/// Size of a structure in bits per voxel of the grid it stands for.
inline double bits_per_voxel(std::size_t bytes, const host::OccupancyGrid& grid) {
  return 8.0 * static_cast<double>(bytes) / static_cast<double>(grid.num_voxels());
}

}  // namespace sightline::bench
