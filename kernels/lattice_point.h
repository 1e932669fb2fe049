// From metres to the lattice on which exact traversal is exact: one formula for host and device.
#pragma once

#include <cmath>
#include <cstdint>

#include "kernels/hd.h"
#include "kernels/types.h"

namespace sightline::kernels {

constexpr double kMostLatticeUnits = 0x1p30;  ///< of a coordinate, either way

/// Along axis a, in lattice units, rounded half to even; as double, for it may be too far out.
SL_HD inline double lattice_unit(const VoxelFrame& frame, int bits, double p_m, int a) {
  const double scale = static_cast<double>(std::int32_t{1} << bits);
  return std::nearbyint((p_m - frame.origin_m[a]) / frame.voxel_m[a] * scale);
}

/// The point must lie in the lattice's bounds.
SL_HD inline LatticePoint lattice_point(const VoxelFrame& frame, int bits, Vec3 p) {
  return {static_cast<std::int32_t>(lattice_unit(frame, bits, p.x, 0)),
          static_cast<std::int32_t>(lattice_unit(frame, bits, p.y, 1)),
          static_cast<std::int32_t>(lattice_unit(frame, bits, p.z, 2))};
}

}  // namespace sightline::kernels
