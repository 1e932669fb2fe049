#include "host/world/uniform_boxes.h"

#include <algorithm>

namespace sightline::host {
namespace {

using namespace kernels;  // the layout's constants and views
using Index3 = std::array<std::int64_t, 3>;

/// Are the voxels of a box set in a plane, clear, or some of each?
class PlaneBox {
 public:
  PlaneBox(const PlaneView& plane, const Index3& lo, const Index3& hi)
      : plane_(plane), lo_(lo), hi_(hi) {
    Index3 region;
    for (region[2] = lo[2] >> kNodeBits; region[2] <= (hi[2] - 1) >> kNodeBits; ++region[2]) {
      for (region[1] = lo[1] >> kNodeBits; region[1] <= (hi[1] - 1) >> kNodeBits; ++region[1]) {
        for (region[0] = lo[0] >> kNodeBits; region[0] <= (hi[0] - 1) >> kNodeBits; ++region[0]) {
          visit_region(region);
          if (is_mixed()) return;
        }
      }
    }
  }

  bool all_set() const { return any_set_ && !any_clear_; }
  bool all_clear() const { return any_clear_ && !any_set_; }

 private:
  bool is_mixed() const { return any_set_ && any_clear_; }

  void visit_region(const Index3& region) {
    const Index3 corner{region[0] << kNodeBits, region[1] << kNodeBits, region[2] << kNodeBits};
    const std::int64_t entry = plane_.layout.root_index(static_cast<std::int32_t>(corner[0]),
                                                        static_cast<std::int32_t>(corner[1]),
                                                        static_cast<std::int32_t>(corner[2]));
    visit(plane_.root[entry], kNodeBits, corner);
  }

  /// A node (64^3) or a brick (16^3) that meets the box.
  void visit(std::uint32_t offset, int bits, const Index3& corner) {
    const std::uint32_t full = bits == kBrickBits ? kFullBrickOffset : kFullNodeOffset;
    if (offset == kEmptyOffset || offset == full) {
      (offset == full ? any_set_ : any_clear_) = true;
      return;
    }
    const std::uint64_t* node = plane_.words + offset;
    const int child_bits = bits - 2;
    for (std::uint64_t left = children(corner, child_bits); left != 0 && !is_mixed();
         left &= left - 1) {
      const int c = __builtin_ctzll(left);
      const Index3 child{corner[0] + (std::int64_t{c & 3} << child_bits),
                         corner[1] + (std::int64_t{(c >> 2) & 3} << child_bits),
                         corner[2] + (std::int64_t{c >> 4} << child_bits)};
      if (bits == kNodeBits) {
        visit(PlaneView::child_offset(node, static_cast<std::uint32_t>(c)), child_bits, child);
      } else {
        const std::uint64_t inside = children(child, 0);
        any_set_ = any_set_ || (node[1 + c] & inside) != 0;
        any_clear_ = any_clear_ || (~node[1 + c] & inside) != 0;
      }
    }
  }

  /// One bit for each of 4^3 cells of 2^bits voxels from `corner` that the box meets.
  std::uint64_t children(const Index3& corner, int bits) const {
    constexpr std::uint64_t kStride[3] = {0x1111111111111111u, 0x000f000f000f000fu, 0xffffu};
    std::uint64_t cells = ~std::uint64_t{0};
    for (int axis = 0; axis < 3; ++axis) {
      const std::int64_t first = std::max<std::int64_t>(0, (lo_[axis] - corner[axis]) >> bits);
      const std::int64_t last = std::min<std::int64_t>(3, (hi_[axis] - 1 - corner[axis]) >> bits);
      std::uint64_t along = 0;
      for (std::int64_t i = first; i <= last; ++i) along |= kStride[axis] << (i << (2 * axis));
      cells &= along;
    }
    return cells;
  }

  const PlaneView plane_;
  const Index3 lo_, hi_;
  bool any_set_ = false, any_clear_ = false;
};

}  // namespace

std::optional<VoxelState> uniform_state(const OccupancyGrid& grid, const Index3& lo,
                                        const Index3& hi) {
  const PlaneBox occupied(grid.view().occupied(), lo, hi);
  if (occupied.all_set()) return VoxelState::kOccupied;
  if (!occupied.all_clear()) return std::nullopt;
  if (!grid.has_unknown()) return VoxelState::kFree;
  const PlaneBox not_free(grid.view().not_free(), lo, hi);
  if (not_free.all_set()) return VoxelState::kUnknown;
  if (not_free.all_clear()) return VoxelState::kFree;
  return std::nullopt;
}

bool any_occupied(const OccupancyGrid& grid, const Index3& lo, const Index3& hi) {
  return !PlaneBox(grid.view().occupied(), lo, hi).all_clear();
}

namespace {

using Visit = std::function<void(const Index3&, const Index3&, VoxelState)>;

void split(const OccupancyGrid& grid, const Index3& corner, int bits, const Visit& visit) {
  const Index3& dims = grid.geometry().dims;
  Index3 end;
  for (int axis = 0; axis < 3; ++axis) {
    if (corner[axis] >= dims[axis]) return;
    end[axis] = std::min(dims[axis], corner[axis] + (std::int64_t{1} << bits));
  }
  if (const auto state = uniform_state(grid, corner, end)) {
    visit(corner, end, *state);
    return;
  }
  const std::int64_t half = std::int64_t{1} << (bits - 1);
  for (int c = 0; c < 8; ++c) {
    split(
        grid,
        {corner[0] + (c & 1) * half, corner[1] + (c >> 1 & 1) * half, corner[2] + (c >> 2) * half},
        bits - 1, visit);
  }
}

}  // namespace

void for_each_uniform_box(const OccupancyGrid& grid, const Visit& visit) {
  const Index3& dims = grid.geometry().dims;
  constexpr std::int64_t kStep = std::int64_t{1} << kNodeBits;
  Index3 corner;
  for (corner[2] = 0; corner[2] < dims[2]; corner[2] += kStep) {
    for (corner[1] = 0; corner[1] < dims[1]; corner[1] += kStep) {
      for (corner[0] = 0; corner[0] < dims[0]; corner[0] += kStep) {
        split(grid, corner, kNodeBits, visit);
      }
    }
  }
}

}  // namespace sightline::host
