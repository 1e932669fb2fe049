// A table of the bricks of a plane: where each lies and which of its words are filled, side by
// side.
//
// A record stands for an aligned region of 16^3 voxels. In the tree of occupancy.h its facts lie in
// three places, each known only after the one before; here they are one look-up, in memory that
// stays in a cache: 1/32 bit per voxel. A table is made from the tree (kernels.h,
// fill_brick_table), so it is no part of a world and never saved.
#pragma once

#include <cstdint>

#include "kernels/hd.h"
#include "kernels/occupancy.h"

namespace sightline::kernels {

struct BrickRecord {
  /// What a look-up takes: one 64-bit word, for the voxels in one half of the brick's words.
  struct Half {
    /// Not negative: the brick's offset, in halves of words. Else the region is empty, and the low
    /// four bits are those of the empty cube around it.
    std::int32_t brick;
    std::uint32_t filled;  ///< half of the brick's mask word
  };
  Half half[2];

  static constexpr std::int32_t kEmpty = INT32_MIN;
};
static_assert(sizeof(BrickRecord) == 16, "vectors look up its halves by their index");

/// Blocks from this size on have offsets that a record cannot hold.
constexpr std::int64_t kMostBlockWords = std::int64_t{1} << 30;
/// Of a table: vectors look up halves by 31-bit numbers.
constexpr std::int64_t kMostBrickRecords = std::int64_t{1} << 30;
/// Floats hold all integers up to it.
constexpr std::int32_t kExactFloat = 1 << 24;
/// Of an axis: floats hold all sums of one of them and 2^23 (intrinsics.h, whole_bits).
constexpr std::int64_t kMostCells = std::int64_t{1} << 23;

/// Axes of a table are padded to powers of two, as those of a root are.
SL_HD inline int brick_table_bits(const GridLayout& layout, int axis) {
  return layout.root_bits[axis] + (kNodeBits - kBrickBits);
}
SL_HD inline std::int64_t brick_table_size(const GridLayout& layout) {
  return layout.root_entries() << (3 * (kNodeBits - kBrickBits));
}

/// Can waves walk such a grid by a table: has it few enough regions, and are its lattice points
/// exact in floats?
SL_HD inline bool brick_table_serves(const GridLayout& layout, int lattice_bits) {
  for (int a = 0; a < 3; ++a) {
    const std::int64_t padded_vox = std::int64_t{1} << (layout.root_bits[a] + kNodeBits);
    if (padded_vox << lattice_bits > kExactFloat || padded_vox > kMostCells) return false;
  }
  return brick_table_size(layout) <= kMostBrickRecords;
}

/// out[i]: the region at i = x | y << bits of x | z << bits of x and y.
struct FillBrickTable {
  PlaneView plane;
  BrickRecord* out;

  SL_HD void operator()(std::int64_t i) const {
    std::int32_t low[3];  // the region's first voxel
    std::int64_t rest = i;
    for (int a = 0; a < 3; ++a) {
      const int bits = brick_table_bits(plane.layout, a);
      low[a] = static_cast<std::int32_t>(rest & ((std::int64_t{1} << bits) - 1)) << kBrickBits;
      rest >>= bits;
    }
    const std::uint64_t* node = plane.node_at(low[0], low[1], low[2]);
    const std::uint32_t child = child_index(low[0], low[1], low[2], kBrickBits);
    const std::uint32_t offset = PlaneView::child_offset(node, child);
    const std::uint64_t filled = plane.words[offset];
    const std::int32_t brick = filled != 0 ? static_cast<std::int32_t>(2 * offset)
                                           : BrickRecord::kEmpty | empty_cube_bits(node[0], child);
    out[i] = {{{brick, static_cast<std::uint32_t>(filled)},
               {brick, static_cast<std::uint32_t>(filled >> 32)}}};
  }

 private:
  SL_HD static int empty_cube_bits(std::uint64_t bricks, std::uint32_t child) {
    if (bricks == 0) return kNodeBits;
    const bool half_is_empty = ((bricks >> (child & kHalfCorner)) & kHalfBlock) == 0;
    return kBrickBits + (half_is_empty ? 1 : 0);
  }
};

}  // namespace sightline::kernels
