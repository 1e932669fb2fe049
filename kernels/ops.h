// The remaining ops, and the launches that the CPU and the CUDA backend share: each fills an op
// from the arguments of kernels.h and hands it to a loop. `for_each(n, op)` calls op(i) for i < n.
#pragma once

#include "kernels/kernels.h"
#include "kernels/line_of_sight.h"
#include "kernels/march.h"

namespace sightline::kernels {

struct FieldOfViewTest {
  const Pose* poses;
  const Vec3* targets;
  RayIndexing rays;
  FieldOfView fovs[kMaxFieldsOfView];
  int num_fovs;
  std::uint32_t* out;

  SL_HD void operator()(std::int64_t i) const {
    const RayEnds ends = ray_ends(rays, i);
    std::uint32_t inside = 0;
    for (int k = 0; k < num_fovs; ++k) {
      const bool in = in_field_of_view(fovs[k], poses[ends.observer], targets[ends.target]);
      inside |= static_cast<std::uint32_t>(in) << k;
    }
    out[i] = inside;
  }
};

struct SolidTest {
  AnalyticView solid;
  const Vec3* points;
  std::uint8_t* out;
  SL_HD void operator()(std::int64_t i) const { out[i] = solid.solid_at(points[i]) ? 1 : 0; }
};

inline StepSizes step_sizes(const double* steps_m, int num_steps) {
  SL_ASSERT(num_steps > 0 && num_steps <= kMaxSteps);
  StepSizes steps{};
  steps.num_steps = num_steps;
  for (int k = 0; k < num_steps; ++k) steps.step_m[k] = steps_m[k];
  return steps;
}

inline FieldOfViewTest field_of_view_test(const Pose* poses, const Vec3* targets,
                                          const RayIndexing& rays, const FieldOfView* fovs,
                                          int num_fovs, std::uint32_t* out) {
  SL_ASSERT(num_fovs > 0 && num_fovs <= kMaxFieldsOfView);
  FieldOfViewTest test{poses, targets, rays, {}, num_fovs, out};
  for (int k = 0; k < num_fovs; ++k) test.fovs[k] = fovs[k];
  return test;
}

}  // namespace sightline::kernels
