#include "host/sweep/capture.h"

#include <algorithm>

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
  capture.allow_only({"random_free", "range_m", "pitch_deg"});
  CaptureSettings settings;
  settings.place = capture.where();
  settings.observers = parse_point_spec(with_count(capture.at("random_free")));
  if (capture.find_path("random_free.within_m")) {
    capture.at("random_free").fail("within_m has no point to measure from here; remove it");
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
  PointContext context;
  context.world = &world;
  context.seed = seed;
  context.stream = kObserverStream;
  memories->observer_m = draw_points(settings.observers, context, 0, memories->size());
  std::vector<kernels::Pose> poses;
  std::vector<double> how_far;
  for (std::size_t i = 0; i < memories->observer_m.size(); ++i) {
    RandomItem random(seed, kGazeStream, i);
    const double yaw_deg = 360 * random.uniform();
    const Range& pitch = settings.pitch_deg;
    const double pitch_deg = pitch.low + (pitch.high - pitch.low) * random.uniform();
    how_far.push_back(kNearest + (kFarthest - kNearest) * random.uniform());
    memories->has_observer[i] = 1;
    memories->observer_yaw_deg[i] = yaw_deg;
    memories->observer_pitch_deg[i] = pitch_deg;
    poses.push_back(make_pose(world.frame, memories->observer_m[i], yaw_deg / kDegreesPerRadian,
                              pitch_deg / kDegreesPerRadian));
  }
  VisibilityQuery query;
  query.outside = kernels::SpacePolicy::kBlocks;  // nothing is remembered beyond the map
  query.unknown = kernels::SpacePolicy::kBlocks;
  const RayBatch gazes = gaze_rays(poses, settings.range_m);
  const std::vector<kernels::FirstHit> hits = first_hit(world, gazes, query, device);
  for (std::size_t i = 0; i < hits.size(); ++i) {
    const double seen_m = std::min(hits[i].distance_m, settings.range_m);
    const double along = how_far[i] * seen_m / settings.range_m;
    const Vec3 from = gazes.observers[i], to = gazes.targets[i];
    memories->anchor_m[i] = {from.x + along * (to.x - from.x), from.y + along * (to.y - from.y),
                             from.z + along * (to.z - from.z)};
  }
  memories->frame = world.frame;
}

}  // namespace sightline::host
