// Line of sight by samples along the ray: what the literature's coarse "DDA" does.
//
// What Spatial Memory Must Store (2026), section 6.2: samples every `step` metres from the
// observer. A march can step over a corner that an exact walk sees; how often it does is what a
// sweep over step sizes measures. All step sizes of a pass share the ray's set-up.
#pragma once

#include <cmath>
#include <cstdint>

#include "kernels/analytic.h"
#include "kernels/field_of_view.h"
#include "kernels/hd.h"
#include "kernels/kernels.h"
#include "kernels/plane_cursor.h"
#include "kernels/ray_index.h"

namespace sightline::kernels {

/// Samples at origin + direction * t: t in metres for the fixed step, in [0, 1] for the uniform
/// one.
struct SampledRay {
  Vec3 origin, direction;
  double length_m = 0;
};

SL_HD inline bool before(Vec3 a, Vec3 b) {
  if (a.x != b.x) return a.x < b.x;
  if (a.y != b.y) return a.y < b.y;
  return a.z < b.z;
}

/// The uniform march starts at the lexicographically smaller end, so P->T samples what T->P does.
SL_HD inline SampledRay sampled_ray(Vec3 p, Vec3 t, bool uniform) {
  const Vec3 d = minus(t, p);
  const double length = std::sqrt(dot(d, d));
  if (!uniform) return {p, {d.x / length, d.y / length, d.z / length}, length};
  return before(p, t) ? SampledRay{p, d, length} : SampledRay{t, minus(p, t), length};
}

/// The sample parameters of one step size: t = at(i) for i = 1, 2, ... while has(t).
struct SampleSeries {
  double step;   ///< metres between samples; uniform: number of intervals
  double limit;  ///< where samples end
  bool uniform;
  bool closed = false;  ///< t <= limit instead of t < limit

  SL_HD SampleSeries(double step_m, double length_m, const MarchRules& rules)
      : step(step_m), limit(length_m), uniform(rules.uniform) {
    if (uniform) {
      step = std::ceil(length_m / step_m);
      limit = 1;
    } else if (rules.end_rule == EndRule::kStepBefore) {
      limit = length_m - step_m;
    } else if (rules.end_rule == EndRule::kHalfStepBefore) {
      limit = length_m - 0.5 * step_m;
      closed = true;
    }
    constexpr double kBelowRounding = 1 - 0x1p-40;
    indices_per_unit = (uniform ? step : 1.0 / step) * kBelowRounding;
  }
  SL_HD double at(std::int64_t i) const {
    const double index = static_cast<double>(i);
    return uniform ? index / step : index * step;
  }
  SL_HD bool has(double t) const { return closed ? t <= limit : t < limit; }
  /// The last index whose parameter is surely at most t (t >= 0).
  SL_HD std::int64_t last_index_before(double t) const {
    return static_cast<std::int64_t>(t * indices_per_unit);
  }
  double indices_per_unit;  ///< samples per unit of the parameter, a little less than exact
};

/// What a sample says: the answer so far, and how many further samples need no look.
struct SampleVerdict {
  Visibility meets = Visibility::kVisible;  ///< kHidden: stop; kUnknown: remember; kVisible: free
  std::int64_t next = 0;                    ///< index of the next sample to look at
};

/// Samples an analytic solid: no cells, no unknown space, no endpoint rule.
class AnalyticSampler {
 public:
  SL_HD AnalyticSampler(const AnalyticView& solid, const SampledRay& ray)
      : solid_(solid), ray_(ray) {}
  SL_HD SampleVerdict look(const SampleSeries&, std::int64_t i, double t) const {
    const Vec3 p{ray_.origin.x + ray_.direction.x * t, ray_.origin.y + ray_.direction.y * t,
                 ray_.origin.z + ray_.direction.z * t};
    return {solid_.solid_at(p) ? Visibility::kHidden : Visibility::kVisible, i + 1};
  }

 private:
  AnalyticView solid_;
  SampledRay ray_;
};

/// Samples a voxel grid, in voxel coordinates; skips samples that fall into one empty cube.
class GridSampler {
 public:
  SL_HD GridSampler(const GridView& grid, const VoxelFrame& frame, const MarchRules& rules,
                    const SampledRay& ray, Vec3 p, Vec3 t)
      : grid_(grid),
        rules_(rules),
        cursor_(rules.unknown == SpacePolicy::kFree ? grid.occupied() : grid.not_free()),
        from_(cell_at(to_voxels(frame, p))),
        to_(cell_at(to_voxels(frame, t))) {
    const Vec3 o = to_voxels(frame, ray.origin);
    const double origin[3] = {o.x, o.y, o.z};
    const double direction[3] = {ray.direction.x / frame.voxel_m[0],
                                 ray.direction.y / frame.voxel_m[1],
                                 ray.direction.z / frame.voxel_m[2]};
    for (int a = 0; a < 3; ++a) {
      origin_[a] = origin[a];
      direction_[a] = direction[a];
      inverse_[a] = direction[a] == 0 ? 0 : 1.0 / direction[a];
    }
  }

  SL_HD bool same_cell() const { return from_ == to_; }

  SL_HD SampleVerdict look(const SampleSeries& series, std::int64_t i, double t) {
    const Vec3 v{origin_[0] + direction_[0] * t, origin_[1] + direction_[1] * t,
                 origin_[2] + direction_[2] * t};
    const Cell cell = cell_at(v);
    if (!grid_.contains(cell.v[0], cell.v[1], cell.v[2])) {
      return {is_end(cell) ? Visibility::kVisible : met(rules_.outside), i + 1};
    }
    const int cube_bits = cursor_.empty_cube_bits(cell);
    if (cube_bits == kNotEmpty) return {meet(cell), i + 1};
    if (cube_bits < kWordBits) return {Visibility::kVisible, i + 1};
    const std::int64_t last = series.last_index_before(leaves_cube_at(cell, cube_bits));
    return {Visibility::kVisible, (last > i ? last : i) + 1};
  }

 private:
  SL_HD static Vec3 to_voxels(const VoxelFrame& f, Vec3 p) {
    return {(p.x - f.origin_m[0]) / f.voxel_m[0], (p.y - f.origin_m[1]) / f.voxel_m[1],
            (p.z - f.origin_m[2]) / f.voxel_m[2]};
  }
  /// Floor without a call of the C library, which the baseline instruction set would need.
  SL_HD static std::int32_t floor_of(double v) {
    const auto truncated = static_cast<std::int32_t>(v);
    return truncated - (v < static_cast<double>(truncated) ? 1 : 0);
  }
  SL_HD static Cell cell_at(Vec3 v) { return {{floor_of(v.x), floor_of(v.y), floor_of(v.z)}}; }
  SL_HD bool is_end(const Cell& cell) const { return cell == from_ || cell == to_; }
  SL_HD Visibility meet(const Cell& cell) const {
    if (is_end(cell)) return Visibility::kVisible;
    const bool occupied = rules_.unknown == SpacePolicy::kFree ||
                          grid_.occupied().get(cell.v[0], cell.v[1], cell.v[2]);
    return occupied ? Visibility::kHidden : met(rules_.unknown);
  }
  SL_HD static Visibility met(SpacePolicy policy) {
    if (policy == SpacePolicy::kFree) return Visibility::kVisible;
    return policy == SpacePolicy::kBlocks ? Visibility::kHidden : Visibility::kUnknown;
  }

  /// A parameter at which the ray is still surely inside the cube around the cell. The faces are
  /// drawn in by far more than the rounding of a sample's position (inputs are within 2^26 voxels,
  /// where a position is good to 2^-25), so a skipped sample lies in the cube whatever its
  /// rounding.
  SL_HD double leaves_cube_at(const Cell& cell, int cube_bits) const {
    constexpr double kMargin = 0x1p-20;
    double t = 1e300;
    for (int a = 0; a < 3; ++a) {
      if (direction_[a] == 0) continue;
      const std::int32_t low = (cell.v[a] >> cube_bits) << cube_bits;
      std::int32_t high = low + (1 << cube_bits);
      // A cube may reach past the grid; where that space counts, its samples must be looked at.
      if (rules_.outside != SpacePolicy::kFree && high > grid_.layout.dims[a]) {
        high = grid_.layout.dims[a];
      }
      const double face = direction_[a] > 0 ? static_cast<double>(high) - kMargin
                                            : static_cast<double>(low) + kMargin;
      const double crossing = (face - origin_[a]) * inverse_[a];
      t = crossing < t ? crossing : t;
    }
    return t;
  }

  GridView grid_;
  MarchRules rules_;
  PlaneCursor cursor_;
  Cell from_, to_;
  double origin_[3], direction_[3], inverse_[3];
};

/// One step size along one ray.
template <class Sampler>
SL_HD Visibility march(Sampler& sampler, const SampleSeries& series) {
  Visibility answer = Visibility::kVisible;
  std::int64_t i = 1;
  for (double t = series.at(1); series.has(t); t = series.at(i)) {
    const SampleVerdict verdict = sampler.look(series, i, t);
    if (verdict.meets == Visibility::kHidden) return Visibility::kHidden;
    if (verdict.meets == Visibility::kUnknown) answer = Visibility::kUnknown;
    i = verdict.next;
  }
  return answer;
}

/// The step sizes of a pass, by value: they travel with the launch.
struct StepSizes {
  double step_m[kMaxSteps];
  int num_steps;
};

template <class Sampler>
SL_HD StepAnswers march_steps(Sampler& sampler, const StepSizes& steps, double length_m,
                              const MarchRules& rules) {
  StepAnswers answers;
  for (int k = 0; k < steps.num_steps; ++k) {
    const Visibility v = march(sampler, SampleSeries(steps.step_m[k], length_m, rules));
    answers.hidden |= static_cast<std::uint32_t>(v == Visibility::kHidden) << k;
    answers.unknown |= static_cast<std::uint32_t>(v == Visibility::kUnknown) << k;
  }
  return answers;
}

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
    const Vec3 p = observers[ends.observer], t = targets[ends.target];
    const SampledRay ray = sampled_ray(p, t, rules.uniform);
    out[i] = StepAnswers{};
    if (ray.length_m == 0) return;
    GridSampler sampler(grid, frame, rules, ray, p, t);
    if (!sampler.same_cell()) out[i] = march_steps(sampler, steps, ray.length_m, rules);
  }
};

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
    const Vec3 p = observers[ends.observer], t = targets[ends.target];
    const SampledRay ray = sampled_ray(p, t, rules.uniform);
    out[i] = StepAnswers{};
    if (ray.length_m == 0) return;
    AnalyticSampler sampler(solid, ray);
    out[i] = march_steps(sampler, steps, ray.length_m, rules);
  }
};

}  // namespace sightline::kernels
