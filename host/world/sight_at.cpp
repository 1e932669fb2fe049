#include "host/world/sight_at.h"

#include <map>
#include <string>

#include "host/error.h"
#include "host/world/ray_checks.h"

namespace sightline::host {

using namespace kernels;

namespace {

/// Which rays ask which version, in the order of the batch; versions that exist, or InputError.
std::map<std::int64_t, std::vector<std::int64_t>> rays_by_version(
    const World& world, const std::vector<std::int64_t>& versions) {
  const std::int64_t num_versions = world.versions ? world.versions->num_versions() : 1;
  std::map<std::int64_t, std::vector<std::int64_t>> groups;
  for (std::size_t row = 0; row < versions.size(); ++row) {
    if (versions[row] < 0 || versions[row] >= num_versions) {
      throw InputError("versions row " + std::to_string(row) + ": version " +
                       std::to_string(versions[row]) + " does not exist; the world has " +
                       std::to_string(num_versions) + ", counted from 0");
    }
    groups[versions[row]].push_back(static_cast<std::int64_t>(row));
  }
  return groups;
}

/// Some rays of a batch, element by element.
RayBatch chosen(const RayBatch& rays, const std::vector<std::int64_t>& rows) {
  RayBatch part;
  part.observers.reserve(rows.size());
  part.targets.reserve(rows.size());
  const auto num_targets = static_cast<std::int64_t>(rays.targets.size());
  for (const std::int64_t row : rows) {
    std::int64_t observer = row, target = row;
    if (rays.shape == RayShape::kCross) {
      observer = row / num_targets;
      target = row % num_targets;
    } else if (rays.shape == RayShape::kPairs) {
      observer = rays.pairs[static_cast<std::size_t>(2 * row)];
      target = rays.pairs[static_cast<std::size_t>(2 * row + 1)];
    }
    part.observers.push_back(rays.observers[static_cast<std::size_t>(observer)]);
    part.targets.push_back(rays.targets[static_cast<std::size_t>(target)]);
  }
  return part;
}

/// What a ray of one version would be refused for, told with its row in the whole batch.
void check_points(const World& world, const RayBatch& rays, const VisibilityQuery& query,
                  double step_m, const Executor& cpu) {
  check_shape(rays, rays.observers.size());
  if (query.method == Method::kMarch || query.method == Method::kMarchUniform) {
    (void)check_march(world, rays, query, {step_m}, cpu);
  } else {
    (void)lattice_rays(grid_of(world), query, rays, cpu);
  }
}

}  // namespace

std::vector<Visibility> line_of_sight_at(const World& world, const RayBatch& rays,
                                         const std::vector<std::int64_t>& versions,
                                         const VisibilityQuery& query, double step_m,
                                         Device& device) {
  if (query.geometry == Geometry::kAnalytic) {
    throw InputError("the analytic solid has no versions; ask the grid");
  }
  check_points(world, rays, query, step_m, device.host_threads());
  if (static_cast<std::int64_t>(versions.size()) != rays.num_rays()) {
    throw InputError("versions: " + std::to_string(versions.size()) + " for " +
                     std::to_string(rays.num_rays()) + " rays; give one for each ray");
  }
  std::vector<Visibility> answers(versions.size());
  for (const auto& [version, rows] : rays_by_version(world, versions)) {
    const RayBatch some = chosen(rays, rows);
    const std::vector<Visibility> part =
        world.versions ? line_of_sight(at_version(world, version), some, query, step_m, device)
                       : line_of_sight(world, some, query, step_m, device);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      answers[static_cast<std::size_t>(rows[i])] = part[i];
    }
  }
  return answers;
}

}  // namespace sightline::host
