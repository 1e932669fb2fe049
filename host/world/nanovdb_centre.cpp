#include <cmath>
#include <limits>

#include "host/world/nanovdb_world.h"

namespace sightline::host {

std::array<double, 3> nanovdb_centre(const GridGeometry& geometry) {
  std::array<double, 3> centre;
  for (int axis = 0; axis < 3; ++axis) {
    const double half_m = geometry.voxel_m[axis] / 2, origin_m = geometry.origin_m[axis];
    const double rounded = origin_m + half_m;
    centre[axis] = rounded;
    for (const double towards : {-1.0, 1.0}) {
      const double limit = towards * std::numeric_limits<double>::infinity();
      const double neighbour = std::nextafter(rounded, limit);
      for (const double at : {neighbour, std::nextafter(neighbour, limit)}) {
        if (centre[axis] - half_m != origin_m && at - half_m == origin_m) centre[axis] = at;
      }
    }
  }
  return centre;
}

}  // namespace sightline::host
