// Looks up voxels of one plane along a path, keeping the nodes above the last one.
#pragma once

#include <cstdint>

#include "kernels/hd.h"
#include "kernels/lattice_ray.h"
#include "kernels/occupancy.h"

namespace sightline::kernels {

constexpr int kNotEmpty = -1;

class PlaneCursor {
 public:
  SL_HD explicit PlaneCursor(const PlaneView& plane)
      : plane_(plane), node_(plane.words), brick_(plane.words), at_{{-1, -1, -1}} {}

  /// Is the voxel set? The cell must lie inside the dimensions.
  SL_HD bool get(const Cell& cell) {
    seek(cell);
    return (word(cell) >> child_index(cell.v[0], cell.v[1], cell.v[2], 0)) & 1u;
  }

  /// The largest cube this structure knows to be empty around the cell, as the number of bits of
  /// its edge (aligned cube of 2^bits voxels); kNotEmpty if the voxel itself is set.
  SL_HD int empty_cube_bits(const Cell& cell) {
    seek(cell);
    const std::int32_t x = cell.v[0], y = cell.v[1], z = cell.v[2];
    if (brick_[0] != 0) return empty_in_brick(x, y, z);
    if (node_[0] == 0) return kNodeBits;
    return half_or_whole(node_[0], child_index(x, y, z, kBrickBits), kBrickBits);
  }

 private:
  /// A child known to be empty spans 2^bits voxels; its 2x2x2 neighbourhood may be empty too.
  SL_HD static int half_or_whole(std::uint64_t mask, std::uint32_t child, int bits) {
    return bits + (((mask >> (child & kHalfCorner)) & kHalfBlock) == 0 ? 1 : 0);
  }

  SL_HD int empty_in_brick(std::int32_t x, std::int32_t y, std::int32_t z) const {
    const std::uint32_t child = child_index(x, y, z, kWordBits);
    const std::uint64_t voxels = brick_[1 + child];
    if (voxels == 0) return half_or_whole(brick_[0], child, kWordBits);
    const std::uint32_t bit = child_index(x, y, z, 0);
    return (voxels >> bit) & 1u ? kNotEmpty : half_or_whole(voxels, bit, 0);
  }

  SL_HD std::uint64_t word(const Cell& cell) const {
    return brick_[1 + child_index(cell.v[0], cell.v[1], cell.v[2], kWordBits)];
  }

  SL_HD void seek(const Cell& cell) {
    const std::int32_t moved =
        (cell.v[0] ^ at_.v[0]) | (cell.v[1] ^ at_.v[1]) | (cell.v[2] ^ at_.v[2]);
    if ((moved >> kBrickBits) == 0) return;
    if ((moved >> kNodeBits) != 0) node_ = plane_.node_at(cell.v[0], cell.v[1], cell.v[2]);
    brick_ = plane_.words + PlaneView::child_offset(
                                node_, child_index(cell.v[0], cell.v[1], cell.v[2], kBrickBits));
    at_ = cell;
  }

  PlaneView plane_;
  const std::uint64_t* node_;
  const std::uint64_t* brick_;
  Cell at_;  ///< the last cell looked up; its brick and node are the ones above
};

}  // namespace sightline::kernels
