#include "host/world/block_check.h"

#include <algorithm>
#include <string>
#include <utility>

#include "host/error.h"
#include "host/world/occupancy_grid.h"

namespace sightline::host {

using namespace kernels;

namespace {

[[noreturn]] void fail(const std::string& why) {
  throw InputError("packed block: " + why + "; the file is damaged, write it again");
}

}  // namespace

BlockCheck::BlockCheck(Words words, const GridLayout& layout)
    : words_(words), layout_(layout), claimed_(words.size(), false), end_(words.size()) {
  const PackedBlock shared_block;
  const Words shared = shared_block.words();
  if (words_.size() < shared.size() || !std::equal(shared.begin(), shared.end(), words_.begin())) {
    fail("the shared empty and full nodes at its start are damaged");
  }
}

void BlockCheck::set_part(std::size_t begin, std::size_t end) {
  if (begin > end || end > words_.size()) fail("a version ends outside it");
  begin_ = begin;
  end_ = end;
  num_bricks_ = num_nodes_ = 0;
}

void BlockCheck::check_root(std::uint32_t root) {
  claim(root, static_cast<std::uint64_t>(root_words(layout_)));
}

void BlockCheck::check_tree(std::int64_t entry, std::uint32_t root, const Shared& shared) {
  const std::int64_t x = entry & ((std::int64_t{1} << layout_.root_bits[0]) - 1);
  const std::int64_t yz = entry >> layout_.root_bits[0];
  const std::int64_t y = yz & ((std::int64_t{1} << layout_.root_bits[1]) - 1);
  const std::int64_t z = yz >> layout_.root_bits[1];
  const std::int64_t corner[3] = {x << kNodeBits, y << kNodeBits, z << kNodeBits};
  check_node(root, kNodeBits, corner, shared);
}

void BlockCheck::check_subset(std::uint32_t occupied, std::uint32_t not_free, int bits) const {
  if (occupied == not_free || occupied == kEmptyOffset) return;
  for (std::uint32_t c = 0; c < 64; ++c) {
    if (bits > kBrickBits) {
      check_subset(child_of(words_, occupied, c), child_of(words_, not_free, c), bits - 2);
    } else if (words_[occupied + 1 + c] & ~words_[not_free + 1 + c]) {
      fail("an occupied voxel is missing from the plane of voxels that are not free");
    }
  }
}

void BlockCheck::claim(std::uint64_t offset, std::uint64_t num_words) {
  if (offset < begin_ || offset + num_words > end_) {
    fail("offset " + std::to_string(offset) + " leaves " +
         (offset + num_words > words_.size() ? "the block" : "the words of its version"));
  }
  for (std::uint64_t w = offset; w < offset + num_words; ++w) {
    if (claimed_[w]) fail("two nodes overlap at word " + std::to_string(w));
    claimed_[w] = true;
  }
}

void BlockCheck::check_inside(const std::int64_t* corner, std::int64_t size) const {
  for (int a = 0; a < 3; ++a) {
    if (corner[a] + size > layout_.dims[a]) fail("a voxel outside the dimensions is set");
  }
}

void BlockCheck::check_node(std::uint32_t offset, int bits, const std::int64_t* corner,
                            const Shared& shared) {
  if (offset == kEmptyOffset) return;
  if (offset == full_offset(bits)) return check_inside(corner, std::int64_t{1} << bits);
  if (offset == shared.before || offset == shared.twin) return;  // has been checked in its place
  claim(offset, num_words_of(bits));
  ++(bits == kBrickBits ? num_bricks_ : num_nodes_);
  const std::int64_t child_size = std::int64_t{1} << (bits - 2);
  for (std::uint32_t c = 0; c < 64; ++c) {
    const std::int64_t child_corner[3] = {corner[0] + (c & 3) * child_size,
                                          corner[1] + ((c >> 2) & 3) * child_size,
                                          corner[2] + (c >> 4) * child_size};
    const bool marked = (words_[offset] >> c) & 1u;
    if (marked != check_child(offset, c, bits, child_corner, shared)) {
      fail("a mask contradicts its children at word " + std::to_string(offset));
    }
  }
}

/// Checks one child and says whether it holds a set voxel.
bool BlockCheck::check_child(std::uint32_t offset, std::uint32_t c, int bits,
                             const std::int64_t* corner, const Shared& shared) {
  if (bits > kBrickBits) {
    const std::uint32_t child = child_of(words_, offset, c);
    check_node(child, bits - 2, corner,
               {child_of(words_, shared.before, c), child_of(words_, shared.twin, c)});
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

OccupancyGrid::OccupancyGrid(const GridGeometry& geometry, WordVector words,
                             std::uint32_t occupied_root, std::uint32_t not_free_root)
    : geometry_(geometry),
      layout_(layout_of(geometry)),
      block_(std::move(words)),
      id_(new_block_id()) {
  layout_.occupied.offset = occupied_root;
  layout_.not_free.offset = not_free_root;
  BlockCheck check(block_.words(), layout_);
  check.check_root(occupied_root);
  if (has_unknown()) check.check_root(not_free_root);
  const GridView planes = view();
  for (std::int64_t e = 0; e < layout_.root_entries(); ++e) {
    const std::uint32_t occupied = planes.occupied().root[e], not_free = planes.not_free().root[e];
    check.check_tree(e, occupied, {});
    if (!has_unknown()) continue;
    check.check_tree(e, not_free, {});
    check.check_subset(occupied, not_free, kNodeBits);
  }
}

}  // namespace sightline::host
