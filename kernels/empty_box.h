// A large empty box around a voxel, for the many rays that start in it.
//
// The empty cubes of a table are aligned, so that most lie askew of whoever looks, and a ray leaves
// several until it is as far as nothing stands around its observer. A box grown around one voxel
// ends at what stands there. To find it takes as long as a hundred rays or two
// (bench/README.md, BM_EmptyBox).
#pragma once

#include <cstdint>
#include <initializer_list>

#include "kernels/brick_table.h"
#include "kernels/intrinsics.h"
#include "kernels/lattice_ray.h"
#include "kernels/occupancy.h"

namespace sightline::kernels {

/// Voxels low .. high, both included.
struct CellBox {
  Cell low, high;

  bool holds(const Cell& voxel) const {
    bool holds = true;
    for (int a = 0; a < 3; ++a) holds &= low.v[a] <= voxel.v[a] && voxel.v[a] <= high.v[a];
    return holds;
  }
};

/// Boxes of one plane of a grid.
class EmptyBoxes {
 public:
  /// How far a box reaches from its voxel along an axis, at most: it bounds what finding one takes.
  static constexpr std::int32_t kMostReach_vox = 32;

  /// bricks: the plane's table.
  EmptyBoxes(const GridView& grid, const BrickRecord* bricks)
      : grid_(grid),
        bricks_(bricks),
        y_shift_(brick_table_bits(grid.layout, 0)),
        z_shift_(y_shift_ + brick_table_bits(grid.layout, 1)) {}

  /// An empty box around `voxel`, which is inside the grid and not set.
  CellBox around(const Cell& voxel) const {
    CellBox box{voxel, voxel};
    // In steps of words while these are empty, which is cheap, and then as far as it goes.
    for (const std::int32_t step : {1 << kWordBits, 1}) grow(voxel, step, &box);
    return box;
  }

  /// Is there a box around a voxel, one that may be much larger than the table's cube there? None
  /// is around voxels that are set or outside the grid.
  bool pays_around(const Cell& voxel) const {
    for (int a = 0; a < 3; ++a) {
      if (voxel.v[a] < 0 || voxel.v[a] >= grid_.layout.dims[a]) return false;
    }
    const std::int32_t x = voxel.v[0], y = voxel.v[1], z = voxel.v[2];
    const std::int32_t brick = row(y >> kBrickBits, z >> kBrickBits)[x >> kBrickBits].half[0].brick;
    constexpr int kLargeCubeBits = kBrickBits + 1;
    return brick < 0 ? (brick & 15) < kLargeCubeBits : is_empty({voxel, voxel});
  }

  /// Is no voxel of a box inside the grid set?
  bool is_empty(const CellBox& box) const {
    const Span x = of_regions(box, 0), y = of_regions(box, 1), z = of_regions(box, 2);
    for (std::int32_t k = z.low; k <= z.high; ++k) {
      const std::uint64_t in_z = children(box, 2, k << kBrickBits, kWordBits);
      for (std::int32_t j = y.low; j <= y.high; ++j) {
        const std::uint64_t in_yz = in_z & children(box, 1, j << kBrickBits, kWordBits);
        const BrickRecord* const regions = row(j, k);
        for (std::int32_t i = x.low; i <= x.high; ++i) {
          const std::uint64_t words = in_yz & children(box, 0, i << kBrickBits, kWordBits);
          const Cell low{{i << kBrickBits, j << kBrickBits, k << kBrickBits}};
          if (!is_empty_in(box, regions[i], low, words)) return false;
        }
      }
    }
    return true;
  }

 private:
  struct Span {
    std::int32_t low, high;
  };

  /// The regions of a row along x.
  const BrickRecord* row(std::int32_t y, std::int32_t z) const {
    return bricks_ + (std::int64_t{y} << y_shift_ | std::int64_t{z} << z_shift_);
  }
  static Span of_regions(const CellBox& box, int a) {
    return {box.low.v[a] >> kBrickBits, box.high.v[a] >> kBrickBits};
  }

  /// Moves the faces outward in turn, each to the next multiple of `step`, until none can.
  void grow(const Cell& voxel, std::int32_t step, CellBox* box) const {
    constexpr int kFaces = 6;
    bool can_grow[kFaces] = {true, true, true, true, true, true};
    for (bool grew = true; grew;) {
      grew = false;
      for (int face = 0; face < kFaces; ++face) {
        if (!can_grow[face]) continue;
        can_grow[face] = move(face / 2, face % 2 != 0, voxel.v[face / 2], step, box);
        grew |= can_grow[face];
      }
    }
  }
  bool move(int a, bool up, std::int32_t from, std::int32_t step, CellBox* box) const {
    CellBox slab = *box;
    std::int32_t face = 0;  // of the box, when it has moved
    if (up) {
      slab.low.v[a] = box->high.v[a] + 1;
      face = slab.high.v[a] = slab.low.v[a] | (step - 1);
    } else {
      slab.high.v[a] = box->low.v[a] - 1;
      face = slab.low.v[a] = slab.high.v[a] & -step;
    }
    if (face < 0 || face >= grid_.layout.dims[a]) return false;
    if ((up ? face - from : from - face) > kMostReach_vox) return false;
    if (!is_empty(slab)) return false;
    (up ? box->high : box->low).v[a] = face;
    return true;
  }

  /// The children of an aligned block, 4 along each axis and 2^bits voxels wide, that lie in a box
  /// as far as axis `a` goes: bits of their indices. low: of the block, on the axis.
  static std::uint64_t children(const CellBox& box, int a, std::int32_t low, int bits) {
    constexpr std::uint64_t kOfOthers[3] = {0x1111111111111111, 0x0001000100010001, 1};
    const int first = box.low.v[a] <= low ? 0 : (box.low.v[a] - low) >> bits;
    const int last = box.high.v[a] >= low + (3 << bits) ? 3 : (box.high.v[a] - low) >> bits;
    const int stride = 1 << 2 * a, num_bits = (last - first + 1) * stride;
    const std::uint64_t along = ~std::uint64_t{0} >> (64 - num_bits);
    return (along << first * stride) * kOfOthers[a];
  }

  /// Of the voxels that a box has in some words of a region.
  bool is_empty_in(const CellBox& box, const BrickRecord& region, const Cell& low,
                   std::uint64_t words) const {
    const std::int32_t offset = region.half[0].brick;
    if (offset < 0) return true;
    const std::uint64_t filled = region.half[0].filled | std::uint64_t{region.half[1].filled} << 32;
    const std::uint64_t* brick = grid_.words + offset / 2;
    for (std::uint64_t rest = words & filled; rest != 0; rest &= rest - 1) {
      const int word = lowest_bit(rest);
      std::uint64_t voxels = brick[1 + word];
      for (int a = 0; a < 3; ++a) {
        voxels &= children(box, a, low.v[a] + (((word >> 2 * a) & 3) << kWordBits), 0);
      }
      if (voxels != 0) return false;
    }
    return true;
  }

  const GridView grid_;
  const BrickRecord* const bricks_;
  const int y_shift_, z_shift_;  ///< of a region's index
};

/// The box that many rays of a batch start in.
class SharedBox {
 public:
  static constexpr Cell kNowhere{{-1, -1, -1}};

  /// No box is looked for before so many rays since the last one, or unless the ray so many further
  /// starts in the same voxel: whatever the order of rays, finding boxes takes a part of their
  /// time.
  static constexpr std::int64_t kRaysWorthABox = 512;

  SharedBox(const GridView& grid, const BrickRecord* bricks) : boxes_(grid, bricks) {}

  /// Is there a box for the next `num` rays, which begin and end with one from those voxels? Finds
  /// one if it pays. later() is the voxel of the ray kRaysWorthABox after the first; kNowhere:
  /// there is none.
  template <class Later>
  bool serves(const Cell& first, const Cell& last, int num, const Later& later) {
    num_rays_ += num;
    if (box_.holds(first) || box_.holds(last)) return true;
    if (num_rays_ < kRaysWorthABox || !(first == last)) return false;
    if (!(later() == first) || !boxes_.pays_around(first)) return false;
    box_ = boxes_.around(first);
    num_rays_ = 0;
    return true;
  }

  const CellBox& box() const { return box_; }

 private:
  const EmptyBoxes boxes_;
  std::int64_t num_rays_ = kRaysWorthABox;  ///< since the box was found
  CellBox box_{{{0, 0, 0}}, kNowhere};      ///< at first, of nothing
};

}  // namespace sightline::kernels
