// A ray between two lattice points, as exact integers: where it is, and which voxels come next.
//
// Amanatides and Woo (1987), "A Fast Voxel Traversal Algorithm for Ray Tracing", on integers: the
// ray crosses the next voxel face of axis a after the fraction next[a] / span[a] of its length, and
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

/// Walks the half-open cells in which the ray has positive length (TieRule::kDiagonal).
/// Lengths count lattice units; |coordinates| <= 2^30, so products stay below 2^63.
struct LatticeRay {
  Cell cell;               ///< where the ray is now
  std::uint32_t next[3];   ///< distance along axis a from the start to the next face of the cell
  std::uint32_t span[3];   ///< length of the ray along axis a
  std::int32_t step[3];    ///< -1 or +1
  int bits;                ///< lattice_bits

  SL_HD LatticeRay(LatticePoint from, LatticePoint to, int lattice_bits)
      : cell(cell_of(from, lattice_bits)), bits(lattice_bits) {
    const std::int32_t p[3] = {from.x, from.y, from.z};
    const std::int32_t t[3] = {to.x, to.y, to.z};
    for (int a = 0; a < 3; ++a) {
      const std::int64_t d = std::int64_t{t[a]} - p[a];
      const std::int64_t low_face = std::int64_t{cell.v[a]} << bits;
      const std::int64_t size = std::int64_t{1} << bits;
      step[a] = d < 0 ? -1 : 1;
      span[a] = static_cast<std::uint32_t>(d < 0 ? -d : d);
      // An axis without motion never reaches a face: next / span = 1 / 0 is later than any other.
      next[a] = d == 0 ? 1u
                       : static_cast<std::uint32_t>(d > 0 ? low_face + size - p[a] : p[a] - low_face);
    }
  }

  /// Faces of axis a that the ray crosses strictly before its end.
  SL_HD std::int64_t faces_before_end(int a) const {
    if (next[a] >= span[a]) return 0;
    return ((std::int64_t{span[a]} - next[a] - 1) >> bits) + 1;
  }

  /// Moves to just after the fraction num / den of the ray (num < den): all faces crossed up to
  /// and including that moment are behind it.
  SL_HD void advance_to(std::uint32_t num, std::uint32_t den) {
    const double fraction = static_cast<double>(num) / static_cast<double>(den);
    for (int a = 0; a < 3; ++a) advance_axis(a, std::uint64_t{num} * span[a], den, fraction);
  }

  /// Leaves the aligned cube of 2^cube_bits voxels per axis that holds the cell, to the first cell
  /// beyond it. Returns false if the ray ends first. Cube of 1: the next cell.
  SL_HD bool leave_cube(int cube_bits, const double inverse_span[3]) {
    const std::int32_t mask = (std::int32_t{1} << cube_bits) - 1;
    std::uint64_t exit[3];
    for (int a = 0; a < 3; ++a) {
      const std::int32_t inside = cell.v[a] & mask;
      exit[a] = next[a] + (static_cast<std::uint64_t>(step[a] > 0 ? mask - inside : inside) << bits);
      // No motion on this axis, or the cube reaches past the end: later than everything that counts.
      if (span[a] == 0) exit[a] = 1;
    }
    int k = exit[1] * span[0] < exit[0] * span[1] ? 1 : 0;
    k = exit[2] * span[k] < exit[k] * span[2] ? 2 : k;
    if (exit[k] >= span[k]) return false;
    const double fraction = static_cast<double>(exit[k]) * inverse_span[k];
    for (int a = 0; a < 3; ++a) advance_axis(a, exit[k] * span[a], span[k], fraction);
    return true;
  }

 private:
  /// product = num * span[a]; moves axis a past every face within product / den lattice units.
  SL_HD void advance_axis(int a, std::uint64_t product, std::uint32_t den, double fraction) {
    // The float estimate is within one unit of the exact quotient; the integers settle it.
    std::int64_t travelled = static_cast<std::int64_t>(fraction * static_cast<double>(span[a]));
    const std::int64_t rest =
        static_cast<std::int64_t>(product) - travelled * static_cast<std::int64_t>(den);
    travelled += (rest >= static_cast<std::int64_t>(den)) - (rest < 0);
    // The next face is at most one voxel ahead, so `beyond` >= -voxel and the shift gives -1 or more.
    const std::int64_t beyond = travelled - static_cast<std::int64_t>(next[a]);
    const std::int64_t faces = (beyond >> bits) + 1;
    next[a] += static_cast<std::uint32_t>(faces << bits);
    cell.v[a] += step[a] * static_cast<std::int32_t>(faces);
  }
};

}  // namespace sightline::kernels
