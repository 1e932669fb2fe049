// The words of a packed grid (kernels/occupancy.h) and the editing of their trees: in place for
// OccupancyGrid, copy-on-write for VersionedGrid.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "host/huge_pages.h"
#include "kernels/kernels.h"

namespace sightline::host {

/// A box to fill: voxels [lo, hi), not empty, become set or clear in one plane.
struct BoxEdit {
  std::array<std::int64_t, 3> lo, hi;
  bool set;

  bool covers(const std::int64_t* corner, std::int64_t size) const;
  /// Which of the 4^3 children, spanning 2^bits voxels each, of the node at `corner` the box meets.
  std::uint64_t children(const std::int64_t* corner, int bits) const;

  /// Calls visit(corner) for the lowest voxel of every region of 64^3 voxels that the box meets.
  template <class Visit>
  void for_each_region(const Visit& visit) const {
    constexpr int kBits = kernels::kNodeBits;
    std::int64_t corner[3];
    for (std::int64_t z = lo[2] >> kBits; z <= (hi[2] - 1) >> kBits; ++z) {
      for (std::int64_t y = lo[1] >> kBits; y <= (hi[1] - 1) >> kBits; ++y) {
        for (std::int64_t x = lo[0] >> kBits; x <= (hi[0] - 1) >> kBits; ++x) {
          corner[0] = x << kBits;
          corner[1] = y << kBits;
          corner[2] = z << kBits;
          visit(static_cast<const std::int64_t*>(corner));
        }
      }
    }
  }
};

/// Words of a block, in memory of their own: rays read them at random.
using WordVector = HugeVector<std::uint64_t>;

/// Words of a block, wherever they lie; whoever has them keeps them there.
class Words {
 public:
  Words() = default;
  Words(const std::uint64_t* data, std::size_t size) : data_(data), size_(size) {}
  template <class Allocator>
  Words(const std::vector<std::uint64_t, Allocator>& words)
      : data_(words.data()), size_(words.size()) {}

  const std::uint64_t* data() const { return data_; }
  std::size_t size() const { return size_; }
  const std::uint64_t& operator[](std::size_t i) const { return data_[i]; }
  const std::uint64_t* begin() const { return data_; }
  const std::uint64_t* end() const { return data_ + size_; }
  template <class Allocator>
  operator std::vector<std::uint64_t, Allocator>() const {
    return {begin(), end()};
  }

 private:
  const std::uint64_t* data_ = nullptr;
  std::size_t size_ = 0;
};
inline bool operator==(const Words& a, const Words& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}
inline bool operator!=(const Words& a, const Words& b) { return !(a == b); }

/// Words that the root of one plane takes.
inline std::uint32_t root_words(const kernels::GridLayout& layout) {
  return static_cast<std::uint32_t>((layout.root_entries() + 1) / 2);
}

/// Offset of the full node (bits = kNodeBits) or brick (bits = kBrickBits).
inline std::uint32_t full_offset(int bits) {
  return bits == kernels::kBrickBits ? kernels::kFullBrickOffset : kernels::kFullNodeOffset;
}

/// Words of a node or a brick.
inline std::uint32_t num_words_of(int bits) {
  return bits == kernels::kBrickBits ? kernels::kBrickWords : kernels::kNodeWords;
}

/// Child c of the node at `offset`; the children of a shared node are shared.
inline std::uint32_t child_of(Words words, std::uint32_t offset, std::uint32_t c) {
  return kernels::PlaneView::child_offset(&words[offset], c);
}

/// Set voxels below the node or brick at `offset`.
std::int64_t count_set(Words words, std::uint32_t offset, int bits);

/// Do two nodes, or two bricks, hold the same voxels?
bool same_voxels(Words words, std::uint32_t a, std::uint32_t b, int bits);

/// One place in both planes of a grid: offsets of two nodes, or of two bricks.
struct PlanePair {
  std::uint32_t occupied, not_free;
};
/// Voxels whose state differs below two pairs.
std::int64_t count_changed(Words words, PlanePair a, PlanePair b, int bits);

class PackedBlock {
 public:
  /// The nodes that all grids share.
  PackedBlock();
  /// Takes over words of any content; who trusts them has checked them.
  explicit PackedBlock(WordVector words) : words_(std::move(words)) {}
  /// Reads such words where they lie, which is longer than the block lives. own_words() before an
  /// edit.
  explicit PackedBlock(Words elsewhere) : elsewhere_(elsewhere) {}

  Words words() const { return elsewhere_.data() ? elsewhere_ : Words(words_); }
  std::uint32_t size() const { return static_cast<std::uint32_t>(words().size()); }
  /// Copies words that lie elsewhere, if they do.
  void own_words() {
    if (elsewhere_.data()) words_ = elsewhere_;
    elsewhere_ = {};
  }
  void reserve(std::size_t num_words) { words_.reserve(num_words); }

  /// From now on an edit copies what lies in the block today instead of writing to it.
  void freeze() { first_own_ = size(); }
  /// Cuts off everything from `num_words` on, and appends `tail` instead.
  void replace_tail(std::size_t num_words, const std::vector<std::uint64_t>& tail);

  /// New words, zero; bricks and nodes that an edit emptied are used again. Throws RunError where
  /// 32-bit offsets end, at 32 GiB.
  std::uint32_t allocate(std::uint32_t num_words);
  std::uint32_t& entry(std::uint32_t root, std::int64_t index) {
    return reinterpret_cast<std::uint32_t*>(&words_[root])[index];
  }
  /// The node or brick at `offset` after the edit: the shared empty or full one where the region
  /// became uniform. `corner` is its lowest voxel.
  std::uint32_t edit_node(std::uint32_t offset, int bits, const BoxEdit& edit,
                          const std::int64_t* corner);
  /// A copy that an edit may write to without changing the original.
  std::uint32_t copy_subtree(std::uint32_t offset, int bits);
  /// Appends a node or brick of another block, depth first, nodes before their children; where the
  /// voxels are those of `twin`, nothing is appended and `twin_here`, its copy in this block, is
  /// shared. Uniform regions become the shared nodes. No twin: kEmptyOffset twice.
  std::uint32_t append_subtree(Words from, std::uint32_t offset, int bits, std::uint32_t twin,
                               std::uint32_t twin_here);

 private:
  std::uint32_t* children(std::uint32_t node) {
    return reinterpret_cast<std::uint32_t*>(&words_[node + 1]);
  }
  void release(std::uint32_t offset, std::uint32_t num_words);
  void release_subtree(std::uint32_t offset, int bits);
  std::uint32_t own(std::uint32_t offset, std::uint32_t num_words);
  std::uint32_t edit_brick(std::uint32_t offset, const BoxEdit& edit, const std::int64_t* corner);
  std::uint32_t edit_child(std::uint32_t node, int c, int child_bits, const BoxEdit& edit,
                           const std::int64_t* corner);

  WordVector words_;
  Words elsewhere_;  ///< null: the words are words_
  std::vector<std::uint32_t> free_bricks_, free_nodes_;
  std::uint32_t first_own_ = kernels::kFirstFreeWord;  ///< bricks and nodes before it are shared
};

}  // namespace sightline::host
