#include "host/truth/episode.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "host/error.h"
#include "host/random.h"
#include "host/truth/sight.h"

namespace sightline::host {
namespace {

using kernels::Vec3;

constexpr std::uint64_t kKindStream = 0x746b696e64;     // "tkind"
constexpr std::uint64_t kThingStream = 0x747468696e67;  // "tthing"
constexpr std::uint64_t kWalkSeeds = 0x7477616c6b;      // "twalk"
constexpr std::uint64_t kStarts = 64;  ///< walks that are tried: some start where one is shut in

std::uint64_t seed_of_walk(const EpisodeSettings& settings, std::uint64_t start) {
  return RandomItem(settings.seed, kWalkSeeds + settings.trajectory, start)();
}

/// Where one can get to from most places.
std::vector<Vec3> reach_of(const FreeSpace& space, EpisodeSettings settings) {
  constexpr std::uint64_t kTries = 8;
  settings.trajectory = 0;  // of things: the same for every trajectory
  std::vector<std::uint64_t> seeds;
  for (std::uint64_t start = 0; start < kTries; ++start) {
    seeds.push_back(seed_of_walk(settings, start));
  }
  return space.longest_walk(seeds);
}

/// Where one can get to from a place is the same from all of them.
bool is_in(const std::vector<Vec3>& reach_m, const Vec3& stop) {
  return std::any_of(reach_m.begin(), reach_m.end(), [&](const Vec3& p) {
    return p.x == stop.x && p.y == stop.y && p.z == stop.z;
  });
}

/// A walk over all of the reach.
std::vector<Vec3> walk_over(const FreeSpace& space, const EpisodeSettings& settings,
                            const std::vector<Vec3>& reach_m, const std::string& world_name) {
  for (std::uint64_t start = 0; start < kStarts; ++start) {
    std::vector<Vec3> walk = space.walk(seed_of_walk(settings, start));
    if (is_in(reach_m, walk.front())) return walk;
  }
  throw InputError("the world \"" + world_name +
                   "\" falls into parts that one cannot walk between; open it up");
}

/// How many of each kind.
std::array<std::size_t, kNumThingKinds> kind_counts(std::uint64_t seed) {
  std::array<std::size_t, kNumThingKinds> kinds{}, counts{};
  for (std::size_t i = 0; i < kinds.size(); ++i) kinds[i] = i;
  RandomItem random(seed, kKindStream, 0);
  shuffle(&kinds, &random);
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const bool is_crowded = i >= kPairedKinds && i < kPairedKinds + kCrowdedKinds;
    const std::size_t several =
        kLeastOfSeveral + random.below(kMostOfSeveral - kLeastOfSeveral + 1);
    counts[kinds[i]] = i < kPairedKinds ? 2 : is_crowded ? several : 1;
  }
  return counts;
}

/// A free place beside one where somebody can stand, between the floor and the eyes.
std::optional<Vec3> place_near(const World& world, const EpisodeSettings& settings,
                               const std::vector<Vec3>& reach_m, RandomItem* random) {
  constexpr double kAside_m = 0.4, kLowest_m = 0.2, kHighest_m = 1.4;
  const Vec3 eyes = reach_m[random->below(reach_m.size())];
  const auto between = [&](double low, double high) {
    return low + (high - low) * random->uniform();
  };
  const double dx = between(-kAside_m, kAside_m), dz = between(-kAside_m, kAside_m);
  const Vec3 place{eyes.x + dx, eyes.y - settings.walk.height_m + between(kLowest_m, kHighest_m),
                   eyes.z + dz};
  const bool is_free = holds(world.bounds_m, place) && !world.analytic->view().solid_at(place) &&
                       is_clear(*world.analytic, eyes, place);
  return is_free ? std::optional<Vec3>(place) : std::nullopt;
}

void put_things(const World& world, const EpisodeSettings& settings, Episode* episode) {
  constexpr int kTries = 10'000;
  const auto counts = kind_counts(settings.seed);
  for (std::size_t kind = 0; kind < counts.size(); ++kind) {
    RandomItem random(settings.seed, kThingStream, kind);
    const std::size_t first = episode->things.size();
    for (int tries = 0; episode->things.size() < first + counts[kind]; ++tries) {
      if (tries == kTries) {
        throw InputError("the world \"" + world.name +
                         "\" has no room for things; give it more free space");
      }
      const std::optional<Vec3> place = place_near(world, settings, episode->reach_m, &random);
      if (!place) continue;
      const bool is_second_of_two = counts[kind] == 2 && episode->things.size() > first;
      if (is_second_of_two) {
        const Vec3 apart = kernels::minus(*place, episode->things[first].place_m);
        if (std::hypot(apart.x, apart.z) < kPairApart_m) continue;
      }
      episode->things.push_back({kind, *place});
    }
  }
}

void look_around(const World& world, double range_m, Episode* episode) {
  std::vector<bool> was_seen(episode->things.size(), false);
  for (const Vec3& stop : episode->stops_m) {
    for (std::size_t i = 0; i < episode->things.size(); ++i) {
      if (was_seen[i]) continue;
      const Vec3 place = episode->things[i].place_m;
      const Vec3 to = kernels::minus(place, stop);
      if (kernels::dot(to, to) > range_m * range_m) continue;
      if (!is_clear(*world.analytic, stop, place)) continue;
      was_seen[i] = true;
      episode->seen.push_back({i, stop});
    }
  }
}

}  // namespace

Episode make_episode(const World& world, const EpisodeSettings& settings, Device& device) {
  if (!world.analytic || !world.grid) {
    throw InputError("an episode needs a world with solids and a grid");
  }
  if (world.frame != Frame::kSceneYUp) throw InputError("an episode needs a world with y up");
  Episode episode;
  const FreeSpace space(settings.walk, world, device);
  episode.reach_m = reach_of(space, settings);
  put_things(world, settings, &episode);
  const std::vector<Vec3> walk = walk_over(space, settings, episode.reach_m, world.name);
  for (std::int64_t i = 0; i < settings.num_stops; ++i) {
    const auto at = static_cast<std::size_t>(2 * i + 1) * walk.size() /
                    static_cast<std::size_t>(2 * settings.num_stops);
    episode.stops_m.push_back(walk[at]);
  }
  look_around(world, settings.range_m, &episode);
  return episode;
}

}  // namespace sightline::host
