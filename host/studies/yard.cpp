#include "host/studies/yard.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "host/world/versioned_grid.h"
#include "host/world/visibility.h"

namespace sightline::host {
namespace {

using kernels::Vec3;
using Voxel = std::array<std::int64_t, 3>;

Voxel voxel_of(const Vec3& place_m) {
  return {static_cast<std::int64_t>(std::floor(place_m.x)),
          static_cast<std::int64_t>(std::floor(place_m.y)),
          static_cast<std::int64_t>(std::floor(place_m.z))};
}

/// Is it in the opening of an arm that reaches from `low` to `high`: in its middle?
bool in_gap(std::int64_t at, std::int64_t low, std::int64_t high) {
  const std::int64_t first = low + (high - low - Yard::kGap_m) / 2;
  return at >= first && at < first + Yard::kGap_m;
}

/// A wall across one level axis; `along` is the other.
void add_wall(std::size_t across, std::size_t along, OccupancyGrid* grid) {
  const auto& dims = grid->geometry().dims;
  const std::int64_t middle = dims[along] / 2;
  Voxel at{};
  at[across] = dims[across] / 2;
  for (at[along] = 0; at[along] < dims[along]; ++at[along]) {
    if (in_gap(at[along], 0, middle) || in_gap(at[along], middle, dims[along])) continue;
    for (at[1] = 0; at[1] < dims[1]; ++at[1]) {
      grid->set(at[0], at[1], at[2], VoxelState::kOccupied);
    }
  }
}

OccupancyGrid make_grid(const std::vector<Vec3>& things_m) {
  GridGeometry geometry;
  geometry.dims = {1, static_cast<std::int64_t>(Yard::kHigh_m), 1};
  for (const Vec3& thing : things_m) {
    const Voxel voxel = voxel_of(thing);
    for (std::size_t axis = 0; axis < voxel.size(); ++axis) {
      geometry.dims[axis] = std::max(geometry.dims[axis], voxel[axis] + 1);
    }
  }
  OccupancyGrid grid(geometry);
  add_wall(0, 2, &grid);
  add_wall(2, 0, &grid);
  for (const Vec3& thing : things_m) {
    const Voxel voxel = voxel_of(thing);
    grid.set(voxel[0], voxel[1], voxel[2], VoxelState::kOccupied);
  }
  return grid;
}

}  // namespace

Yard::Yard(const std::vector<Vec3>& things_m) {
  world_.name = "yard";
  world_.grid = make_grid(things_m);
  const auto& dims = world_.grid->geometry().dims;
  world_.bounds_m.max = {static_cast<double>(dims[0]), static_cast<double>(dims[1]),
                         static_cast<double>(dims[2])};
  start_versions(world_);
}

std::vector<bool> Yard::visible(const Vec3& eye_m, const std::vector<Vec3>& places_m,
                                Device& device) const {
  RayBatch rays;
  rays.observers = {eye_m};
  rays.targets = places_m;
  rays.shape = kernels::RayShape::kCross;
  const World now = at_version(world_, world_.versions->latest());
  std::vector<bool> seen;
  for (const kernels::Visibility one : line_of_sight(now, rays, VisibilityQuery(), 0, device)) {
    seen.push_back(one == kernels::Visibility::kVisible);
  }
  return seen;
}

bool Yard::is_gone(const Vec3& thing_m) const {
  const Voxel at = voxel_of(thing_m);
  return world_.versions->grid(world_.versions->latest()).at(at[0], at[1], at[2]) ==
         VoxelState::kFree;
}

void Yard::take_away(const Vec3& thing_m) {
  const Voxel at = voxel_of(thing_m);
  world_.versions->edit({edit_voxel(at[0], at[1], at[2], VoxelState::kFree)});
}

std::vector<Vec3> Yard::waypoints() const {
  const Vec3 end = world_.bounds_m.max;
  const double x = end.x / 4, z = end.z / 4;
  return {{x, kEyes_m, z}, {x, kEyes_m, 3 * z}, {3 * x, kEyes_m, 3 * z}, {3 * x, kEyes_m, z}};
}

}  // namespace sightline::host
