// What is in sight on a campus: straight lines that cross no building.
#pragma once

#include <vector>

#include "host/truth/campus.h"

namespace sightline::host {

/// The rings of a campus, boxed: many lines at a time are asked of them.
class PlaceSight {
 public:
  explicit PlaceSight(const std::vector<WallRing>& rings);

  /// Does the line between two places, seen from above, neither cross nor touch a wall?
  bool is_free(const kernels::Vec3& from_m, const kernels::Vec3& to_m) const;
  /// The first wall on the way: its share of the way, in [0, 1]; 2 where there is none.
  double first_wall(const kernels::Vec3& from_m, const kernels::Vec3& to_m) const;
  /// Does the place lie in a building? On a wall: either.
  bool is_inside(const kernels::Vec3& place_m) const;

 private:
  struct Boxed {
    WallRing corners;
    double min_x, min_y, max_x, max_y;
  };
  std::vector<Boxed> rings_;
};

}  // namespace sightline::host
