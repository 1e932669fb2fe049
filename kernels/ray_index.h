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
  std::int64_t ray = rays.first_ray + slot, sample = 0;
  if (rays.num_samples > 1) {
    sample = ray % rays.num_samples;
    ray /= rays.num_samples;
    slot /= rays.num_samples;
  }
  RayEnds ends{ray, ray};
  if (rays.shape == RayShape::kPairs && rays.short_pairs != nullptr) {
    ends = {rays.short_pairs[2 * slot], rays.short_pairs[2 * slot + 1]};
  } else if (rays.shape == RayShape::kPairs) {
    ends = {rays.pairs[2 * slot], rays.pairs[2 * slot + 1]};
  } else if (rays.shape == RayShape::kCross) {
    ends = {ray / rays.num_targets, ray % rays.num_targets};
  }
  ends.target = ends.target * rays.num_samples + sample;
  return ends;
}

}  // namespace sightline::kernels
