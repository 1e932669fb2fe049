// From an analytic solid to voxels.
#pragma once

#include <array>
#include <cstdint>

#include "host/world/occupancy_grid.h"
#include "host/world/world.h"

namespace sightline::host {

/// How a voxel is judged when a scene becomes a grid.
enum class Fill : std::uint8_t {
  kCenter,  ///< solid iff its centre is
  kOverlap  ///< solid iff the solid set meets its interior: a thin wall never vanishes
};

/// Space this close to a voxel's face, in voxels, does not count as its interior: a wall at 0.3 m
/// ends at voxel 3 of 0.1 m, although 3 * 0.1 > 0.3 in binary.
constexpr double kFaceSkin_vox = 1e-9;

/// Voxels [lo, hi) of a grid.
struct VoxelBox {
  std::array<std::int64_t, 3> lo{0, 0, 0}, hi{0, 0, 0};
  bool empty() const { return lo[0] >= hi[0] || lo[1] >= hi[1] || lo[2] >= hi[2]; }
};

/// The voxels of a grid whose interior, less its skin, meets a box; widened by `margin` voxels on
/// each side, and clipped to the grid.
VoxelBox voxels_meeting(const Bounds& box_m, const GridGeometry& geometry, double margin = 0);

/// The grid of cubes that covers the bounds from their low corner: ceil(extent / voxel_m) voxels.
GridGeometry grid_over(const Bounds& bounds_m, Frame frame, double voxel_m);

/// Fills a grid. Openings must be boxes, turned like the solid they are cut out of (throws
/// InputError otherwise). In overlap mode a solid is what is left of it after its openings; faces
/// and edges without volume do not count. The result does not depend on the order of the solids.
OccupancyGrid voxelise(const AnalyticSolid& solid, const GridGeometry& geometry, Fill fill);

}  // namespace sightline::host
