#include "host/anchor_cells.h"

#include <algorithm>
#include <cmath>

namespace sightline::host {
namespace {

constexpr double kAnchorsInACell = 4;
constexpr std::int64_t kMostCellsAcross = 1024;

std::int64_t cells_across(double extent_m, double cell_m) {
  const double cells = std::floor(extent_m / cell_m) + 1;
  return std::min(kMostCellsAcross, static_cast<std::int64_t>(std::min(cells, 1e9)));
}

}  // namespace

AnchorCells sort_into_cells(const kernels::Vec3* anchors_m, std::int64_t num_anchors) {
  kernels::Vec3 low = anchors_m[0], high = anchors_m[0];
  for (std::int64_t i = 1; i < num_anchors; ++i) {
    const kernels::Vec3& p = anchors_m[i];
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  const double extent[3] = {high.x - low.x, high.y - low.y, high.z - low.z};
  const double longest = std::max({extent[0], extent[1], extent[2]});
  const double num_cells = std::max(1.0, static_cast<double>(num_anchors) / kAnchorsInACell);
  // A cube of so many cells, or a square where the anchors lie flat: never finer than the cells of
  // the longest axis may be.
  double log_volume = 0;  // the volume itself may underflow
  int axes = 0;
  for (const double edge : extent) {
    if (edge > longest / static_cast<double>(kMostCellsAcross)) {
      log_volume += std::log(edge);
      ++axes;
    }
  }
  AnchorCells cells;
  cells.grid.origin_m = low;
  if (longest > 0) {
    const double wanted = std::exp((log_volume - std::log(num_cells)) / axes);
    cells.grid.cell_m = std::max(wanted, longest / static_cast<double>(kMostCellsAcross));
  }
  for (int axis = 0; axis < 3; ++axis) {
    cells.grid.dims[axis] = cells_across(extent[axis], cells.grid.cell_m);
  }
  const std::int64_t total = cells.grid.dims[0] * cells.grid.dims[1] * cells.grid.dims[2];
  cells.first.assign(static_cast<std::size_t>(total) + 1, 0);
  std::vector<std::int64_t> cell_of(static_cast<std::size_t>(num_anchors));
  for (std::int64_t i = 0; i < num_anchors; ++i) {
    const std::int64_t cell = kernels::anchor_cell(cells.grid, anchors_m[i]);
    cell_of[static_cast<std::size_t>(i)] = cell;
    ++cells.first[static_cast<std::size_t>(cell) + 1];
  }
  for (std::size_t c = 1; c < cells.first.size(); ++c) cells.first[c] += cells.first[c - 1];
  std::vector<std::int64_t> next(cells.first.begin(), cells.first.end() - 1);
  cells.anchors.resize(static_cast<std::size_t>(num_anchors));
  cells.points_m.resize(static_cast<std::size_t>(num_anchors));
  for (std::int64_t i = 0; i < num_anchors; ++i) {  // in order, so that cells ascend
    const auto slot = static_cast<std::size_t>(
        next[static_cast<std::size_t>(cell_of[static_cast<std::size_t>(i)])]++);
    cells.anchors[slot] = i;
    cells.points_m[slot] = anchors_m[i];
  }
  cells.grid.first = cells.first.data();
  cells.grid.anchors = cells.anchors.data();
  cells.grid.points_m = cells.points_m.data();
  cells.grid.num_anchors = num_anchors;
  return cells;
}

}  // namespace sightline::host
