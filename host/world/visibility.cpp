#include "host/world/visibility.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "host/config/plural.h"
#include "host/error.h"
#include "host/world/ray_checks.h"
#include "kernels/host_points.h"

namespace sightline::host {

using namespace kernels;

namespace {

/// Rays in one pass of masks: bounds the memory of the masks, not the answers.
std::int64_t rays_per_pass(const Device& device) {
  constexpr std::int64_t kMost = std::int64_t{1} << 24;
  return rays_per_part(device, kMost);
}

void march_pass(const World& world, const RayBatch& rays, const VisibilityQuery& query,
                const std::vector<double>& steps_m, Device& device, RayIndexing indices,
                std::int64_t count, StepAnswers* out) {
  const MarchRules rules = march_rules(query);
  if (query.geometry == Geometry::kAnalytic) {
    const AnalyticSolid& solid = analytic_of(world);
    device.line_of_sight_march(solid.solids, solid.openings, rays.observers, rays.targets, indices,
                               rules, steps_m, count, out);
  } else {
    const OccupancyGrid& grid = grid_of(world);
    device.line_of_sight_march(grid.host_grid(), grid.voxel_frame(), rays.observers, rays.targets,
                               indices, rules, steps_m, count, out);
  }
}

}  // namespace

std::int64_t RayBatch::num_rays() const { return count_rays(*this, observers.size()); }

std::string outside_text(const World& world, const RayBatch& rays) {
  const std::int64_t observers = num_outside(world, rays.observers);
  const std::int64_t targets = num_outside(world, rays.targets);
  if (observers + targets == 0) return "";
  const auto of = [](std::int64_t count, std::size_t all, const char* what) {
    return std::to_string(count) + " of " + plural(all, what);
  };
  return of(observers, rays.observers.size(), "observer") + " and " +
         of(targets, rays.targets.size(), "target") + " lie outside the " +
         (world.grid ? "grid" : "scene's bounds");
}

const char* name_of(Visibility sight) {
  if (sight == Visibility::kVisible) return "visible";
  return sight == Visibility::kHidden ? "hidden" : "unknown";
}

RayBatch rays_from_origin(Vec3 origin_m, const std::vector<Vec3>& directions, double range_m) {
  check_range(range_m);
  check_finite({origin_m}, "origin");
  check_finite(directions, "directions");
  RayBatch rays;
  rays.shape = RayShape::kCross;
  rays.observers = {origin_m};
  rays.targets.reserve(directions.size());
  for (std::size_t row = 0; row < directions.size(); ++row) {
    const Vec3 d = directions[row];
    const double length = std::sqrt(dot(d, d));
    constexpr double kLeast = 1e-150, kMost = 1e150;  // whose squares keep all digits
    if (!(length >= kLeast && length <= kMost)) {
      throw InputError("directions row " + std::to_string(row) + ": " + text_of(d) +
                       " is too short or too long for a direction");
    }
    const double scale = range_m / length;
    rays.targets.push_back(
        {origin_m.x + scale * d.x, origin_m.y + scale * d.y, origin_m.z + scale * d.z});
  }
  return rays;
}

std::vector<Visibility> line_of_sight(const World& world, const RayBatch& rays,
                                      const VisibilityQuery& query, double step_m, Device& device) {
  if (query.method == Method::kMarch || query.method == Method::kMarchUniform) {
    return std::move(line_of_sight_steps(world, rays, query, {step_m}, device).front());
  }
  if (query.geometry == Geometry::kAnalytic) {
    throw InputError("method dda or hdda walks voxels; it cannot use the analytic solid");
  }
  const OccupancyGrid& grid = grid_of(world);
  check_shape(rays, rays.observers.size());
  std::vector<Visibility> answers(static_cast<std::size_t>(rays.num_rays()));
  for_lattice_rays(grid, query, rays, device,
                   [&](const LatticeRays& ends, const RayIndexing& indices, std::int64_t begin,
                       std::int64_t count) {
                     device.line_of_sight_exact(grid.host_grid(), ends.observers, ends.targets,
                                                indices, exact_rules(query), count,
                                                answers.data() + begin);
                   });
  return answers;
}

std::vector<std::vector<Visibility>> line_of_sight_steps(const World& world, const RayBatch& rays,
                                                         const VisibilityQuery& query,
                                                         const std::vector<double>& steps_m,
                                                         Device& device) {
  const Executor cpu = device.host_threads();
  check_shape(rays, rays.observers.size());
  const double longest_m = check_march(world, rays, query, steps_m, cpu);
  const std::int64_t num_rays = rays.num_rays();
  std::vector<std::vector<Visibility>> answers(
      steps_m.size(), std::vector<Visibility>(static_cast<std::size_t>(num_rays)));
  const std::int64_t per_pass =
      std::min(num_rays, rays_at_once(query, longest_m, steps_m, rays_per_pass(device)));
  std::vector<StepAnswers> masks(static_cast<std::size_t>(per_pass));
  for (std::size_t first = 0; first < steps_m.size(); first += kMaxSteps) {
    const std::vector<double> steps(steps_m.begin() + first,
                                    steps_m.begin() + std::min(first + kMaxSteps, steps_m.size()));
    for (std::int64_t begin = 0; begin < num_rays; begin += per_pass) {
      const std::int64_t count = std::min(per_pass, num_rays - begin);
      march_pass(world, rays, query, steps, device, slice(indexing(rays), begin), count,
                 masks.data());
      for (std::size_t k = 0; k < steps.size(); ++k) {
        answers_of_step(cpu, masks.data(), count, static_cast<int>(k),
                        answers[first + k].data() + begin);
      }
    }
  }
  return answers;
}

std::vector<std::vector<std::uint8_t>> in_field_of_view(const std::vector<Pose>& poses,
                                                        const RayBatch& rays,
                                                        const std::vector<FieldOfView>& fovs,
                                                        Device& device) {
  check_poses(poses);
  check_fields_of_view(fovs);
  check_finite(rays.targets, "targets");
  check_shape(rays, poses.size());
  const std::int64_t num_rays = count_rays(rays, poses.size());
  std::vector<std::vector<std::uint8_t>> inside(
      fovs.size(), std::vector<std::uint8_t>(static_cast<std::size_t>(num_rays)));
  const Executor cpu = device.host_threads();
  const std::int64_t per_pass = std::min(num_rays, rays_per_pass(device));
  std::vector<std::uint32_t> masks(static_cast<std::size_t>(per_pass));
  for (std::size_t first = 0; first < fovs.size(); first += kMaxFieldsOfView) {
    const std::vector<FieldOfView> part(
        fovs.begin() + first, fovs.begin() + std::min(first + kMaxFieldsOfView, fovs.size()));
    for (std::int64_t begin = 0; begin < num_rays; begin += per_pass) {
      const std::int64_t count = std::min(per_pass, num_rays - begin);
      device.field_of_view(poses, rays.targets, slice(indexing(rays), begin), part, count,
                           masks.data());
      for (std::size_t k = 0; k < part.size(); ++k) {
        bits_of_masks(cpu, masks.data(), count, static_cast<int>(k),
                      inside[first + k].data() + begin);
      }
    }
  }
  return inside;
}

std::vector<std::uint8_t> solid_at(const World& world, Geometry geometry,
                                   const std::vector<Vec3>& points) {
  check_finite(points, "points");
  std::vector<std::uint8_t> solid(points.size());
  if (geometry == Geometry::kAnalytic) {
    kernels::solid_at(Executor{}, analytic_of(world).view(), points.data(),
                      static_cast<std::int64_t>(points.size()), solid.data());
    return solid;
  }
  const OccupancyGrid& grid = grid_of(world);
  const GridGeometry& g = grid.geometry();
  for (std::size_t row = 0; row < points.size(); ++row) {
    const double p[3] = {points[row].x, points[row].y, points[row].z};
    double voxel[3];
    bool inside = true;
    for (int a = 0; a < 3; ++a) {
      voxel[a] = std::floor((p[a] - g.origin_m[a]) / g.voxel_m[a]);
      inside = inside && voxel[a] >= 0 && voxel[a] < static_cast<double>(g.dims[a]);
    }
    if (!inside) continue;
    solid[row] = grid.at(static_cast<std::int64_t>(voxel[0]), static_cast<std::int64_t>(voxel[1]),
                         static_cast<std::int64_t>(voxel[2])) == VoxelState::kOccupied;
  }
  return solid;
}

}  // namespace sightline::host
