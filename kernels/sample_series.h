// Which points of a ray a march samples, for one step size or for several.
#pragma once

#include <cmath>
#include <cstdint>

#include "kernels/field_of_view.h"
#include "kernels/hd.h"
#include "kernels/kernels.h"

namespace sightline::kernels {

/// Samples at from + direction * t: t in metres for the fixed step, in [0, 1] for the uniform one.
struct SampledRay {
  Vec3 from, to, direction;
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
  if (!uniform) return {p, t, {d.x / length, d.y / length, d.z / length}, length};
  return before(p, t) ? SampledRay{p, t, d, length} : SampledRay{t, p, minus(p, t), length};
}

/// The samples of one step size: t = at(i) for i = 1 .. last.
template <bool kUniform>
struct SampleSeries {
  double step;     ///< metres between samples; uniform: number of intervals
  double per_ray;  ///< steps in the length of the ray, a little less than exact
  double last;     ///< index of the last sample; 0 if there is none
  double last_t;   ///< its parameter
  double next;     ///< index of the first sample not yet looked at

  SL_HD static SampleSeries of(double step_m, double length_m, EndRule rule) {
    if constexpr (kUniform) {
      const double intervals = std::ceil(length_m / step_m);
      return {intervals, intervals * kBelowRounding, intervals - 1, (intervals - 1) / intervals, 1};
    }
    double limit = length_m;
    if (rule == EndRule::kStepBefore) limit = length_m - step_m;
    if (rule == EndRule::kHalfStepBefore) limit = length_m - 0.5 * step_m;
    const bool closed = rule == EndRule::kHalfStepBefore;
    const double per_m = 1.0 / step_m;
    double last = limit > 0 ? whole(limit * per_m) + 1 : 0;
    while (last > 0 && !(closed ? last * step_m <= limit : last * step_m < limit)) last -= 1;
    return {step_m, length_m * per_m * kBelowRounding, last, last * step_m, 1};
  }

  SL_HD double at(double i) const { return kUniform ? i / step : i * step; }

  static constexpr double kBelowRounding = 1 - 0x1p-40;

  /// The samples before this index lie before `fraction` of the ray.
  SL_HD double first_from(double fraction) const { return whole(fraction * per_ray) + 1; }

 private:
  SL_HD static double whole(double v) { return static_cast<double>(static_cast<std::int64_t>(v)); }
};

/// The step sizes of a pass, by value: they travel with the launch.
struct StepSizes {
  double step_m[kMaxSteps];
  int num_steps;
};

/// The step sizes of a pass along one ray, and what each has met so far.
template <bool kUniform>
struct SeriesSet {
  SampleSeries<kUniform> series[kMaxSteps];
  int num;
  std::uint32_t open = 0;  ///< bit k: samples of series k may yet change its answer
  StepAnswers answers;

  SL_HD SeriesSet(const StepSizes& steps, double length_m, EndRule rule) : num(steps.num_steps) {
    for (int k = 0; k < num; ++k) {
      series[k] = SampleSeries<kUniform>::of(steps.step_m[k], length_m, rule);
      open |= static_cast<std::uint32_t>(series[k].last_t > 0) << k;
    }
  }
  SL_HD bool is_open(int k) const { return (open >> k) & 1u; }

  /// Takes note of what a sample of series k meets; kVisible means nothing.
  SL_HD void meet(int k, Visibility v) {
    const std::uint32_t bit = std::uint32_t{1} << k;
    if (v == Visibility::kUnknown) answers.unknown |= bit;
    if (v != Visibility::kHidden) return;
    answers.hidden |= bit;
    answers.unknown &= ~bit;
    open &= ~bit;
  }
};

}  // namespace sightline::kernels
