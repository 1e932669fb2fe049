// The packed occupancy grid: one relocatable, pointer-free block of 64-bit words.
//
// A plane (a set of voxels) is a tree with 64 children per node, 4 along each axis:
//
//     root      u32 offset of a region of 256^3 voxels     dense array, x fastest
//      └ node   mask word + 64 x u32 offset of 64^3        33 words
//         └ node   mask word + 64 x u32 offset of 16^3     33 words
//            └ brick  mask word + 64 voxel words           65 words
//               └ voxel word: 4x4x4 voxels, bit x + 4 y + 16 z
//
// Bit c of a mask says that child c = x + 4 y + 16 z holds at least one set voxel, so the masks are
// the coarser occupancy levels (4^3, 16^3, 64^3) that let a ray skip empty space. Offsets count
// 64-bit words from the start of the block. The block begins with nodes that all planes share:
//
//     word   0  the empty node and brick: 65 zero words, its children (offset 0) are itself
//     word  65  the full brick
//     word 130  the full node of 16^3 bricks (64^3 voxels)
//     word 163  the full node of 64^3 nodes (256^3 voxels)
//     word 196  first free word
//
// Following offset 0 is therefore always valid, at every depth. Uniform regions cost no memory;
// a dense region costs 65/64 bit per voxel in bricks and 0.008 in nodes. An edit appends the
// changed brick, its two nodes and a new root; everything else is shared with the older version.
//
// A grid has one or two planes: `occupied`, and, where the map knows unknown space, `not_free`
// = occupied or unknown. Bits outside the dimensions are zero in both.
#pragma once

#include <cstdint>

#include "kernels/hd.h"

namespace sightline::kernels {

constexpr std::uint32_t kEmptyOffset = 0;
constexpr std::uint32_t kFullBrickOffset = 65;
constexpr std::uint32_t kFullNode64Offset = 130;
constexpr std::uint32_t kFullNode256Offset = 163;
constexpr std::uint32_t kFirstFreeWord = 196;
constexpr std::uint32_t kBrickWords = 65;
constexpr std::uint32_t kNodeWords = 33;

constexpr int kWordBits = 2;   ///< a voxel word spans 2^2 voxels per axis
constexpr int kBrickBits = 4;  ///< a brick spans 2^4
constexpr int kNodeBits = 6;   ///< a lower node spans 2^6
constexpr int kRootBits = 8;   ///< a root entry spans 2^8

/// Where a plane's root begins: a word offset to `root_size` packed u32 entries, x fastest.
struct PlaneRoot {
  std::uint32_t offset = 0;
};

/// What a kernel needs to know beside the block; passed by value.
struct GridLayout {
  std::int32_t dims[3] = {0, 0, 0};       ///< voxels per axis
  std::int32_t root_dims[3] = {0, 0, 0};  ///< regions of 256^3 per axis, rounded up
  PlaneRoot occupied;
  PlaneRoot not_free;  ///< equals `occupied` when the grid has no unknown space
};

/// Index of child (x, y, z) within its parent, whose children span 2^bits voxels per axis.
SL_HD inline std::uint32_t child_index(std::int32_t x, std::int32_t y, std::int32_t z, int bits) {
  return static_cast<std::uint32_t>(((x >> bits) & 3) | (((y >> bits) & 3) << 2) |
                                    (((z >> bits) & 3) << 4));
}

/// A read-only plane of a grid, for host or device memory.
struct PlaneView {
  const std::uint64_t* words = nullptr;  ///< start of the block
  const std::uint32_t* root = nullptr;   ///< [root_dims z, y, x]
  std::int32_t root_dims_x = 0;
  std::int32_t root_dims_y = 0;

  SL_HD static std::uint32_t child_offset(const std::uint64_t* node, std::uint32_t child) {
    return reinterpret_cast<const std::uint32_t*>(node + 1)[child];
  }
  /// The 256^3 region, the 64^3 node or the 16^3 brick that holds a voxel inside the dimensions.
  SL_HD const std::uint64_t* region_at(std::int32_t x, std::int32_t y, std::int32_t z) const {
    const std::int64_t row = std::int64_t{z >> kRootBits} * root_dims_y + (y >> kRootBits);
    return words + root[row * root_dims_x + (x >> kRootBits)];
  }
  SL_HD const std::uint64_t* node_at(std::int32_t x, std::int32_t y, std::int32_t z) const {
    return words + child_offset(region_at(x, y, z), child_index(x, y, z, kNodeBits));
  }
  SL_HD const std::uint64_t* brick_at(std::int32_t x, std::int32_t y, std::int32_t z) const {
    return words + child_offset(node_at(x, y, z), child_index(x, y, z, kBrickBits));
  }
  SL_HD bool get(std::int32_t x, std::int32_t y, std::int32_t z) const {
    const std::uint64_t word = brick_at(x, y, z)[1 + child_index(x, y, z, kWordBits)];
    return (word >> child_index(x, y, z, 0)) & 1u;
  }
};

/// A whole grid in host or device memory: the block and its layout.
struct GridView {
  const std::uint64_t* words = nullptr;
  GridLayout layout;

  SL_HD PlaneView plane(PlaneRoot root) const {
    return {words, reinterpret_cast<const std::uint32_t*>(words + root.offset),
            layout.root_dims[0], layout.root_dims[1]};
  }
  SL_HD PlaneView occupied() const { return plane(layout.occupied); }
  SL_HD PlaneView not_free() const { return plane(layout.not_free); }
  SL_HD bool has_unknown() const { return layout.not_free.offset != layout.occupied.offset; }
  SL_HD bool contains(std::int32_t x, std::int32_t y, std::int32_t z) const {
    return x >= 0 && y >= 0 && z >= 0 && x < layout.dims[0] && y < layout.dims[1] &&
           z < layout.dims[2];
  }
};

}  // namespace sightline::kernels
