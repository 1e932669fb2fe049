// What the host does with the points and answers of batches in its own memory, by many threads: one
// alone takes longer over them than many over the rays.
#pragma once

#include <cstdint>

#include "kernels/executor.h"
#include "kernels/types.h"

namespace sightline::kernels {

struct StepAnswers;

/// lattice_point() of each point. out [num_points]. Returns the first point that is not finite or
/// has a coordinate beyond 2^30 lattice units, whose slot is not to be used; num_points if none.
std::int64_t lattice_points(const Executor& cpu, const VoxelFrame& frame, int bits,
                            const Vec3* points, std::int64_t num_points, LatticePoint* out);

/// The box that points lie in. Of none: low above high.
struct PointBounds {
  Vec3 low, high;
  bool are_finite = true;  ///< else the box is that of some of them
};
PointBounds bounds_of(const Executor& cpu, const Vec3* points, std::int64_t num_points);

/// What step `step` of each mask says. out [num_rays].
void answers_of_step(const Executor& cpu, const StepAnswers* masks, std::int64_t num_rays, int step,
                     Visibility* out);

/// Bit `bit` of each mask, as 0 or 1. out [num_masks].
void bits_of_masks(const Executor& cpu, const std::uint32_t* masks, std::int64_t num_masks, int bit,
                   std::uint8_t* out);

}  // namespace sightline::kernels
