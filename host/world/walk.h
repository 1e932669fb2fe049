// A walk that covers the free space of a world: where somebody comes by who explores it.
//
// What Spatial Memory Must Store (2026), section 3: an agent "walks a coverage-driven path, and at
// each stop captures an observation".
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/config/value.h"
#include "host/device.h"
#include "host/world/world.h"

namespace sightline::host {

struct WalkSettings {
  double height_m = 1.6;          ///< of the eyes above the floor
  std::optional<double> floor_m;  ///< along the up axis; absent: map_floor_m
  bool on_ground = false;         ///< over open ground, up and down: the floor is ground_m
  double climb_m = 0.5;           ///< of open ground: up or down in one step, at most
  double step_m = 1;              ///< between neighbouring stops
  std::string place;              ///< in the sweep file, for messages
};

/// Reads {height_m, floor_m: a number or ground, climb_m, step_m}. Throws InputError.
WalkSettings parse_walk(const ConfigValue& walk);

/// Where a walk may stop, and between which stops one can go. Stops are the free points of a
/// lattice of step_m at eye height, the world's bounds less half a step around it; a step leads to
/// one of the four neighbours if the line to it is free, and the climb not too high.
class FreeSpace {
 public:
  /// The world needs a grid. Throws InputError, at the place of the setting, for more than 2^22
  /// points or if none is free.
  FreeSpace(const WalkSettings& settings, const World& world, Device& device);

  /// The stops of a walk, metres, in the order in which they are first come by. From a random stop
  /// on the walker goes to a random neighbour where it has not been, else back the way it came,
  /// until it has been everywhere it can get to. Depends on world, settings and seed alone.
  std::vector<kernels::Vec3> walk(std::uint64_t seed) const;

  /// The walk that comes farthest, the first of those that do: one that begins in a closet ends
  /// there. Empty without seeds.
  std::vector<kernels::Vec3> longest_walk(const std::vector<std::uint64_t>& seeds) const;

 private:
  void add_points(const WalkSettings& settings, const World& world);
  void find_passages(const WalkSettings& settings, const World& world, Device& device);
  std::vector<std::int64_t> neighbours_of(std::int64_t point) const;
  std::int64_t size() const { return rows_ * columns_; }

  std::int64_t rows_ = 0, columns_ = 0;
  std::vector<kernels::Vec3> points_;            ///< [rows x columns], row by row
  std::vector<std::uint8_t> is_free_;            ///< [rows x columns]
  std::vector<std::int64_t> free_;               ///< the points that are
  std::vector<std::array<bool, 2>> is_passage_;  ///< to the next of the row, and of the column
};

/// One walk: FreeSpace(settings, world, device).walk(seed).
std::vector<kernels::Vec3> walk_free_space(const WalkSettings& settings, const World& world,
                                           std::uint64_t seed, Device& device);

}  // namespace sightline::host
