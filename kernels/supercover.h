// The supercover walk: every cell whose closed box the ray touches (TieRule::kSupercover).
//
// The ray's parameter runs through the moments at which it meets a face plane, both ends included.
// Between two moments it is inside one cell; at a moment that meets faces of several axes at once
// it touches every combination of the cells before and after. An axis without motion that lies on a
// face plane touches both of its sides all along.
#pragma once

#include "kernels/exact_sight.h"

namespace sightline::kernels {

class SupercoverWalk {
 public:
  SL_HD SupercoverWalk(LatticePoint p, LatticePoint t, int bits) : ray_(p, t, bits) {
    const std::int32_t from[3] = {p.x, p.y, p.z};
    const std::uint32_t size = std::uint32_t{1} << bits;
    for (int a = 0; a < 3; ++a) {
      const bool on_face = (from[a] & static_cast<std::int32_t>(size - 1)) == 0;
      slides_[a] = on_face && ray_.span[a] == 0;
      // A ray that starts on a face and goes up touches the cell below before it leaves the face.
      if (on_face && ray_.span[a] != 0 && ray_.step[a] > 0) {
        ray_.cell.v[a] -= 1;
      }
    }
  }

  /// Judges every touched cell: set cells of `plane` go to between.meet; `outside` becomes true if
  /// one beyond the grid that is not an endpoint's was touched (and then need not be looked for).
  SL_HD void walk(const PlaneView& plane, Between& between, bool& outside) {
    const GridLayout& layout = between.grid.layout;
    const Cell low{{-2, -2, -2}};  // nothing inside the grid is touched from two cells away
    const Cell high{{layout.dims[0] + 2, layout.dims[1] + 2, layout.dims[2] + 2}};
    PlaneCursor cursor(plane);
    bool axes[3] = {false, false, false};
    bool near_grid = false;
    for (;;) {
      cross(axes);
      if (outside && !near_grid) {  // nothing to learn before the grid: jump
        if (!enter_box(ray_, low, high)) return;
        near_grid = true;
      }
      if (near_grid && beyond(low, high)) return;
      if (visit(axes, cursor, between, outside)) return;
      if (!next_event(axes)) return;
      if (visit(axes, cursor, between, outside)) return;
    }
  }

 private:
  /// Marks the axes that meet a face next; false if none does up to and including the end.
  SL_HD bool next_event(bool axes[3]) const {
    int k = earlier(1, 0) ? 1 : 0;
    k = earlier(2, k) ? 2 : k;
    if (ray_.span[k] == 0 || ray_.next(k) > ray_.span[k]) return false;
    for (int a = 0; a < 3; ++a) {
      axes[a] = ray_.span[a] != 0 && std::uint64_t{ray_.next(a)} * ray_.span[k] ==
                                         std::uint64_t{ray_.next(k)} * ray_.span[a];
    }
    return true;
  }
  SL_HD bool earlier(int a, int b) const {
    return std::uint64_t{ray_.next(a)} * ray_.span[b] < std::uint64_t{ray_.next(b)} * ray_.span[a];
  }

  /// Puts the faces of the marked axes behind the ray.
  SL_HD void cross(bool axes[3]) {
    for (int a = 0; a < 3; ++a) {
      if (!axes[a]) continue;
      ray_.cell.v[a] += ray_.step[a];
      axes[a] = false;
    }
  }
  SL_HD bool beyond(const Cell& low, const Cell& high) const {
    bool out = false;
    for (int a = 0; a < 3; ++a) {
      out = out || (ray_.step[a] > 0 ? ray_.cell.v[a] >= high.v[a] : ray_.cell.v[a] < low.v[a]);
    }
    return out;
  }

  /// Visits the cells touched now: each combination of before and after on `axes`, and both sides
  /// of an axis that slides along a face. Returns true if the walk can stop.
  SL_HD bool visit(const bool axes[3], PlaneCursor& cursor, Between& between, bool& outside) const {
    for (int combination = 0; combination < 8; ++combination) {
      Cell cell = ray_.cell;
      bool touched = true;
      for (int a = 0; a < 3; ++a) {
        if (!((combination >> a) & 1)) continue;
        if (axes[a])
          cell.v[a] += ray_.step[a];
        else if (slides_[a])
          cell.v[a] -= 1;
        else
          touched = false;
      }
      if (!touched) continue;
      if (!between.grid.contains(cell.v[0], cell.v[1], cell.v[2])) {
        if (cell == between.from || cell == between.to) continue;
        outside = true;
        if (between.outside_stops) return between.stop_at(cell);
      } else if (cursor.get(cell) && between.meet(cell)) {
        return true;
      }
    }
    return false;
  }

  LatticeRay ray_;
  bool slides_[3];
};

}  // namespace sightline::kernels
