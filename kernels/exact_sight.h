// Exact line of sight on the lattice: which voxels stand strictly between two points.
//
// dda visits every cell, hdda leaves empty cubes in one move: the same cells matter, so the answer
// is the same. `Between` says what a walk is looking for. The supercover has a file of its own.
#pragma once

#include <cstdint>

#include "kernels/gait.h"
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
  Cell met{{-1, -1, -1}};      ///< what stopped the walk, if occupied
  bool outside_stops = false;  ///< a first hit counts a cell outside the grid (supercover only)

  /// A set voxel of the plane under test. Returns true if the walk can stop.
  SL_HD bool meet(const Cell& cell) {
    if (cell == from || cell == to) return false;
    if (unknown_answers && !grid.occupied().get(cell.v[0], cell.v[1], cell.v[2])) {
      unknown = true;
      return false;
    }
    return stop_at(cell);
  }

  SL_HD bool stop_at(const Cell& cell) {
    met = cell;
    return occupied = true;
  }
};

/// Brings a ray to its first cell inside the box [0, dims); false if it ends or passes by before.
SL_HD inline bool enter_box(LatticeRay& ray, const Cell& low, const Cell& high) {
  std::uint32_t num = 0, den = 1;
  bool outside = false;
  for (int a = 0; a < 3; ++a) {
    const std::int64_t cells_to_go = ray.step[a] > 0 ? std::int64_t{low.v[a]} - ray.cell.v[a]
                                                     : std::int64_t{ray.cell.v[a]} - high.v[a] + 1;
    if (cells_to_go <= 0) continue;
    const std::int64_t face = ray.next(a) + ((cells_to_go - 1) << ray.bits);
    if (face >= ray.span[a]) return false;
    outside = true;
    const std::uint32_t near_face = static_cast<std::uint32_t>(face);
    if (std::uint64_t{near_face} * den > std::uint64_t{num} * ray.span[a]) {
      num = near_face;
      den = ray.span[a];
    }
  }
  if (outside) ray.advance_to(num, den, static_cast<double>(num) / static_cast<double>(den));
  for (int a = 0; a < 3; ++a) {
    if (ray.cell.v[a] < low.v[a] || ray.cell.v[a] >= high.v[a]) return false;
  }
  return true;
}

SL_HD inline bool enter_grid(LatticeRay& ray, const GridLayout& layout) {
  return enter_box(ray, {{0, 0, 0}}, {{layout.dims[0], layout.dims[1], layout.dims[2]}});
}

/// Brings a ray in the grid to the first cell beyond it; false if it ends before.
SL_HD inline bool leave_grid(LatticeRay& ray, const GridLayout& layout) {
  std::uint32_t num = 1, den = 0;  // never
  for (int a = 0; a < 3; ++a) {
    if (ray.span[a] == 0) continue;
    const std::int64_t ahead = ray.step[a] > 0 ? layout.dims[a] - 1 - ray.cell.v[a] : ray.cell.v[a];
    const std::int64_t face = ray.next(a) + (ahead << ray.bits);
    if (face >= ray.span[a]) continue;
    if (static_cast<std::uint64_t>(face) * den < std::uint64_t{num} * ray.span[a]) {
      num = static_cast<std::uint32_t>(face);
      den = ray.span[a];
    }
  }
  if (den == 0) return false;
  ray.advance_to(num, den, static_cast<double>(num) / static_cast<double>(den));
  return true;
}

/// Any ray, however long: one exact move per cell (dda) or per largest empty cube (hdda).
SL_HD inline void walk_cubes(LatticeRay ray, const PlaneView& plane, bool skip_empty_space,
                             Between& between) {
  PlaneCursor cursor(plane);
  for (;;) {
    int cube_bits = cursor.empty_cube_bits(ray.cell);
    if (cube_bits == kNotEmpty && between.meet(ray.cell)) return;
    if (cube_bits == kNotEmpty || !skip_empty_space) cube_bits = 0;
    if (!ray.leave_cube(cube_bits)) return;
    if (!between.grid.contains(ray.cell.v[0], ray.cell.v[1], ray.cell.v[2])) return;
  }
}

/// Judges the voxel at a place.
SL_HD inline bool meet_at(std::uint64_t place, Between& between) {
  const GridLayout& layout = between.grid.layout;
  return between.meet(
      {{index_of(layout, 0, place), index_of(layout, 1, place), index_of(layout, 2, place)}});
}

/// dda for rays whose face clock fits: every voxel.
SL_HD inline void walk_voxels(const LatticeRay& ray, const PlaneView& plane, Between& between) {
  const GridLayout& layout = between.grid.layout;
  const std::int64_t until = FaceClock(ray).inside(ray, layout.dims).until;
  Gait gait = gait_of(layout, ray, 0);
  for (;;) {
    const std::uint64_t now = gait.place();
    if (((word_at(plane, now >> 6) >> (now & 63)) & 1u) && meet_at(now, between)) return;
    const std::int64_t left = gait.leaves_at();
    if (left >= until) return;
    gait.cross_at(left);
  }
}

/// The voxels of one word that a ray visits. Returns true if the walk can stop.
/// words: the ray's gait by words, in this word; range: when it is there.
SL_HD inline bool walk_in_word(const Gait& words, std::uint64_t voxels, const MomentRange& range,
                               Between& between) {
  Gait gait = words.by_voxels(range.entered);
  for (;;) {
    const std::uint64_t now = gait.place();
    if (((voxels >> now) & 1u) && meet_at(words.place() << 6 | now, between)) return true;
    const std::int64_t left = gait.leaves_at();
    if (left >= range.until) return false;
    gait.cross_at(left);
  }
}

/// hdda for rays whose face clock fits: word by word, and voxel by voxel in words that hold one.
SL_HD inline void walk_words(const LatticeRay& ray, const PlaneView& plane, Between& between) {
  const GridLayout& layout = between.grid.layout;
  MomentRange range = FaceClock(ray).inside(ray, layout.dims);
  const std::int64_t end = range.until;
  Gait gait = gait_of(layout, ray, kWordBits);
  for (;;) {
    const std::uint64_t voxels = word_at(plane, gait.place());
    const std::int64_t left = gait.leaves_at();
    range.until = left < end ? left : end;
    if (voxels != 0 && walk_in_word(gait, voxels, range, between)) return;
    if (left >= end) return;
    gait.cross_at(left);
    range.entered = left;
  }
}

SL_HD inline void walk_diagonal(LatticePoint p, LatticePoint t, int bits, const PlaneView& plane,
                                bool skip_empty_space, Between& between) {
  LatticeRay ray(p, t, bits);
  ray.cross_at_start();
  if (!enter_grid(ray, between.grid.layout)) return;
  if (!FaceClock::fits(ray)) return walk_cubes(ray, plane, skip_empty_space, between);
  skip_empty_space ? walk_words(ray, plane, between) : walk_voxels(ray, plane, between);
}

/// The first cell after the one that holds the start, along TieRule::kDiagonal; false if none.
SL_HD inline bool second_cell(LatticePoint from, LatticePoint to, int bits, Cell& cell) {
  LatticeRay ray(from, to, bits);
  const bool moved = ray.leave_cube(0);
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
