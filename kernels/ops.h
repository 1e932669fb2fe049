// The remaining ops, and the launches that the CPU and the CUDA backend share: each fills an op
// from the arguments of kernels.h and hands it to a loop. `for_each(n, op)` calls op(i) for i < n.
#pragma once

#include "kernels/anchor_grid.h"
#include "kernels/blend.h"
#include "kernels/brick_table.h"
#include "kernels/feature_ops.h"
#include "kernels/gates.h"
#include "kernels/kernels.h"
#include "kernels/line_of_sight.h"
#include "kernels/march.h"
#include "kernels/sight_bits.h"
#include "kernels/view.h"

namespace sightline::kernels {

struct FieldOfViewTest {
  const Pose* poses;
  const Vec3* targets;
  RayIndexing rays;
  FieldOfView fovs[kMaxFieldsOfView];
  AskedOfBearing asked;
  int num_fovs;
  std::uint32_t* out;

  SL_HD void operator()(std::int64_t i) const {
    const RayEnds ends = ray_ends(rays, i);
    const Bearing bearing = bearing_of(poses[ends.observer], targets[ends.target], asked);
    std::uint32_t inside = 0;
    for (int k = 0; k < num_fovs; ++k) {
      inside |= static_cast<std::uint32_t>(is_inside(fovs[k], bearing)) << k;
    }
    out[i] = inside;
  }
};

struct ProjectPoints {
  Camera camera;
  const Pose* poses;
  const Vec3* points;
  RayIndexing rays;
  Projection* out;

  SL_HD void operator()(std::int64_t i) const {
    const RayEnds ends = ray_ends(rays, i);
    out[i] = project(camera, poses[ends.observer], points[ends.target]);
  }
};

struct SolidTest {
  AnalyticView solid;
  const Vec3* points;
  std::uint8_t* out;
  SL_HD void operator()(std::int64_t i) const { out[i] = solid.solid_at(points[i]) ? 1 : 0; }
};

/// Counts the answers of the rays to one area.
struct CountSamples {
  const Visibility* answers;
  std::int64_t num_samples;
  SampleCounts* out;

  SL_HD void operator()(std::int64_t i) const {
    SampleCounts counts;
    for (std::int64_t k = i * num_samples; k < (i + 1) * num_samples; ++k) {
      counts.visible += answers[k] == Visibility::kVisible;
      counts.unknown += answers[k] == Visibility::kUnknown;
    }
    out[i] = counts;
  }
};

/// The same for the answers of a march: slot i counts step i % num_steps of area i / num_steps.
struct CountStepSamples {
  const StepAnswers* answers;
  std::int64_t num_samples;
  int num_steps;
  SampleCounts* out;

  SL_HD void operator()(std::int64_t i) const {
    const std::int64_t area = i / num_steps;
    const int step = static_cast<int>(i % num_steps);
    SampleCounts counts;
    for (std::int64_t k = area * num_samples; k < (area + 1) * num_samples; ++k) {
      const std::uint32_t hidden = answers[k].hidden >> step & 1u;
      const std::uint32_t unknown = answers[k].unknown >> step & 1u;
      counts.visible += 1 - (hidden | unknown);
      counts.unknown += unknown;
    }
    out[i] = counts;
  }
};

inline StepSizes step_sizes(const double* steps_m, int num_steps) {
  SL_ASSERT(num_steps > 0 && num_steps <= kMaxSteps);
  StepSizes steps{};
  steps.num_steps = num_steps;
  for (int k = 0; k < num_steps; ++k) steps.step_m[k] = steps_m[k];
  return steps;
}

inline GazeRules gaze_rules(const GridView& grid, const VoxelFrame& frame,
                            const ExactRules& rules) {
  GazeRules gaze{grid, {}, rules};
  for (int a = 0; a < 3; ++a) gaze.lattice_m[a] = std::ldexp(frame.voxel_m[a], -rules.lattice_bits);
  return gaze;
}

inline CoveredPixels covered_pixels_op(const GridView& grid, const VoxelFrame& frame,
                                       const Pose* poses, const Vec3* targets,
                                       const RayIndexing& rays, const double* size_m,
                                       const Camera& camera, const ExactRules& rules,
                                       SampleCounts* out) {
  return {ExactLineOfSight{grid, nullptr, nullptr, {}, rules, nullptr},
          frame,
          camera,
          {size_m[0], size_m[1], size_m[2]},
          poses,
          targets,
          rays,
          out};
}

inline FieldOfViewTest field_of_view_test(const Pose* poses, const Vec3* targets,
                                          const RayIndexing& rays, const FieldOfView* fovs,
                                          int num_fovs, std::uint32_t* out) {
  SL_ASSERT(num_fovs > 0 && num_fovs <= kMaxFieldsOfView);
  FieldOfViewTest test{poses, targets, rays, {}, {}, num_fovs, out};
  for (int k = 0; k < num_fovs; ++k) {
    test.fovs[k] = fovs[k];
    test.asked.add(fovs[k].kind);
  }
  return test;
}

/// Each op of the library: what a backend instantiates its launch for.
#define SIGHTLINE_FOR_EVERY_OP(DO) \
  DO(ExactLineOfSight)             \
  DO(FillBrickTable)               \
  DO(MarchGrid)                    \
  DO(MarchAnalytic)                \
  DO(ExactFirstHit)                \
  DO(PackSight)                    \
  DO(RenderViews)                  \
  DO(CoveredPixels)                \
  DO(LabelHits)                    \
  DO(CountSamples)                 \
  DO(CountStepSamples)             \
  DO(FieldOfViewTest)              \
  DO(ProjectPoints)                \
  DO(SolidTest)                    \
  DO(QuantiseColumn)               \
  DO(Cosines)                      \
  DO(Proximities)                  \
  DO(Recencies)                    \
  DO(TargetRanks)                  \
  DO(TopMemories)                  \
  DO(RadiusGate)                   \
  DO(NearestAnchors)               \
  DO(NearestGate)                  \
  DO(JoinGates)                    \
  DO(GridRadiusGate)               \
  DO(GridNearestAnchors)

}  // namespace sightline::kernels
