#include "host/sweep/capture.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "host/config/place.h"
#include "host/random.h"
#include "host/world/gaze.h"

namespace sightline::host {
namespace {

using kernels::Vec3;

constexpr double kDegreesPerRadian = 57.29577951308232;
constexpr std::uint64_t kGazeStream = 0x10004;  // beside make_queries.cpp's
constexpr std::uint32_t kObserverStream = 0x7002;
/// Where along the gaze a thing may be: not at the observer's feet, and before the wall.
constexpr double kNearest = 1.0 / 3, kFarthest = 0.95;
constexpr std::uint64_t kStopStream = 0x10006;
/// How often an observer looks before there is said to be nothing to bind to.
constexpr int kMostLooks = 256;

/// Stop s of S for every memory, evenly over the walk and in random order, so that what is done
/// does not tell where.
std::vector<Vec3> strewn(const std::vector<Vec3>& stops, std::int64_t count, std::uint64_t seed) {
  std::vector<std::size_t> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = order.size(); i > 1; --i) {
    RandomItem random(seed, kStopStream, i);
    std::swap(order[i - 1], order[random.below(i)]);
  }
  std::vector<Vec3> places;
  for (const std::size_t one : order) places.push_back(stops[one * stops.size() / order.size()]);
  return places;
}

std::vector<Vec3> observers_of(const CaptureSettings& settings, const World& world,
                               std::uint64_t seed, Device& device, std::int64_t count) {
  if (settings.walk) {
    return strewn(walk_free_space(*settings.walk, world, seed, device), count, seed);
  }
  PointContext context;
  context.world = &world;
  context.seed = seed;
  context.stream = kObserverStream;
  return draw_points(*settings.observers, context, 0, count);
}

bool is_in_grid(const GridGeometry& geometry, const kernels::FirstHit& hit) {
  if (hit.sight != kernels::Visibility::kHidden) return false;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (hit.voxel[axis] < 0 || hit.voxel[axis] >= geometry.dims[axis]) return false;
  }
  return true;
}

Vec3 centre_of(const GridGeometry& geometry, const kernels::FirstHit& hit) {
  const auto at = [&](std::size_t axis) {
    return geometry.origin_m[axis] + (hit.voxel[axis] + 0.5) * geometry.voxel_m[axis];
  };
  return {at(0), at(1), at(2)};
}

/// One look of every memory in `rows`, the `look`-th: heading, and how far along it the thing is.
struct Looks {
  RayBatch gazes;
  std::vector<kernels::FirstHit> hits;
  std::vector<double> how_far;
};

Looks look_around(const CaptureSettings& settings, const World& world, std::uint64_t seed,
                  const std::vector<std::size_t>& rows, int look, Device& device,
                  MemoryTable* memories) {
  Looks looks;
  std::vector<kernels::Pose> poses;
  for (const std::size_t row : rows) {
    RandomItem random(seed, kGazeStream, row | static_cast<std::uint64_t>(look) << 40);
    const double yaw_deg = 360 * random.uniform();
    const Range& pitch = settings.pitch_deg;
    const double pitch_deg = pitch.low + (pitch.high - pitch.low) * random.uniform();
    looks.how_far.push_back(kNearest + (kFarthest - kNearest) * random.uniform());
    memories->has_observer[row] = 1;
    memories->observer_yaw_deg[row] = yaw_deg;
    memories->observer_pitch_deg[row] = pitch_deg;
    poses.push_back(make_pose(world.frame, memories->observer_m[row], yaw_deg / kDegreesPerRadian,
                              pitch_deg / kDegreesPerRadian));
  }
  VisibilityQuery query;
  query.outside = kernels::SpacePolicy::kBlocks;  // nothing is remembered beyond the map
  query.unknown = kernels::SpacePolicy::kBlocks;
  looks.gazes = gaze_rays(poses, settings.range_m);
  looks.hits = first_hit(world, looks.gazes, query, device);
  return looks;
}

/// The first look of each memory: its thing is somewhere before what the gaze meets.
void place_along_gazes(const Looks& looks, double range_m, MemoryTable* memories) {
  for (std::size_t i = 0; i < looks.hits.size(); ++i) {
    const double seen_m = std::min(looks.hits[i].distance_m, range_m);
    const double along = looks.how_far[i] * seen_m / range_m;
    const Vec3 from = looks.gazes.observers[i], to = looks.gazes.targets[i];
    memories->anchor_m[i] = {from.x + along * (to.x - from.x), from.y + along * (to.y - from.y),
                             from.z + along * (to.z - from.z)};
  }
}

/// Takes from `rows` those whose gaze meets a voxel of the grid, and binds them to it.
void bind_to_cells(const World& world, const Looks& looks, std::vector<std::size_t>* rows,
                   MemoryTable* memories) {
  const GridGeometry& geometry = world.grid->geometry();
  std::vector<std::size_t> rest;
  for (std::size_t i = 0; i < rows->size(); ++i) {
    if (is_in_grid(geometry, looks.hits[i])) {
      memories->anchor_m[(*rows)[i]] = centre_of(geometry, looks.hits[i]);
    } else {
      rest.push_back((*rows)[i]);
    }
  }
  *rows = std::move(rest);
}

}  // namespace

ConfigValue with_count(const ConfigValue& random_free) {
  ConfigValue points = random_free;
  if (const ConfigValue* count = points.find("count")) {
    count->fail("is given by the memories; remove it");
  }
  points.set_entry("count", ConfigValue::integer(1).with_mark(random_free.mark()));
  return ConfigValue::map({{"random_free", points}});
}

CaptureSettings parse_capture(const ConfigValue& capture) {
  capture.allow_only({"random_free", "walk", "range_m", "pitch_deg", "at"});
  CaptureSettings settings;
  settings.place = capture.where();
  const ConfigValue* walk = capture.find("walk");
  if (walk && capture.find("random_free")) {
    walk->fail("is a second place to look from beside random_free; remove one of the two");
  }
  if (walk) {
    settings.walk = parse_walk(*walk);
  } else {
    settings.observers = parse_point_spec(with_count(capture.at("random_free")));
  }
  if (capture.find_path("random_free.within_m")) {
    capture.at("random_free").fail("within_m has no point to measure from here; remove it");
  }
  if (const ConfigValue* at = capture.find("at")) {
    settings.at = static_cast<CaptureSettings::At>(at->as_choice({"along_gaze", "hit_cell"}));
  }
  if (const ConfigValue* range = capture.find("range_m")) settings.range_m = range->as_positive();
  if (const ConfigValue* pitch = capture.find("pitch_deg")) {
    const std::vector<double> low_high = pitch->as_numbers(2);
    settings.pitch_deg = {low_high[0], low_high[1]};
    if (!(low_high[0] <= low_high[1] && low_high[0] >= -kMaxPitch_deg &&
          low_high[1] <= kMaxPitch_deg)) {
      pitch->fail("needs low <= high within +-90");
    }
  }
  return settings;
}

void capture(const CaptureSettings& settings, const World& world, std::uint64_t seed,
             Device& device, MemoryTable* memories) {
  if (!world.grid) fail_at(settings.place, "gazes need a grid; the world has none");
  memories->observer_m = observers_of(settings, world, seed, device, memories->size());
  memories->frame = world.frame;
  std::vector<std::size_t> rows(static_cast<std::size_t>(memories->size()));
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  if (settings.at == CaptureSettings::At::kAlongGaze) {
    place_along_gazes(look_around(settings, world, seed, rows, 0, device, memories),
                      settings.range_m, memories);
    return;
  }
  for (int look = 0; look < kMostLooks && !rows.empty(); ++look) {
    bind_to_cells(world, look_around(settings, world, seed, rows, look, device, memories), &rows,
                  memories);
  }
  if (!rows.empty()) {
    fail_at(settings.place, "of " + std::to_string(kMostLooks) + " looks of " +
                                memories->place_of(static_cast<std::int64_t>(rows.front())) +
                                " none meets anything within range_m; raise it");
  }
}

}  // namespace sightline::host
