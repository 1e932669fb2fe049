// Line of sight in a plain array of voxels, by its definition and in whole numbers.
//
// The truth that packed and versioned grids are held to, by a way of its own: one byte a voxel,
// edited by plain loops, and no walk along a ray. A box of voxels counts as crossed if a line has
// positive length in it, which is a comparison of fractions; boxes that are crossed are halved
// until they are voxels. That is the rule `diagonal` of exact methods (README, "What the answers
// mean") as it is written down, ties included: cells are half-open, a cell touched in one point is
// not visited. Lines run between points of a lattice of 1/256 voxel, so that every product fits 64
// bits and nothing is rounded: an exact method that answers otherwise is wrong, whatever the line.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace sightline::host {

/// Indices of a voxel along the axes of a grid.
using VoxelIndex = std::array<std::int64_t, 3>;
/// A place in units of 1/256 voxel from the grid's origin.
using LatticePlace = std::array<std::int64_t, 3>;

constexpr std::int64_t kLatticePerVoxel = 256;  ///< lattice_bits = 8 of VisibilityQuery

/// The voxel that a place lies in.
VoxelIndex voxel_of(const LatticePlace& place);

/// Voxels [lo, hi) become solid, or free.
struct VoxelChange {
  VoxelIndex lo{0, 0, 0}, hi{0, 0, 0};
  bool solid = true;
};

/// Owns a byte per voxel; all free at first.
class PlainVoxels {
 public:
  /// Axes of 1 to 2^22 voxels; at most kMostVoxels together, or InputError.
  explicit PlainVoxels(const VoxelIndex& dims);
  static constexpr std::int64_t kMostVoxels = std::int64_t{1} << 28;

  const VoxelIndex& dims() const { return dims_; }
  bool holds(const VoxelIndex& voxel) const;
  /// Solid, and inside.
  bool is_solid(const VoxelIndex& voxel) const;
  /// The part of the change inside the array counts.
  void apply(const VoxelChange& change);

  /// Places in the array of the voxels that a line crosses, in no order, without those that its
  /// ends lie in, and without what lies outside.
  std::vector<std::int64_t> crossed(const LatticePlace& from, const LatticePlace& to) const;
  /// Is none of them solid?
  bool is_clear(const std::vector<std::int64_t>& crossed) const;
  bool is_clear(const LatticePlace& from, const LatticePlace& to) const {
    return is_clear(crossed(from, to));
  }

 private:
  std::int64_t place_of(const VoxelIndex& voxel) const {
    return voxel[0] + dims_[0] * (voxel[1] + dims_[1] * voxel[2]);
  }

  VoxelIndex dims_;
  std::vector<std::uint8_t> solid_;
};

}  // namespace sightline::host
