// What warps that walk over empty cubes (warp_walk.h) are asked about marches: all step sizes of a
// pass at once.
#pragma once

#include <cstdint>

#include "kernels/cube_rules.h"
#include "kernels/march.h"
#include "kernels/march_ray.h"
#include "kernels/sample_moments.h"
#include "kernels/warp_jobs.h"

namespace sightline::kernels {

/// Where unknown space is an answer, rays that meet voxels that are not free start again among
/// those that are occupied: a size is unknown if it met something the first time, and nothing then.
struct MarchJob {
  /// A ray under way, and what its samples have met.
  struct Ray : MarchRay {
    std::uint32_t open;      ///< bit k: samples of size k may yet meet a voxel
    std::uint32_t met;       ///< bit k: one did
    std::uint32_t not_free;  ///< of the second walk: what the first one met; else 0
  };
  using Op = MarchGrid;
  static constexpr bool kFinishes = false, kHasLargeRays = true;

  Op op;
  CubeField field;
  VoxelPlaces places;
  SampleMoments samples;
  const BrickRecord* bricks;
  const BrickRecord* occupied_bricks;  ///< equal to bricks where unknown space is no answer

  explicit MarchJob(const Op& of)
      : op(of),
        field(of.grid, 0),
        places(of.frame),
        samples(of),
        bricks(opaque_bricks(of.grid, of.rules.unknown)),
        occupied_bricks(of.rules.unknown == SpacePolicy::kUnknown ? of.grid.occupied_bricks
                                                                  : bricks) {}

  SL_HD bool begin(std::int64_t slot, Ray& ray) const {
    ray.open = samples.all();
    ray.not_free = 0;
    return start(slot, ray);
  }
  SL_HD CubeStep step(Ray& ray) const {
    return ray.step(field, ray.not_free == 0 ? bricks : occupied_bricks);
  }

  /// Next to an edge it is not known which voxels the ray passes: no sample may lie there.
  SL_HD CubeStep settle(Ray& ray) const {
    const bool ends = ray.left > SampleMoments::kNearEnd;
    if (may_have_sample(ray, ray.left, ends ? 1 : ray.left)) return CubeStep::kLeft;
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
    } else if (outcome == CubeStep::kLeft ||
               (ray.ends_near_face() && may_have_sample(ray, SampleMoments::kNearEnd, 1))) {
      return RayFate::kLeft;
    }
    if (ray.not_free == 0 && ray.met != 0 && bricks != occupied_bricks) {
      ray.open = ray.not_free = ray.met;
      start(slot, ray);
      return RayFate::kWalksOn;
    }
    op.out[slot] = {ray.met, ray.not_free & ~ray.met};
    return RayFate::kAnswered;
  }

  SL_HD void ask(std::int64_t slot) const { op(slot); }
  SL_HD void finish(std::int64_t) const {}

 private:
  SL_HD bool start(std::int64_t slot, Ray& ray) const {
    const RayEnds ends = ray_ends(op.rays, slot);
    const Vec3 &p = op.observers[ends.observer], &t = op.targets[ends.target];
    const bool from_target = op.rules.uniform && !before(p, t);  // sampled_ray
    ray.met = 0;
    return ray.begin(field, places, from_target ? t : p, from_target ? p : t);
  }

  /// May an open size have a sample from one moment to another?
  SL_HD bool may_have_sample(const Ray& ray, float from, float to) const {
    for (int k = 0; k < samples.num_sizes; ++k) {
      if (((ray.open >> k) & 1u) == 0) continue;
      if (samples.may_have_sample(samples.num_steps(ray.length_m, k), from, to)) return true;
    }
    return false;
  }

  /// Which sizes have samples in the voxel where the ray is? False if rounding decides.
  SL_HD bool look(Ray& ray) const {
    for (int k = 0; k < samples.num_sizes; ++k) {
      const std::uint32_t bit = std::uint32_t{1} << k;
      if ((ray.open & bit) == 0) continue;
      const float steps = samples.num_steps(ray.length_m, k);
      if (ray.entered < SampleMoments::kNearEnd &&
          samples.has_sample(steps, ray.entered, ray.left)) {
        ray.open &= ~bit;
        ray.met |= bit;
      } else if (samples.may_have_sample(steps, ray.entered, ray.left)) {
        return false;
      }
    }
    return true;
  }
};

}  // namespace sightline::kernels
