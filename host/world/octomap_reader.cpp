#include "host/world/octomap_reader.h"

#include <octomap/ColorOcTree.h>
#include <octomap/OcTree.h>

#include <algorithm>
#include <array>
#include <limits>
#include <sstream>

#include "host/error.h"
#include "host/world/extent.h"
#include "host/world/octomap_stream.h"

namespace sightline::host {
namespace {

using Index3 = std::array<std::int64_t, 3>;

constexpr std::int64_t kCentreKey = 1 << (kOctomapDepth - 1);  ///< the key of world coordinate 0

/// The cube of finest voxels that a leaf stands for, as keys [lo, hi).
struct KeyBox {
  Index3 lo, hi;
};

template <typename LeafIterator>
KeyBox box_of(const LeafIterator& leaf) {
  const octomap::OcTreeKey low = leaf.getIndexKey();
  const std::int64_t width = std::int64_t{1} << (kOctomapDepth - static_cast<int>(leaf.getDepth()));
  KeyBox box;
  for (int axis = 0; axis < 3; ++axis) {
    box.lo[axis] = low[static_cast<unsigned>(axis)];
    box.hi[axis] = box.lo[axis] + width;
  }
  return box;
}

template <typename Tree>
KeyBox bounding_box(const Tree& tree) {
  KeyBox bounds;
  bounds.lo.fill(std::numeric_limits<std::int64_t>::max());
  bounds.hi.fill(0);
  for (auto leaf = tree.begin_leafs(); leaf != tree.end_leafs(); ++leaf) {
    const KeyBox box = box_of(leaf);
    for (int axis = 0; axis < 3; ++axis) {
      bounds.lo[axis] = std::min(bounds.lo[axis], box.lo[axis]);
      bounds.hi[axis] = std::max(bounds.hi[axis], box.hi[axis]);
    }
  }
  return bounds;
}

Index3 minus(Index3 a, const Index3& b) {
  for (int axis = 0; axis < 3; ++axis) a[axis] -= b[axis];
  return a;
}

template <typename Tree>
OccupancyGrid to_grid(const Tree& tree) {
  const KeyBox bounds = bounding_box(tree);
  const std::string fault = fault_of_extent(bounds.lo, minus(bounds.hi, {1, 1, 1}));
  if (!fault.empty()) throw InputError(fault + "; cut the map to the part that is meant");
  GridGeometry geometry;
  geometry.frame = Frame::kMapZUp;
  geometry.dims = minus(bounds.hi, bounds.lo);
  for (int axis = 0; axis < 3; ++axis) {
    geometry.voxel_m[axis] = tree.getResolution();
    geometry.origin_m[axis] =
        static_cast<double>(bounds.lo[axis] - kCentreKey) * tree.getResolution();
  }
  OccupancyGrid grid = OccupancyGrid::unknown(geometry);
  for (auto leaf = tree.begin_leafs(); leaf != tree.end_leafs(); ++leaf) {
    const KeyBox box = box_of(leaf);
    grid.set_box(minus(box.lo, bounds.lo), minus(box.hi, bounds.lo),
                 tree.isNodeOccupied(*leaf) ? VoxelState::kOccupied : VoxelState::kFree);
  }
  return grid;
}

template <typename Tree>
OccupancyGrid decode(const OctomapStream& stream) {
  Tree tree(stream.resolution_m);
  std::istringstream data(stream.data);
  if (stream.format == OctomapStream::Format::kBinary) {
    tree.readBinaryData(data);
  } else {
    tree.readData(data);
  }
  return to_grid(tree);
}

}  // namespace

OccupancyGrid read_octomap(const std::string& path) {
  const OctomapStream stream = read_octomap_stream(path);
  try {
    return stream.tree == OctomapStream::Tree::kOcTree ? decode<octomap::OcTree>(stream)
                                                       : decode<octomap::ColorOcTree>(stream);
  } catch (const InputError& error) {
    throw InputError(path + ": " + error.what());
  }
}

}  // namespace sightline::host
