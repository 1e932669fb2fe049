// The ground that an agent walks over from action to action: what it can see from where, and what
// is gone. Not for users of the library: see action_loop.h.
#pragma once

#include <vector>

#include "host/device.h"
#include "host/world/world.h"

namespace sightline::host {

/// Voxels of a metre: things, a voxel each, and two walls that cross in the middle and leave four
/// yards, with an opening of kGap_m in each of their four arms. A thing that is taken away is freed
/// in a version of its own, and hides nothing from then on.
class Yard {
 public:
  static constexpr double kEyes_m = 1.6, kHigh_m = 4;
  static constexpr std::int64_t kGap_m = 3;

  /// Things further apart than a voxel, within a ground that begins at 0; not empty.
  explicit Yard(const std::vector<kernels::Vec3>& things_m);

  /// Which of the places can be seen: [num_places]. The voxels of eye and place hide nothing.
  std::vector<bool> visible(const kernels::Vec3& eye_m, const std::vector<kernels::Vec3>& places_m,
                            Device& device) const;
  bool is_gone(const kernels::Vec3& thing_m) const;
  void take_away(const kernels::Vec3& thing_m);
  /// The middles of the four yards, at the height of eyes, in the order of a round.
  std::vector<kernels::Vec3> waypoints() const;

 private:
  World world_;
};

}  // namespace sightline::host
