// Whole grids compared: geometry bit for bit, voxels one by one.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "host/world/occupancy_grid.h"

namespace sightline::tests {

/// Success if every voxel has the same state; else says the first that differs.
inline testing::AssertionResult same_voxels(const host::OccupancyGrid& a,
                                            const host::OccupancyGrid& b) {
  const auto& dims = a.geometry().dims;
  if (dims != b.geometry().dims) {
    const auto& other = b.geometry().dims;
    return testing::AssertionFailure()
           << dims[0] << " x " << dims[1] << " x " << dims[2] << " voxels against " << other[0]
           << " x " << other[1] << " x " << other[2];
  }
  for (std::int64_t i = 0; i < dims[0]; ++i) {
    for (std::int64_t j = 0; j < dims[1]; ++j) {
      for (std::int64_t k = 0; k < dims[2]; ++k) {
        if (a.at(i, j, k) == b.at(i, j, k)) continue;
        return testing::AssertionFailure()
               << "voxel " << i << ' ' << j << ' ' << k << ": state "
               << static_cast<int>(a.at(i, j, k)) << " against " << static_cast<int>(b.at(i, j, k));
      }
    }
  }
  return testing::AssertionSuccess();
}

/// The same, and place, scale and frame too, bit for bit.
inline void expect_same_grid(const host::OccupancyGrid& a, const host::OccupancyGrid& b) {
  EXPECT_EQ(a.geometry().origin_m, b.geometry().origin_m);
  EXPECT_EQ(a.geometry().voxel_m, b.geometry().voxel_m);
  EXPECT_EQ(a.geometry().frame, b.geometry().frame);
  EXPECT_TRUE(same_voxels(a, b));
}

/// The grid with every unknown voxel free.
inline host::OccupancyGrid without_unknown(const host::OccupancyGrid& grid) {
  const auto& dims = grid.geometry().dims;
  host::OccupancyGrid known(grid.geometry());
  for (std::int64_t i = 0; i < dims[0]; ++i) {
    for (std::int64_t j = 0; j < dims[1]; ++j) {
      for (std::int64_t k = 0; k < dims[2]; ++k) {
        if (grid.at(i, j, k) == host::VoxelState::kOccupied) {
          known.set(i, j, k, host::VoxelState::kOccupied);
        }
      }
    }
  }
  return known;
}

/// The grid moved, scaled and renamed: the same voxels in another geometry of the same dims.
inline host::OccupancyGrid placed(const host::OccupancyGrid& grid, host::GridGeometry geometry) {
  geometry.dims = grid.geometry().dims;
  host::OccupancyGrid moved(geometry);
  for (std::int64_t i = 0; i < geometry.dims[0]; ++i) {
    for (std::int64_t j = 0; j < geometry.dims[1]; ++j) {
      for (std::int64_t k = 0; k < geometry.dims[2]; ++k) {
        if (grid.at(i, j, k) != host::VoxelState::kFree) moved.set(i, j, k, grid.at(i, j, k));
      }
    }
  }
  return moved;
}

}  // namespace sightline::tests
