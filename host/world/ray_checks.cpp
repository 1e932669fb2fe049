#include "host/world/ray_checks.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "host/config/number_text.h"
#include "host/config/plural.h"
#include "host/error.h"

namespace sightline::host {

using namespace kernels;

namespace {

void check_pairs(const RayBatch& rays, std::size_t num_observers) {
  if (rays.pairs.size() % 2 != 0) throw InputError("pairs: must be [num_rays, 2]");
  constexpr std::size_t kMostPoints = std::numeric_limits<std::int32_t>::max();  // as a GPU is told
  if (!rays.pairs.empty() && std::max(num_observers, rays.targets.size()) > kMostPoints) {
    throw InputError("pairs: of more than 2^31 - 1 observers or targets; ask in several batches");
  }
  for (std::size_t k = 0; k < rays.pairs.size(); ++k) {
    const std::size_t bound = k % 2 == 0 ? num_observers : rays.targets.size();
    if (rays.pairs[k] >= 0 && static_cast<std::size_t>(rays.pairs[k]) < bound) continue;
    throw InputError("pairs row " + std::to_string(k / 2) + ": " +
                     (k % 2 == 0 ? "observer" : "target") + " index " +
                     std::to_string(rays.pairs[k]) + " is not in [0, " + std::to_string(bound) +
                     ")");
  }
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

void check_steps(const RayBatch& rays, const std::vector<double>& steps_m) {
  constexpr double kMaxSamples = 0x1p24;
  if (steps_m.empty()) throw InputError("march: no step size given");
  const double longest_m = longest_ray_m(rays);
  for (const double step : steps_m) {
    if (!(step > 0) || !std::isfinite(step)) {
      throw InputError("step_m is " + short_text(step) + "; must be finite and above 0");
    }
    if (longest_m / step > kMaxSamples) {
      throw InputError("step_m is " + short_text(step) +
                       ": a ray would need more than 2^24 samples; use a larger step");
    }
  }
}

}  // namespace

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

void check_shape(const RayBatch& rays, std::size_t num_observers) {
  if (rays.shape == RayShape::kPairs) return check_pairs(rays, num_observers);
  if (rays.shape == RayShape::kElementwise && num_observers != rays.targets.size()) {
    throw InputError("rays: " + plural(num_observers, "observer") + " but " +
                     plural(rays.targets.size(), "target") +
                     "; element-wise rays need as many of each");
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

RayIndexing slice(RayIndexing rays, std::int64_t begin) {
  rays.first_ray += begin;
  if (rays.pairs != nullptr) rays.pairs += 2 * begin;
  return rays;
}

void check_range(double range_m) {
  if (range_m > 0 && std::isfinite(range_m)) return;
  throw InputError("range_m is " + short_text(range_m) + "; must be finite and above 0");
}

void check_box_size(const std::array<double, 3>& size_m) {
  for (int a = 0; a < 3; ++a) {
    const double size = size_m[static_cast<std::size_t>(a)];
    if (size >= 0 && std::isfinite(size)) continue;
    throw InputError("target box: its size along " + std::string(1, "xyz"[a]) +
                     " must be a number of metres, 0 or more");
  }
}

void check_march_points(const World& world, const RayBatch& rays, const VisibilityQuery& query,
                        const std::vector<double>& steps_m) {
  if (query.geometry == Geometry::kAnalytic) {
    (void)analytic_of(world);
  } else {
    check_march_range(grid_of(world), rays.observers, "observers");
    check_march_range(grid_of(world), rays.targets, "targets");
  }
  check_steps(rays, steps_m);
}

void check_march(const World& world, const RayBatch& rays, const VisibilityQuery& query,
                 const std::vector<double>& steps_m) {
  check_finite(rays.observers, "observers");
  check_finite(rays.targets, "targets");
  check_shape(rays, rays.observers.size());
  check_march_points(world, rays, query, steps_m);
}

LatticeRays lattice_rays(const OccupancyGrid& grid, const VisibilityQuery& query,
                         const RayBatch& rays) {
  check_shape(rays, rays.observers.size());
  return {to_lattice(grid, query.lattice_bits, rays.observers, "observers"),
          to_lattice(grid, query.lattice_bits, rays.targets, "targets")};
}

ExactRules exact_rules(const VisibilityQuery& query) {
  ExactRules rules;
  rules.lattice_bits = query.lattice_bits;
  rules.tie_rule = query.tie_rule;
  rules.unknown = query.unknown;
  rules.outside = query.outside;
  rules.skip_empty_space = query.method == Method::kHdda;
  return rules;
}

MarchRules march_rules(const VisibilityQuery& query) {
  MarchRules rules;
  rules.uniform = query.method == Method::kMarchUniform;
  rules.end_rule = query.end_rule;
  rules.unknown = query.unknown;
  rules.outside = query.outside;
  return rules;
}

}  // namespace sightline::host
