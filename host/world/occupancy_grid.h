// The packed occupancy grid on the host: owns the block, reads it, and edits it in place.
//
// Layout: kernels/occupancy.h. Building costs no dense copy: the block grows by the bricks that a
// voxel or a box touches, so a 2048^3 world needs little more than its packed size.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "host/device.h"
#include "host/world/packed_block.h"
#include "kernels/kernels.h"

namespace sightline::host {

enum class VoxelState : std::uint8_t { kFree = 0, kOccupied = 1, kUnknown = 2 };

/// Which axis points up, and how the axes are handed.
enum class Frame : std::uint8_t {
  kSceneYUp,  ///< x right, y up, z forward, left-handed; yaw 0 looks along +z, 90 degrees along +x
  kMapZUp     ///< x forward, y left, z up, right-handed; yaw 0 looks along +x, 90 degrees along +y
};

/// Size, place and scale of a grid. Voxel (i, j, k) covers [origin + i h, origin + (i + 1) h).
struct GridGeometry {
  std::array<std::int64_t, 3> dims{0, 0, 0};  ///< voxels, each in [1, 2^22]
  std::array<double, 3> origin_m{0, 0, 0};    ///< world frame
  std::array<double, 3> voxel_m{1, 1, 1};     ///< positive, may differ per axis
  Frame frame = Frame::kSceneYUp;
};

/// The layout of such a grid, its planes not yet placed. Throws InputError on dimensions or sizes
/// outside their bounds.
kernels::GridLayout layout_of(const GridGeometry& geometry);

/// An identity that no block of this process ever had.
std::uint64_t new_block_id();

/// Where a version of a VersionedGrid lies, or a grid in memory that several processes read.
struct SharedVersion {
  std::shared_ptr<const PackedBlock> block;
  std::vector<std::uint64_t> roots;  ///< as GridView::roots; empty: the roots lie in the block
  std::size_t num_words = 0;         ///< of the block, as far as this version needs it
  std::uint64_t block_id = 0;
  std::uint64_t number = 0;
};

/// Owns its block, or reads a version of a VersionedGrid where it lies (VersionedGrid::grid), or a
/// block in the memory of others (over); an edit of such a grid first takes a copy, and leaves what
/// it read as it is.
class OccupancyGrid {
 public:
  /// A grid of free voxels. Throws InputError on dimensions or sizes outside their bounds.
  explicit OccupancyGrid(const GridGeometry& geometry);

  /// A grid of unknown voxels: every plane of unknown space is kept from then on.
  static OccupancyGrid unknown(const GridGeometry& geometry);

  /// Takes over a block read from a file. Throws InputError if any offset leaves the block, a mask
  /// contradicts its children, or a voxel outside the dimensions is set.
  OccupancyGrid(const GridGeometry& geometry, WordVector words, std::uint32_t occupied_root,
                std::uint32_t not_free_root);

  /// Reads the block of another grid, its words() and layout(), where it lies: longer than this
  /// grid and all that is made of it. Nothing is checked.
  static OccupancyGrid over(const GridGeometry& geometry, const kernels::GridLayout& layout,
                            Words words);

  const GridGeometry& geometry() const { return geometry_; }
  std::int64_t num_voxels() const;
  bool has_unknown() const { return layout_.not_free.offset != layout_.occupied.offset; }

  /// State of a voxel inside the dimensions (throws InputError otherwise).
  VoxelState at(std::int64_t i, std::int64_t j, std::int64_t k) const;
  void set(std::int64_t i, std::int64_t j, std::int64_t k, VoxelState state);
  /// Sets every voxel of [lo, hi), clipped to the grid.
  void set_box(const std::array<std::int64_t, 3>& lo, const std::array<std::int64_t, 3>& hi,
               VoxelState state);

  struct Counts {
    std::int64_t free = 0, occupied = 0, unknown = 0;
  };
  /// Voxels by state, over the whole grid.
  Counts count() const;

  kernels::GridView view() const;
  /// The block with its identity, for Device. An edit changes the identity.
  HostGrid host_grid() const;
  kernels::VoxelFrame voxel_frame() const;
  /// The block the grid lies in. That of a version is shared, and its roots lie elsewhere (view()).
  Words words() const;
  const kernels::GridLayout& layout() const { return layout_; }
  std::size_t bytes() const;
  /// Size of the block in bits, per voxel of the grid.
  double bits_per_voxel() const;

  /// The same voxels in a block of their own, in one order: nodes depth first, a plane of unknown
  /// space only where there is any. Grids with equal voxels have equal compacted blocks.
  OccupancyGrid compacted() const;

 private:
  friend class VersionedGrid;
  OccupancyGrid(const GridGeometry& geometry, const kernels::GridLayout& layout,
                std::shared_ptr<const SharedVersion> version);

  void copy_plane(std::uint32_t from_root, std::uint32_t to_root);
  void edit_plane(std::uint32_t root, const BoxEdit& edit);
  std::int64_t count_plane(kernels::PlaneRoot root) const;

  GridGeometry geometry_;
  kernels::GridLayout layout_;
  PackedBlock block_;                             ///< unused by a version
  std::shared_ptr<const SharedVersion> version_;  ///< null: the grid has a block of its own
  std::uint64_t id_ = 0;
};

}  // namespace sightline::host
