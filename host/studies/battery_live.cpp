#include "host/studies/battery_live.h"

#include <fmt/format.h>

#include "host/random.h"
#include "host/truth/sight.h"
#include "host/truth/thing_kinds.h"
#include "host/world/load.h"

namespace sightline::host {
namespace {

using kernels::Vec3;

constexpr std::uint64_t kWorldStream = stream_of("battery.live.world");
constexpr std::uint64_t kThingStream = stream_of("battery.live.thing");
constexpr double kBehind_m = 0.4;

/// One wall of 1 x 4 x 4.5 m across the hall, on the grid of 0.5 m, in one of twelve places: each
/// leaves things both behind it and in the open.
World make_hall(RandomItem random) {
  const double x = 5 + 0.5 * static_cast<double>(random.below(4));
  const double z = 6.5 + 0.5 * static_cast<double>(random.below(3));
  constexpr double kWidth_m = 4.5;
  return make_world(parse_world_spec(ConfigValue::parse_yaml(
      fmt::format("{{scene: {{bounds_m: {{min: [0, 0, 0], max: [16, 6, 20]}}, solids: [{{box: {{"
                  "min: [{}, 0, {}], max: [{}, 4, {}]}}}}]}}, solid: {{analytic: true, grid: "
                  "{{voxel_m: 0.5}}}}}}",
                  x, z, x + 1, z + kWidth_m),
      "a hall of the battery")));
}

/// A place behind the occluder, or in the open.
Vec3 draw_place(const World& world, const Vec3& from_m, bool hidden, RandomItem* random) {
  const auto between = [&](double low, double high) {
    return low + (high - low) * random->uniform();
  };
  for (;;) {  // every hall has both
    const double x = between(8, 14), y = between(0.5, 3.5);
    const Vec3 place{x, y, between(6, 14)};
    const double solid_m = length_in_solids_m(*world.analytic, from_m, place);
    if (hidden ? solid_m >= kBehind_m : solid_m <= kTouch_m) return place;
  }
}

BatteryTrial make_live_trial(const World& world, bool hidden, RandomItem random) {
  const ThingKind& kind = kThingKinds[random.below(kNumThingKinds)];
  BatteryTrial trial;
  trial.from_m = trial.centre_m = {1, 1.6, 10};
  trial.yaw_deg = 90;
  const Vec3 place_m = draw_place(world, trial.from_m, hidden, &random);
  trial.things = {{1, kind.name, kind.sentence, {place_m, trial.from_m}}};
  trial.object = kind.name;
  trial.question = "Can I see the " + trial.object + " from here?";
  trial.truth = hidden ? kNo : kYes;
  return trial;
}

}  // namespace

std::vector<LiveWorld> make_live_worlds(std::uint64_t seed) {
  std::vector<LiveWorld> worlds;
  for (std::int64_t w = 0; w < kLiveWorlds; ++w) {
    LiveWorld live{make_hall(RandomItem(seed, kWorldStream, static_cast<std::uint64_t>(w))), {}};
    for (std::int64_t t = 0; t < kLiveTrialsPerWorld; ++t) {
      const auto item = static_cast<std::uint64_t>(w * kLiveTrialsPerWorld + t);
      live.trials.push_back(make_live_trial(live.world, t < kLiveTrialsPerWorld / 2,
                                            RandomItem(seed, kThingStream, item)));
    }
    worlds.push_back(std::move(live));
  }
  return worlds;
}

}  // namespace sightline::host
