#include "host/world/ray_checks.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "host/config/number_text.h"
#include "host/config/plural.h"
#include "host/error.h"
#include "kernels/host_points.h"

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

PointBounds bounds_of(const std::vector<Vec3>& points, const Executor& cpu) {
  return kernels::bounds_of(cpu, points.data(), static_cast<std::int64_t>(points.size()));
}

/// Samples are addressed by 32-bit voxel indices and skipped with a margin (kernels/march.h).
bool is_in_march_range(const OccupancyGrid& grid, Vec3 point) {
  constexpr double kMaxVoxels = 0x1p26;
  const GridGeometry& g = grid.geometry();
  const double p[3] = {point.x, point.y, point.z};
  bool is_in = true;
  for (int a = 0; a < 3; ++a) {
    is_in = is_in && std::fabs((p[a] - g.origin_m[a]) / g.voxel_m[a]) <= kMaxVoxels;
  }
  return is_in;
}

void check_march_range(const OccupancyGrid& grid, const std::vector<Vec3>& points,
                       const PointBounds& bounds, const char* what) {
  if (points.empty()) return;
  if (is_in_march_range(grid, bounds.low) && is_in_march_range(grid, bounds.high)) return;
  for (std::size_t row = 0; row < points.size(); ++row) {
    if (is_in_march_range(grid, points[row])) continue;
    throw InputError(std::string(what) + " row " + std::to_string(row) + ": " +
                     text_of(points[row]) + " lies more than 2^26 voxels from the grid's origin");
  }
}

/// A bound on the length of any ray between points of two boxes, metres.
double longest_ray_m(const PointBounds& a, const PointBounds& b) {
  const auto extent = [](double low_a, double high_a, double low_b, double high_b) {
    return std::max(high_a, high_b) - std::min(low_a, low_b);
  };
  const Vec3 both{extent(a.low.x, a.high.x, b.low.x, b.high.x),
                  extent(a.low.y, a.high.y, b.low.y, b.high.y),
                  extent(a.low.z, a.high.z, b.low.z, b.high.z)};
  return std::sqrt(dot(both, both));
}

void check_steps(double longest_m, const std::vector<double>& steps_m) {
  constexpr double kMaxSamples = 0x1p24;
  if (steps_m.empty()) throw InputError("march: no step size given");
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

double check_march(const World& world, const RayBatch& rays, const VisibilityQuery& query,
                   const std::vector<double>& steps_m, const Executor& cpu) {
  const PointBounds observers = bounds_of(rays.observers, cpu);
  const PointBounds targets = bounds_of(rays.targets, cpu);
  if (!observers.are_finite) check_finite(rays.observers, "observers");
  if (!targets.are_finite) check_finite(rays.targets, "targets");
  if (query.geometry == Geometry::kAnalytic) {
    (void)analytic_of(world);
  } else {
    check_march_range(grid_of(world), rays.observers, observers, "observers");
    check_march_range(grid_of(world), rays.targets, targets, "targets");
  }
  const bool has_rays = !rays.observers.empty() && !rays.targets.empty();
  const double longest_m = has_rays ? longest_ray_m(observers, targets) : 0;
  check_steps(longest_m, steps_m);
  return longest_m;
}

std::int64_t rays_at_once(const VisibilityQuery& query, double longest_m,
                          const std::vector<double>& steps_m, std::int64_t most) {
  if (query.geometry == Geometry::kGrid) return most;
  constexpr double kSamples = 0x1p31;
  constexpr std::int64_t kFewest = 64;
  double samples_per_ray = 1;
  for (const double step : steps_m) samples_per_ray += longest_m / step;
  return std::clamp(static_cast<std::int64_t>(kSamples / samples_per_ray), kFewest,
                    std::max(kFewest, most));
}

std::int64_t rays_per_part(const Device& device, std::int64_t most) {
  constexpr std::int64_t kOfAThread = std::int64_t{1} << 16;
  return device.is_gpu() ? most : std::min(most, kOfAThread * device.num_threads());
}

namespace {

/// As to_lattice(), of the points from `first` on that `out` has room for.
void take_to_lattice(const OccupancyGrid& grid, int lattice_bits, const std::vector<Vec3>& points,
                     std::size_t first, const char* what, const Executor& cpu,
                     std::vector<LatticePoint>* out) {
  if (lattice_bits < 0 || lattice_bits > 16) {
    throw InputError("lattice_bits is " + std::to_string(lattice_bits) + "; must be from 0 to 16");
  }
  const Vec3* const begin = points.data() + first;
  const auto count = static_cast<std::int64_t>(out->size());
  const std::int64_t good =
      lattice_points(cpu, grid.voxel_frame(), lattice_bits, begin, count, out->data());
  if (good == count) return;
  check_finite(points, what);
  const std::size_t row = first + static_cast<std::size_t>(good);
  throw InputError(std::string(what) + " row " + std::to_string(row) + ": " + text_of(points[row]) +
                   " lies more than 2^" + std::to_string(30 - lattice_bits) +
                   " voxels from the grid's origin; use fewer lattice_bits or nearer points");
}

}  // namespace

std::vector<LatticePoint> to_lattice(const OccupancyGrid& grid, int lattice_bits,
                                     const std::vector<Vec3>& points, const char* what,
                                     const Executor& cpu) {
  std::vector<LatticePoint> lattice(points.size());
  take_to_lattice(grid, lattice_bits, points, 0, what, cpu, &lattice);
  return lattice;
}

LatticeRays lattice_rays(const OccupancyGrid& grid, const VisibilityQuery& query,
                         const RayBatch& rays, const Executor& cpu) {
  return {to_lattice(grid, query.lattice_bits, rays.observers, "observers", cpu),
          to_lattice(grid, query.lattice_bits, rays.targets, "targets", cpu)};
}

void for_lattice_rays(const OccupancyGrid& grid, const VisibilityQuery& query, const RayBatch& rays,
                      const Device& device, const AskRays& ask) {
  const Executor cpu = device.host_threads();
  const std::int64_t num_rays = rays.num_rays();
  // No fewer than are worth the tables that the walks go by (host/brick_tables.cpp).
  const std::int64_t worth_tables = brick_table_size(grid.host_grid().view.layout) / 2;
  const std::int64_t at_once = std::max(rays_per_part(device, num_rays), worth_tables);
  if (rays.shape != RayShape::kElementwise || num_rays <= at_once) {
    return ask(lattice_rays(grid, query, rays, cpu), indexing(rays), 0, num_rays);
  }
  LatticeRays part;
  RayIndexing indices = indexing(rays);
  for (std::int64_t begin = 0; begin < num_rays; begin += at_once) {
    const std::int64_t count = std::min(at_once, num_rays - begin);
    const auto first = static_cast<std::size_t>(begin), size = static_cast<std::size_t>(count);
    part.observers.resize(size);
    part.targets.resize(size);
    try {
      take_to_lattice(grid, query.lattice_bits, rays.observers, first, "observers", cpu,
                      &part.observers);
      take_to_lattice(grid, query.lattice_bits, rays.targets, first, "targets", cpu, &part.targets);
    } catch (const InputError&) {
      (void)lattice_rays(grid, query, rays, cpu);  // tells the first fault of all, not of a part
      throw;
    }
    indices.num_targets = count;
    ask(part, indices, begin, count);
  }
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
