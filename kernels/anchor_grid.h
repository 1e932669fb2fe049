// The ops of gates through a uniform grid over anchors: they look into the cells that can matter
// and then compare as the ops of gates.h do, so the answers are the same bits.
//
// Which cells can matter is decided with margins far above the rounding of coordinates and far
// below a cell: a cell too many costs time, one too few would cost an anchor.
#pragma once

#include "kernels/gates.h"
#include "kernels/hd.h"
#include "kernels/recall.h"

namespace sightline::kernels {

struct GridCell {
  std::int64_t at[3];
};

SL_HD inline std::int64_t cell_along(double origin_m, double cell_m, std::int64_t dim, double x_m) {
  const double cell = (x_m - origin_m) / cell_m;  // rises with x_m, rounded or not
  if (!(cell > 0)) return 0;
  return cell < static_cast<double>(dim) ? static_cast<std::int64_t>(cell) : dim - 1;
}

SL_HD inline GridCell grid_cell(const AnchorGrid& grid, const Vec3& p_m) {
  return {{cell_along(grid.origin_m.x, grid.cell_m, grid.dims[0], p_m.x),
           cell_along(grid.origin_m.y, grid.cell_m, grid.dims[1], p_m.y),
           cell_along(grid.origin_m.z, grid.cell_m, grid.dims[2], p_m.z)}};
}

/// More than coordinates as large as x_m can be off by rounding.
SL_HD inline double rounding_margin(double x_m) { return (x_m < 0 ? -x_m : x_m) * 0x1p-40; }

SL_HD inline std::int64_t row_of_cells(const AnchorGrid& grid, std::int64_t y, std::int64_t z) {
  return grid.dims[0] * (y + grid.dims[1] * z);
}

/// Slot i is a query, and all its words.
struct GridRadiusGate {
  AnchorGrid grid;
  const Vec3* centres;
  double radius_m;
  std::uint64_t* out;

  SL_HD void operator()(std::int64_t i) const {
    const std::int64_t num_words = words_of_bits(grid.num_anchors);
    std::uint64_t* words = out + i * num_words;
    for (std::int64_t w = 0; w < num_words; ++w) words[w] = 0;
    const Vec3& c = centres[i];
    const double reach_m[3] = {radius_m + rounding_margin(radius_m) + rounding_margin(c.x),
                               radius_m + rounding_margin(radius_m) + rounding_margin(c.y),
                               radius_m + rounding_margin(radius_m) + rounding_margin(c.z)};
    const GridCell low = grid_cell(grid, {c.x - reach_m[0], c.y - reach_m[1], c.z - reach_m[2]});
    const GridCell high = grid_cell(grid, {c.x + reach_m[0], c.y + reach_m[1], c.z + reach_m[2]});
    for (std::int64_t z = low.at[2]; z <= high.at[2]; ++z) {
      for (std::int64_t y = low.at[1]; y <= high.at[1]; ++y) {
        const std::int64_t row = row_of_cells(grid, y, z);
        keep_near(grid.first[row + low.at[0]], grid.first[row + high.at[0] + 1], c, words);
      }
    }
  }

  /// Neighbouring cells of a row are neighbours in the list.
  SL_HD void keep_near(std::int64_t begin, std::int64_t end, const Vec3& centre,
                       std::uint64_t* words) const {
    for (std::int64_t e = begin; e < end; ++e) {
      if (!(squared_distance(grid.points_m[e], centre) <= radius_m * radius_m)) continue;
      words[grid.anchors[e] / 64] |= std::uint64_t{1} << (grid.anchors[e] % 64);
    }
  }
};

/// Slot i is a query: shells of cells around its own, until no cell beyond can hold a nearer
/// anchor.
struct GridNearestAnchors {
  AnchorGrid grid;
  const Vec3* centres;
  std::int64_t k;
  Neighbour* out;

  SL_HD void operator()(std::int64_t i) const {
    NearestHeap heap(out + i * k, k);
    const Vec3& centre = centres[i];
    const GridCell own = grid_cell(grid, centre);
    std::int64_t last_shell = 0;
    for (int a = 0; a < 3; ++a) {
      const std::int64_t above = grid.dims[a] - 1 - own.at[a];
      const std::int64_t widest = own.at[a] > above ? own.at[a] : above;
      last_shell = last_shell > widest ? last_shell : widest;
    }
    for (std::int64_t shell = 0; shell <= last_shell; ++shell) {
      offer_shell(own, shell, centre, heap);
      // Beyond the shell, an anchor lies more than `shell` cells away along some axis.
      const double beyond_m = static_cast<double>(shell) * grid.cell_m - margin_m(centre);
      if (heap.is_full() && beyond_m > 0 && beyond_m * beyond_m > heap.farthest().d2) break;
    }
    heap.sort();
  }

 private:
  SL_HD double margin_m(const Vec3& centre) const {
    double margin = 0;
    const double at[3] = {centre.x, centre.y, centre.z};
    const double origin[3] = {grid.origin_m.x, grid.origin_m.y, grid.origin_m.z};
    for (int a = 0; a < 3; ++a) {
      margin += rounding_margin(at[a]) + rounding_margin(origin[a]) +
                rounding_margin(static_cast<double>(grid.dims[a]) * grid.cell_m);
    }
    return margin;
  }

  SL_HD void offer_cells(std::int64_t begin, std::int64_t end, const Vec3& centre,
                         NearestHeap& heap) const {
    for (std::int64_t e = grid.first[begin]; e < grid.first[end]; ++e) {
      heap.offer({squared_distance(grid.points_m[e], centre), grid.anchors[e]});
    }
  }

  /// The cells of the grid at Chebyshev distance `shell` from a cell.
  SL_HD void offer_shell(const GridCell& own, std::int64_t shell, const Vec3& centre,
                         NearestHeap& heap) const {
    std::int64_t low[3], high[3];
    for (int a = 0; a < 3; ++a) {
      low[a] = own.at[a] > shell ? own.at[a] - shell : 0;
      high[a] = own.at[a] + shell < grid.dims[a] ? own.at[a] + shell : grid.dims[a] - 1;
    }
    for (std::int64_t z = low[2]; z <= high[2]; ++z) {
      for (std::int64_t y = low[1]; y <= high[1]; ++y) {
        const std::int64_t row = row_of_cells(grid, y, z);
        const bool on_face = z == own.at[2] - shell || z == own.at[2] + shell ||
                             y == own.at[1] - shell || y == own.at[1] + shell;
        if (on_face) {
          offer_cells(row + low[0], row + high[0] + 1, centre, heap);
          continue;
        }
        const std::int64_t left = own.at[0] - shell, right = own.at[0] + shell;
        if (left >= 0) offer_cells(row + left, row + left + 1, centre, heap);
        if (right < grid.dims[0]) offer_cells(row + right, row + right + 1, centre, heap);
      }
    }
  }
};

}  // namespace sightline::kernels
