// What waves over empty cubes (wave_cubes-inl.h) are asked: lines of sight and first hits. In
// blocks: floats decide what they can, integers the rest.

// NOLINTNEXTLINE: Highway includes this file once per target.
#if defined(SIGHTLINE_KERNELS_WAVE_SIGHT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SIGHTLINE_KERNELS_WAVE_SIGHT_INL_H_
#undef SIGHTLINE_KERNELS_WAVE_SIGHT_INL_H_
#else
#define SIGHTLINE_KERNELS_WAVE_SIGHT_INL_H_
#endif

#include <cmath>

#include "kernels/cube_rules.h"
#include "kernels/wave_cubes-inl.h"
#include "kernels/wave_exact-inl.h"

#if HWY_MAX_BYTES >= 32  // shorter vectors do not pay
HWY_BEFORE_NAMESPACE();
namespace sightline::kernels::HWY_NAMESPACE {

/// Rays, many beside those under way when a block ends.
constexpr std::int64_t kCubeBlock = 8192;

// ---- lines of sight ----------------------------------------------------------------------------

struct SightJob {
  static constexpr bool kEndCounts = false, kMayLeave = false, kNeedsVoxel = false;

  const ExactLineOfSight& op;
  Visibility met, clear;
  Visibility* out = op.out;

  LatticePoint start(std::int64_t ray) const { return segment_of(op, ray).from; }
  LatticeSegment ends(std::int64_t ray) const { return segment_of(op, ray); }
  bool in_order(std::int64_t ray, const LatticePoint** from, const LatticePoint** to) const {
    if (op.rays.shape != RayShape::kElementwise || op.rays.num_samples > 1) return false;
    *from = op.observers + op.rays.first_ray + ray;
    *to = op.targets + op.rays.first_ray + ray;
    return true;
  }
  void leave_to_op(std::int64_t ray) const { op(ray); }
  void settle(std::int64_t ray, bool stopped) const { out[ray] = stopped ? met : clear; }
};

inline void ask_sight(const ExactLineOfSight& op, const BrickRecord* bricks, Visibility met,
                      Visibility clear, const RaySource& rays, CubeOutcome& outcome) {
  SightJob job{op, met, clear};
  CubeWave(op.grid, bricks, op.rules.lattice_bits, job).run(rays, outcome);
}

/// A ray that unknown space alone hides is not hidden: what stops at a voxel that is not free is
/// asked again of those that are occupied.
inline void ask_sight(const ExactLineOfSight& op, const RaySource& rays, CubeOutcome& outcome) {
  const SpacePolicy unknown = op.rules.unknown;
  const BrickRecord* bricks = opaque_bricks(op.grid, unknown);
  if (unknown != SpacePolicy::kUnknown) {
    return ask_sight(op, bricks, Visibility::kHidden, Visibility::kVisible, rays, outcome);
  }
  std::int64_t again[kCubeBlock];
  RaySource stopped;
  stopped.listed = again;
  for (std::int64_t k = 0; k < rays.num; ++k) op.out[rays[k]] = Visibility::kVisible;
  ask_sight(op, bricks, Visibility::kUnknown, Visibility::kVisible, rays, outcome);
  for (std::int64_t k = 0; k < rays.num; ++k) {
    if (op.out[rays[k]] == Visibility::kUnknown) again[stopped.num++] = rays[k];
  }
  // Rays that the op has answered unknown are asked again too, and once more are the op's.
  const std::int64_t num_left_to_op = outcome.num_left_to_op;
  ask_sight(op, op.grid.occupied_bricks, Visibility::kHidden, Visibility::kUnknown, stopped,
            outcome);
  outcome.num_left_to_op = num_left_to_op;
}

inline std::int64_t sight_by_words(const ExactLineOfSight& op, const RaySource& rays) {
  return op.rules.unknown == SpacePolicy::kUnknown ? run_words<ExactWave<true>>(op, rays)
                                                   : run_words<ExactWave<false>>(op, rays);
}

/// Both return how many rays the vectors answered.
inline std::int64_t sight_by_cubes(const ExactLineOfSight& op, std::int64_t begin,
                                   std::int64_t end) {
  std::int64_t num_by_vectors = 0;
  std::int64_t doubtful[kCubeBlock];
  for (std::int64_t first = begin; first < end; first += kCubeBlock) {
    const std::int64_t num = end - first < kCubeBlock ? end - first : kCubeBlock;
    CubeOutcome outcome{doubtful};
    ask_sight(op, {first, num}, outcome);
    num_by_vectors += num - outcome.num_doubtful - outcome.num_left_to_op;
    num_by_vectors += sight_by_words(op, {0, outcome.num_doubtful, doubtful});
  }
  return num_by_vectors;
}

// ---- first hits --------------------------------------------------------------------------------

/// Unknown space is free or blocks, space outside the grid is free.
template <class Op>
struct HitJob {
  static constexpr bool kEndCounts = true, kMayLeave = true, kNeedsVoxel = true;

  const Op& op;
  std::int64_t first;        ///< ray of the block
  LatticeSegment* segments;  ///< of the block; some take long to make

  LatticePoint start(std::int64_t ray) const { return segment_of(op, ray).from; }
  LatticeSegment ends(std::int64_t ray) const {
    return segments[ray - first] = segment_of(op, ray);
  }
  bool in_order(std::int64_t, const LatticePoint**, const LatticePoint**) const { return false; }
  void leave_to_op(std::int64_t ray) const { op(ray); }
  void meet(std::int64_t ray, std::int32_t x, std::int32_t y, std::int32_t z) const {
    const LatticeSegment& ends = segments[ray - first];
    op.out[ray] = op.gaze.hit_at(ends.from, ends.to, {{x, y, z}});
  }
  void pass(std::int64_t ray) const {
    FirstHit nothing;
    nothing.distance_m = INFINITY;
    op.out[ray] = nothing;
  }
};

template <class Op>
std::int64_t hits_by_cubes(const Op& op, std::int64_t begin, std::int64_t end) {
  const GazeRules& gaze = op.gaze;
  const BrickRecord* bricks = opaque_bricks(gaze.grid, gaze.rules.unknown);
  std::int64_t num_by_vectors = 0;
  std::int64_t doubtful[kCubeBlock];
  LatticeSegment segments[kCubeBlock];
  for (std::int64_t first = begin; first < end; first += kCubeBlock) {
    const std::int64_t num = end - first < kCubeBlock ? end - first : kCubeBlock;
    CubeOutcome outcome{doubtful};
    HitJob<Op> job{op, first, segments};
    CubeWave(gaze.grid, bricks, gaze.rules.lattice_bits, job).run({first, num}, outcome);
    for (std::int64_t k = 0; k < outcome.num_doubtful; ++k) op(doubtful[k]);
    num_by_vectors += num - outcome.num_doubtful - outcome.num_left_to_op;
  }
  return num_by_vectors;
}

}  // namespace sightline::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // HWY_MAX_BYTES >= 32

#endif  // include guard per target
