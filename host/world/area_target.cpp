#include "host/world/area_target.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "host/error.h"
#include "host/world/ray_checks.h"

namespace sightline::host {

using namespace kernels;

namespace {

void check_area(const AreaTarget& area) {
  check_box_size(area.size_m);
  for (int a = 0; a < 3; ++a) {
    const auto axis = static_cast<std::size_t>(a);
    if (area.num[axis] < 1 || area.num[axis] > kMaxAreaSamples) {
      throw InputError("target samples: the number along " + std::string(1, "xyz"[a]) +
                       " must be from 1 to " + std::to_string(kMaxAreaSamples));
    }
  }
  if (area.num_samples() > kMaxAreaSamples) {
    throw InputError("target samples: " + std::to_string(area.num_samples()) +
                     " in all; must be at most " + std::to_string(kMaxAreaSamples));
  }
}

/// The batch with the sample points as its targets.
RayBatch with_samples(const RayBatch& rays, const AreaTarget& area) {
  check_area(area);
  check_finite(rays.targets, "targets");
  check_shape(rays, rays.observers.size());
  RayBatch batch = rays;
  batch.targets = sample_points(rays.targets, area);
  return batch;
}

RayIndexing area_indexing(const RayBatch& rays, const AreaTarget& area) {
  RayIndexing indices = indexing(rays);
  indices.num_samples = area.num_samples();
  return indices;
}

/// Bounds the memory of the counts of all steps and the time of a pass, not the answers.
std::int64_t areas_per_pass(const VisibilityQuery& query, double longest_m,
                            const std::vector<double>& steps_m, std::int64_t num_samples) {
  constexpr std::int64_t kCounts = std::int64_t{1} << 22;
  const std::int64_t most = kCounts / static_cast<std::int64_t>(steps_m.size());
  const std::int64_t rays = rays_at_once(query, longest_m, steps_m, most * num_samples);
  return std::max<std::int64_t>(1, rays / num_samples);
}

void march_pass(const World& world, const RayBatch& samples, const VisibilityQuery& query,
                const std::vector<double>& steps_m, const RayIndexing& indices,
                std::int64_t num_areas, Device& device, SampleCounts* out) {
  const MarchRules rules = march_rules(query);
  if (query.geometry == Geometry::kAnalytic) {
    const AnalyticSolid& solid = analytic_of(world);
    device.visible_samples_march(solid.solids, solid.openings, samples.observers, samples.targets,
                                 indices, rules, steps_m, num_areas, out);
  } else {
    const OccupancyGrid& grid = grid_of(world);
    device.visible_samples_march(grid.host_grid(), grid.voxel_frame(), samples.observers,
                                 samples.targets, indices, rules, steps_m, num_areas, out);
  }
}

}  // namespace

std::vector<Vec3> sample_points(const std::vector<Vec3>& centres_m, const AreaTarget& area) {
  std::vector<Vec3> points;
  points.reserve(centres_m.size() * static_cast<std::size_t>(area.num_samples()));
  const auto offset = [&](std::size_t axis, std::int64_t k) {
    const double part = (static_cast<double>(k) + 0.5) / static_cast<double>(area.num[axis]);
    return (part - 0.5) * area.size_m[axis];
  };
  for (const Vec3& centre : centres_m) {
    for (std::int64_t k = 0; k < area.num[2]; ++k) {
      for (std::int64_t j = 0; j < area.num[1]; ++j) {
        for (std::int64_t i = 0; i < area.num[0]; ++i) {
          points.push_back(
              {centre.x + offset(0, i), centre.y + offset(1, j), centre.z + offset(2, k)});
        }
      }
    }
  }
  return points;
}

std::vector<SampleCounts> visible_samples(const World& world, const RayBatch& rays,
                                          const AreaTarget& area, const VisibilityQuery& query,
                                          double step_m, Device& device) {
  if (query.method == Method::kMarch || query.method == Method::kMarchUniform) {
    return visible_samples_steps(world, rays, area, query, {step_m}, device)[0];
  }
  const RayBatch samples = with_samples(rays, area);
  const OccupancyGrid& grid = grid_of(world);
  const Executor cpu = device.host_threads();
  std::vector<SampleCounts> counts(static_cast<std::size_t>(rays.num_rays()));
  device.visible_samples_exact(
      grid.host_grid(), to_lattice(grid, query.lattice_bits, samples.observers, "observers", cpu),
      to_lattice(grid, query.lattice_bits, samples.targets, "target samples", cpu),
      area_indexing(rays, area), exact_rules(query), rays.num_rays(), counts.data());
  return counts;
}

std::vector<std::vector<SampleCounts>> visible_samples_steps(
    const World& world, const RayBatch& rays, const AreaTarget& area, const VisibilityQuery& query,
    const std::vector<double>& steps_m, Device& device) {
  const RayBatch samples = with_samples(rays, area);
  const double longest_m = check_march(world, samples, query, steps_m, device.host_threads());
  const std::int64_t num_rays = rays.num_rays(), num_samples = area.num_samples();
  std::vector<std::vector<SampleCounts>> counts(
      steps_m.size(), std::vector<SampleCounts>(static_cast<std::size_t>(num_rays)));
  for (std::size_t first = 0; first < steps_m.size(); first += kMaxSteps) {
    const std::size_t last = std::min(first + kMaxSteps, steps_m.size());
    const std::vector<double> steps(steps_m.begin() + static_cast<std::ptrdiff_t>(first),
                                    steps_m.begin() + static_cast<std::ptrdiff_t>(last));
    const std::int64_t per_pass = areas_per_pass(query, longest_m, steps, num_samples);
    std::vector<SampleCounts> pass(steps.size() *
                                   static_cast<std::size_t>(std::min(per_pass, num_rays)));
    for (std::int64_t begin = 0; begin < num_rays; begin += per_pass) {
      const std::int64_t count = std::min(per_pass, num_rays - begin);
      RayIndexing indices = area_indexing(rays, area);
      indices.first_ray = begin * num_samples;
      if (indices.pairs != nullptr) indices.pairs += 2 * begin;
      march_pass(world, samples, query, steps, indices, count, device, pass.data());
      for (std::int64_t i = 0; i < count; ++i) {
        for (std::size_t k = 0; k < steps.size(); ++k) {
          counts[first + k][static_cast<std::size_t>(begin + i)] =
              pass[static_cast<std::size_t>(i) * steps.size() + k];
        }
      }
    }
  }
  return counts;
}

Visibility judge_area(const SampleCounts& counts, std::int64_t num_samples, double share) {
  // 0.28 of 25 samples is 7 of them, although 0.28 * 25 > 7 in binary.
  constexpr double kRounding = 1e-9;
  const double needed = std::ceil(share * static_cast<double>(num_samples) - kRounding);
  if (counts.visible >= needed) return Visibility::kVisible;
  return counts.visible + counts.unknown >= needed ? Visibility::kUnknown : Visibility::kHidden;
}

}  // namespace sightline::host
