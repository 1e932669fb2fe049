// Marches whose samples lie where rounding could turn them round.
#pragma once

#include <cmath>
#include <vector>

#include "host/world/visibility.h"
#include "host/world/world.h"
#include "kernels/kernels.h"
#include "support/random.h"

namespace sightline::tests {

/// From a hundredth of a voxel to ten, some of them parts of voxels, on whose faces samples lie.
inline std::vector<double> any_steps_m(double voxel_m, Random& random) {
  std::vector<double> steps_m(static_cast<std::size_t>(random.integer(1, 20)));
  for (double& step_m : steps_m) {
    const double voxels = random.chance(0.5) ? static_cast<double>(random.integer(1, 40)) / 8
                                             : std::pow(10.0, random.uniform(-2, 1));
    step_m = voxel_m * voxels;
  }
  return steps_m;
}

/// Some voxels in the middle of an empty grid.
inline host::OccupancyGrid scattered_voxels(Random& random) {
  host::OccupancyGrid grid(host::GridGeometry{{200, 150, 130}});
  for (int i = 0; i < 500; ++i) {
    grid.set(random.integer(60, 140), random.integer(60, 90), random.integer(60, 70),
             host::VoxelState::kOccupied);
  }
  return grid;
}

/// Rays past corners of those voxels and along their edges, by `off` voxels at most, from and to
/// points that are as near to such places, too.
inline host::RayBatch rays_by_corners(double off, int num_rays, Random& random) {
  host::RayBatch rays;
  for (int i = 0; i < num_rays; ++i) {
    const kernels::Vec3 corner{static_cast<double>(random.integer(60, 140)),
                               static_cast<double>(random.integer(60, 90)),
                               static_cast<double>(random.integer(60, 70))};
    const auto halves = [&] { return static_cast<double>(random.integer(-6, 6)) / 2; };
    const kernels::Vec3 way{halves(), halves(),
                            random.chance(0.3) ? random.uniform(-3, 3) : halves()};
    const auto moved = [&](double times) {
      return kernels::Vec3{corner.x + times * way.x + random.uniform(-off, off),
                           corner.y + times * way.y + random.uniform(-off, off),
                           corner.z + times * way.z + random.uniform(-off, off)};
    };
    rays.observers.push_back(moved(-static_cast<double>(random.integer(1, 16))));
    rays.targets.push_back(moved(static_cast<double>(random.integer(0, 16))));
  }
  return rays;
}

/// In voxels: some are so small that no float tells them from none.
constexpr double kOffCorners_vox[] = {0, 1e-12, 1e-8, 1e-6, 1e-5, 1e-4};

}  // namespace sightline::tests
