// A grid from a block that someone else wrote: trusts nothing until every offset, mask and bit has
// been looked at.
#include <algorithm>
#include <string>
#include <utility>

#include "host/error.h"
#include "host/world/occupancy_grid.h"

namespace sightline::host {

using namespace kernels;

namespace {

class BlockCheck {
 public:
  BlockCheck(const std::vector<std::uint64_t>& words, const GridLayout& layout)
      : words_(words), layout_(layout), claimed_(words.size(), false) {}

  void check_shared_nodes(const std::vector<std::uint64_t>& expected) {
    if (words_.size() < expected.size() ||
        !std::equal(expected.begin(), expected.end(), words_.begin())) {
      fail("the shared empty and full nodes at its start are damaged");
    }
    std::fill_n(claimed_.begin(), expected.size(), true);
  }

  void check_plane(std::uint32_t root) {
    claim(root, static_cast<std::uint64_t>((layout_.root_entries() + 1) / 2));
    const std::int64_t nx = 1 << layout_.root_bits[0], ny = 1 << layout_.root_bits[1],
                       nz = 1 << layout_.root_bits[2];
    const auto* entries = reinterpret_cast<const std::uint32_t*>(&words_[root]);
    for (std::int64_t z = 0; z < nz; ++z) {
      for (std::int64_t y = 0; y < ny; ++y) {
        for (std::int64_t x = 0; x < nx; ++x) {
          const std::int64_t corner[3] = {x << kNodeBits, y << kNodeBits, z << kNodeBits};
          check_node(entries[(z * ny + y) * nx + x], kNodeBits, corner);
        }
      }
    }
  }

  /// Every occupied voxel must also be not free.
  void check_subset(const GridView& grid) {
    if (!grid.has_unknown()) return;
    for (std::int32_t z = 0; z < layout_.dims[2]; z += 4) {
      for (std::int32_t y = 0; y < layout_.dims[1]; y += 4) {
        for (std::int32_t x = 0; x < layout_.dims[0]; x += 4) {
          const std::uint32_t child = child_index(x, y, z, kWordBits);
          const std::uint64_t occupied = grid.occupied().brick_at(x, y, z)[1 + child];
          if (occupied & ~grid.not_free().brick_at(x, y, z)[1 + child]) {
            fail("an occupied voxel is missing from the plane of voxels that are not free");
          }
        }
      }
    }
  }

 private:
  [[noreturn]] static void fail(const std::string& why) {
    throw InputError("packed block: " + why + "; the file is damaged, write it again");
  }

  void claim(std::uint64_t offset, std::uint64_t num_words) {
    if (offset < kFirstFreeWord || offset + num_words > words_.size()) {
      fail("offset " + std::to_string(offset) + " leaves the block");
    }
    for (std::uint64_t w = offset; w < offset + num_words; ++w) {
      if (claimed_[w]) fail("two nodes overlap at word " + std::to_string(w));
      claimed_[w] = true;
    }
  }

  void check_inside(const std::int64_t* corner, std::int64_t size) const {
    for (int a = 0; a < 3; ++a) {
      if (corner[a] + size > layout_.dims[a]) fail("a voxel outside the dimensions is set");
    }
  }

  void check_node(std::uint32_t offset, int bits, const std::int64_t* corner) {
    if (offset == kEmptyOffset) return;
    const std::uint32_t full = bits == kBrickBits ? kFullBrickOffset : kFullNodeOffset;
    if (offset == full) return check_inside(corner, std::int64_t{1} << bits);
    claim(offset, bits == kBrickBits ? kBrickWords : kNodeWords);
    const std::int64_t child_size = std::int64_t{1} << (bits - 2);
    for (std::uint32_t c = 0; c < 64; ++c) {
      const std::int64_t child_corner[3] = {corner[0] + (c & 3) * child_size,
                                            corner[1] + ((c >> 2) & 3) * child_size,
                                            corner[2] + (c >> 4) * child_size};
      const bool marked = (words_[offset] >> c) & 1u;
      if (marked != check_child(offset, c, bits, child_corner)) {
        fail("a mask contradicts its children at word " + std::to_string(offset));
      }
    }
  }

  /// Checks one child and says whether it holds a set voxel.
  bool check_child(std::uint32_t offset, std::uint32_t c, int bits, const std::int64_t* corner) {
    if (bits > kBrickBits) {
      const std::uint32_t child = PlaneView::child_offset(&words_[offset], c);
      check_node(child, bits - 2, corner);
      return words_[child] != 0;
    }
    const std::uint64_t voxels = words_[offset + 1 + c];
    for (int bit = 0; bit < 64; ++bit) {
      if (!((voxels >> bit) & 1u)) continue;
      const std::int64_t voxel[3] = {corner[0] + (bit & 3), corner[1] + ((bit >> 2) & 3),
                                     corner[2] + (bit >> 4)};
      check_inside(voxel, 1);
    }
    return voxels != 0;
  }

  const std::vector<std::uint64_t>& words_;
  GridLayout layout_;
  std::vector<bool> claimed_;
};

}  // namespace

OccupancyGrid::OccupancyGrid(const GridGeometry& geometry, std::vector<std::uint64_t> words,
                             std::uint32_t occupied_root, std::uint32_t not_free_root)
    : OccupancyGrid(geometry) {
  const std::vector<std::uint64_t> shared = PackedBlock().words();
  layout_.occupied.offset = occupied_root;
  layout_.not_free.offset = not_free_root;
  block_ = PackedBlock(std::move(words));
  BlockCheck check(block_.words(), layout_);
  check.check_shared_nodes(shared);
  check.check_plane(occupied_root);
  if (has_unknown()) check.check_plane(not_free_root);
  check.check_subset(view());
}

}  // namespace sightline::host
