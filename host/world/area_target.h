// Targets with an extent: which share of a target's box can be seen.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "host/world/visibility.h"

namespace sightline::host {

/// An axis-aligned box around each target of a batch, and the points of it that are looked at: the
/// middles of num[0] x num[1] x num[2] equal cells.
struct AreaTarget {
  std::array<double, 3> size_m{1, 1, 1};
  std::array<std::int64_t, 3> num{2, 2, 2};

  std::int64_t num_samples() const { return num[0] * num[1] * num[2]; }
};
constexpr std::int64_t kMaxAreaSamples = 4096;

/// The points of every target's box, x fastest: [num_centres, num_samples].
std::vector<kernels::Vec3> sample_points(const std::vector<kernels::Vec3>& centres_m,
                                         const AreaTarget& area);

/// Lines of sight from the observers to the sample points of the targets' boxes, counted per ray of
/// the batch. Every sample is a ray of its own: the voxel that holds it does not count, other
/// voxels of the box do. Returns [num_rays]. step_m is for the marches only.
std::vector<kernels::SampleCounts> visible_samples(const World& world, const RayBatch& rays,
                                                   const AreaTarget& area,
                                                   const VisibilityQuery& query, double step_m,
                                                   Device& device);

/// The marches for many steps in one pass over the rays. Returns [num_steps][num_rays].
std::vector<std::vector<kernels::SampleCounts>> visible_samples_steps(
    const World& world, const RayBatch& rays, const AreaTarget& area, const VisibilityQuery& query,
    const std::vector<double>& steps_m, Device& device);

/// Visible if at least `share` (above 0, up to 1) of the samples are; unknown if they could be.
kernels::Visibility judge_area(const kernels::SampleCounts& counts, std::int64_t num_samples,
                               double share);

}  // namespace sightline::host
