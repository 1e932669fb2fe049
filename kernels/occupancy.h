// The packed occupancy grid: one relocatable, pointer-free block of 64-bit words.
//
// A plane (a set of voxels) is a tree whose nodes have 64 children, 4 along each axis:
//
//     root     u32 offset of a region of 64^3 voxels      dense array, axes padded to powers of two
//      └ node     mask word + 64 x u32 offset of a brick     33 words
//         └ brick    mask word + 64 voxel words of 4^3         65 words
//
// Child (x, y, z) of a node, word (x, y, z) of a brick and voxel (x, y, z) of a word have index
// x + 4 y + 16 z. Bit c of a mask says that child c holds at least one set voxel, so the masks are
// the coarser occupancy levels (4^3, 16^3) that let a ray skip empty space. Offsets count 64-bit
// words from the start of the block. The block begins with nodes that all planes share:
//
//     word   0  the empty brick and node: 65 zero words, its children (offset 0) are itself
//     word  65  the full brick
//     word 130  the full node
//     word 163  first free word
//
// Following offset 0 is therefore always valid, at every depth. Uniform regions cost no memory;
// a dense region costs 65/64 bit per voxel in bricks and 0.008 in nodes. A new version appends the
// changed bricks and their nodes; everything else is shared with the older one. Its roots need not
// lie in the block: a table that differs in one entry is not worth storing, and is made on demand.
//
// A grid has one or two planes: `occupied`, and, where the map knows unknown space, `not_free`
// = occupied or unknown. Bits outside the dimensions are zero in both.
#pragma once

#include <cstdint>

#include "kernels/hd.h"
#include "kernels/types.h"

namespace sightline::kernels {

constexpr std::uint32_t kEmptyOffset = 0;
constexpr std::uint32_t kFullBrickOffset = 65;
constexpr std::uint32_t kFullNodeOffset = 130;
constexpr std::uint32_t kFirstFreeWord = 163;
constexpr std::uint32_t kBrickWords = 65;
constexpr std::uint32_t kNodeWords = 33;

constexpr int kWordBits = 2;   ///< a voxel word spans 2^2 voxels per axis
constexpr int kBrickBits = 4;  ///< a brick spans 2^4
constexpr int kNodeBits = 6;   ///< a node, one root entry, spans 2^6

/// Where a plane's root begins: a word offset to packed u32 entries.
struct PlaneRoot {
  std::uint32_t offset = 0;
};

/// What a kernel needs to know beside the block; passed by value.
struct GridLayout {
  std::int32_t dims[3] = {0, 0, 0};  ///< voxels per axis
  /// Bits of the root index that count regions along each axis: enough for ceil(dims / 64).
  std::int32_t root_bits[3] = {0, 0, 0};
  PlaneRoot occupied;
  PlaneRoot not_free;  ///< equals `occupied` when the grid has no unknown space

  SL_HD std::int64_t root_entries() const {
    return std::int64_t{1} << (root_bits[0] + root_bits[1] + root_bits[2]);
  }
  SL_HD std::int64_t root_index(std::int32_t x, std::int32_t y, std::int32_t z) const {
    return (x >> kNodeBits) | std::int64_t{y >> kNodeBits} << root_bits[0] |
           std::int64_t{z >> kNodeBits} << (root_bits[0] + root_bits[1]);
  }
};

/// Index of child (x, y, z) within its parent, whose children span 2^bits voxels per axis.
SL_HD inline std::uint32_t child_index(std::int32_t x, std::int32_t y, std::int32_t z, int bits) {
  return static_cast<std::uint32_t>(((x >> bits) & 3) | (((y >> bits) & 3) << 2) |
                                    (((z >> bits) & 3) << 4));
}

/// The even-aligned 2x2x2 block of a 4x4x4 word, as bits of the word shifted to its corner.
constexpr std::uint64_t kHalfBlock = 0x0000000000330033ull;
constexpr std::uint32_t kHalfCorner = 0x2a;  ///< keeps the upper bit of each axis of a child index

/// A read-only plane of a grid, for host or device memory.
struct PlaneView {
  const std::uint64_t* words = nullptr;  ///< start of the block
  const std::uint32_t* root = nullptr;
  GridLayout layout;

  SL_HD static std::uint32_t child_offset(const std::uint64_t* node, std::uint32_t child) {
    return reinterpret_cast<const std::uint32_t*>(node + 1)[child];
  }
  /// The 64^3 node or the 16^3 brick that holds a voxel inside the dimensions.
  SL_HD const std::uint64_t* node_at(std::int32_t x, std::int32_t y, std::int32_t z) const {
    return words + root[layout.root_index(x, y, z)];
  }
  SL_HD const std::uint64_t* brick_at(std::int32_t x, std::int32_t y, std::int32_t z) const {
    return words + child_offset(node_at(x, y, z), child_index(x, y, z, kBrickBits));
  }
  SL_HD bool get(std::int32_t x, std::int32_t y, std::int32_t z) const {
    const std::uint64_t word = brick_at(x, y, z)[1 + child_index(x, y, z, kWordBits)];
    return (word >> child_index(x, y, z, 0)) & 1u;
  }
};

struct BrickRecord;

/// A whole grid in host or device memory: the block and its layout.
struct GridView {
  const std::uint64_t* words = nullptr;
  GridLayout layout;
  const std::uint64_t* roots = nullptr;  ///< where root offsets count from; null: from `words`
  /// Tables of the planes' bricks (brick_table.h), which speed up long batches; null: none.
  const BrickRecord* occupied_bricks = nullptr;
  const BrickRecord* not_free_bricks = nullptr;

  SL_HD PlaneView plane(PlaneRoot root) const {
    const std::uint64_t* from = roots != nullptr ? roots : words;
    return {words, reinterpret_cast<const std::uint32_t*>(from + root.offset), layout};
  }
  SL_HD PlaneView occupied() const { return plane(layout.occupied); }
  SL_HD PlaneView not_free() const { return plane(layout.not_free); }
  /// The voxels that stop a ray, or at least make it ask.
  SL_HD PlaneView opaque(SpacePolicy unknown) const {
    return unknown == SpacePolicy::kFree ? occupied() : not_free();
  }
  SL_HD bool has_unknown() const { return layout.not_free.offset != layout.occupied.offset; }
  SL_HD bool contains(std::int32_t x, std::int32_t y, std::int32_t z) const {
    return x >= 0 && y >= 0 && z >= 0 && x < layout.dims[0] && y < layout.dims[1] &&
           z < layout.dims[2];
  }
};

}  // namespace sightline::kernels
