// May one go straight from here to there: past buildings seen from above, or through a voxel world.
// Both make TopologicalMapOptions::is_free.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "host/device.h"
#include "host/world/world.h"
#include "kernels/kernels.h"

namespace sightline::host {

/// The outline of a building, metres, x east, y north; closed or not, either way round.
using BuildingRing = std::vector<std::array<double, 2>>;

/// What a line may do that begins or ends in a building.
enum class EndsInBuildings : std::uint8_t {
  kBlocked,  ///< nothing: a robot on the ground is in none
  /// Pass through the walls of the buildings that hold one of its ends, as though one stood at a
  /// window: lines of sight from a landmark that is itself a building.
  kPassOwnWalls
};

/// Answers lines over the ground. Heights do not count. A line that only touches a building, its
/// corner or along its wall, is blocked; rounding may take one for touching that passes within
/// 1e-9 m or so. Searched by an R-tree (Boost.Geometry); any number of threads may ask at a time.
class BuildingSight {
 public:
  /// Throws InputError with the number of the ring for fewer than three corners or one that is not
  /// finite.
  explicit BuildingSight(const std::vector<BuildingRing>& rings);
  BuildingSight(BuildingSight&&) noexcept;
  BuildingSight& operator=(BuildingSight&&) noexcept;
  ~BuildingSight();

  bool is_free(const kernels::Vec3& from_m, const kernels::Vec3& to_m,
               EndsInBuildings ends = EndsInBuildings::kBlocked) const;
  /// [num_lines] 1: free. from_m and to_m are of one length (throws InputError otherwise).
  std::vector<std::uint8_t> are_free(const std::vector<kernels::Vec3>& from_m,
                                     const std::vector<kernels::Vec3>& to_m,
                                     EndsInBuildings ends = EndsInBuildings::kBlocked,
                                     int num_threads = 0) const;
  /// Is a place in a building, or on its wall?
  bool is_inside(const kernels::Vec3& place_m) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

using IsFree = std::function<std::vector<std::uint8_t>(const std::vector<kernels::Vec3>&,
                                                       const std::vector<kernels::Vec3>&)>;

/// are_free() with kBlocked, for maps. `sight` stays where it is for as long as this is called.
IsFree free_of_buildings(const BuildingSight& sight, int num_threads = 0);

/// Line of sight by the exact walk, height_m above both places along z; what is unknown blocks, and
/// what lies outside the grid. Both stay where they are for as long as this is called; threads
/// that call it at a time take turns at the device. Throws InputError unless the world has a grid
/// and z points up in it.
IsFree free_in_world(const World& world, double height_m, Device& device);

}  // namespace sightline::host
