#include "host/world/view.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "host/config/number_text.h"
#include "host/error.h"
#include "host/world/ray_checks.h"
#include "host/world/voxelise.h"

namespace sightline::host {

using namespace kernels;

namespace {

constexpr double kRadiansPerDegree = 3.14159265358979323846 / 180.0;
constexpr std::int64_t kMaxEdge = 16'384;

double half_tangent(double degrees, const char* which) {
  if (!(degrees > 0 && degrees < 180)) {
    throw InputError("camera: its " + std::string(which) + " angle is " + std::to_string(degrees) +
                     " degrees; must be above 0 and below 180");
  }
  return std::tan(degrees / 2 * kRadiansPerDegree);
}

std::int32_t edge(std::int64_t pixels, const char* which) {
  if (pixels < 1 || pixels > kMaxEdge) {
    throw InputError("camera: its " + std::string(which) + " is " + std::to_string(pixels) +
                     " pixels; must be from 1 to " + std::to_string(kMaxEdge));
  }
  return static_cast<std::int32_t>(pixels);
}

/// No ray may end beyond the lattice, where rounding would overflow.
void check_reach(const OccupancyGrid& grid, const std::vector<Pose>& poses, double range_m,
                 int lattice_bits) {
  for (std::size_t i = 0; i < poses.size(); ++i) {
    const Vec3 p = poses[i].position;
    try {
      to_lattice(grid, lattice_bits,
                 {{p.x - range_m, p.y - range_m, p.z - range_m},
                  {p.x + range_m, p.y + range_m, p.z + range_m}},
                 "reach");
    } catch (const InputError&) {
      throw InputError("poses row " + std::to_string(i) + ": a camera at " + text_of(p) +
                       " that sees " + short_text(range_m) +
                       " m reaches beyond 2^(30 - lattice_bits) voxels of the grid's origin; move "
                       "it or shorten its range");
    }
  }
}

const OccupancyGrid& checked_grid(const World& world, const std::vector<Pose>& poses,
                                  const Camera& camera, const VisibilityQuery& query) {
  if (query.method != Method::kDda && query.method != Method::kHdda) {
    throw InputError("views: a march skips voxels; use dda or hdda");
  }
  const OccupancyGrid& grid = grid_of(world);
  check_poses(poses);
  check_reach(grid, poses, camera.range_m, query.lattice_bits);
  return grid;
}

std::int64_t linear_index(const OccupancyGrid& grid, std::int64_t i, std::int64_t j,
                          std::int64_t k) {
  const auto& dims = grid.geometry().dims;
  return i + dims[0] * (j + dims[1] * k);
}

}  // namespace

Camera make_camera(const CameraSettings& settings) {
  Camera camera;
  camera.width = edge(settings.width, "width");
  camera.height = edge(settings.height, "height");
  camera.tan_horizontal = half_tangent(settings.horizontal_deg, "horizontal");
  camera.tan_vertical = settings.vertical_deg == 0
                            ? camera.tan_horizontal * camera.height / camera.width
                            : half_tangent(settings.vertical_deg, "vertical");
  check_range(settings.range_m);
  camera.range_m = settings.range_m;
  return camera;
}

void VoxelLabels::add(std::int64_t voxel, std::int32_t id) {
  if (id < 0) throw InputError("label " + std::to_string(id) + ": an id must be 0 or more");
  const auto [known, is_new] = ids_.emplace(voxel, id);
  if (!is_new) known->second = std::min(known->second, id);
}

void VoxelLabels::add_voxel(const OccupancyGrid& grid, const std::array<std::int64_t, 3>& voxel,
                            std::int32_t id) {
  (void)grid.at(voxel[0], voxel[1], voxel[2]);  // throws outside the grid
  add(linear_index(grid, voxel[0], voxel[1], voxel[2]), id);
}

void VoxelLabels::add_box(const OccupancyGrid& grid, Vec3 low_m, Vec3 high_m, std::int32_t id) {
  check_finite({low_m, high_m}, "box");
  const VoxelBox box = voxels_meeting({low_m, high_m}, grid.geometry());
  for (std::int64_t k = box.lo[2]; k < box.hi[2]; ++k) {
    for (std::int64_t j = box.lo[1]; j < box.hi[1]; ++j) {
      for (std::int64_t i = box.lo[0]; i < box.hi[0]; ++i) {
        if (grid.at(i, j, k) == VoxelState::kOccupied) add(linear_index(grid, i, j, k), id);
      }
    }
  }
}

std::vector<std::int64_t> VoxelLabels::voxels() const {
  std::vector<std::int64_t> voxels;
  for (const auto& entry : ids_) voxels.push_back(entry.first);
  return voxels;
}

std::vector<std::int32_t> VoxelLabels::ids() const {
  std::vector<std::int32_t> ids;
  for (const auto& entry : ids_) ids.push_back(entry.second);
  return ids;
}

Views render_views(const World& world, const std::vector<Pose>& poses, const Camera& camera,
                   const VisibilityQuery& query, const VoxelLabels& labels, Device& device) {
  const OccupancyGrid& grid = checked_grid(world, poses, camera, query);
  Views views;
  views.camera = camera;
  const auto num_pixels = poses.size() * static_cast<std::size_t>(views.pixels_per_view());
  views.hits.resize(num_pixels);
  views.ids.resize(num_pixels);
  device.render_views(grid.host_grid(), grid.voxel_frame(), poses, camera, exact_rules(query),
                      labels.voxels(), labels.ids(), views.hits.data(), views.ids.data());
  return views;
}

void render_views_in_blocks(const World& world, const std::vector<Pose>& poses,
                            const Camera& camera, const VisibilityQuery& query,
                            const VoxelLabels& labels, std::int64_t max_bytes, Device& device,
                            const std::function<void(const Views&)>& take) {
  (void)checked_grid(world, poses, camera, query);
  const std::int64_t bytes_per_view = std::int64_t{camera.width} * camera.height *
                                      std::int64_t{sizeof(FirstHit) + sizeof(std::int32_t)};
  const std::int64_t most = std::max<std::int64_t>(1, max_bytes / bytes_per_view);
  for (auto first = poses.begin(); first != poses.end();) {
    const auto last = first + std::min<std::int64_t>(most, poses.end() - first);
    take(render_views(world, {first, last}, camera, query, labels, device));
    first = last;
  }
}

std::map<std::int32_t, std::int64_t> pixels_by_id(const Views& views, std::int64_t view) {
  std::map<std::int32_t, std::int64_t> pixels;
  const std::int64_t first = view * views.pixels_per_view();
  for (std::int64_t i = first; i < first + views.pixels_per_view(); ++i) {
    const std::int32_t id = views.ids[static_cast<std::size_t>(i)];
    if (id != kNoLabel) ++pixels[id];
  }
  return pixels;
}

std::vector<SampleCounts> covered_pixels(const World& world, const std::vector<Pose>& poses,
                                         const RayBatch& rays, const std::array<double, 3>& size_m,
                                         const Camera& camera, const VisibilityQuery& query,
                                         Device& device) {
  const OccupancyGrid& grid = checked_grid(world, poses, camera, query);
  check_box_size(size_m);
  check_finite(rays.targets, "targets");
  check_shape(rays, poses.size());
  const std::int64_t num_rays = count_rays(rays, poses.size());
  std::vector<SampleCounts> counts(static_cast<std::size_t>(num_rays));
  device.covered_pixels(grid.host_grid(), grid.voxel_frame(), poses, rays.targets, indexing(rays),
                        size_m, camera, exact_rules(query), num_rays, counts.data());
  return counts;
}

std::vector<kernels::Projection> project(const std::vector<Pose>& poses, const RayBatch& rays,
                                         const kernels::Camera& camera, Device& device) {
  check_poses(poses);
  check_finite(rays.targets, "targets");
  check_shape(rays, poses.size());
  std::vector<kernels::Projection> places(static_cast<std::size_t>(count_rays(rays, poses.size())));
  device.project(poses, rays.targets, indexing(rays), camera,
                 static_cast<std::int64_t>(places.size()), places.data());
  return places;
}

Visibility judge_pixels(const SampleCounts& counts, std::int64_t min_pixels) {
  if (counts.visible >= min_pixels) return Visibility::kVisible;
  return std::int64_t{counts.visible} + counts.unknown >= min_pixels ? Visibility::kUnknown
                                                                     : Visibility::kHidden;
}

}  // namespace sightline::host
