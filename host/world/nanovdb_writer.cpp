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

/// A node before its place in the buffer is known.
struct Node {
  Index3 corner{0, 0, 0};
  std::vector<std::uint32_t> active;       ///< voxels of a leaf, tiles of the others
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

/// The nodes that a grid needs, level by level.
class Nodes {
 public:
  explicit Nodes(const OccupancyGrid& grid) : grid_(grid) {
    const Index3& dims = grid.geometry().dims;
    constexpr std::int64_t kStep = std::int64_t{1} << kLevelBits[2];
    Index3 corner;
    for (corner[0] = 0; corner[0] < dims[0]; corner[0] += kStep) {
      for (corner[1] = 0; corner[1] < dims[1]; corner[1] += kStep) {
        for (corner[2] = 0; corner[2] < dims[2]; corner[2] += kStep) add(2, corner);
      }
    }
  }

  const std::vector<Node>& level(std::size_t l) const { return levels_[l]; }
  std::uint64_t num_active() const { return num_active_; }

 private:
  /// The row of the node that was added; none if nothing in it is occupied.
  std::optional<std::uint32_t> add(int level, const Index3& corner) {
    const Index3& dims = grid_.geometry().dims;
    Node node;
    node.corner = corner;
    const int child_bits = level == 0 ? 0 : kLevelBits[level - 1];
    const int bits = kLevelBits[level] - child_bits;
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
        const auto child = add(level - 1, lo);
        if (!child) continue;
        node.child_slots.push_back(n);
        node.children.push_back(*child);
        grow(node.bounds, levels_[static_cast<std::size_t>(level - 1)][*child].bounds);
      }
    }
    if (node.active.empty() && node.children.empty()) return std::nullopt;
    std::vector<Node>& nodes = levels_[static_cast<std::size_t>(level)];
    nodes.push_back(std::move(node));
    return static_cast<std::uint32_t>(nodes.size() - 1);
  }

  const OccupancyGrid& grid_;
  std::array<std::vector<Node>, 3> levels_;
  std::uint64_t num_active_ = 0;
};

/// Where each level begins in the buffer.
struct Layout {
  std::uint64_t tree = sizeof(nanovdb::GridData), root = tree + sizeof(nanovdb::TreeData<3>);
  std::uint64_t upper, lower, leaf, end;

  explicit Layout(const Nodes& nodes) {
    upper = root + sizeof(Root::DataType) + nodes.level(2).size() * sizeof(Tile);
    lower = upper + nodes.level(2).size() * sizeof(Upper);
    leaf = lower + nodes.level(1).size() * sizeof(Lower);
    end = leaf + nodes.level(0).size() * sizeof(Leaf);
  }
};

class Filler {
 public:
  Filler(std::uint8_t* buffer, const Nodes& nodes, const Layout& layout)
      : buffer_(buffer), nodes_(nodes), layout_(layout) {}

  void fill(const GridGeometry& geometry) {
    for (std::size_t i = 0; i < nodes_.level(0).size(); ++i) fill_leaf(nodes_.level(0)[i], i);
    fill_inner<Lower, Leaf>(nodes_.level(1), layout_.lower, layout_.leaf);
    fill_inner<Upper, Lower>(nodes_.level(2), layout_.upper, layout_.lower);
    fill_root();
    fill_tree();
    fill_grid(geometry);
  }

 private:
  template <typename T>
  T& at(std::uint64_t first) {
    return *reinterpret_cast<T*>(buffer_ + first);
  }

  void fill_leaf(const Node& node, std::size_t row) {
    auto& leaf = *at<Leaf>(layout_.leaf + row * sizeof(Leaf)).data();
    leaf.mBBoxMin = node.bounds.min();
    for (int axis = 0; axis < 3; ++axis) {
      leaf.mBBoxDif[axis] =
          static_cast<std::uint8_t>(node.bounds.max()[axis] - node.bounds.min()[axis]);
    }
    leaf.mFlags = 2;  // it has a bounding box
    for (const std::uint32_t n : node.active) leaf.mValueMask.setOn(n);
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
    root.mTableSize = static_cast<std::uint32_t>(nodes_.level(2).size());
    for (std::uint32_t t = 0; t < root.mTableSize; ++t) {
      const Node& node = nodes_.level(2)[t];
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
    for (std::size_t level = 0; level < 4; ++level) {
      const bool has_nodes = level == 3 || !nodes_.level(level).empty();
      tree.mNodeOffset[level] = has_nodes ? firsts[level] - layout_.tree : 0;
    }
    for (std::size_t level = 0; level < 3; ++level) {
      tree.mNodeCount[level] = static_cast<std::uint32_t>(nodes_.level(level).size());
    }
    for (std::size_t level = 1; level < 3; ++level) {
      for (const Node& node : nodes_.level(level)) {
        tree.mTileCount[level - 1] += static_cast<std::uint32_t>(node.active.size());
      }
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
  if (nodes.level(2).empty()) {
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
  const bool at_all_levels = !nodes.level(0).empty() && !nodes.level(1).empty();
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
