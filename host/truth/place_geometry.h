// Distances between places, for the rules about them.
#pragma once

#include <cmath>

#include "kernels/kernels.h"

namespace sightline::host {

inline double distance_m(const kernels::Vec3& a, const kernels::Vec3& b) {
  return std::hypot(a.x - b.x, a.y - b.y, a.z - b.z);
}
/// Seen from above.
inline double flat_distance_m(const kernels::Vec3& a, const kernels::Vec3& b) {
  return std::hypot(a.x - b.x, a.y - b.y);
}

}  // namespace sightline::host
