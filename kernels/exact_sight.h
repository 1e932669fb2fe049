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

/// dda for rays whose face clock fits: every voxel from the ray's cell to `last`, both in the grid.
SL_HD inline void walk_voxels(const LatticeRay& ray, const Cell& last, const PlaneView& plane,
                              Between& between) {
  const GridLayout& layout = between.grid.layout;
  std::uint64_t mask[3], place[3], stop = 0;
  for (int a = 0; a < 3; ++a) {
    mask[a] = place_mask(layout, a);
    place[a] = place_of(layout, a, ray.cell.v[a]);
    stop |= place_of(layout, a, last.v[a]);
  }
  Gait gait(ray, FaceClock(ray), 0, mask, place);
  for (;;) {
    const std::uint64_t now = gait.place();
    if ((word_at(plane, now >> 6) >> (now & 63)) & 1u) {
      const Cell cell{
          {index_of(layout, 0, now), index_of(layout, 1, now), index_of(layout, 2, now)}};
      if (between.meet(cell)) return;
    }
    if (now == stop) return;
    gait.advance();
  }
}

/// Every voxel of one word from the ray's cell on, until the ray leaves the word or reaches `last`.
/// Returns true if the walk can stop.
SL_HD inline bool walk_in_word(const LatticeRay& ray, const FaceClock& clock, std::uint64_t word,
                               const Cell& last, Between& between) {
  // The place within the word has two bits an axis; a guard bit above them tells the way out.
  constexpr std::uint64_t kMask[3] = {0x043, 0x08c, 0x130};
  constexpr std::uint64_t kGuards = 0x1c0;
  const Cell corner{{ray.cell.v[0] & ~3, ray.cell.v[1] & ~3, ray.cell.v[2] & ~3}};
  std::uint64_t place[3], stop = 0;
  bool last_here = true;
  for (int a = 0; a < 3; ++a) {
    place[a] = static_cast<std::uint64_t>(ray.cell.v[a] & 3) << (2 * a);
    stop |= static_cast<std::uint64_t>(last.v[a] & 3) << (2 * a);
    last_here = last_here && (last.v[a] & ~3) == corner.v[a];
  }
  if (!last_here) stop = kGuards;  // no place
  Gait gait(ray, clock, 0, kMask, place);
  for (;;) {
    const std::uint64_t now = gait.place();
    if ((word >> now) & 1u) {
      const auto bit = static_cast<std::int32_t>(now);
      const Cell cell{
          {corner.v[0] + (bit & 3), corner.v[1] + (bit >> 2 & 3), corner.v[2] + (bit >> 4)}};
      if (between.meet(cell)) return true;
    }
    if (now == stop) return true;
    gait.advance();
    if (gait.place() & kGuards) return false;
  }
}

/// hdda for rays whose face clock fits: word by word, and voxel by voxel in words that hold one.
SL_HD inline void walk_words(LatticeRay ray, const Cell& last, const PlaneView& plane,
                             Between& between) {
  const GridLayout& layout = between.grid.layout;
  const FaceClock clock(ray);
  std::uint64_t mask[3], place[3], stop = 0;
  for (int a = 0; a < 3; ++a) {
    mask[a] = place_mask(layout, a) >> 6;
    place[a] = place_of(layout, a, ray.cell.v[a]) >> 6;
    stop |= place_of(layout, a, last.v[a]) >> 6;
  }
  Gait gait(ray, clock, kWordBits, mask, place);
  for (std::int64_t moment = -1;;) {
    const std::uint64_t now = gait.place();
    const std::uint64_t word = word_at(plane, now);
    if (word != 0) {
      if (moment >= 0) clock.put(ray, moment);
      if (walk_in_word(ray, clock, word, last, between)) return;
    }
    if (now == stop) return;
    moment = gait.advance();
  }
}

/// The last cell that the ray visits inside the grid; false if it visits none.
SL_HD inline bool last_inside(const LatticeRay& ray, LatticePoint p, LatticePoint t,
                              const GridLayout& layout, Cell& last) {
  last = {{ray.last_cell(0), ray.last_cell(1), ray.last_cell(2)}};
  bool inside = true;
  for (int a = 0; a < 3; ++a) inside = inside && last.v[a] >= 0 && last.v[a] < layout.dims[a];
  if (inside) return true;
  LatticeRay back(t, p, ray.bits);  // visits the same cells
  if (!enter_grid(back, layout)) return false;
  last = back.cell;
  return true;
}

SL_HD inline void walk_diagonal(LatticePoint p, LatticePoint t, int bits, const PlaneView& plane,
                                bool skip_empty_space, Between& between) {
  LatticeRay ray(p, t, bits);
  Cell last;
  if (!enter_grid(ray, between.grid.layout)) return;
  if (!FaceClock::fits(ray)) return walk_cubes(ray, plane, skip_empty_space, between);
  if (!last_inside(ray, p, t, between.grid.layout, last)) return;
  skip_empty_space ? walk_words(ray, last, plane, between) : walk_voxels(ray, last, plane, between);
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
