// Counts and hits in tests: equality, and how they print.
#pragma once

#include <algorithm>
#include <ostream>

#include "kernels/types.h"

namespace sightline::kernels {

inline bool operator==(const SampleCounts& a, const SampleCounts& b) {
  return a.visible == b.visible && a.unknown == b.unknown;
}
inline std::ostream& operator<<(std::ostream& out, const SampleCounts& counts) {
  return out << counts.visible << " visible, " << counts.unknown << " unknown";
}

inline bool operator==(const FirstHit& a, const FirstHit& b) {
  return a.distance_m == b.distance_m && std::equal(a.voxel, a.voxel + 3, b.voxel) &&
         a.face == b.face && a.sight == b.sight && a.through_unknown == b.through_unknown;
}
inline std::ostream& operator<<(std::ostream& out, const FirstHit& hit) {
  return out << "voxel (" << hit.voxel[0] << ", " << hit.voxel[1] << ", " << hit.voxel[2]
             << "), face " << int(hit.face) << ", " << hit.distance_m << " m, sight "
             << int(hit.sight) << (hit.through_unknown ? ", through unknown" : "");
}

}  // namespace sightline::kernels
