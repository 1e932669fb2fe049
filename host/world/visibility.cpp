#include "host/world/visibility.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "host/config/plural.h"
#include "host/error.h"
#include "host/world/ray_checks.h"
#include "kernels/lattice_point.h"

namespace sightline::host {

using namespace kernels;

namespace {

Visibility answer_of(const StepAnswers& answers, std::size_t step) {
  if ((answers.hidden >> step) & 1u) return Visibility::kHidden;
  return (answers.unknown >> step) & 1u ? Visibility::kUnknown : Visibility::kVisible;
}

/// Rays in one pass of masks: bounds the memory of the masks, not the answers.
constexpr std::int64_t kRaysPerPass = std::int64_t{1} << 24;

/// Fewer where the steps are small, so that a pass ends within seconds and can be interrupted.
std::int64_t rays_per_pass(const RayBatch& rays, const std::vector<double>& steps_m) {
  constexpr double kSamplesPerPass = 0x1p31;
  constexpr std::int64_t kFewest = 64;
  double samples_per_ray = 1;
  for (const double step : steps_m) samples_per_ray += longest_ray_m(rays) / step;
  const auto count = static_cast<std::int64_t>(kSamplesPerPass / samples_per_ray);
  return std::min(kRaysPerPass, std::max(kFewest, count));
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

std::vector<LatticePoint> to_lattice(const OccupancyGrid& grid, int lattice_bits,
                                     const std::vector<Vec3>& points, const char* what) {
  if (lattice_bits < 0 || lattice_bits > 16) {
    throw InputError("lattice_bits is " + std::to_string(lattice_bits) + "; must be from 0 to 16");
  }
  check_finite(points, what);
  const VoxelFrame frame = grid.voxel_frame();
  constexpr double kLimit = 0x1p30;
  std::vector<LatticePoint> lattice(points.size());
  for (std::size_t row = 0; row < points.size(); ++row) {
    const double p[3] = {points[row].x, points[row].y, points[row].z};
    std::int32_t rounded[3];
    for (int a = 0; a < 3; ++a) {
      const double unit = lattice_unit(frame, lattice_bits, p[a], a);
      if (!(std::fabs(unit) <= kLimit)) {
        throw InputError(std::string(what) + " row " + std::to_string(row) + ": " +
                         text_of(points[row]) + " lies more than 2^" +
                         std::to_string(30 - lattice_bits) +
                         " voxels from the grid's origin; use fewer lattice_bits or nearer points");
      }
      rounded[a] = static_cast<std::int32_t>(unit);
    }
    lattice[row] = {rounded[0], rounded[1], rounded[2]};
  }
  return lattice;
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
  const LatticeRays lattice = lattice_rays(grid, query, rays);
  std::vector<Visibility> answers(static_cast<std::size_t>(rays.num_rays()));
  device.line_of_sight_exact(grid.host_grid(), lattice.observers, lattice.targets, indexing(rays),
                             exact_rules(query), rays.num_rays(), answers.data());
  return answers;
}

std::vector<std::vector<Visibility>> line_of_sight_steps(const World& world, const RayBatch& rays,
                                                         const VisibilityQuery& query,
                                                         const std::vector<double>& steps_m,
                                                         Device& device) {
  check_march(world, rays, query, steps_m);
  const std::int64_t num_rays = rays.num_rays();
  std::vector<std::vector<Visibility>> answers(
      steps_m.size(), std::vector<Visibility>(static_cast<std::size_t>(num_rays)));
  const std::int64_t per_pass = std::min(num_rays, rays_per_pass(rays, steps_m));
  std::vector<StepAnswers> masks(static_cast<std::size_t>(per_pass));
  for (std::size_t first = 0; first < steps_m.size(); first += kMaxSteps) {
    const std::vector<double> steps(steps_m.begin() + first,
                                    steps_m.begin() + std::min(first + kMaxSteps, steps_m.size()));
    for (std::int64_t begin = 0; begin < num_rays; begin += per_pass) {
      const std::int64_t count = std::min(per_pass, num_rays - begin);
      march_pass(world, rays, query, steps, device, slice(indexing(rays), begin), count,
                 masks.data());
      for (std::size_t k = 0; k < steps.size(); ++k) {
        for (std::int64_t i = 0; i < count; ++i) {
          answers[first + k][begin + i] = answer_of(masks[i], k);
        }
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
  std::vector<std::uint32_t> masks(static_cast<std::size_t>(std::min(num_rays, kRaysPerPass)));
  for (std::size_t first = 0; first < fovs.size(); first += kMaxFieldsOfView) {
    const std::vector<FieldOfView> part(
        fovs.begin() + first, fovs.begin() + std::min(first + kMaxFieldsOfView, fovs.size()));
    for (std::int64_t begin = 0; begin < num_rays; begin += kRaysPerPass) {
      const std::int64_t count = std::min(kRaysPerPass, num_rays - begin);
      device.field_of_view(poses, rays.targets, slice(indexing(rays), begin), part, count,
                           masks.data());
      for (std::size_t k = 0; k < part.size(); ++k) {
        for (std::int64_t i = 0; i < count; ++i) {
          inside[first + k][begin + i] = (masks[i] >> k) & 1u;
        }
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
