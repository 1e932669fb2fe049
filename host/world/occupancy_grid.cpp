#include "host/world/occupancy_grid.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <string>

#include "host/error.h"

namespace sightline::host {

using namespace kernels;  // the layout's constants and views

namespace {

constexpr std::int64_t kMaxDim = std::int64_t{1} << 22;

/// Every content a grid of this process ever had.
std::uint64_t next_id() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

std::uint32_t* children(std::vector<std::uint64_t>& words, std::uint32_t node) {
  return reinterpret_cast<std::uint32_t*>(&words[node + 1]);
}

std::uint32_t full_offset(int bits) {
  return bits == kBrickBits ? kFullBrickOffset : kFullNodeOffset;
}

std::uint32_t root_words(const GridLayout& layout) {
  return static_cast<std::uint32_t>((layout.root_entries() + 1) / 2);
}

/// The words that all grids begin with (kernels/occupancy.h).
std::vector<std::uint64_t> shared_nodes() {
  std::vector<std::uint64_t> words(kFirstFreeWord, 0);
  std::fill(words.begin() + kFullBrickOffset, words.begin() + kFullNodeOffset, ~0ull);
  words[kFullNodeOffset] = ~0ull;
  std::fill_n(children(words, kFullNodeOffset), 64, kFullBrickOffset);
  return words;
}

GridLayout checked_layout(const GridGeometry& geometry) {
  GridLayout layout;
  for (int a = 0; a < 3; ++a) {
    const std::string axis(1, static_cast<char>('x' + a));
    if (geometry.dims[a] < 1 || geometry.dims[a] > kMaxDim) {
      throw InputError("grid: " + axis + " has " + std::to_string(geometry.dims[a]) +
                       " voxels; must be from 1 to " + std::to_string(kMaxDim));
    }
    if (!(geometry.voxel_m[a] > 0) || !std::isfinite(geometry.voxel_m[a])) {
      throw InputError("grid: voxel size along " + axis + " is " +
                       std::to_string(geometry.voxel_m[a]) + " m; must be finite and above 0");
    }
    if (!std::isfinite(geometry.origin_m[a])) {
      throw InputError("grid: origin along " + axis + " is not finite");
    }
    layout.dims[a] = static_cast<std::int32_t>(geometry.dims[a]);
    const std::int32_t regions = ((layout.dims[a] - 1) >> kNodeBits) + 1;
    while ((1 << layout.root_bits[a]) < regions) ++layout.root_bits[a];
  }
  constexpr int kMaxRootBits = 30;  // 4 GiB of root
  if (layout.root_bits[0] + layout.root_bits[1] + layout.root_bits[2] > kMaxRootBits) {
    throw InputError("grid: more than 2^48 voxels; use larger voxels or a smaller extent");
  }
  return layout;
}

}  // namespace

/// A box to fill: voxels [lo, hi) become set or clear in one plane.
struct OccupancyGrid::BoxEdit {
  std::array<std::int64_t, 3> lo, hi;
  bool set;

  bool touches(const std::int64_t* corner, std::int64_t size) const {
    for (int a = 0; a < 3; ++a) {
      if (corner[a] + size <= lo[a] || corner[a] >= hi[a]) return false;
    }
    return true;
  }
  bool covers(const std::int64_t* corner, std::int64_t size) const {
    for (int a = 0; a < 3; ++a) {
      if (corner[a] < lo[a] || corner[a] + size > hi[a]) return false;
    }
    return true;
  }
  /// Which of the 4^3 children, spanning 2^bits voxels each, of the node at `corner` the box meets.
  std::uint64_t children(const std::int64_t* corner, int bits) const {
    std::uint64_t along[3];  // one bit per child along each axis, spread to its stride
    constexpr std::uint64_t kStride[3] = {0x1111111111111111u, 0x000f000f000f000fu, 0xffffu};
    for (int a = 0; a < 3; ++a) {
      const std::int64_t first = std::max<std::int64_t>(0, (lo[a] - corner[a]) >> bits);
      const std::int64_t last = std::min<std::int64_t>(3, (hi[a] - 1 - corner[a]) >> bits);
      along[a] = 0;
      for (std::int64_t i = first; i <= last; ++i) along[a] |= kStride[a] << (i << (2 * a));
    }
    return along[0] & along[1] & along[2];
  }
};

OccupancyGrid::OccupancyGrid(const GridGeometry& geometry)
    : geometry_(geometry),
      layout_(checked_layout(geometry)),
      words_(shared_nodes()),
      id_(next_id()) {
  // Reserving address space for a dense world costs nothing until it is touched, and spares a large
  // world the copy, and the doubled memory, of a growing vector.
  constexpr double kMaxReservedWords = 0x1p28;
  double bricks = 1;
  for (int a = 0; a < 3; ++a) bricks *= (layout_.dims[a] >> kBrickBits) + 1;
  const double dense = bricks * (kBrickWords + 1) + root_words(layout_) + kFirstFreeWord;
  words_.reserve(static_cast<std::size_t>(std::min(dense, kMaxReservedWords)));
  layout_.occupied.offset = layout_.not_free.offset = allocate(root_words(layout_));
}

OccupancyGrid OccupancyGrid::unknown(const GridGeometry& geometry) {
  OccupancyGrid grid(geometry);
  grid.set_box({0, 0, 0}, geometry.dims, VoxelState::kUnknown);
  return grid;
}

std::int64_t OccupancyGrid::num_voxels() const {
  return geometry_.dims[0] * geometry_.dims[1] * geometry_.dims[2];
}

kernels::VoxelFrame OccupancyGrid::voxel_frame() const {
  VoxelFrame frame;
  std::copy_n(geometry_.origin_m.begin(), 3, frame.origin_m);
  std::copy_n(geometry_.voxel_m.begin(), 3, frame.voxel_m);
  return frame;
}

double OccupancyGrid::bits_per_voxel() const {
  return 64.0 * static_cast<double>(words_.size()) / static_cast<double>(num_voxels());
}

VoxelState OccupancyGrid::at(std::int64_t i, std::int64_t j, std::int64_t k) const {
  const std::int64_t index[3] = {i, j, k};
  for (int a = 0; a < 3; ++a) {
    if (index[a] < 0 || index[a] >= geometry_.dims[a]) {
      throw InputError("grid: voxel (" + std::to_string(i) + ", " + std::to_string(j) + ", " +
                       std::to_string(k) + ") lies outside the grid");
    }
  }
  const auto x = static_cast<std::int32_t>(i), y = static_cast<std::int32_t>(j),
             z = static_cast<std::int32_t>(k);
  if (view().occupied().get(x, y, z)) return VoxelState::kOccupied;
  return view().not_free().get(x, y, z) ? VoxelState::kUnknown : VoxelState::kFree;
}

void OccupancyGrid::set(std::int64_t i, std::int64_t j, std::int64_t k, VoxelState state) {
  (void)at(i, j, k);  // checks the index
  set_box({i, j, k}, {i + 1, j + 1, k + 1}, state);
}

void OccupancyGrid::set_box(const std::array<std::int64_t, 3>& lo,
                            const std::array<std::int64_t, 3>& hi, VoxelState state) {
  BoxEdit edit{lo, hi, state == VoxelState::kOccupied};
  for (int a = 0; a < 3; ++a) {
    edit.lo[a] = std::max<std::int64_t>(0, lo[a]);
    edit.hi[a] = std::min(geometry_.dims[a], hi[a]);
    if (edit.lo[a] >= edit.hi[a]) return;
  }
  id_ = next_id();
  if (state == VoxelState::kUnknown && !has_unknown()) {
    const std::uint32_t root = allocate(root_words(layout_));
    copy_plane(layout_.occupied.offset, root);
    layout_.not_free.offset = root;
  }
  edit_plane(layout_.occupied.offset, edit);
  if (!has_unknown()) return;
  edit.set = state != VoxelState::kFree;
  edit_plane(layout_.not_free.offset, edit);
}

// Memory: bricks and nodes that an edit empties are used again by later ones.

std::uint32_t OccupancyGrid::allocate(std::uint32_t num_words) {
  std::vector<std::uint32_t>* pool = num_words == kBrickWords  ? &free_bricks_
                                     : num_words == kNodeWords ? &free_nodes_
                                                               : nullptr;
  if (pool && !pool->empty()) {
    const std::uint32_t offset = pool->back();
    pool->pop_back();
    return offset;
  }
  const std::size_t offset = words_.size();
  if (offset + num_words > UINT32_MAX) {
    throw RunError("grid: the packed block would pass 32 GiB; use larger voxels");
  }
  words_.resize(offset + num_words, 0);
  return static_cast<std::uint32_t>(offset);
}

void OccupancyGrid::release(std::uint32_t offset, std::uint32_t num_words) {
  if (offset < kFirstFreeWord) return;  // shared
  (num_words == kBrickWords ? free_bricks_ : free_nodes_).push_back(offset);
}

/// A node that may be written: itself, or a copy of a shared one.
std::uint32_t OccupancyGrid::own(std::uint32_t offset, std::uint32_t num_words) {
  if (offset >= kFirstFreeWord) return offset;
  const std::uint32_t copy = allocate(num_words);
  std::copy_n(words_.begin() + offset, num_words, words_.begin() + copy);
  return copy;
}

void OccupancyGrid::release_subtree(std::uint32_t offset, int bits) {
  if (offset < kFirstFreeWord) return;
  if (bits == kBrickBits) return release(offset, kBrickWords);
  for (int c = 0; c < 64; ++c) release_subtree(children(words_, offset)[c], bits - 2);
  release(offset, kNodeWords);
}

std::uint32_t OccupancyGrid::copy_subtree(std::uint32_t offset, int bits) {
  if (offset < kFirstFreeWord) return offset;
  const std::uint32_t num_words = bits == kBrickBits ? kBrickWords : kNodeWords;
  const std::uint32_t copy = allocate(num_words);
  std::copy_n(words_.begin() + offset, num_words, words_.begin() + copy);
  for (int c = 0; bits > kBrickBits && c < 64; ++c) {
    const std::uint32_t child = copy_subtree(children(words_, offset)[c], bits - 2);
    children(words_, copy)[c] = child;
  }
  return copy;
}

void OccupancyGrid::copy_plane(std::uint32_t from_root, std::uint32_t to_root) {
  for (std::int64_t e = 0; e < layout_.root_entries(); ++e) {
    const auto root = [&](std::uint32_t r) {
      return reinterpret_cast<std::uint32_t*>(&words_[r]) + e;
    };
    const std::uint32_t copy = copy_subtree(*root(from_root), kNodeBits);
    *root(to_root) = copy;
  }
}

// Editing, top down. `corner` is the lowest voxel of the node; each function returns the node's
// offset after the edit: the shared empty or full one where the region became uniform.

void OccupancyGrid::edit_plane(std::uint32_t root, const BoxEdit& edit) {
  std::int64_t corner[3];
  for (std::int64_t z = edit.lo[2] >> kNodeBits; z <= (edit.hi[2] - 1) >> kNodeBits; ++z) {
    for (std::int64_t y = edit.lo[1] >> kNodeBits; y <= (edit.hi[1] - 1) >> kNodeBits; ++y) {
      for (std::int64_t x = edit.lo[0] >> kNodeBits; x <= (edit.hi[0] - 1) >> kNodeBits; ++x) {
        corner[0] = x << kNodeBits;
        corner[1] = y << kNodeBits;
        corner[2] = z << kNodeBits;
        const std::int64_t entry = layout_.root_index(static_cast<std::int32_t>(corner[0]),
                                                      static_cast<std::int32_t>(corner[1]),
                                                      static_cast<std::int32_t>(corner[2]));
        const auto slot = [&] { return reinterpret_cast<std::uint32_t*>(&words_[root]) + entry; };
        const std::uint32_t edited = edit_node(*slot(), kNodeBits, edit, corner);
        *slot() = edited;
      }
    }
  }
}

std::uint32_t OccupancyGrid::edit_node(std::uint32_t offset, int bits, const BoxEdit& edit,
                                       const std::int64_t* corner) {
  const std::uint32_t uniform = edit.set ? full_offset(bits) : kEmptyOffset;
  if (offset == uniform) return offset;
  if (edit.covers(corner, std::int64_t{1} << bits)) {
    release_subtree(offset, bits);
    return uniform;
  }
  if (bits == kBrickBits) return edit_brick(offset, edit, corner);

  const int child_bits = bits - 2;
  const std::uint32_t node = own(offset, kNodeWords);
  for (std::uint64_t left = edit.children(corner, child_bits); left != 0; left &= left - 1) {
    const int c = __builtin_ctzll(left);
    const std::int64_t child_corner[3] = {corner[0] + (std::int64_t{c & 3} << child_bits),
                                          corner[1] + (std::int64_t{(c >> 2) & 3} << child_bits),
                                          corner[2] + (std::int64_t{c >> 4} << child_bits)};
    const std::uint32_t child =
        edit_node(children(words_, node)[c], child_bits, edit, child_corner);
    children(words_, node)[c] = child;
    const std::uint64_t bit = std::uint64_t{1} << c;
    words_[node] = words_[child] != 0 ? words_[node] | bit : words_[node] & ~bit;
  }
  if (words_[node] == 0) {
    release(node, kNodeWords);
    return kEmptyOffset;
  }
  const std::uint32_t* child = children(words_, node);
  if (std::all_of(child, child + 64,
                  [&](std::uint32_t o) { return o == full_offset(child_bits); })) {
    release(node, kNodeWords);
    return full_offset(bits);
  }
  return node;
}

std::uint32_t OccupancyGrid::edit_brick(std::uint32_t offset, const BoxEdit& edit,
                                        const std::int64_t* corner) {
  const std::uint32_t brick = own(offset, kBrickWords);
  for (std::uint64_t left = edit.children(corner, kWordBits); left != 0; left &= left - 1) {
    const int c = __builtin_ctzll(left);
    const std::int64_t word_corner[3] = {corner[0] + 4 * (c & 3), corner[1] + 4 * ((c >> 2) & 3),
                                         corner[2] + 4 * (c >> 4)};
    std::uint64_t& word = words_[brick + 1 + c];
    const std::uint64_t bits = edit.children(word_corner, 0);
    word = edit.set ? word | bits : word & ~bits;
    const std::uint64_t bit = std::uint64_t{1} << c;
    words_[brick] = word != 0 ? words_[brick] | bit : words_[brick] & ~bit;
  }
  const auto begin = words_.begin() + brick + 1;
  const bool full = words_[brick] == ~0ull &&
                    std::all_of(begin, begin + 64, [](std::uint64_t w) { return w == ~0ull; });
  if (words_[brick] != 0 && !full) return brick;
  release(brick, kBrickWords);
  return full ? kFullBrickOffset : kEmptyOffset;
}

namespace {

std::int64_t count_set(const std::vector<std::uint64_t>& words, std::uint32_t offset, int bits) {
  if (words[offset] == 0) return 0;
  if (offset == full_offset(bits)) return std::int64_t{1} << (3 * bits);
  std::int64_t count = 0;
  for (int c = 0; c < 64; ++c) {
    count += bits == kBrickBits
                 ? __builtin_popcountll(words[offset + 1 + c])
                 : count_set(words, PlaneView::child_offset(&words[offset], c), bits - 2);
  }
  return count;
}

std::int64_t count_plane(const std::vector<std::uint64_t>& words, const GridLayout& layout,
                         std::uint32_t root) {
  std::int64_t count = 0;
  for (std::int64_t e = 0; e < layout.root_entries(); ++e) {
    count += count_set(words, reinterpret_cast<const std::uint32_t*>(&words[root])[e], kNodeBits);
  }
  return count;
}

}  // namespace

OccupancyGrid::Counts OccupancyGrid::count() const {
  Counts counts;
  counts.occupied = count_plane(words_, layout_, layout_.occupied.offset);
  const std::int64_t not_free =
      has_unknown() ? count_plane(words_, layout_, layout_.not_free.offset) : counts.occupied;
  counts.unknown = not_free - counts.occupied;
  counts.free = num_voxels() - not_free;
  return counts;
}

}  // namespace sightline::host
