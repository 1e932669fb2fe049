// Grids whose size comes from coordinates in a file, not from the voxels it holds.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "host/world/binary_file.h"

namespace sightline::host {

/// Throws InputError unless a grid from voxel `low` to voxel `high`, both included, takes little
/// memory while it is empty: two voxels far apart must not cost what a full world would. Returns
/// its dimensions.
inline std::array<std::int64_t, 3> checked_extent(const InputFile& file,
                                                  const std::array<std::int64_t, 3>& low,
                                                  const std::array<std::int64_t, 3>& high,
                                                  const char* fix) {
  constexpr std::int64_t kMaxDim = std::int64_t{1} << 22;      // OccupancyGrid's bound
  constexpr std::int64_t kMaxRegions = std::int64_t{1} << 24;  // of 64^3 voxels: 64 MiB of table
  std::array<std::int64_t, 3> dims;
  std::int64_t regions = 1;
  bool fits = true;
  for (int axis = 0; axis < 3; ++axis) {
    dims[axis] = high[axis] - low[axis] + 1;
    fits = fits && dims[axis] <= kMaxDim;
    regions *= fits ? dims[axis] / 64 + 1 : 1;
    fits = fits && regions <= kMaxRegions;
  }
  if (!fits) {
    file.fail("spans " + std::to_string(dims[0]) + " x " + std::to_string(dims[1]) + " x " +
              std::to_string(dims[2]) + " voxels, more than a world can have; " + fix);
  }
  return dims;
}

}  // namespace sightline::host
