#include "host/world/visibility.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>

#include "host/error.h"

namespace sightline::host {

using namespace kernels;

namespace {

std::string text_of(Vec3 p) {
  char text[96];
  std::snprintf(text, sizeof text, "(%.9g, %.9g, %.9g)", p.x, p.y, p.z);
  return text;
}

void check_finite(const std::vector<Vec3>& points, const char* what) {
  for (std::size_t row = 0; row < points.size(); ++row) {
    const Vec3 p = points[row];
    if (std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z)) continue;
    throw InputError(std::string(what) + " row " + std::to_string(row) + ": a coordinate of " +
                     text_of(p) + " is NaN or infinite");
  }
}

void check_poses(const std::vector<Pose>& poses) {
  for (std::size_t row = 0; row < poses.size(); ++row) {
    const Pose& pose = poses[row];
    for (const Vec3& v :
         {pose.position, pose.forward, pose.right, pose.up, pose.level_forward, pose.world_up}) {
      if (std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z)) continue;
      throw InputError("poses row " + std::to_string(row) + ": a part is NaN or infinite " +
                       text_of(v));
    }
  }
}

void check_fields_of_view(const std::vector<FieldOfView>& fovs) {
  for (std::size_t row = 0; row < fovs.size(); ++row) {
    const FieldOfView& fov = fovs[row];
    for (const double value :
         {fov.min_cos, fov.tan_horizontal, fov.tan_vertical, fov.near_m, fov.far_m}) {
      if (!std::isnan(value)) continue;
      throw InputError("fields of view row " + std::to_string(row) + ": a bound is NaN");
    }
  }
}

void check_pairs(const RayBatch& rays, std::size_t num_observers) {
  if (rays.pairs.size() % 2 != 0) throw InputError("pairs: must be [num_rays, 2]");
  for (std::size_t k = 0; k < rays.pairs.size(); ++k) {
    const std::size_t bound = k % 2 == 0 ? num_observers : rays.targets.size();
    if (rays.pairs[k] >= 0 && static_cast<std::size_t>(rays.pairs[k]) < bound) continue;
    throw InputError("pairs row " + std::to_string(k / 2) + ": " +
                     (k % 2 == 0 ? "observer" : "target") + " index " +
                     std::to_string(rays.pairs[k]) + " is not in [0, " + std::to_string(bound) +
                     ")");
  }
}

void check_shape(const RayBatch& rays, std::size_t num_observers) {
  if (rays.shape == RayShape::kPairs) return check_pairs(rays, num_observers);
  if (rays.shape == RayShape::kElementwise && num_observers != rays.targets.size()) {
    throw InputError("rays: " + std::to_string(num_observers) + " observers but " +
                     std::to_string(rays.targets.size()) +
                     " targets; element-wise rays need as many of each");
  }
  const auto limit = static_cast<std::size_t>(std::numeric_limits<std::int64_t>::max());
  if (rays.shape == RayShape::kCross && !rays.targets.empty() &&
      num_observers > limit / rays.targets.size()) {
    throw InputError("rays: observers x targets is beyond 64-bit counting");
  }
}

RayIndexing indexing(const RayBatch& rays) {
  RayIndexing indices;
  indices.shape = rays.shape;
  indices.pairs = rays.shape == RayShape::kPairs ? rays.pairs.data() : nullptr;
  indices.num_targets = static_cast<std::int64_t>(rays.targets.size());
  return indices;
}

std::int64_t count_rays(const RayBatch& rays, std::size_t num_observers) {
  if (rays.shape == RayShape::kPairs) return static_cast<std::int64_t>(rays.pairs.size() / 2);
  const auto observers = static_cast<std::int64_t>(num_observers);
  if (rays.shape == RayShape::kElementwise) return observers;
  return observers * static_cast<std::int64_t>(rays.targets.size());
}

const OccupancyGrid& grid_of(const World& world) {
  if (world.grid) return *world.grid;
  throw InputError("world " + world.name +
                   ": has no voxel grid; exact methods need one (world.solid.grid.voxel_m)");
}

const AnalyticSolid& analytic_of(const World& world) {
  if (world.analytic) return *world.analytic;
  throw InputError("world " + world.name +
                   ": has no analytic solid; only scenes have one, files have grids");
}

/// Samples are addressed by 32-bit voxel indices and skipped with a margin (kernels/march.h).
void check_march_range(const OccupancyGrid& grid, const std::vector<Vec3>& points,
                       const char* what) {
  constexpr double kMaxVoxels = 0x1p26;
  const GridGeometry& g = grid.geometry();
  for (std::size_t row = 0; row < points.size(); ++row) {
    const double p[3] = {points[row].x, points[row].y, points[row].z};
    for (int a = 0; a < 3; ++a) {
      if (std::fabs((p[a] - g.origin_m[a]) / g.voxel_m[a]) <= kMaxVoxels) continue;
      throw InputError(std::string(what) + " row " + std::to_string(row) + ": " +
                       text_of(points[row]) + " lies more than 2^26 voxels from the grid's origin");
    }
  }
}

/// A bound on the length of any ray between these points, metres.
double longest_ray_m(const RayBatch& rays) {
  if (rays.observers.empty() || rays.targets.empty()) return 0;
  Vec3 low{INFINITY, INFINITY, INFINITY}, high{-INFINITY, -INFINITY, -INFINITY};
  for (const std::vector<Vec3>* points : {&rays.observers, &rays.targets}) {
    for (const Vec3& p : *points) {
      low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
  }
  const Vec3 extent = minus(high, low);
  return std::sqrt(dot(extent, extent));
}

void check_steps(const RayBatch& rays, const std::vector<double>& steps_m) {
  constexpr double kMaxSamples = 0x1p24;
  if (steps_m.empty()) throw InputError("march: no step size given");
  const double longest_m = longest_ray_m(rays);
  for (const double step : steps_m) {
    if (!(step > 0) || !std::isfinite(step)) {
      throw InputError("step_m is " + std::to_string(step) + "; must be finite and above 0");
    }
    if (longest_m / step > kMaxSamples) {
      char text[32];
      std::snprintf(text, sizeof text, "%g", step);
      throw InputError(std::string("step_m is ") + text +
                       ": a ray would need more than 2^24 samples; use a larger step");
    }
  }
}

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

/// A batch cut to rays [begin, begin + count).
RayIndexing slice(RayIndexing rays, std::int64_t begin) {
  rays.first_ray += begin;
  if (rays.pairs != nullptr) rays.pairs += 2 * begin;
  return rays;
}

void march_pass(const World& world, const RayBatch& rays, const VisibilityQuery& query,
                const std::vector<double>& steps_m, Device& device, RayIndexing indices,
                std::int64_t count, StepAnswers* out) {
  MarchRules rules;
  rules.uniform = query.method == Method::kMarchUniform;
  rules.end_rule = query.end_rule;
  rules.unknown = query.unknown;
  rules.outside = query.outside;
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

void check_march(const World& world, const RayBatch& rays, const VisibilityQuery& query,
                 const std::vector<double>& steps_m) {
  check_finite(rays.observers, "observers");
  check_finite(rays.targets, "targets");
  check_shape(rays, rays.observers.size());
  if (query.geometry == Geometry::kAnalytic) {
    (void)analytic_of(world);
  } else {
    check_march_range(grid_of(world), rays.observers, "observers");
    check_march_range(grid_of(world), rays.targets, "targets");
  }
  check_steps(rays, steps_m);
}

}  // namespace

std::int64_t RayBatch::num_rays() const { return count_rays(*this, observers.size()); }

RayBatch rays_from_origin(Vec3 origin_m, const std::vector<Vec3>& directions, double range_m) {
  if (!(range_m > 0) || !std::isfinite(range_m)) {
    throw InputError("range_m is " + std::to_string(range_m) + "; must be finite and above 0");
  }
  check_finite({origin_m}, "origin");
  check_finite(directions, "directions");
  RayBatch rays;
  rays.shape = RayShape::kCross;
  rays.observers = {origin_m};
  rays.targets.reserve(directions.size());
  for (std::size_t row = 0; row < directions.size(); ++row) {
    const Vec3 d = directions[row];
    const double length = std::sqrt(dot(d, d));
    if (!(length > 0) || !std::isfinite(length)) {
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
  const GridGeometry& g = grid.geometry();
  const double scale = std::ldexp(1.0, lattice_bits);
  constexpr double kLimit = 0x1p30;
  std::vector<LatticePoint> lattice(points.size());
  for (std::size_t row = 0; row < points.size(); ++row) {
    const double p[3] = {points[row].x, points[row].y, points[row].z};
    std::int32_t rounded[3];
    for (int a = 0; a < 3; ++a) {
      const double unit = std::nearbyint((p[a] - g.origin_m[a]) / g.voxel_m[a] * scale);
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
  check_shape(rays, rays.observers.size());
  const std::vector<LatticePoint> observers =
      to_lattice(grid, query.lattice_bits, rays.observers, "observers");
  const std::vector<LatticePoint> targets =
      to_lattice(grid, query.lattice_bits, rays.targets, "targets");
  ExactRules rules;
  rules.lattice_bits = query.lattice_bits;
  rules.tie_rule = query.tie_rule;
  rules.unknown = query.unknown;
  rules.outside = query.outside;
  rules.skip_empty_space = query.method == Method::kHdda;
  std::vector<Visibility> answers(static_cast<std::size_t>(rays.num_rays()));
  device.line_of_sight_exact(grid.host_grid(), observers, targets, indexing(rays), rules,
                             rays.num_rays(), answers.data());
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
