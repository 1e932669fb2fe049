// The rays of an experiment: who looks from where, in which direction, at what.
#pragma once

#include <functional>
#include <vector>

#include "host/world/visibility.h"

namespace sightline::host {

struct RaySet {
  RayBatch batch;
  std::vector<double> yaw_deg, pitch_deg;  ///< [num_observers], or empty: observers look nowhere
  /// [num_targets], or empty: all. Which of the targets that the settings make these are, where
  /// filters dropped some; of elementwise rays, which of the observers too. Pieces do not have it.
  std::vector<std::int64_t> target_source;

  std::size_t bytes() const;  ///< of host memory
};

/// The observers' poses in a frame, [num_observers]. The set must have headings.
std::vector<kernels::Pose> poses_of(const RaySet& rays, Frame frame);

/// The first rays of a set: at most max_rays, and for observers x targets whole rows if any fits.
RaySet first_rays(const RaySet& rays, std::int64_t max_rays);

/// Calls `visit` with consecutive parts of the set, in ray order, of at most max_rays rays each.
/// Bounds the memory of what is computed per ray.
void for_each_piece(const RaySet& rays, std::int64_t max_rays,
                    const std::function<void(const RaySet&)>& visit);

}  // namespace sightline::host
