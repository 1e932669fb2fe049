// Which observer and which target ray i joins.
#pragma once

#include <cstdint>

#include "kernels/hd.h"
#include "kernels/types.h"

namespace sightline::kernels {

struct RayEnds {
  std::int64_t observer = 0, target = 0;
};

SL_HD inline RayEnds ray_ends(const RayIndexing& rays, std::int64_t slot) {
  const std::int64_t ray = rays.first_ray + slot;
  if (rays.shape == RayShape::kElementwise) return {ray, ray};
  if (rays.shape == RayShape::kPairs) return {rays.pairs[2 * slot], rays.pairs[2 * slot + 1]};
  return {ray / rays.num_targets, ray % rays.num_targets};
}

}  // namespace sightline::kernels
