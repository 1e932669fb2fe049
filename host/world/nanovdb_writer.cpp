#include <nanovdb/NanoVDB.h>
#include <nanovdb/util/GridChecksum.h>
#include <nanovdb/util/GridHandle.h>
#include <nanovdb/util/IO.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <sstream>
#include <vector>

#include "host/error.h"
#include "host/world/binary_file.h"
#include "host/world/nanovdb_world.h"
#include "host/world/uniform_boxes.h"

namespace sightline::host {
namespace {

using Index3 = std::array<std::int64_t, 3>;
using Mask = nanovdb::ValueMask;
using Upper = nanovdb::NanoUpper<Mask>;
using Lower = nanovdb::NanoLower<Mask>;
using Leaf = nanovdb::NanoLeaf<Mask>;
using Root = nanovdb::NanoRoot<Mask>;
using Tile = Root::DataType::Tile;

constexpr int kLevelBits[3] = {3, 7, 12};  ///< voxels along a leaf, a lower and an upper node

/// A leaf before its place in the buffer is known.
struct LeafVoxels {
  std::array<std::uint64_t, 8> active{};  ///< voxel (x, y, z) is bit 8 y + z of word x
  nanovdb::CoordBBox bounds;              ///< of all that is active, both ends included
};

/// A lower or an upper node, likewise.
struct Node {
  Index3 corner{0, 0, 0};
  std::vector<std::uint32_t> active;       ///< tiles
  std::vector<std::uint32_t> child_slots;  ///< where the children hang
  std::vector<std::uint32_t> children;     ///< rows of the level below
  nanovdb::CoordBBox bounds;               ///< of all that is active, both ends included
};

void grow(nanovdb::CoordBBox& bounds, const Index3& lo, const Index3& hi) {
  const auto coord = [](const Index3& p, std::int64_t less) {
    return nanovdb::Coord(static_cast<int>(p[0] - less), static_cast<int>(p[1] - less),
                          static_cast<int>(p[2] - less));
  };
  bounds.expand(coord(lo, 0));
  bounds.expand(coord(hi, 1));
}

void grow(nanovdb::CoordBBox& bounds, const nanovdb::CoordBBox& other) {
  bounds.expand(other.min());
  bounds.expand(other.max());
}

/// The occupied voxels of the cube of 8^3 from a corner, which is a multiple of that.
LeafVoxels leaf_at(const kernels::PlaneView& occupied, const Index3& corner) {
  constexpr std::int32_t kWord = std::int32_t{1} << kernels::kWordBits, kLeaf = 2 * kWord;
  const auto x = static_cast<std::int32_t>(corner[0]), y = static_cast<std::int32_t>(corner[1]),
             z = static_cast<std::int32_t>(corner[2]);
  const std::uint64_t* const brick = occupied.brick_at(x, y, z);
  LeafVoxels leaf;
  Index3 lo{kLeaf, kLeaf, kLeaf}, hi{0, 0, 0};
  for (std::int32_t part = 0; part < 8; ++part) {
    const std::int32_t of_part[3] = {(part & 1) * kWord, (part >> 1 & 1) * kWord,
                                     (part >> 2) * kWord};
    const std::uint32_t child =
        kernels::child_index(x + of_part[0], y + of_part[1], z + of_part[2], kernels::kWordBits);
    for (std::uint64_t left = brick[1 + child]; left != 0; left &= left - 1) {
      const int c = __builtin_ctzll(left);
      const Index3 at{of_part[0] + (c & 3), of_part[1] + (c >> 2 & 3), of_part[2] + (c >> 4)};
      leaf.active[static_cast<std::size_t>(at[0])] |= std::uint64_t{1} << (8 * at[1] + at[2]);
      for (int axis = 0; axis < 3; ++axis) {
        lo[axis] = std::min(lo[axis], at[axis]);
        hi[axis] = std::max(hi[axis], at[axis] + 1);
      }
    }
  }
  if (lo[0] == kLeaf) return leaf;
  for (int axis = 0; axis < 3; ++axis) {
    lo[axis] += corner[axis];
    hi[axis] += corner[axis];
  }
  grow(leaf.bounds, lo, hi);
  return leaf;
}

/// The nodes that a grid needs, level by level.
class Nodes {
 public:
  explicit Nodes(const OccupancyGrid& grid) : grid_(grid), occupied_(grid.view().occupied()) {
    const Index3& dims = grid.geometry().dims;
    constexpr std::int64_t kStep = std::int64_t{1} << kLevelBits[2];
    Index3 corner;
    for (corner[0] = 0; corner[0] < dims[0]; corner[0] += kStep) {
      for (corner[1] = 0; corner[1] < dims[1]; corner[1] += kStep) {
        for (corner[2] = 0; corner[2] < dims[2]; corner[2] += kStep) add(1, corner);
      }
    }
  }

  const std::vector<LeafVoxels>& leaves() const { return leaves_; }
  const std::vector<Node>& lower() const { return levels_[0]; }
  const std::vector<Node>& upper() const { return levels_[1]; }
  std::uint64_t num_active() const { return num_active_; }

 private:
  /// A node that was added: its row, and the bounds of what is active in it.
  struct Added {
    std::uint32_t row;
    nanovdb::CoordBBox bounds;
  };

  /// None if nothing in it is occupied; likewise below.
  std::optional<Added> add_leaf(const Index3& corner) {
    const LeafVoxels leaf = leaf_at(occupied_, corner);
    if (leaf.bounds.empty()) return std::nullopt;
    for (const std::uint64_t word : leaf.active) {
      num_active_ += static_cast<std::uint64_t>(__builtin_popcountll(word));
    }
    leaves_.push_back(leaf);
    return Added{static_cast<std::uint32_t>(leaves_.size() - 1), leaf.bounds};
  }

  /// A lower node (0) or an upper one (1).
  std::optional<Added> add(std::size_t level, const Index3& corner) {
    const Index3& dims = grid_.geometry().dims;
    Node node;
    node.corner = corner;
    const int child_bits = kLevelBits[level];
    const int bits = kLevelBits[level + 1] - child_bits;
    const std::int64_t side = std::int64_t{1} << child_bits;
    for (std::uint32_t n = 0; n < (1u << (3 * bits)); ++n) {
      const std::int64_t last = (1 << bits) - 1;
      const Index3 lo{corner[0] + (n >> (2 * bits)) * side, corner[1] + (n >> bits & last) * side,
                      corner[2] + (n & last) * side};
      if (lo[0] >= dims[0] || lo[1] >= dims[1] || lo[2] >= dims[2]) continue;
      Index3 hi;
      bool is_whole = true;
      for (int axis = 0; axis < 3; ++axis) {
        hi[axis] = std::min(dims[axis], lo[axis] + side);
        is_whole = is_whole && hi[axis] == lo[axis] + side;
      }
      const auto state = uniform_state(grid_, lo, hi);
      if (state == VoxelState::kOccupied && is_whole) {
        node.active.push_back(n);
        grow(node.bounds, lo, hi);
        num_active_ += static_cast<std::uint64_t>(side * side * side);
      } else if (!state || state == VoxelState::kOccupied) {
        const auto child = level == 0 ? add_leaf(lo) : add(0, lo);
        if (!child) continue;
        node.child_slots.push_back(n);
        node.children.push_back(child->row);
        grow(node.bounds, child->bounds);
      }
    }
    if (node.active.empty() && node.children.empty()) return std::nullopt;
    const nanovdb::CoordBBox bounds = node.bounds;
    levels_[level].push_back(std::move(node));
    return Added{static_cast<std::uint32_t>(levels_[level].size() - 1), bounds};
  }

  const OccupancyGrid& grid_;
  const kernels::PlaneView occupied_;
  std::vector<LeafVoxels> leaves_;
  std::array<std::vector<Node>, 2> levels_;
  std::uint64_t num_active_ = 0;
};

/// Where each level begins in the buffer.
struct Layout {
  std::uint64_t tree = sizeof(nanovdb::GridData), root = tree + sizeof(nanovdb::TreeData<3>);
  std::uint64_t upper, lower, leaf, end;

  explicit Layout(const Nodes& nodes) {
    upper = root + sizeof(Root::DataType) + nodes.upper().size() * sizeof(Tile);
    lower = upper + nodes.upper().size() * sizeof(Upper);
    leaf = lower + nodes.lower().size() * sizeof(Lower);
    end = leaf + nodes.leaves().size() * sizeof(Leaf);
  }
};

class Filler {
 public:
  Filler(std::uint8_t* buffer, const Nodes& nodes, const Layout& layout)
      : buffer_(buffer), nodes_(nodes), layout_(layout) {}

  void fill(const GridGeometry& geometry) {
    for (std::size_t i = 0; i < nodes_.leaves().size(); ++i) fill_leaf(nodes_.leaves()[i], i);
    fill_inner<Lower, Leaf>(nodes_.lower(), layout_.lower, layout_.leaf);
    fill_inner<Upper, Lower>(nodes_.upper(), layout_.upper, layout_.lower);
    fill_root();
    fill_tree();
    fill_grid(geometry);
  }

 private:
  template <typename T>
  T& at(std::uint64_t first) {
    return *reinterpret_cast<T*>(buffer_ + first);
  }

  void fill_leaf(const LeafVoxels& from, std::size_t row) {
    auto& leaf = *at<Leaf>(layout_.leaf + row * sizeof(Leaf)).data();
    leaf.mBBoxMin = from.bounds.min();
    for (int axis = 0; axis < 3; ++axis) {
      leaf.mBBoxDif[axis] =
          static_cast<std::uint8_t>(from.bounds.max()[axis] - from.bounds.min()[axis]);
    }
    leaf.mFlags = 2;  // it has a bounding box
    for (int word = 0; word < 8; ++word) {
      leaf.mValueMask.template getWord<std::uint64_t>(word) =
          from.active[static_cast<std::size_t>(word)];
    }
  }

  template <typename NodeT, typename ChildT>
  void fill_inner(const std::vector<Node>& nodes, std::uint64_t first, std::uint64_t first_child) {
    for (std::size_t row = 0; row < nodes.size(); ++row) {
      const Node& node = nodes[row];
      auto& data = *at<NodeT>(first + row * sizeof(NodeT)).data();
      data.mBBox = node.bounds;
      for (const std::uint32_t n : node.active) {
        data.mValueMask.setOn(n);
        data.mTable[n].value = true;
      }
      for (std::size_t c = 0; c < node.children.size(); ++c) {
        data.mChildMask.setOn(node.child_slots[c]);
        data.setChild(node.child_slots[c],
                      buffer_ + first_child + node.children[c] * sizeof(ChildT));
      }
    }
  }

  void fill_root() {
    auto& root = at<Root::DataType>(layout_.root);
    root.mBBox = nanovdb::CoordBBox();
    root.mTableSize = static_cast<std::uint32_t>(nodes_.upper().size());
    for (std::uint32_t t = 0; t < root.mTableSize; ++t) {
      const Node& node = nodes_.upper()[t];
      grow(root.mBBox, node.bounds);
      const nanovdb::Coord corner(static_cast<int>(node.corner[0]),
                                  static_cast<int>(node.corner[1]),
                                  static_cast<int>(node.corner[2]));
      root.tile(t)->setChild(corner, &at<Upper>(layout_.upper + t * sizeof(Upper)), &root);
    }
  }

  void fill_tree() {
    auto& tree = at<nanovdb::TreeData<3>>(layout_.tree);
    const std::uint64_t firsts[4] = {layout_.leaf, layout_.lower, layout_.upper, layout_.root};
    const std::size_t counts[4] = {nodes_.leaves().size(), nodes_.lower().size(),
                                   nodes_.upper().size(), 1};
    for (std::size_t level = 0; level < 4; ++level) {
      tree.mNodeOffset[level] = counts[level] > 0 ? firsts[level] - layout_.tree : 0;
    }
    for (std::size_t level = 0; level < 3; ++level) {
      tree.mNodeCount[level] = static_cast<std::uint32_t>(counts[level]);
    }
    for (const Node& node : nodes_.lower()) {
      tree.mTileCount[0] += static_cast<std::uint32_t>(node.active.size());
    }
    for (const Node& node : nodes_.upper()) {
      tree.mTileCount[1] += static_cast<std::uint32_t>(node.active.size());
    }
    tree.mVoxelCount = nodes_.num_active();
  }

  void fill_grid(const GridGeometry& geometry) {
    auto& grid = at<nanovdb::GridData>(0);
    grid.mMagic = NANOVDB_MAGIC_NUMBER;
    grid.mVersion = nanovdb::Version();
    grid.setBBoxOn();
    grid.setBreadthFirstOn();
    grid.mGridCount = 1;
    grid.mGridSize = layout_.end;
    std::strcpy(grid.mGridName, "occupied");
    double scale[3][3] = {}, inverse[3][3] = {};
    for (int axis = 0; axis < 3; ++axis) {
      scale[axis][axis] = geometry.voxel_m[axis];
      inverse[axis][axis] = 1 / geometry.voxel_m[axis];
    }
    grid.mMap.set(scale, inverse, nanovdb_centre(geometry), 1.0);
    const nanovdb::CoordBBox& bounds = at<Root::DataType>(layout_.root).mBBox;
    for (int axis = 0; axis < 3; ++axis) {
      grid.mVoxelSize[axis] = geometry.voxel_m[axis];
      const double step_m = geometry.voxel_m[axis], first_m = grid.mMap.mVecD[axis];
      grid.mWorldBBox.min()[axis] = first_m + bounds.min()[axis] * step_m;
      grid.mWorldBBox.max()[axis] = first_m + (bounds.max()[axis] + 1) * step_m;
    }
    grid.mGridClass = nanovdb::GridClass::Topology;
    grid.mGridType = nanovdb::GridType::Mask;
  }

  std::uint8_t* const buffer_;
  const Nodes& nodes_;
  const Layout& layout_;
};

}  // namespace

void write_nanovdb(const OccupancyGrid& grid, const std::string& path) {
  const Nodes nodes(grid);
  if (nodes.upper().empty()) {
    throw InputError(path +
                     ": nothing in this world is occupied, and NanoVDB grids keep what is; " +
                     "write a .slw");
  }
  const Layout layout(nodes);
  auto buffer = nanovdb::HostBuffer::create(layout.end);
  std::memset(buffer.data(), 0, layout.end);
  Filler(buffer.data(), nodes, layout).fill(grid.geometry());
  nanovdb::GridHandle<nanovdb::HostBuffer> handle(std::move(buffer));
  // The library's sum over all nodes takes the places of the first leaf and the first lower node,
  // and asserts that there are such; a grid of tiles alone lacks them.
  const bool at_all_levels = !nodes.leaves().empty() && !nodes.lower().empty();
  nanovdb::updateChecksum(*handle.grid<Mask>(), at_all_levels ? nanovdb::ChecksumMode::Full
                                                              : nanovdb::ChecksumMode::Partial);
  nanovdb::io::Segment segment(nanovdb::io::Codec::NONE);
  segment.add(handle);
  segment.meta.front().fileSize = handle.size();
  std::ostringstream head;
  segment.write(head);
  const std::string before = head.str();
  OutputFile file(path);
  file.write(before.data(), before.size());
  file.write(handle.data(), handle.size());
  file.commit();
}

}  // namespace sightline::host
