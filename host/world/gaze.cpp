#include "host/world/gaze.h"

#include <cmath>
#include <string>

#include "host/error.h"
#include "host/world/ray_checks.h"

namespace sightline::host {

using namespace kernels;

std::vector<FirstHit> first_hit(const World& world, const RayBatch& rays,
                                const VisibilityQuery& query, Device& device) {
  if (query.method != Method::kDda && query.method != Method::kHdda) {
    throw InputError("first hit: a march skips voxels; use dda or hdda");
  }
  const OccupancyGrid& grid = grid_of(world);
  check_shape(rays, rays.observers.size());
  std::vector<FirstHit> hits(static_cast<std::size_t>(rays.num_rays()));
  for_lattice_rays(grid, query, rays, device,
                   [&](const LatticeRays& ends, const RayIndexing& indices, std::int64_t begin,
                       std::int64_t count) {
                     device.first_hit(grid.host_grid(), grid.voxel_frame(), ends.observers,
                                      ends.targets, indices, exact_rules(query), count,
                                      hits.data() + begin);
                   });
  return hits;
}

RayBatch gaze_rays(const std::vector<Pose>& poses, double range_m) {
  check_range(range_m);
  check_poses(poses);
  RayBatch rays;
  for (const Pose& pose : poses) {
    const Vec3 p = pose.position, d = pose.forward;
    rays.observers.push_back(p);
    rays.targets.push_back({p.x + range_m * d.x, p.y + range_m * d.y, p.z + range_m * d.z});
  }
  return rays;
}

Vec3 normal_of(Face face) {
  if (face == Face::kNone) return {};
  const int index = static_cast<int>(face) - 1;
  const double sign = index % 2 == 0 ? -1 : 1;
  return {index / 2 == 0 ? sign : 0, index / 2 == 1 ? sign : 0, index / 2 == 2 ? sign : 0};
}

}  // namespace sightline::host
