// Things in a world, a walk through it, and what the walker saw: the events that every memory of an
// experiment is made from, and that nothing remembered can change.
//
// What Spatial Memory Must Store (2026), section 10: the confirmatory study "holds world,
// trajectory, observation stream, and brain fixed and varies only the memory representation".
#pragma once

#include <cstdint>
#include <vector>

#include "host/device.h"
#include "host/truth/thing_kinds.h"
#include "host/world/walk.h"
#include "host/world/world.h"

namespace sightline::host {

struct Thing {
  std::size_t kind = 0;  ///< into kThingKinds
  kernels::Vec3 place_m;
};

/// The first time that a thing was seen.
struct Sighting {
  std::size_t thing = 0;  ///< into Episode::things
  kernels::Vec3 from_m;
};

struct Episode {
  std::vector<Thing> things;
  std::vector<kernels::Vec3> reach_m;  ///< where one can stand, at eye height
  std::vector<kernels::Vec3> stops_m;  ///< where the walker looked around, in order
  std::vector<Sighting> seen;          ///< in the order of the walk; of a stop, by thing

  const Thing& thing_seen(std::size_t sighting) const { return things[seen[sighting].thing]; }
};

struct EpisodeSettings {
  std::uint64_t seed = 0;        ///< of the things
  std::uint64_t trajectory = 0;  ///< the walk
  std::int64_t num_stops = 48;
  double range_m = 12;  ///< how far the walker sees
  WalkSettings walk;
};

/// Kinds of which there is one in a world, two, and several: what questions are asked of depends on
/// it. The rest of kThingKinds are single.
constexpr std::size_t kPairedKinds = 6, kCrowdedKinds = 4;
/// Of several, so many.
constexpr std::size_t kLeastOfSeveral = 4, kMostOfSeveral = 7;
/// In all: what a walk can remember is recalled whole (index/limits.h).
constexpr std::size_t kMostThings =
    kNumThingKinds + kPairedKinds + kCrowdedKinds * (kMostOfSeveral - 1);
/// Of a pair, the two are at least so far apart, metres.
constexpr double kPairApart_m = 4;

/// Puts things where somebody could reach them, in free space, and walks: a walk that covers the
/// world (walk.h), along which the walker stops num_stops times and sees every thing within range_m
/// to which the line is clear (sight.h). Things depend on (world, seed), the walk on the
/// trajectory too. The world needs an analytic solid and a grid. Throws InputError if there is no
/// room.
Episode make_episode(const World& world, const EpisodeSettings& settings, Device& device);

}  // namespace sightline::host
