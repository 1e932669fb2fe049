// Exact line of sight on the lattice: which voxels stand strictly between two points.
//
// Three walks give the answer: cell by cell (dda), by empty cubes (hdda; the same cells matter, so
// the same answer), and the supercover. `Between` says what a walk is looking for.
#pragma once

#include <cstdint>

#include "kernels/hd.h"
#include "kernels/kernels.h"
#include "kernels/lattice_ray.h"
#include "kernels/plane_cursor.h"
#include "kernels/ray_index.h"

namespace sightline::kernels {

/// Judges the cells a ray visits and remembers what it saw.
struct Between {
  GridView grid;
  Cell from, to;          ///< cells of the endpoints: they never count
  bool unknown_answers;   ///< SpacePolicy::kUnknown: tell unknown from occupied
  bool occupied = false;  ///< something opaque stands between
  bool unknown = false;

  /// A set voxel of the plane under test. Returns true if the walk can stop.
  SL_HD bool meet(const Cell& cell) {
    if (cell == from || cell == to) return false;
    if (unknown_answers && !grid.occupied().get(cell.v[0], cell.v[1], cell.v[2])) {
      unknown = true;
      return false;
    }
    return occupied = true;
  }
};

/// Brings a ray to its first cell inside the box [0, dims); false if it ends or passes by before.
SL_HD inline bool enter_box(LatticeRay& ray, const Cell& low, const Cell& high) {
  std::uint32_t num = 0, den = 1;
  bool outside = false;
  for (int a = 0; a < 3; ++a) {
    const std::int64_t cells_to_go =
        ray.step[a] > 0 ? std::int64_t{low.v[a]} - ray.cell.v[a]
                        : std::int64_t{ray.cell.v[a]} - high.v[a] + 1;
    if (cells_to_go <= 0) continue;
    const std::int64_t face = ray.next[a] + ((cells_to_go - 1) << ray.bits);
    if (face >= ray.span[a]) return false;
    outside = true;
    const std::uint32_t near_face = static_cast<std::uint32_t>(face);
    if (std::uint64_t{near_face} * den > std::uint64_t{num} * ray.span[a]) {
      num = near_face;
      den = ray.span[a];
    }
  }
  if (outside) ray.advance_to(num, den);
  for (int a = 0; a < 3; ++a) {
    if (ray.cell.v[a] < low.v[a] || ray.cell.v[a] >= high.v[a]) return false;
  }
  return true;
}

SL_HD inline bool enter_grid(LatticeRay& ray, const GridLayout& layout) {
  return enter_box(ray, {{0, 0, 0}}, {{layout.dims[0], layout.dims[1], layout.dims[2]}});
}

/// hdda: leaves the largest empty cube around each cell in one move.
SL_HD inline void walk_empty_cubes(LatticeRay ray, const PlaneView& plane, Between& between) {
  const GridLayout& layout = between.grid.layout;
  if (!enter_grid(ray, layout)) return;
  const double inverse_span[3] = {1.0 / ray.span[0], 1.0 / ray.span[1], 1.0 / ray.span[2]};
  PlaneCursor cursor(plane);
  for (;;) {
    int cube_bits = cursor.empty_cube_bits(ray.cell);
    if (cube_bits == kNotEmpty) {
      if (between.meet(ray.cell)) return;
      cube_bits = 0;
    }
    if (!ray.leave_cube(cube_bits, inverse_span)) return;
    if (!between.grid.contains(ray.cell.v[0], ray.cell.v[1], ray.cell.v[2])) return;
  }
}

/// dda: every cell in turn. The order of the next faces on two axes is the sign of the difference
/// of their cross products, kept up to date by additions.
SL_HD inline void walk_cells(LatticeRay ray, const PlaneView& plane, Between& between) {
  const GridLayout& layout = between.grid.layout;
  if (!enter_grid(ray, layout)) return;
  std::int64_t left[3], face[3];  // faces still to cross inside the grid; one voxel times the span
  for (int a = 0; a < 3; ++a) {
    const std::int64_t inside =
        ray.step[a] > 0 ? layout.dims[a] - 1 - ray.cell.v[a] : ray.cell.v[a];
    const std::int64_t before_end = ray.faces_before_end(a);
    left[a] = before_end < inside ? before_end : inside;
    face[a] = std::int64_t{ray.span[a]} << ray.bits;
  }
  const auto cross = [&ray](int a, int b) {
    return static_cast<std::int64_t>(std::uint64_t{ray.next[a]} * ray.span[b]) -
           static_cast<std::int64_t>(std::uint64_t{ray.next[b]} * ray.span[a]);
  };
  std::int64_t xy = cross(0, 1), xz = cross(0, 2), yz = cross(1, 2);
  PlaneCursor cursor(plane);
  Cell cell = ray.cell;
  for (;;) {
    if (cursor.get(cell) && between.meet(cell)) return;
    // All ones where the axis crosses next; two or three at a tie: a diagonal step.
    const std::int64_t x = -static_cast<std::int64_t>((xy <= 0) & (xz <= 0));
    const std::int64_t y = -static_cast<std::int64_t>((xy >= 0) & (yz <= 0));
    const std::int64_t z = -static_cast<std::int64_t>((xz >= 0) & (yz >= 0));
    left[0] += x;
    left[1] += y;
    left[2] += z;
    if ((left[0] | left[1] | left[2]) < 0) return;
    cell.v[0] += static_cast<std::int32_t>(x) & ray.step[0];
    cell.v[1] += static_cast<std::int32_t>(y) & ray.step[1];
    cell.v[2] += static_cast<std::int32_t>(z) & ray.step[2];
    xy += (x & face[1]) - (y & face[0]);
    xz += (x & face[2]) - (z & face[0]);
    yz += (y & face[2]) - (z & face[1]);
  }
}

/// The first cell after the one that holds the start, along TieRule::kDiagonal; false if none.
SL_HD inline bool second_cell(LatticePoint from, LatticePoint to, int bits, Cell& cell) {
  LatticeRay ray(from, to, bits);
  const double inverse_span[3] = {1.0 / ray.span[0], 1.0 / ray.span[1], 1.0 / ray.span[2]};
  const bool moved = ray.leave_cube(0, inverse_span);
  cell = ray.cell;
  return moved;
}

/// Does the ray visit a cell outside the grid, other than its ends'? The grid is convex, so such a
/// cell stands next to one of the ends.
SL_HD inline bool leaves_grid(const GridView& grid, LatticePoint p, LatticePoint t, int bits,
                              const Between& between) {
  for (int end = 0; end < 2; ++end) {
    Cell cell;
    if (!second_cell(end == 0 ? p : t, end == 0 ? t : p, bits, cell)) continue;
    if (cell == between.from || cell == between.to) continue;
    if (!grid.contains(cell.v[0], cell.v[1], cell.v[2])) return true;
  }
  return false;
}

}  // namespace sightline::kernels
