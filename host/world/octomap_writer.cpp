#include "host/world/octomap_writer.h"

#include <octomap/OcTree.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <sstream>

#include "host/error.h"
#include "host/world/binary_file.h"
#include "host/world/octomap_stream.h"
#include "host/world/reframe.h"
#include "host/world/text_scan.h"
#include "host/world/uniform_boxes.h"

namespace sightline::host {
namespace {

using Index3 = std::array<std::int64_t, 3>;

constexpr std::int64_t kNumKeys = std::int64_t{1} << kOctomapDepth;  ///< along each axis
constexpr std::int64_t kCentreKey = kNumKeys / 2;  ///< the key of world coordinate 0

/// An origin that is meant to lie on the lattice misses it by the rounding of a few additions; one
/// that is not misses it by much more.
constexpr double kLatticeTolerance_vox = 1e-6;

/// The key of voxel (0, 0, 0). Throws if an octree cannot hold the grid.
Index3 first_key(const GridGeometry& geometry, const std::string& path) {
  const double voxel_m = geometry.voxel_m[0];
  if (geometry.voxel_m[1] != voxel_m || geometry.voxel_m[2] != voxel_m) {
    throw InputError(path + ": OctoMap's voxels are cubes, these are " + exact_text(voxel_m) +
                     " x " + exact_text(geometry.voxel_m[1]) + " x " +
                     exact_text(geometry.voxel_m[2]) + " m; write a .slw, or use cubes");
  }
  Index3 key;
  for (int axis = 0; axis < 3; ++axis) {
    const double origin_vox = geometry.origin_m[axis] / voxel_m;
    if (std::fabs(origin_vox - std::nearbyint(origin_vox)) > kLatticeTolerance_vox) {
      throw InputError(path + ": OctoMap's voxels lie on multiples of their size, but the origin " +
                       exact_text(geometry.origin_m[axis]) + " m is " + exact_text(origin_vox) +
                       " voxels of " + exact_text(voxel_m) +
                       " m; place the world on that lattice (origin_m), or write a .slw");
    }
    const double first = origin_vox + static_cast<double>(kCentreKey);
    const double last = first + static_cast<double>(geometry.dims[axis]);
    if (!(first > -0.5 && last < static_cast<double>(kNumKeys) + 0.5)) {
      throw InputError(path + ": OctoMap reaches 2^15 voxels from 0, this world " +
                       exact_text(geometry.origin_m[axis]) + " m and " +
                       std::to_string(geometry.dims[axis]) + " voxels along " + "xyz"[axis] +
                       "; move it to 0 or use larger voxels");
    }
    key[axis] = static_cast<std::int64_t>(std::nearbyint(first));
  }
  return key;
}

/// The part of a cube of keys that the grid covers, in voxels of the grid.
struct Part {
  Index3 lo, hi;
  bool is_empty = false, is_whole = true;
};

/// A tree that grows from its root, leaf by largest leaf: the library's own way, voxel by voxel,
/// would walk 16 levels for each and prune afterwards.
class GrownTree : public octomap::OcTree {
 public:
  GrownTree(const OccupancyGrid& grid, const Index3& first_key)
      : octomap::OcTree(grid.geometry().voxel_m[0]), grid_(grid), first_key_(first_key) {}

  /// False if nothing is known.
  bool grow() {
    root = new octomap::OcTreeNode();  // the tree frees it
    tree_size = 1;
    size_changed = true;
    grow_children(root, 0, {0, 0, 0});
    return nodeHasChildren(root);
  }

 private:
  Part part_of(const Index3& corner, std::int64_t width) const {
    Part part;
    for (int axis = 0; axis < 3; ++axis) {
      const std::int64_t lo = corner[axis] - first_key_[axis], dim = grid_.geometry().dims[axis];
      part.lo[axis] = std::max<std::int64_t>(0, lo);
      part.hi[axis] = std::min(dim, lo + width);
      part.is_empty = part.is_empty || part.lo[axis] >= part.hi[axis];
      part.is_whole = part.is_whole && lo >= 0 && lo + width <= dim;
    }
    return part;
  }

  void grow_children(octomap::OcTreeNode* node, int depth, const Index3& corner) {
    const std::int64_t half = kNumKeys >> (depth + 1);
    for (unsigned c = 0; c < 8; ++c) {
      Index3 child_corner = corner;
      for (int axis = 0; axis < 3; ++axis) child_corner[axis] += (c >> axis & 1) ? half : 0;
      const Part part = part_of(child_corner, half);
      if (part.is_empty) continue;
      const std::optional<VoxelState> state = uniform_state(grid_, part.lo, part.hi);
      if (state == VoxelState::kUnknown) continue;
      octomap::OcTreeNode* child = createNodeChild(node, c);
      if (state && part.is_whole) {
        child->setLogOdds(state == VoxelState::kOccupied ? getClampingThresMaxLog()
                                                         : getClampingThresMinLog());
      } else {
        grow_children(child, depth + 1, child_corner);
      }
    }
  }

  const OccupancyGrid& grid_;
  const Index3 first_key_;
};

}  // namespace

void write_octomap(const OccupancyGrid& grid, const std::string& path) {
  if (grid.geometry().frame != Frame::kMapZUp) {
    return write_octomap(in_frame(grid, Frame::kMapZUp), path);
  }
  GrownTree tree(grid, first_key(grid.geometry(), path));
  if (!tree.grow()) {
    throw InputError(path + ": all voxels are unknown, and OctoMap keeps known ones only; " +
                     "write a .slw");
  }
  // The library would write the resolution with six digits.
  OutputFile file(path);
  const std::string header =
      "# Octomap OcTree binary file\n# (feel free to add / change comments, but leave the first "
      "line as it is!)\n#\nid OcTree\nsize " +
      std::to_string(tree.size()) + "\nres " + exact_text(grid.geometry().voxel_m[0]) + "\ndata\n";
  file.write(header.data(), header.size());
  std::ostringstream nodes;
  tree.writeBinaryData(nodes);
  const std::string data = nodes.str();
  file.write(data.data(), data.size());
  file.commit();
}

}  // namespace sightline::host
