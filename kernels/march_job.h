// What warps that walk over empty cubes (warp_walk.h) are asked about marches: all step sizes of a
// pass at once.
#pragma once

#include <cmath>
#include <cstdint>

#include "kernels/cube_rules.h"
#include "kernels/march.h"
#include "kernels/march_ray.h"
#include "kernels/warp_jobs.h"

namespace sightline::kernels {

struct MarchJob {
  /// A ray under way, and what its samples have met.
  struct Ray : MarchRay {
    std::uint32_t open;    ///< bit k: samples of step k may yet hide
    std::uint32_t hidden;  ///< bit k: one did
  };
  using Op = MarchGrid;
  static constexpr bool kFinishes = false, kHasLargeRays = true;

  Op op;
  CubeField field;
  VoxelPlaces places;
  const BrickRecord* bricks;
  float steps_per_m[kMaxSteps];
  float skipped;  ///< of the last step before the end, how much no sample lies in

  explicit MarchJob(const Op& of)
      : op(of),
        field(of.grid, 0),
        places(of.frame),
        bricks(opaque_bricks(of.grid, of.rules.unknown)),
        skipped(skipped_of(of.rules)) {
    for (int k = 0; k < op.steps.num_steps; ++k) {
      steps_per_m[k] = static_cast<float>(1 / op.steps.step_m[k]);
    }
  }

  SL_HD bool begin(std::int64_t slot, Ray& ray) const {
    const RayEnds ends = ray_ends(op.rays, slot);
    const Vec3 &p = op.observers[ends.observer], &t = op.targets[ends.target];
    const bool from_target = op.rules.uniform && !before(p, t);  // sampled_ray
    ray.open = ~std::uint32_t{0} >> (kMaxSteps - op.steps.num_steps);
    ray.hidden = 0;
    return ray.begin(field, places, from_target ? t : p, from_target ? p : t);
  }
  SL_HD CubeStep step(Ray& ray) const { return ray.step(field, bricks); }

  /// Next to an edge it is not known which voxels the ray passes: no sample may lie there.
  SL_HD CubeStep settle(Ray& ray) const {
    const bool ends = ray.left > kNearEnd;
    if (has_sample(ray, ray.left, ends ? 1 : ray.left)) return CubeStep::kLeft;
    if (ends) return CubeStep::kClear;
    ray.pass_edge();
    return CubeStep::kGoesOn;
  }

  SL_HD RayFate answer(std::int64_t slot, CubeStep outcome, Ray& ray) const {
    if (outcome == CubeStep::kMet) {
      if (!look(ray)) return RayFate::kLeft;
      if (ray.open != 0) {
        ray.pass_voxel();
        return RayFate::kWalksOn;
      }
    } else if (outcome == CubeStep::kLeft) {
      return RayFate::kLeft;
    }
    op.out[slot] = {ray.hidden, 0};
    return RayFate::kAnswered;
  }

  SL_HD void ask(std::int64_t slot) const { op(slot); }
  SL_HD void finish(std::int64_t) const {}

 private:
  /// Of the moment of a sample and one of the clock: the number of steps in a ray is off by 2^-22
  /// of itself, its product with a moment by 2^-24 more.
  static constexpr float kSlack = 2 * MarchRay::kClockError;
  static constexpr float kNearEnd = 1 - 4 * kSlack;

  static float skipped_of(const MarchRules& rules) {
    if (rules.uniform) return 0.5f;  // the sample at the end is none: samples are whole numbers
    if (rules.end_rule == EndRule::kStepBefore) return 1;
    return rules.end_rule == EndRule::kHalfStepBefore ? 0.5f : 0;
  }

  /// Of the ray, at step k; below 0: rounding would decide about it.
  SL_HD float num_steps(const Ray& ray, int k) const {
    const float steps = ray.length_m * steps_per_m[k];
    if (!op.rules.uniform) return steps;
    constexpr float kMost = 0x1p18f;  // fewer than would make kSlack count between two samples
    const float rounded = std::ceil(steps * (1 - kSlack));
    return rounded == std::ceil(steps * (1 + kSlack)) && steps < kMost ? rounded : -1;
  }

  /// Which samples of the voxel that the ray is in hide it? False if rounding decides.
  SL_HD bool look(Ray& ray) const {
    for (int k = 0; k < op.steps.num_steps; ++k) {
      if (((ray.open >> k) & 1u) == 0) continue;
      const float steps = num_steps(ray, k);
      const float sure = std::ceil((ray.entered + kSlack) * steps);
      const bool is_sure = sure <= (ray.left - kSlack) * steps &&
                           sure < steps * (1 - kSlack) - skipped && ray.entered < kNearEnd;
      if (is_sure) {
        ray.open &= ~(std::uint32_t{1} << k);
        ray.hidden |= std::uint32_t{1} << k;
      } else if (steps < 0 || may_have_sample(steps, ray.entered, ray.left)) {
        return false;
      }
    }
    return true;
  }

  /// May an open step have a sample from one moment to another?
  SL_HD bool has_sample(const Ray& ray, float from, float to) const {
    for (int k = 0; k < op.steps.num_steps; ++k) {
      if (((ray.open >> k) & 1u) == 0) continue;
      const float steps = num_steps(ray, k);
      if (steps < 0 || may_have_sample(steps, from, to)) return true;
    }
    return false;
  }
  SL_HD bool may_have_sample(float steps, float from, float to) const {
    const float first = std::fmax(std::ceil((from - kSlack) * steps), 1.0f);
    return first <= (to + kSlack) * steps && first <= steps * (1 + kSlack) - skipped;
  }
};

}  // namespace sightline::kernels
