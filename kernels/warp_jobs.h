// What warps that walk over empty cubes (warp_walk.h) are asked: lines of sight, first hits, views.
// Each job begins and answers the rays of an op; what is not for its walk is left to the op, which
// is asked afterwards.
#pragma once

#include <cmath>
#include <cstdint>

#include "kernels/cube_ray.h"
#include "kernels/cube_rules.h"

namespace sightline::kernels {

constexpr Visibility kNotYet = static_cast<Visibility>(255);  ///< never leaves a launch

/// What becomes of a ray whose walk came to an outcome.
enum class RayFate {
  kAnswered,
  kWalksOn,
  kLeft  ///< to the op
};

/// A ray under way: where it is, and in which plane it looks.
template <class Walk>
struct WarpRay {
  CubeRay<Walk> cubes;
  const BrickRecord* bricks;
};

/// Of lines of sight. A ray that unknown space alone hides is not hidden: one that stops at a voxel
/// that is not free starts again among those that are occupied.
struct SightJob {
  using Ray = WarpRay<SightWalk>;
  using Op = ExactLineOfSight;
  static constexpr bool kFinishes = false, kHasLargeRays = false;

  Op op;
  CubeField field;
  const BrickRecord* bricks;
  const BrickRecord* occupied_bricks;  ///< equal to bricks where unknown space is no answer

  explicit SightJob(const Op& of)
      : op(of),
        field(of.grid, of.rules.lattice_bits),
        bricks(opaque_bricks(of.grid, of.rules.unknown)),
        occupied_bricks(of.rules.unknown == SpacePolicy::kUnknown ? of.grid.occupied_bricks
                                                                  : bricks) {}

  SL_HD bool begin(std::int64_t slot, Ray& ray) const {
    ray.bricks = bricks;
    return ray.cubes.begin(field, segment_of(op, slot));
  }
  SL_HD CubeStep step(Ray& ray) const { return ray.cubes.step(field, ray.bricks); }
  SL_HD CubeStep settle(Ray& ray) const { return ray.cubes.settle(field, ray.bricks); }

  SL_HD RayFate answer(std::int64_t slot, CubeStep outcome, Ray& ray) const {
    const bool is_first = ray.bricks != occupied_bricks;
    const bool meets = outcome == CubeStep::kMet && !ray.cubes.is_at_target(field);
    if (meets && is_first) {
      ray.bricks = occupied_bricks;
      ray.cubes.begin(field, segment_of(op, slot));
      return RayFate::kWalksOn;
    }
    const Visibility clear =
        is_first || bricks == occupied_bricks ? Visibility::kVisible : Visibility::kUnknown;
    op.out[slot] = meets ? Visibility::kHidden : clear;
    return RayFate::kAnswered;
  }

  SL_HD void ask(std::int64_t slot) const { op(slot); }
  SL_HD void finish(std::int64_t) const {}
};

/// Of first hits and views. A walk finds the voxel; the rest of the hit is filled in afterwards, by
/// all lanes at once.
template <class HitOp>
struct HitJob {
  using Ray = WarpRay<HitWalk>;
  using Op = HitOp;
  static constexpr bool kFinishes = true, kHasLargeRays = false;

  Op op;
  CubeField field;
  const BrickRecord* bricks;

  explicit HitJob(const Op& of)
      : op(of),
        field(of.gaze.grid, of.gaze.rules.lattice_bits),
        bricks(opaque_bricks(of.gaze.grid, of.gaze.rules.unknown)) {}

  SL_HD bool begin(std::int64_t slot, Ray& ray) const {
    ray.bricks = bricks;
    const bool walks = ray.cubes.begin(field, segment_of(op, slot));
    if (!walks) op.out[slot].sight = kNotYet;
    return walks;
  }
  SL_HD CubeStep step(Ray& ray) const { return ray.cubes.step(field, ray.bricks); }
  SL_HD CubeStep settle(Ray& ray) const { return ray.cubes.settle(field, ray.bricks); }

  SL_HD RayFate answer(std::int64_t slot, CubeStep outcome, Ray& ray) const {
    FirstHit hit;
    hit.distance_m = INFINITY;
    if (outcome == CubeStep::kMet) {
      hit.sight = Visibility::kHidden;
      for (int a = 0; a < 3; ++a) hit.voxel[a] = ray.cubes.voxel(a);
    } else if (outcome == CubeStep::kLeft) {
      hit.sight = kNotYet;
    }
    op.out[slot] = hit;
    return outcome == CubeStep::kLeft ? RayFate::kLeft : RayFate::kAnswered;
  }

  SL_HD void ask(std::int64_t slot) const { op(slot); }
  SL_HD void finish(std::int64_t slot) const {
    const FirstHit& met = op.out[slot];
    if (met.sight != Visibility::kHidden) return;
    const LatticeSegment ends = segment_of(op, slot);
    const Cell voxel{{met.voxel[0], met.voxel[1], met.voxel[2]}};
    op.out[slot] = op.gaze.hit_at(ends.from, ends.to, voxel);
  }
};

}  // namespace sightline::kernels
