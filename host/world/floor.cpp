#include "host/world/floor.h"

#include <array>

#include "host/world/vec3.h"

namespace sightline::host {
namespace {

constexpr std::int64_t kFloorColumns = 256;  ///< per horizontal axis, sampled to find the floor

/// Of a voxel in the grid: its index is not checked.
bool is_set(const kernels::PlaneView& plane, const std::array<std::int64_t, 3>& voxel) {
  return plane.get(static_cast<std::int32_t>(voxel[0]), static_cast<std::int32_t>(voxel[1]),
                   static_cast<std::int32_t>(voxel[2]));
}

}  // namespace

double map_floor_m(const World& world) {
  if (!world.grid) return 0;
  const OccupancyGrid& grid = *world.grid;
  const GridGeometry& geometry = grid.geometry();
  const kernels::PlaneView occupied = grid.view().occupied();
  const auto up = static_cast<std::size_t>(frame_axes(world.frame).up_axis);
  const std::size_t across_0 = up == 0 ? 1 : 0, across_1 = up == 2 ? 1 : 2;
  const std::int64_t stride_0 = 1 + (geometry.dims[across_0] - 1) / kFloorColumns;
  const std::int64_t stride_1 = 1 + (geometry.dims[across_1] - 1) / kFloorColumns;
  std::int64_t best_layer = 0, best_count = -1;
  std::array<std::int64_t, 3> voxel{};
  for (std::int64_t layer = 0; layer < (geometry.dims[up] + 1) / 2; ++layer) {
    voxel[up] = layer;
    std::int64_t count = 0;
    for (voxel[across_0] = 0; voxel[across_0] < geometry.dims[across_0];
         voxel[across_0] += stride_0) {
      for (voxel[across_1] = 0; voxel[across_1] < geometry.dims[across_1];
           voxel[across_1] += stride_1) {
        count += is_set(occupied, voxel);
      }
    }
    if (count > best_count) {
      best_count = count;
      best_layer = layer;
    }
  }
  return geometry.origin_m[up] + static_cast<double>(best_layer + 1) * geometry.voxel_m[up];
}

std::optional<double> ground_m(const OccupancyGrid& grid, int up_axis,
                               const kernels::Vec3& place_m) {
  const GridGeometry& geometry = grid.geometry();
  const auto up = static_cast<std::size_t>(up_axis);
  const kernels::PlaneView occupied = grid.view().occupied();
  std::array<std::int64_t, 3> voxel{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (axis == up) continue;
    const double at = (component(place_m, static_cast<int>(axis)) - geometry.origin_m[axis]) /
                      geometry.voxel_m[axis];
    if (!(at >= 0 && at < static_cast<double>(geometry.dims[axis]))) return std::nullopt;
    voxel[axis] = static_cast<std::int64_t>(at);
  }
  for (voxel[up] = geometry.dims[up] - 1; voxel[up] >= 0; --voxel[up]) {
    if (!is_set(occupied, voxel)) continue;
    return geometry.origin_m[up] + static_cast<double>(voxel[up] + 1) * geometry.voxel_m[up];
  }
  return std::nullopt;
}

}  // namespace sightline::host
