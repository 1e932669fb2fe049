#include "host/world/walk.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "host/config/place.h"
#include "host/random.h"
#include "host/world/floor.h"
#include "host/world/vec3.h"
#include "host/world/visibility.h"

namespace sightline::host {
namespace {

using kernels::Vec3;

constexpr std::uint64_t kWalkStream = 0x10007;  // beside make_queries.cpp's and capture.cpp's
constexpr std::int64_t kMostPoints = std::int64_t{1} << 22;
constexpr double kFarthest = 1e9;  // metres: infinity is no height

bool is_free(const OccupancyGrid& grid, Vec3 p) {
  const GridGeometry& geometry = grid.geometry();
  std::array<std::int64_t, 3> voxel{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double at =
        (component(p, static_cast<int>(axis)) - geometry.origin_m[axis]) / geometry.voxel_m[axis];
    if (!(at >= 0 && at < static_cast<double>(geometry.dims[axis]))) return false;
    voxel[axis] = static_cast<std::int64_t>(at);
  }
  return grid.at(voxel[0], voxel[1], voxel[2]) == VoxelState::kFree;
}

}  // namespace

WalkSettings parse_walk(const ConfigValue& walk) {
  walk.allow_only({"height_m", "floor_m", "climb_m", "step_m"});
  WalkSettings settings;
  settings.place = walk.where();
  if (const ConfigValue* height = walk.find("height_m")) settings.height_m = height->as_number();
  if (const ConfigValue* floor = walk.find("floor_m")) {
    settings.on_ground = floor->is_text() && floor->as_choice({"ground"}) == 0;
    if (!settings.on_ground) settings.floor_m = floor->as_number(-kFarthest, kFarthest);
  }
  if (const ConfigValue* climb = walk.find("climb_m")) {
    if (!settings.on_ground) climb->fail("is for floor_m: ground; leave it out");
    settings.climb_m = climb->as_number(0);
  }
  if (const ConfigValue* step = walk.find("step_m")) settings.step_m = step->as_positive();
  return settings;
}

FreeSpace::FreeSpace(const WalkSettings& settings, const World& world, Device& device) {
  if (!world.grid) fail_at(settings.place, "walks need a grid; the world has none");
  add_points(settings, world);
  for (std::int64_t i = 0; i < size(); ++i) {
    if (is_free_[static_cast<std::size_t>(i)]) free_.push_back(i);
  }
  if (free_.empty()) {
    fail_at(settings.place, "no point of the walk is free; set height_m, floor_m or step_m");
  }
  find_passages(settings, world, device);
}

void FreeSpace::add_points(const WalkSettings& settings, const World& world) {
  const int up = frame_axes(world.frame).up_axis;
  const int across[2] = {up == 0 ? 1 : 0, up == 2 ? 1 : 2};
  const auto count_along = [&](int axis) {
    const double length = component(world.bounds_m.max, axis) - component(world.bounds_m.min, axis);
    const double steps = std::min(length / settings.step_m, static_cast<double>(kMostPoints) + 1);
    return static_cast<std::int64_t>(steps);
  };
  rows_ = count_along(across[0]);
  columns_ = count_along(across[1]);
  if (rows_ > kMostPoints || columns_ > kMostPoints || size() > kMostPoints) {
    fail_at(settings.place, "walks by too short steps in this world; raise step_m");
  }
  const double level_m = settings.on_ground ? 0 : settings.floor_m.value_or(map_floor_m(world));
  for (std::int64_t i = 0; i < size(); ++i) {
    const double steps[2] = {static_cast<double>(i / columns_) + 0.5,
                             static_cast<double>(i % columns_) + 0.5};
    Vec3 p;
    for (int which = 0; which < 2; ++which) {
      component(p, across[which]) =
          component(world.bounds_m.min, across[which]) + steps[which] * settings.step_m;
    }
    const std::optional<double> floor_m =
        settings.on_ground ? ground_m(*world.grid, up, p) : level_m;
    component(p, up) = floor_m.value_or(0) + settings.height_m;
    points_.push_back(p);
    is_free_.push_back(floor_m && is_free(*world.grid, p));
  }
}

void FreeSpace::find_passages(const WalkSettings& settings, const World& world, Device& device) {
  const int up = frame_axes(world.frame).up_axis;
  is_passage_.assign(static_cast<std::size_t>(size()), {false, false});
  RayBatch lines;
  std::vector<std::pair<std::size_t, std::size_t>> slots;
  for (std::int64_t i = 0; i < size(); ++i) {
    const bool has_next[2] = {i % columns_ + 1 < columns_, i / columns_ + 1 < rows_};
    const std::int64_t step[2] = {1, columns_};
    for (std::size_t side = 0; side < 2; ++side) {
      if (!has_next[side]) continue;
      const auto from = static_cast<std::size_t>(i),
                 to = from + static_cast<std::size_t>(step[side]);
      if (!is_free_[from] || !is_free_[to]) continue;
      const double climb_m = component(points_[to], up) - component(points_[from], up);
      if (settings.on_ground && std::fabs(climb_m) > settings.climb_m) continue;
      lines.observers.push_back(points_[from]);
      lines.targets.push_back(points_[to]);
      slots.emplace_back(from, side);
    }
  }
  VisibilityQuery query;
  query.unknown = query.outside = kernels::SpacePolicy::kBlocks;
  const std::vector<kernels::Visibility> seen = line_of_sight(world, lines, query, 0, device);
  for (std::size_t i = 0; i < seen.size(); ++i) {
    is_passage_[slots[i].first][slots[i].second] = seen[i] == kernels::Visibility::kVisible;
  }
}

/// Where one can go from a point, in order of the lattice.
std::vector<std::int64_t> FreeSpace::neighbours_of(std::int64_t i) const {
  const auto leads = [&](std::int64_t from, std::size_t side) {
    return is_passage_[static_cast<std::size_t>(from)][side];
  };
  std::vector<std::int64_t> next;
  if (i >= columns_ && leads(i - columns_, 1)) next.push_back(i - columns_);
  if (i % columns_ > 0 && leads(i - 1, 0)) next.push_back(i - 1);
  if (leads(i, 0)) next.push_back(i + 1);
  if (leads(i, 1)) next.push_back(i + columns_);
  return next;
}

std::vector<Vec3> FreeSpace::walk(std::uint64_t seed) const {
  RandomItem start(seed, kWalkStream, 0);
  std::vector<std::int64_t> way{free_[static_cast<std::size_t>(start.below(free_.size()))]};
  std::vector<std::uint8_t> was_there(static_cast<std::size_t>(size()), 0);
  std::vector<Vec3> stops;
  while (!way.empty()) {
    const std::int64_t at = way.back();
    if (!was_there[static_cast<std::size_t>(at)]) {
      was_there[static_cast<std::size_t>(at)] = 1;
      stops.push_back(points_[static_cast<std::size_t>(at)]);
    }
    std::vector<std::int64_t> next;
    for (const std::int64_t to : neighbours_of(at)) {
      if (!was_there[static_cast<std::size_t>(to)]) next.push_back(to);
    }
    if (next.empty()) {
      way.pop_back();
      continue;
    }
    // One draw for each stop that is left: keyed by how many there have been.
    RandomItem random(seed, kWalkStream + (std::uint64_t{1} << 20), stops.size());
    way.push_back(next[static_cast<std::size_t>(random.below(next.size()))]);
  }
  return stops;
}

std::vector<Vec3> FreeSpace::longest_walk(const std::vector<std::uint64_t>& seeds) const {
  std::vector<Vec3> longest;
  for (const std::uint64_t seed : seeds) {
    std::vector<Vec3> one = walk(seed);
    if (one.size() > longest.size()) longest = std::move(one);
  }
  return longest;
}

std::vector<Vec3> walk_free_space(const WalkSettings& settings, const World& world,
                                  std::uint64_t seed, Device& device) {
  return FreeSpace(settings, world, device).walk(seed);
}

}  // namespace sightline::host
