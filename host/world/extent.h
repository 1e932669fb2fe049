// Grids whose size comes from coordinates in a file, not from the voxels it holds.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "host/world/binary_file.h"

namespace sightline::host {

/// Why a grid from voxel `low` to voxel `high`, both included, would take much memory while it is
/// empty: two voxels far apart must not cost what a full world would. Empty if it would not.
inline std::string fault_of_extent(const std::array<std::int64_t, 3>& low,
                                   const std::array<std::int64_t, 3>& high) {
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
  if (fits) return "";
  return "spans " + std::to_string(dims[0]) + " x " + std::to_string(dims[1]) + " x " +
         std::to_string(dims[2]) + " voxels, more than a world can have";
}

/// The dimensions of that grid. Throws InputError if it has a fault.
inline std::array<std::int64_t, 3> checked_extent(const InputFile& file,
                                                  const std::array<std::int64_t, 3>& low,
                                                  const std::array<std::int64_t, 3>& high,
                                                  const char* fix) {
  const std::string fault = fault_of_extent(low, high);
  if (!fault.empty()) file.fail(fault + "; " + fix);
  return {high[0] - low[0] + 1, high[1] - low[1] + 1, high[2] - low[2] + 1};
}

}  // namespace sightline::host
