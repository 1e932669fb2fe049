#include "host/truth/voxel_sight.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "host/error.h"
#include "host/world/uniform_boxes.h"
#include "host/world/vec3.h"

namespace sightline::host {
namespace {

using kernels::Vec3;
using Point = std::array<double, 3>;
using Cell = std::array<std::int64_t, 3>;

constexpr std::int64_t kMostVoxels = std::int64_t{1} << 30;
/// Pieces shorter than this share of the line are where it meets an edge or a corner: a touch.
constexpr double kTouch = 1e-12;

Cell cell_of(const Point& at) {
  Cell cell;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    cell[axis] = static_cast<std::int64_t>(std::floor(at[axis]));
  }
  return cell;
}

/// The planes across one axis that a line meets, in the order in which it does.
class Planes {
 public:
  Planes(double from, double to) : from_(from), along_(to - from) {
    plane_ = along_ > 0 ? std::floor(from) + 1 : std::ceil(from) - 1;
  }
  /// Where the next one is met, as a share of the line; infinity where there is none.
  double next() const {
    if (along_ == 0) return std::numeric_limits<double>::infinity();
    return (plane_ - from_) / along_;
  }
  void pass() { plane_ += along_ > 0 ? 1 : -1; }

 private:
  double from_, along_, plane_ = 0;
};

}  // namespace

VoxelSight::VoxelSight(const OccupancyGrid& grid) : geometry_(grid.geometry()) {
  if (grid.num_voxels() > kMostVoxels) {
    throw InputError("a world of " + std::to_string(grid.num_voxels()) +
                     " voxels is too large to be copied voxel by voxel; at most 2^30");
  }
  states_.assign(static_cast<std::size_t>(grid.num_voxels()), VoxelState::kFree);
  const auto& dims = geometry_.dims;
  for_each_uniform_box(grid, [&](const Cell& lo, const Cell& hi, VoxelState state) {
    if (state == VoxelState::kFree) return;
    for (std::int64_t k = lo[2]; k < hi[2]; ++k) {
      for (std::int64_t j = lo[1]; j < hi[1]; ++j) {
        const auto row = static_cast<std::ptrdiff_t>(dims[0] * (j + dims[1] * k));
        std::fill(states_.begin() + row + lo[0], states_.begin() + row + hi[0], state);
      }
    }
  });
}

Point VoxelSight::in_voxels(const Vec3& place_m) const {
  Point at;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    at[axis] = (component(place_m, static_cast<int>(axis)) - geometry_.origin_m[axis]) /
               geometry_.voxel_m[axis];
  }
  return at;
}

VoxelState VoxelSight::at(const Cell& cell) const {
  const auto& dims = geometry_.dims;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (cell[axis] < 0 || cell[axis] >= dims[axis]) return VoxelState::kFree;
  }
  return states_[static_cast<std::size_t>(cell[0] + dims[0] * (cell[1] + dims[1] * cell[2]))];
}

bool VoxelSight::is_free(const Vec3& place_m) const {
  const Cell cell = cell_of(in_voxels(place_m));
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (cell[axis] < 0 || cell[axis] >= geometry_.dims[axis]) return false;
  }
  return at(cell) == VoxelState::kFree;
}

bool VoxelSight::is_clear(const Vec3& from_m, const Vec3& to_m) const {
  const Point from = in_voxels(from_m), to = in_voxels(to_m);
  const Cell first = cell_of(from), last = cell_of(to);
  Planes planes[3] = {{from[0], to[0]}, {from[1], to[1]}, {from[2], to[2]}};
  double begin = 0;
  while (begin < 1) {
    const std::size_t met = planes[0].next() <= planes[1].next()
                                ? (planes[0].next() <= planes[2].next() ? 0 : 2)
                                : (planes[1].next() <= planes[2].next() ? 1 : 2);
    const double end = std::min(1.0, planes[met].next());
    if (end - begin > kTouch) {
      const double middle = 0.5 * (begin + end);
      Point at_middle;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        at_middle[axis] = from[axis] + middle * (to[axis] - from[axis]);
      }
      const Cell cell = cell_of(at_middle);
      if (cell != first && cell != last && at(cell) == VoxelState::kOccupied) return false;
    }
    begin = std::max(begin, end);
    planes[met].pass();
  }
  return true;
}

}  // namespace sightline::host
