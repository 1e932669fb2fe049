// Every kind of world with every kind of rays.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "support/rays.h"
#include "support/worlds.h"

namespace sightline::tests {

/// Voxels of three sizes, away from the origin.
inline const oracle::Frame kOddFrame{{-3, 1.5, 7}, {0.08, 0.11, 0.25}};

/// Calls visit(grid, rays) for num_rays of each kind in each kind of world, of 90 by 70 by 150
/// voxels, unknown ones among them.
template <class Visit>
void for_each_world_and_ray(const oracle::Frame& frame, std::int64_t num_rays, Random& random,
                            const Visit& visit) {
  for (const WorldKind kind : kAllWorldKinds) {
    const DenseWorld dense = make_world(kind, {90, 70, 150}, true, random);
    const host::World world = to_engine(dense, frame);
    for (const RayKind ray_kind : kAllRayKinds) {
      SCOPED_TRACE(std::string(name_of(kind)) + ", " + name_of(ray_kind));
      visit(*world.grid, to_batch(make_rays(ray_kind, dense.dims(), num_rays, random), frame));
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

/// Calls visit(grid, rays) for so many rays at random between rooms, each number in turn.
template <class Numbers, class Visit>
void for_each_number_of_rays(const Numbers& numbers, bool with_unknown, Random& random,
                             const Visit& visit) {
  const DenseWorld dense = make_world(WorldKind::kRooms, {60, 40, 50}, with_unknown, random);
  const host::World world = to_engine(dense);
  for (const std::int64_t num_rays : numbers) {
    SCOPED_TRACE(num_rays);
    visit(*world.grid, to_batch(make_rays(RayKind::kRandom, dense.dims(), num_rays, random)));
  }
}

}  // namespace sightline::tests
