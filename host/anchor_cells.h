// Anchors sorted into the cells of a uniform grid, as kernels/recall.h wants them.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/kernels.h"

namespace sightline::host {

/// A grid over anchors in host memory; `grid` points into the other two and copies must not outlive
/// them.
struct AnchorCells {
  kernels::AnchorGrid grid;
  std::vector<std::int64_t> first;    ///< [cells + 1]
  std::vector<std::int64_t> anchors;  ///< [num_anchors]: ascending in each cell
  std::vector<kernels::Vec3> points_m;
};

/// Cells are cubes that hold a few anchors on average. anchors_m [num_anchors], finite; num_anchors
/// > 0.
AnchorCells sort_into_cells(const kernels::Vec3* anchors_m, std::int64_t num_anchors);

}  // namespace sightline::host
