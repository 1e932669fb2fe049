// Checks a packed block that someone else wrote: trusts nothing until every offset, mask and bit
// has been looked at. Every check throws InputError that says what is wrong.
#pragma once

#include <cstdint>
#include <vector>

#include "host/world/packed_block.h"

namespace sightline::host {

class BlockCheck {
 public:
  /// Refers to the words, whose shared nodes it checks.
  BlockCheck(Words words, const kernels::GridLayout& layout);

  /// New nodes must lie in words [begin, end) from now on; starts their counts afresh.
  void set_part(std::size_t begin, std::size_t end);
  /// The root table at a word offset lies in the part and overlaps nothing.
  void check_root(std::uint32_t root);

  /// Nodes that a tree may share instead of having its own: those in the same place of the version
  /// before, and of a tree of the other plane. Both have been checked.
  struct Shared {
    std::uint32_t before = kernels::kEmptyOffset, twin = kernels::kEmptyOffset;
  };
  /// The tree of one region: nodes inside the part that overlap nothing, masks that agree with what
  /// lies below them, no voxel set outside the dimensions.
  void check_tree(std::int64_t entry, std::uint32_t root, const Shared& shared);
  /// Every occupied voxel is also not free: two checked nodes (or bricks) in one place.
  void check_subset(std::uint32_t occupied, std::uint32_t not_free, int bits) const;

  /// Bricks and nodes found in the part, shared ones not counted.
  std::int64_t num_bricks() const { return num_bricks_; }
  std::int64_t num_nodes() const { return num_nodes_; }

 private:
  void claim(std::uint64_t offset, std::uint64_t num_words);
  void check_inside(const std::int64_t* corner, std::int64_t size) const;
  void check_node(std::uint32_t offset, int bits, const std::int64_t* corner, const Shared& shared);
  bool check_child(std::uint32_t offset, std::uint32_t c, int bits, const std::int64_t* corner,
                   const Shared& shared);

  const Words words_;
  kernels::GridLayout layout_;
  std::vector<bool> claimed_;
  std::size_t begin_ = kernels::kFirstFreeWord, end_ = 0;
  std::int64_t num_bricks_ = 0, num_nodes_ = 0;
};

}  // namespace sightline::host
