// Which samples of a march lie between two moments of its ray, to within what floats round: sure,
// not at all, or perhaps.
#pragma once

#include <cmath>
#include <cstdint>

#include "kernels/hd.h"
#include "kernels/march.h"
#include "kernels/march_ray.h"

namespace sightline::kernels {

struct SampleMoments {
  /// Of the moment of a sample and one of the clock: the number of steps in a ray is off by 2^-22
  /// of itself, its product with a moment by 2^-24 more.
  static constexpr float kSlack = 2 * MarchRay::kClockError;
  /// From here on a voxel may be the end's, or not of the ray at all.
  static constexpr float kNearEnd = 1 - 4 * kSlack;
  /// Of the uniform march: fewer than would make kSlack count between two samples.
  static constexpr float kMostIntervals = 0x1p18f;

  float steps_per_m[kMaxSteps] = {};
  float skipped;  ///< of the last step before the end, how much no sample lies in
  bool uniform;
  std::int32_t num_sizes;

  explicit SampleMoments(const MarchGrid& op)
      : skipped(skipped_of(op.rules)), uniform(op.rules.uniform), num_sizes(op.steps.num_steps) {
    for (int k = 0; k < num_sizes; ++k) {
      steps_per_m[k] = static_cast<float>(1 / op.steps.step_m[k]);
    }
  }

  /// The sizes of a pass, as bits.
  SL_HD std::uint32_t all() const { return ~std::uint32_t{0} >> (kMaxSteps - num_sizes); }

  /// In a ray, of size k; below 0: rounding would decide how many.
  SL_HD float num_steps(float length_m, int k) const {
    const float steps = length_m * steps_per_m[k];
    if (!uniform) return steps;
    const float intervals = std::ceil(steps * (1 - kSlack));
    return intervals == std::ceil(steps * (1 + kSlack)) && steps < kMostIntervals ? intervals : -1;
  }

  /// Is there a sample for sure?
  SL_HD bool has_sample(float steps, float from, float to) const {
    const float first = std::fmax(std::ceil((from + kSlack) * steps), 1.0f);  // or it underflows
    return first <= (to - kSlack) * steps && first < steps * (1 - kSlack) - skipped;
  }
  /// May there be one?
  SL_HD bool may_have_sample(float steps, float from, float to) const {
    const float first = std::fmax(std::ceil((from - kSlack) * steps), 1.0f);
    return steps < 0 || (first <= (to + kSlack) * steps && first <= steps * (1 + kSlack) - skipped);
  }

 private:
  static float skipped_of(const MarchRules& rules) {
    if (rules.uniform) return 0.5f;  // the sample at the end is none: samples are whole numbers
    if (rules.end_rule == EndRule::kStepBefore) return 1;
    return rules.end_rule == EndRule::kHalfStepBefore ? 0.5f : 0;
  }
};

}  // namespace sightline::kernels
