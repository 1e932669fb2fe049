// What arms of the battery perceive: by a cone, along rays, in rendered pictures. Not for users of
// the library: see battery.h.
#pragma once

#include <vector>

#include "host/studies/battery_arm.h"
#include "host/world/world.h"

namespace sightline::host {

/// Where the trials are asked from, and what each looks at.
struct Looks {
  std::vector<kernels::Pose> poses;  ///< [num_trials]
  RayBatch rays;                     ///< [num_trials], elementwise
};

/// Is it seen: kYes or kNo of each trial.
std::vector<int> perceive(const BatteryArm& arm, const Looks& looks, const World& world,
                          Device& device);

}  // namespace sightline::host
