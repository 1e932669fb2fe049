// Where doors and walls can be in an array of voxels.
#pragma once

#include <cstdint>
#include <vector>

#include "host/random.h"
#include "host/truth/plain_voxels.h"

namespace sightline::host {

/// What tells a passage from a hall, and how large panels are, metres.
struct PanelSizes {
  double least_door_m = 0.5, most_door_m = 1.6;
  double opens_within_m = 0.8;  ///< on both sides of a door it is wider
  double least_wall_m = 1.5, most_wall_m = 3;
  double reach_m = 2.5;  ///< above and below the height at which a panel is looked for
  double apart_m = 0.3;  ///< between panels
};

/// Finds sites, and marks what they take. Sites do not overlap, whatever the order of the calls.
class PanelSites {
 public:
  /// `voxels` must outlive this. Axis `up` points up; voxels are voxel_m wide along each axis.
  PanelSites(const PlainVoxels& voxels, const std::array<double, 3>& voxel_m, int up);

  /// Boxes of free voxels, one voxel thick, with solid voxels at both sides: at most `most` of
  /// them, looked for around the voxels `near`, up to `within_m` away along both level axes.
  std::vector<VoxelChange> doors(const std::vector<VoxelIndex>& near, double within_m,
                                 std::size_t most, RandomItem* random);
  /// Boxes of free voxels anywhere around `near`.
  std::vector<VoxelChange> walls(const std::vector<VoxelIndex>& near, std::size_t most,
                                 RandomItem* random);
  /// Is a voxel part of a site, or near one?
  bool is_taken(const VoxelIndex& voxel) const { return taken_.is_solid(voxel); }
  /// Inside, not solid, and no part of a site.
  bool is_free(const VoxelIndex& voxel) const;

 private:
  struct Row {
    VoxelIndex voxel;      ///< any of it
    std::size_t axis = 0;  ///< along which it runs
    std::int64_t lo = 0, hi = 0;
  };

  std::int64_t voxels_in(double length_m, std::size_t axis) const;
  bool is_row_free(const Row& row) const;
  /// The free voxels along an axis around one, `most` + 1 at most.
  Row free_row(const VoxelIndex& voxel, std::size_t axis, std::int64_t most) const;
  bool is_passage(const Row& row) const;
  VoxelChange panel(const Row& row) const;
  void take(const VoxelChange& panel);

  const PlainVoxels& voxels_;
  std::array<double, 3> voxel_m_;
  std::size_t up_;
  std::array<std::size_t, 2> level_;  ///< the other axes
  PanelSizes sizes_;
  PlainVoxels taken_;
};

}  // namespace sightline::host
