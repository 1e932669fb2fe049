// Marches whose samples lie where rounding could turn them round.
#pragma once

#include <cmath>
#include <utility>
#include <vector>

#include "host/world/visibility.h"
#include "host/world/world.h"
#include "kernels/kernels.h"
#include "support/random.h"

namespace sightline::tests {

/// Rules of any kind.
inline kernels::MarchRules any_march_rules(Random& random) {
  kernels::MarchRules rules;
  rules.uniform = random.chance(0.5);
  rules.end_rule = static_cast<kernels::EndRule>(random.integer(0, 2));
  rules.unknown = static_cast<kernels::SpacePolicy>(random.integer(0, 2));
  rules.outside = static_cast<kernels::SpacePolicy>(random.integer(0, 2));
  return rules;
}

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

/// A batch with its steps, in a grid that any rules may be asked of.
struct MarchCase {
  host::OccupancyGrid grid;
  host::RayBatch rays;
  std::vector<double> steps_m;
};

/// Rays along x that end on faces, or next to them by a rounding error or two, a whole number of
/// steps from where they start: of the last sample rounding decides in which voxel it lies.
inline MarchCase marches_to_faces(int num_rays, Random& random) {
  constexpr std::int64_t kLength = 100, kWidth = 20;
  const double voxel_m = random.chance(0.7) ? 0.1 : random.uniform(0.01, 1);
  const double low_m = -static_cast<double>(random.integer(0, 60)) / 2;
  host::OccupancyGrid grid(host::GridGeometry{
      {kLength, kWidth, kWidth}, {low_m, -0.2, 0.1}, {voxel_m, voxel_m, voxel_m}});
  for (int i = 0; i < 20000; ++i) {
    grid.set(random.integer(0, kLength - 1), random.integer(0, kWidth - 1),
             random.integer(0, kWidth - 1), host::VoxelState::kOccupied);
  }
  const double step_m = random.chance(0.5) ? static_cast<double>(random.integer(2, 90)) / 100
                                           : random.uniform(0.02, 0.9);
  host::RayBatch rays;
  const auto coordinate = [&](double origin_m) {
    return origin_m + voxel_m * (static_cast<double>(random.integer(1, kWidth - 2)) + 0.5);
  };
  for (int i = 0; i < num_rays; ++i) {
    kernels::Vec3 end{low_m + voxel_m * static_cast<double>(random.integer(0, kLength)),
                      coordinate(-0.2), coordinate(0.1)};
    for (std::int64_t ulps = random.integer(-2, 2); ulps != 0; ulps += ulps < 0 ? 1 : -1) {
      end.x = std::nextafter(end.x, ulps < 0 ? -1e9 : 1e9);
    }
    const double way_m = step_m * static_cast<double>(random.integer(1, 40));
    kernels::Vec3 start = end;
    start.x += random.chance(0.5) ? way_m : -way_m;
    rays.observers.push_back(start);
    rays.targets.push_back(end);
  }
  return {std::move(grid), std::move(rays), {step_m, step_m / 2}};
}

/// Walls of which rounded places tell nothing: two coordinates that lie in one place but in two
/// voxels, and steps so long that no float holds their number in a ray.
inline std::vector<MarchCase> marches_past_floats() {
  std::vector<MarchCase> cases;
  for (const std::int64_t wall : {999, 1000}) {
    host::OccupancyGrid grid(host::GridGeometry{{2000, 20, 20}, {-1000, 0, 0}});
    for (std::int64_t z = 0; z < 20; ++z) grid.set(wall, 5, z, host::VoxelState::kOccupied);
    host::RayBatch rays;
    for (const double x : {5e-14, -5e-14, 4.9e-324, 0.0}) {
      rays.observers.push_back({x, 0.5, 3.5});
      rays.targets.push_back({-x, 7.5, 3.5});
    }
    cases.push_back({std::move(grid), std::move(rays), {0.25, 0.1}});
  }
  host::OccupancyGrid grid(host::GridGeometry{{100, 20, 20}});
  for (std::int64_t y = 0; y < 20; ++y) grid.set(11, y, 5, host::VoxelState::kOccupied);
  host::RayBatch rays;
  for (const double x : {10.99999, 10.99, 3.0}) {
    rays.observers.push_back({x, 5.5, 5.5});
    rays.targets.push_back({12.5, 5.7, 5.5});
  }
  cases.push_back({std::move(grid), std::move(rays), {1e30, 1e39, 3e44, 1e42, 1e300}});
  return cases;
}

/// In voxels: some are so small that no float tells them from none.
constexpr double kOffCorners_vox[] = {0, 1e-12, 1e-8, 1e-6, 1e-5, 1e-4};

}  // namespace sightline::tests
