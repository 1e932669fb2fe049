// Line of sight through voxels, exactly, by a way of its own: what the engine's walks and marches
// are held to in worlds that are known by their voxels alone.
//
// The line is cut where it meets a plane between voxels; the middle of each piece says which voxel
// the piece lies in. Doubles, no lattice: ends are not rounded. What Spatial Memory Must Store
// (2026), section 10: "an independent geometry kernel that has no read path to the memory tables".
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "host/world/occupancy_grid.h"

namespace sightline::host {

/// A copy of a grid's voxels, a byte each, and what can be seen in it.
class VoxelSight {
 public:
  /// Throws InputError for more than 2^30 voxels.
  explicit VoxelSight(const OccupancyGrid& grid);

  /// Does the place lie in a voxel that is known to be free? Outside the grid: no. Metres.
  bool is_free(const kernels::Vec3& place_m) const;

  /// Does no occupied voxel lie between two places? The voxels that hold them do not count, nor
  /// does one that is only touched; unknown space and what lies outside the grid are free. Metres.
  bool is_clear(const kernels::Vec3& from_m, const kernels::Vec3& to_m) const;

  const GridGeometry& geometry() const { return geometry_; }
  /// State of every voxel, [x + dims[0] (y + dims[1] z)].
  const std::vector<VoxelState>& states() const { return states_; }

 private:
  using Cell = std::array<std::int64_t, 3>;
  std::array<double, 3> in_voxels(const kernels::Vec3& place_m) const;
  VoxelState at(const Cell& cell) const;  ///< free outside the grid

  GridGeometry geometry_;
  std::vector<VoxelState> states_;
};

}  // namespace sightline::host
