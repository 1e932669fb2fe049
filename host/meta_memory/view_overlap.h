// Which voxels of a world a view sees, how much of them another view sees too, and which stored
// view shares most with a new one.
//
// Meta-Memory (Mao et al.), limitations, leaves scenes that change open: its memory only grows. A
// robot that comes by again sees what it saw before, as it is now; the overlap of views says which
// entry that was. Frame: z up, x east, y north, metres; yaw counter-clockwise from +x, radians.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "host/device.h"
#include "host/world/world.h"
#include "index/spatial_index.h"
#include "kernels/kernels.h"

namespace sightline::host {

struct View {
  kernels::Vec3 position_m;  ///< of who looks, on the ground
  double yaw_rad = 0;        ///< NaN: all around
};

struct ViewRules {
  double front_deg = 200;     ///< of the four frames of an entry, in (0, 360]
  double range_m = 9;         ///< from the eye
  double eye_height_m = 1.2;  ///< above the position
};

/// Voxels of one grid by number, x + nx (y + ny z), ascending.
using VoxelSet = std::vector<std::int64_t>;

/// [views] the voxels that each sees: those whose centre lies at most range_m from the eye, in a
/// direction that differs from the yaw by at most half of front_deg, seen from above, and to which
/// the line is free by the exact walk; what is unknown blocks it. A solid voxel is seen where the
/// line first meets it. Every device and any number of threads give the same sets. Throws
/// InputError for rules that cannot be, a world without a grid or in which z does not point up, and
/// a place that is not finite.
std::vector<VoxelSet> visible_voxels(const World& world, const std::vector<View>& views,
                                     const ViewRules& rules, Device& device);

/// What both share over what both have together, in [0, 1]; 0 if neither has any.
double intersection_over_union(const VoxelSet& a, const VoxelSet& b);

struct Overlap {
  std::int64_t row = 0;
  double share = 0;  ///< intersection over union
};

/// Stored views, by row. Exact: two views that share a voxel stand at most twice their range apart,
/// and every one that near is compared. Sets must be of grids that number voxels alike.
class ViewIndex {
 public:
  /// Throws InputError unless range_m, that of the views' rules, is finite and above 0.
  explicit ViewIndex(double range_m);

  /// Adds a view as row size(). Throws InputError for a place that is not finite, EnvironmentError
  /// in a build without nanoflann.
  void add(const kernels::Vec3& position_m, VoxelSet voxels);
  /// Takes a view out; its row is not given again. Throws InputError for a row that is none.
  void remove(std::int64_t row);

  std::int64_t size() const { return static_cast<std::int64_t>(views_.size()); }
  bool holds(std::int64_t row) const;

  using MayBe = std::function<bool(std::int64_t row)>;
  /// The view of greatest overlap among those that `may_be` lets through (empty: all), of equals
  /// the lowest row; none below `threshold`. Throws InputError unless that is above 0 and at most
  /// 1.
  std::optional<Overlap> best(const kernels::Vec3& position_m, const VoxelSet& voxels,
                              double threshold, const MayBe& may_be = {}) const;
  /// The same for a batch, on num_threads threads (0: all cores), to the same bits. positions_m and
  /// voxels are of one length (throws InputError otherwise).
  std::vector<std::optional<Overlap>> best(const std::vector<kernels::Vec3>& positions_m,
                                           const std::vector<VoxelSet>& voxels, double threshold,
                                           int num_threads) const;

 private:
  struct Stored {
    kernels::Vec3 position_m;
    VoxelSet voxels;
    bool is_there = true;
  };
  std::optional<Overlap> find(const kernels::Vec3& position_m, const VoxelSet& voxels,
                              double threshold, const MayBe& may_be) const;
  void index_all();

  double range_m_;
  std::vector<Stored> views_;
  std::optional<index::SpatialIndex> near_;  ///< of indexed_; later views are looked at one by one
  std::vector<std::int64_t> indexed_;        ///< rows, ascending
  std::int64_t num_indexed_ = 0;             ///< rows from here on are not in near_
};

}  // namespace sightline::host
