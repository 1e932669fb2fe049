// The trials of the storage medium: a thing, an observer, and a wall with a doorway between them or
// elsewhere. Not for users of the library: see storage_medium.h.
//
// Lengths are metres, frame: x right, y up, z forward. Places are whole centimetres and walls stand
// on the 0.5 m grid, so that text with two decimals and voxels of 0.5 m say exactly the same.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/device.h"
#include "host/world/world.h"

namespace sightline::host {

struct MediumTrial {
  std::string object;    ///< "lantern"
  std::string sentence;  ///< what was remembered of it
  kernels::Vec3 place_m;
  kernels::Vec3 seen_from_m;  ///< where it was remembered
  kernels::Vec3 from_m;       ///< the eyes of who asks
  std::vector<Bounds> walls;  ///< on both sides of the doorway; closed boxes
  bool visible = false;       ///< in truth
};

/// The walls of a trial as an analytic set and as voxels of 0.5 m.
World medium_world(const MediumTrial& trial);

/// Trial t depends on (seed, t) alone. A fair coin says whether the thing is to be hidden, and
/// observer and thing are drawn anew until it is so. The truth: samples of the analytic walls,
/// 0.05 m apart.
std::vector<MediumTrial> make_medium_trials(std::int64_t count, std::uint64_t seed, Device& device);

}  // namespace sightline::host
