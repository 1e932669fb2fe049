// Surfaces and points of files without voxels, and what they become on a grid.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "host/world/binary_file.h"
#include "host/world/formats.h"
#include "kernels/types.h"

namespace sightline::host {

/// Triangles, or single points if there are none.
struct Surface {
  std::vector<kernels::Vec3> points;                    ///< metres, finite
  std::vector<std::array<std::uint32_t, 3>> triangles;  ///< rows of `points`
};

/// A vertex within this part of a voxel lies on a corner of the lattice on which triangles and
/// voxels are compared, so that their comparison is exact.
constexpr int kSurfaceLattice = 4096;

/// Every voxel that a triangle or a point meets is occupied, all others are free: surfaces stay
/// hollow. Voxels are half-open as everywhere (a wall between two layers belongs to the upper one),
/// vertices are rounded to 1/4096 voxel, and the comparison that follows is exact, so the result
/// depends neither on the order of triangles nor on that of their corners. The grid begins at the
/// placement's origin, or else at the multiple of the voxel size below the lowest vertex, and ends
/// with the highest vertex. Frame: y is up unless the placement says z; coordinates are kept as
/// they are. Memory: the grid; time: proportional to the voxels met.
///
/// Separating axes of triangle and box: Akenine-Möller (2001), here in integers.
///
/// Throws InputError naming the file: no points, a vertex below the origin, too many voxels.
OccupancyGrid voxelise_surface(const InputFile& file, const Surface& surface,
                               const Placement& placement);

}  // namespace sightline::host
