// From an analytic solid to voxels.
#pragma once

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

/// The grid of cubes that covers the bounds from their low corner: ceil(extent / voxel_m) voxels.
GridGeometry grid_over(const Bounds& bounds_m, Frame frame, double voxel_m);

/// Fills a grid. Openings must be boxes, turned like the solid they are cut out of (throws
/// InputError otherwise). In overlap mode a solid is what is left of it after its openings; faces
/// and edges without volume do not count. The result does not depend on the order of the solids.
OccupancyGrid voxelise(const AnalyticSolid& solid, const GridGeometry& geometry, Fill fill);

}  // namespace sightline::host
