// Line of sight by samples along the ray: what the literature's coarse "DDA" does.
//
// What Spatial Memory Must Store (2026), section 6.2: samples every `step` metres from the
// observer. A march can step over a corner that an exact walk sees; how often it does is what a
// sweep over step sizes measures. All step sizes of a pass share one walk along the ray.
#pragma once

#include "kernels/analytic.h"
#include "kernels/march_grid.h"
#include "kernels/ray_index.h"
#include "kernels/sample_series.h"

namespace sightline::kernels {

struct MarchGrid {
  GridView grid;
  VoxelFrame frame;
  const Vec3* observers;
  const Vec3* targets;
  RayIndexing rays;
  MarchRules rules;
  StepSizes steps;
  StepAnswers* out;

  SL_HD void operator()(std::int64_t i) const {
    const RayEnds ends = ray_ends(rays, i);
    const SampledRay ray =
        sampled_ray(observers[ends.observer], targets[ends.target], rules.uniform);
    out[i] = StepAnswers{};
    if (ray.length_m == 0) return;
    const GridMarch march(grid, frame, rules, ray);
    if (march.same_cell()) return;
    out[i] =
        rules.uniform ? answers<true>(march, ray.length_m) : answers<false>(march, ray.length_m);
  }

  template <bool kUniform>
  SL_HD StepAnswers answers(const GridMarch& march, double length_m) const {
    SeriesSet<kUniform> set(steps, length_m, rules.end_rule);
    march.run(set, length_m);
    return set.answers;
  }
};

/// No cells, no unknown space, no endpoint rule.
struct MarchAnalytic {
  AnalyticView solid;
  const Vec3* observers;
  const Vec3* targets;
  RayIndexing rays;
  MarchRules rules;
  StepSizes steps;
  StepAnswers* out;

  SL_HD void operator()(std::int64_t i) const {
    const RayEnds ends = ray_ends(rays, i);
    const SampledRay ray =
        sampled_ray(observers[ends.observer], targets[ends.target], rules.uniform);
    out[i] = StepAnswers{};
    if (ray.length_m == 0) return;
    for (int k = 0; k < steps.num_steps; ++k) {
      const bool hidden = rules.uniform ? meets<true>(ray, k) : meets<false>(ray, k);
      out[i].hidden |= static_cast<std::uint32_t>(hidden) << k;
    }
  }

  template <bool kUniform>
  SL_HD bool meets(const SampledRay& ray, int k) const {
    const auto series = SampleSeries<kUniform>::of(steps.step_m[k], ray.length_m, rules.end_rule);
    for (double i = 1; i <= series.last; i += 1) {
      const double t = series.at(i);
      const Vec3 p{ray.from.x + ray.direction.x * t, ray.from.y + ray.direction.y * t,
                   ray.from.z + ray.direction.z * t};
      if (solid.solid_at(p)) return true;
    }
    return false;
  }
};

}  // namespace sightline::kernels
