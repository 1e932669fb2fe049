#include "host/world/reframe.h"

#include <array>

#include "host/world/uniform_boxes.h"

namespace sightline::host {
namespace {

using Index3 = std::array<std::int64_t, 3>;

/// Which old axis each new one is, and which new one runs backwards.
struct Turned {
  std::array<int, 3> from;
  int mirrored;
};
constexpr Turned kToMap{{2, 0, 1}, 1};    // (z, -x, y)
constexpr Turned kToScene{{1, 2, 0}, 0};  // (-y, z, x)

const Turned& turn_to(Frame frame) { return frame == Frame::kMapZUp ? kToMap : kToScene; }

}  // namespace

GridGeometry in_frame(const GridGeometry& old, Frame frame) {
  if (old.frame == frame) return old;
  const Turned& turned = turn_to(frame);
  GridGeometry geometry;
  geometry.frame = frame;
  for (int axis = 0; axis < 3; ++axis) {
    const int from = turned.from[axis];
    geometry.dims[axis] = old.dims[from];
    geometry.voxel_m[axis] = old.voxel_m[from];
    geometry.origin_m[axis] =
        axis != turned.mirrored
            ? old.origin_m[from]
            : -(old.origin_m[from] + static_cast<double>(old.dims[from]) * old.voxel_m[from]);
  }
  return geometry;
}

OccupancyGrid in_frame(const OccupancyGrid& grid, Frame frame) {
  const GridGeometry& old = grid.geometry();
  if (old.frame == frame) return grid;
  const Turned& turned = turn_to(frame);
  OccupancyGrid result(in_frame(old, frame));
  for_each_uniform_box(grid, [&](const Index3& lo, const Index3& hi, VoxelState state) {
    if (state == VoxelState::kFree) return;
    Index3 new_lo, new_hi;
    for (int axis = 0; axis < 3; ++axis) {
      const int from = turned.from[axis];
      const bool mirrored = axis == turned.mirrored;
      new_lo[axis] = mirrored ? old.dims[from] - hi[from] : lo[from];
      new_hi[axis] = mirrored ? old.dims[from] - lo[from] : hi[from];
    }
    result.set_box(new_lo, new_hi, state);
  });
  return result;
}

}  // namespace sightline::host
