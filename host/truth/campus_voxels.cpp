#include "host/truth/campus_voxels.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "host/error.h"
#include "host/truth/place_sight.h"
#include "host/world/voxelise.h"

namespace sightline::host {
namespace {

void check(const Campus& campus, const std::vector<std::uint8_t>& is_there,
           const CampusVoxelSettings& settings) {
  const bool is_good = settings.voxel_m > 0 && settings.height_m > 0 && settings.margin_m >= 0 &&
                       settings.small_thing_m > 0 && settings.large_thing_m > 0;
  if (!is_good) {
    throw InputError(
        "settings of a campus's voxels: voxel_m, height_m and the edges of things must be above 0, "
        "margin_m 0 or more");
  }
  if (!is_there.empty() && is_there.size() != campus.objects.size()) {
    throw InputError("a campus's voxels: " + std::to_string(is_there.size()) + " flags for " +
                     std::to_string(campus.objects.size()) + " objects; give one for each");
  }
  if (campus.paths.nodes_m.empty()) {
    throw InputError("a campus's voxels: it has no paths to stand on");
  }
}

Bounds bounds_of(const Campus& campus, const CampusVoxelSettings& settings) {
  const kernels::Vec3& first = campus.paths.nodes_m.front();
  Bounds bounds{first, first};
  const auto widen = [&](double x, double y) {
    bounds.min.x = std::min(bounds.min.x, x);
    bounds.min.y = std::min(bounds.min.y, y);
    bounds.max.x = std::max(bounds.max.x, x);
    bounds.max.y = std::max(bounds.max.y, y);
  };
  for (const kernels::Vec3& node : campus.paths.nodes_m) {
    widen(node.x, node.y);
    bounds.min.z = std::min(bounds.min.z, node.z);
    bounds.max.z = std::max(bounds.max.z, node.z);
  }
  for (const WallRing& ring : campus.rings) {
    for (const auto& corner : ring) widen(corner[0], corner[1]);
  }
  widen(bounds.min.x - settings.margin_m, bounds.min.y - settings.margin_m);
  widen(bounds.max.x + settings.margin_m, bounds.max.y + settings.margin_m);
  bounds.max.z += settings.height_m;
  return bounds;
}

void fill_building(const WallRing& ring, OccupancyGrid* grid) {
  if (ring.empty()) return;
  const GridGeometry& geometry = grid->geometry();
  Bounds box{{ring[0][0], ring[0][1], geometry.origin_m[2]}, {}};
  box.max = box.min;
  for (const auto& corner : ring) {
    box.min.x = std::min(box.min.x, corner[0]);
    box.min.y = std::min(box.min.y, corner[1]);
    box.max.x = std::max(box.max.x, corner[0]);
    box.max.y = std::max(box.max.y, corner[1]);
  }
  const PlaceSight inside({ring});
  const VoxelBox voxels = voxels_meeting(box, geometry, 1);
  for (std::int64_t j = voxels.lo[1]; j < voxels.hi[1]; ++j) {
    for (std::int64_t i = voxels.lo[0]; i < voxels.hi[0]; ++i) {
      const auto centre = [&](std::int64_t voxel, std::size_t axis) {
        return geometry.origin_m[axis] +
               (static_cast<double>(voxel) + 0.5) * geometry.voxel_m[axis];
      };
      if (!inside.is_inside({centre(i, 0), centre(j, 1), 0})) continue;
      grid->set_box({i, j, 0}, {i + 1, j + 1, geometry.dims[2]}, VoxelState::kOccupied);
    }
  }
}

}  // namespace

World campus_world(const Campus& campus, const std::vector<std::uint8_t>& is_there,
                   const CampusVoxelSettings& settings) {
  check(campus, is_there, settings);
  World world;
  world.name = "campus";
  world.frame = Frame::kMapZUp;
  world.bounds_m = bounds_of(campus, settings);
  OccupancyGrid grid(grid_over(world.bounds_m, world.frame, settings.voxel_m));
  for (const WallRing& ring : campus.rings) fill_building(ring, &grid);
  for (const CampusObject& object : campus.objects) {
    if (!is_there.empty() && is_there[object.id] == 0) continue;
    const double edge_m = object.is_large ? settings.large_thing_m : settings.small_thing_m;
    const kernels::Vec3& at = object.position_m;
    const VoxelBox box = voxels_meeting({{at.x - edge_m / 2, at.y - edge_m / 2, at.z},
                                         {at.x + edge_m / 2, at.y + edge_m / 2, at.z + edge_m}},
                                        grid.geometry());
    if (!box.empty()) grid.set_box(box.lo, box.hi, VoxelState::kOccupied);
  }
  world.grid = std::move(grid);
  return world;
}

}  // namespace sightline::host
