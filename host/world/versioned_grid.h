// A grid and its edits: every edit makes a version, and versions share what they have in common.
//
// All versions lie in one block of words that only grows (kernels/occupancy.h). An edit appends the
// bricks it changes and the nodes above them, a version keeps the few root entries in which it
// differs from the one before, and a query makes its roots from those (GridView::roots). So a
// version costs what changed, whatever the size of the world, and the block of version 7 begins
// with the block of version 3: a GPU that has one needs only the rest of the other.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/world/occupancy_grid.h"

namespace sightline::host {

class BlockCheck;

/// Voxels [lo, hi) take a state; the part inside the grid counts.
struct Edit {
  std::array<std::int64_t, 3> lo{0, 0, 0}, hi{0, 0, 0};
  VoxelState state = VoxelState::kOccupied;
};

/// The edit of one voxel.
inline Edit edit_voxel(std::int64_t i, std::int64_t j, std::int64_t k, VoxelState state) {
  return {{i, j, k}, {i + 1, j + 1, k + 1}, state};
}

/// Why the edit cannot be made in such a grid (an empty box, nothing of it inside); empty if it
/// can.
std::string fault_of(const Edit& edit, const GridGeometry& geometry);

/// What is told about a version.
struct EditNote {
  std::string text;              ///< one line (fault_of_note), though a file may bring another
  std::optional<double> time_s;  ///< when the world changed, on any clock that runs forwards
};

/// A note with its control characters, line breaks among them, as escapes such as \\n and \\x1b:
/// one line, which does nothing to a terminal.
std::string escaped_note(const std::string& text);
/// Why a text cannot be the note of an edit (it is not one line of plain text); empty if it can.
std::string fault_of_note(const std::string& text);

/// The roots of one region of 64^3 voxels: word offsets, equal where the region knows no unknown.
struct RegionRoots {
  std::uint32_t entry = 0;  ///< index in the root table
  std::uint32_t occupied = 0;
  std::uint32_t not_free = 0;
};

/// One version, as it differs from the one before.
struct GridVersion {
  std::vector<Edit> edits;  ///< in the order they were applied, clipped to the grid
  EditNote note;
  std::vector<RegionRoots> regions;  ///< that changed, by ascending entry
  std::size_t num_words = 0;         ///< of the block, this version's included
  std::int64_t num_bricks = 0;       ///< appended
  std::int64_t num_nodes = 0;        ///< appended
  OccupancyGrid::Counts counts;      ///< voxels of the whole grid
  bool has_unknown = false;
};

/// Not copyable: the identity of a block stands for one sequence of edits.
class VersionedGrid {
 public:
  /// Version 0 holds the voxels of `first`, in a block of its own.
  explicit VersionedGrid(const OccupancyGrid& first);
  /// Takes over a block and its history, version 0 first, as read from a file: of the versions,
  /// num_words, regions, edits and note are looked at. Throws InputError if an offset leaves its
  /// version, a mask contradicts its children, versions are out of order, or an edit lies outside.
  VersionedGrid(const GridGeometry& geometry, PackedBlock block, std::uint32_t occupied_root,
                std::uint32_t not_free_root, std::vector<GridVersion> versions);
  VersionedGrid(VersionedGrid&&) = default;
  VersionedGrid& operator=(VersionedGrid&&) = default;

  /// Applies the edits in order, as one step, to the latest version; returns the new version's
  /// number. What ends up as it was is not stored again. Throws InputError, with the edit's index
  /// and nothing changed, on a box that is empty or lies outside the grid, and on a time before
  /// that of an earlier version. Views of all versions (OccupancyGrid::view) become invalid; grids
  /// stay. Not to be called while a query runs.
  std::int64_t edit(const std::vector<Edit>& edits, const EditNote& note = {});

  std::int64_t num_versions() const { return static_cast<std::int64_t>(versions_.size()); }
  std::int64_t latest() const { return num_versions() - 1; }
  const GridGeometry& geometry() const { return geometry_; }

  /// A version by its number, from 0 to latest(); all below throw InputError on another one.
  const GridVersion& version(std::int64_t number) const;
  /// The version read where it lies; all that takes an OccupancyGrid takes it. Costs a copy of the
  /// roots (4 bytes per 64^3 voxels), and stays valid whatever happens to this object.
  OccupancyGrid grid(std::int64_t number) const;
  /// The version in a block of its own: what a grid built from the same voxels is when compacted.
  OccupancyGrid checkout(std::int64_t number) const { return grid(number).compacted(); }
  /// Memory the version takes beyond the one before: words appended, root entries, its record.
  std::size_t bytes(std::int64_t number) const;
  /// Voxels of other states in two versions.
  std::int64_t num_changed(std::int64_t from, std::int64_t to) const;
  /// The last version whose time is not after `time_s`; versions without a time are as old as the
  /// one before, and version 0 has always been.
  std::int64_t version_at(double time_s) const;

  Words words() const { return block_->words(); }
  /// Layout of version 0, whose roots lie in the block.
  const kernels::GridLayout& first_layout() const { return layout_; }

 private:
  struct Roots {
    std::uint32_t occupied = 0, not_free = 0;
  };
  class Step;

  void take_over(BlockCheck& check, GridVersion version);
  void check_regions(BlockCheck& check, const std::vector<RegionRoots>& regions) const;
  std::vector<RegionRoots> first_regions() const;
  std::vector<Edit> clipped(const std::vector<Edit>& edits) const;
  void check_time(const EditNote& note) const;
  void append_first(const OccupancyGrid& first);
  Roots first_roots(std::int64_t entry) const;
  bool knows_unknown() const;
  void count_regions(const std::vector<RegionRoots>& regions, OccupancyGrid::Counts& counts) const;
  /// The latest version's roots become those of `regions`.
  void advance(const std::vector<RegionRoots>& regions);

  GridGeometry geometry_;
  kernels::GridLayout layout_;
  std::shared_ptr<PackedBlock> block_;
  std::uint64_t block_id_ = 0;
  std::vector<GridVersion> versions_;
  std::vector<Roots> latest_;           ///< [root entries]
  std::int64_t num_split_regions_ = 0;  ///< of the latest version: with unknown space
};

}  // namespace sightline::host
