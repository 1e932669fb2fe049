#include "host/world/voxelise.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "host/config/number_text.h"
#include "host/error.h"
#include "host/world/overlap.h"
#include "host/world/vec3.h"

namespace sightline::host {
namespace {

using kernels::AnalyticView;
using kernels::Primitive;
using kernels::PrimitiveKind;
using kernels::Vec3;
using Index3 = std::array<std::int64_t, 3>;

constexpr double kMaxVoxelsPerAxis = 1 << 22;  // OccupancyGrid's bound

std::int64_t clamped(double voxel, std::int64_t dim) {
  return static_cast<std::int64_t>(std::clamp(voxel, 0.0, static_cast<double>(dim)));
}

/// A box around everything the primitive may hold.
Bounds reach_of(const Primitive& primitive) {
  if (primitive.kind != PrimitiveKind::kRotatedBox) return {primitive.min, primitive.max};
  const int up = primitive.up_axis;
  const Vec3 center = scaled(0.5, plus(primitive.min, primitive.max));
  const Vec3 half = minus(primitive.max, center);
  const double radius = std::hypot(half.x, up == 1 ? half.z : half.y);
  Bounds reach{primitive.min, primitive.max};
  for (int axis = 0; axis < 3; ++axis) {
    if (axis == up) continue;
    component(reach.min, axis) = component(center, axis) - radius;
    component(reach.max, axis) = component(center, axis) + radius;
  }
  return reach;
}

/// Sets the voxels of a box for which `is_solid(i, j, k)`, run by run along x.
template <typename IsSolid>
void fill_where(OccupancyGrid& grid, const VoxelBox& box, const IsSolid& is_solid) {
  for (std::int64_t k = box.lo[2]; k < box.hi[2]; ++k) {
    for (std::int64_t j = box.lo[1]; j < box.hi[1]; ++j) {
      for (std::int64_t i = box.lo[0]; i < box.hi[0];) {
        std::int64_t end = i;
        while (end < box.hi[0] && is_solid(end, j, k)) ++end;
        if (end > i) grid.set_box({i, j, k}, {end, j + 1, k + 1}, VoxelState::kOccupied);
        i = end + 1;
      }
    }
  }
}

void fill_centers(OccupancyGrid& grid, const AnalyticSolid& set, const Primitive& solid) {
  const GridGeometry& geometry = grid.geometry();
  const AnalyticView one{&solid, set.openings.data(), 1};
  fill_where(grid, voxels_meeting(reach_of(solid), geometry, 1),
             [&](std::int64_t i, std::int64_t j, std::int64_t k) {
               const auto center = [&](std::int64_t index, int axis) {
                 return geometry.origin_m[axis] +
                        (static_cast<double>(index) + 0.5) * geometry.voxel_m[axis];
               };
               return one.solid_at({center(i, 0), center(j, 1), center(k, 2)});
             });
}

void fill_overlaps(OccupancyGrid& grid, const Primitive& piece) {
  const GridGeometry& geometry = grid.geometry();
  const VoxelBox box = voxels_meeting(reach_of(piece), geometry, 0);
  if (box.empty()) return;
  if (piece.kind == PrimitiveKind::kBox) {
    grid.set_box(box.lo, box.hi, VoxelState::kOccupied);
    return;
  }
  fill_where(grid, box, [&](std::int64_t i, std::int64_t j, std::int64_t k) {
    const auto edge = [&](std::int64_t index, int axis, double skin) {
      return geometry.origin_m[axis] + (static_cast<double>(index) + skin) * geometry.voxel_m[axis];
    };
    const Bounds voxel{
        {edge(i, 0, kFaceSkin_vox), edge(j, 1, kFaceSkin_vox), edge(k, 2, kFaceSkin_vox)},
        {edge(i + 1, 0, -kFaceSkin_vox), edge(j + 1, 1, -kFaceSkin_vox),
         edge(k + 1, 2, -kFaceSkin_vox)}};
    return meets(piece, voxel);
  });
}

}  // namespace

VoxelBox voxels_meeting(const Bounds& box, const GridGeometry& geometry, double margin) {
  VoxelBox voxels;
  for (int axis = 0; axis < 3; ++axis) {
    const double low =
        (component(box.min, axis) - geometry.origin_m[axis]) / geometry.voxel_m[axis];
    const double high =
        (component(box.max, axis) - geometry.origin_m[axis]) / geometry.voxel_m[axis];
    voxels.lo[axis] = clamped(std::floor(low + kFaceSkin_vox - margin), geometry.dims[axis]);
    voxels.hi[axis] = clamped(std::ceil(high - kFaceSkin_vox + margin), geometry.dims[axis]);
  }
  return voxels;
}

GridGeometry grid_over(const Bounds& bounds_m, Frame frame, double voxel_m) {
  GridGeometry geometry;
  geometry.frame = frame;
  for (int axis = 0; axis < 3; ++axis) {
    const double extent_vox =
        (component(bounds_m.max, axis) - component(bounds_m.min, axis)) / voxel_m;
    if (!(extent_vox <= kMaxVoxelsPerAxis)) {
      throw InputError("bounds of " + short_text(extent_vox * voxel_m) + " m along " + "xyz"[axis] +
                       " hold more than 2^22 voxels of " + short_text(voxel_m) +
                       " m; use larger voxels or smaller bounds");
    }
    geometry.dims[axis] =
        std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(extent_vox - kFaceSkin_vox)));
    geometry.origin_m[axis] = component(bounds_m.min, axis);
    geometry.voxel_m[axis] = voxel_m;
  }
  return geometry;
}

OccupancyGrid voxelise(const AnalyticSolid& solid, const GridGeometry& geometry, Fill fill) {
  OccupancyGrid grid(geometry);
  for (const Primitive& primitive : solid.solids) {
    if (fill == Fill::kCenter) {
      fill_centers(grid, solid, primitive);
      continue;
    }
    for (const Primitive& piece : without_openings(solid, primitive)) fill_overlaps(grid, piece);
  }
  return grid;
}

}  // namespace sightline::host
