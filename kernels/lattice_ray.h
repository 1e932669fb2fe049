// A ray between two lattice points, as exact integers: where it is, and which voxels come next.
//
// Amanatides and Woo (1987), "A Fast Voxel Traversal Algorithm for Ray Tracing", on integers: the
// ray crosses the next voxel face of axis a after the fraction next(a) / span[a] of its length, and
// two such fractions are compared by their cross products, which fit 64 bits. No rounding, so no
// chain of voxels is ever lost, ties are seen as ties, and P->T visits what T->P visits.
#pragma once

#include <cstdint>

#include "kernels/hd.h"
#include "kernels/types.h"

namespace sightline::kernels {

/// Voxel index on the three axes.
struct Cell {
  std::int32_t v[3];
  SL_HD bool operator==(const Cell& o) const {
    return v[0] == o.v[0] && v[1] == o.v[1] && v[2] == o.v[2];
  }
};

SL_HD inline Cell cell_of(LatticePoint p, int bits) {
  return {{p.x >> bits, p.y >> bits, p.z >> bits}};  // arithmetic shift: floor
}

/// Moves over the half-open cells in which the ray has positive length (TieRule::kDiagonal).
/// Lengths count lattice units; |coordinates| <= 2^30, so products of two stay below 2^63.
struct LatticeRay {
  Cell cell;              ///< where the ray is now
  std::int32_t start[3];  ///< where it began
  std::uint32_t span[3];  ///< its length along each axis
  std::int32_t step[3];   ///< -1 or +1
  int bits;               ///< lattice_bits

  SL_HD LatticeRay(LatticePoint from, LatticePoint to, int lattice_bits)
      : cell(cell_of(from, lattice_bits)), start{from.x, from.y, from.z}, bits(lattice_bits) {
    const std::int32_t end[3] = {to.x, to.y, to.z};
    for (int a = 0; a < 3; ++a) {
      const std::int64_t d = std::int64_t{end[a]} - start[a];
      step[a] = d < 0 ? -1 : 1;
      span[a] = static_cast<std::uint32_t>(d < 0 ? -d : d);
    }
  }

  /// Crosses the faces that the ray starts on, as at fraction 0: they are behind it whichever way
  /// it goes. The first cell, which then may be left without a length in it, never counts.
  SL_HD void cross_at_start() {
    for (int a = 0; a < 3; ++a) {
      const std::int32_t on_face = (start[a] & ((std::int32_t{1} << bits) - 1)) == 0;
      cell.v[a] -= step[a] < 0 ? on_face : 0;
    }
  }

  /// Distance along axis a from the start to the face through which the cell would be left; for an
  /// axis without motion, 1: next / span = 1 / 0 is later than any other.
  SL_HD std::uint32_t next(int a) const {
    if (span[a] == 0) return 1;
    const std::int64_t low_face = cell.v[a] * (std::int64_t{1} << bits);
    return static_cast<std::uint32_t>(step[a] > 0 ? low_face + (std::int64_t{1} << bits) - start[a]
                                                  : start[a] - low_face);
  }

  /// The cell on axis a once the faces within `distance` of the start, that one included, are
  /// behind.
  SL_HD std::int32_t after(int a, std::int64_t distance) const {
    const std::int64_t up = start[a] + distance, down = start[a] - distance - 1;
    return static_cast<std::int32_t>((step[a] > 0 ? up : down) >> bits);
  }

  /// Moves to just after the fraction num / den of the ray (num < den): every face crossed up to
  /// and including that moment is behind it. `fraction` is num / den as a float.
  SL_HD void advance_to(std::uint32_t num, std::uint32_t den, double fraction) {
    for (int a = 0; a < 3; ++a) {
      // The float estimate is within one unit of the exact quotient; the integers settle it.
      const std::int64_t d = den;
      std::int64_t travelled = static_cast<std::int64_t>(fraction * static_cast<double>(span[a]));
      const std::int64_t rest =
          static_cast<std::int64_t>(std::uint64_t{num} * span[a]) - travelled * d;
      travelled += (rest >= d) - (rest < 0);
      cell.v[a] = after(a, travelled);
    }
  }

  /// Leaves the aligned cube of 2^cube_bits voxels per axis that holds the cell, to the first cell
  /// beyond it; false if the ray ends first. A cube of one voxel: the next cell.
  SL_HD bool leave_cube(int cube_bits) {
    const std::int32_t mask = (std::int32_t{1} << cube_bits) - 1;
    std::uint64_t exit[3];
    for (int a = 0; a < 3; ++a) {
      const std::int32_t inside = cell.v[a] & mask;
      const std::int64_t ahead = step[a] > 0 ? mask - inside : inside;
      exit[a] = span[a] == 0 ? 1 : next(a) + (static_cast<std::uint64_t>(ahead) << bits);
    }
    int k = exit[1] * span[0] < exit[0] * span[1] ? 1 : 0;
    k = exit[2] * span[k] < exit[k] * span[2] ? 2 : k;
    if (exit[k] >= span[k]) return false;
    const auto num = static_cast<std::uint32_t>(exit[k]);
    advance_to(num, span[k], static_cast<double>(num) / static_cast<double>(span[k]));
    return true;
  }
};

}  // namespace sightline::kernels
