#include "host/studies/geometry_memories.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "host/random.h"
#include "host/world/vec3.h"

namespace sightline::host {
namespace {

constexpr std::uint64_t kMemoryStream = stream_of("geometry versions: memories"),
                        kElsewhereStream = stream_of("geometry versions: elsewhere");

/// The world at one version after the other: voxels and where objects are.
class Replay {
 public:
  explicit Replay(const ChangingWorld& world)
      : world_(world), voxels_(world.first), places_(world.first_places) {}

  void advance_to(std::int64_t version) {
    for (; version_ < version; ++version_) {
      const WorldChange& change = world_.changes[static_cast<std::size_t>(version_)];
      for (const VoxelChange& part : change.voxels) voxels_.apply(part);
      if (change.kind == ChangeKind::kObject) places_[change.item] = change.object_place;
    }
  }
  const PlainVoxels& voxels() const { return voxels_; }
  const std::vector<LatticePlace>& places() const { return places_; }

 private:
  const ChangingWorld& world_;
  PlainVoxels voxels_;
  std::vector<LatticePlace> places_;
  std::int64_t version_ = 0;
};

bool is_within(const ChangingWorld& world, const LatticePlace& a, const LatticePlace& b,
               double range_m) {
  const kernels::Vec3 apart =
      kernels::minus(metres_of(world.geometry, a), metres_of(world.geometry, b));
  return kernels::dot(apart, apart) <= range_m * range_m;
}

std::int64_t version_of(std::int64_t memory, const GeometryMemorySettings& settings,
                        std::int64_t num_changes) {
  return memory * num_changes / settings.num_memories;
}

std::int64_t num_pairs_of(std::int64_t version, const GeometryMemorySettings& settings,
                          std::int64_t num_changes) {
  return std::min(settings.pairs_per_memory, num_changes - version);
}

/// Any place that is near enough and as visible as a coin says; after many draws, the last one.
GeometryMemory draw_memory(const ChangingWorld& world, const Replay& at, double range_m,
                           RandomItem* random) {
  constexpr int kDraws = 256;
  const bool wanted = random->below(2) == 1;
  GeometryMemory memory;
  for (int i = 0; i < kDraws; ++i) {
    memory.from =
        world.standpoints[static_cast<std::size_t>(random->below(world.standpoints.size()))];
    memory.object = static_cast<std::size_t>(random->below(at.places().size()));
    memory.place = at.places()[memory.object];
    if (is_within(world, memory.from, memory.place, range_m) &&
        at.voxels().is_clear(memory.from, memory.place) == wanted) {
      break;
    }
  }
  return memory;
}

/// The place of another object, near enough if one is found.
LatticePlace draw_elsewhere(const ChangingWorld& world, const Replay& at,
                            const GeometryMemory& memory, double range_m, RandomItem* random) {
  constexpr int kDraws = 64;
  LatticePlace place = memory.place;
  for (int i = 0; i < kDraws; ++i) {
    const auto object = static_cast<std::size_t>(random->below(at.places().size()));
    if (object == memory.object) continue;
    place = at.places()[object];
    if (is_within(world, memory.from, place, range_m)) break;
  }
  return place;
}

bool& truth_of(GeometryPair* pair, GeometryQuestion question) {
  return pair->visible[static_cast<std::size_t>(question)];
}

/// What is so at the pairs' later versions.
void judge_now(const ChangingWorld& world, GeometryTrials* trials) {
  std::vector<std::size_t> order(trials->pairs.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return trials->pairs[a].now < trials->pairs[b].now;
  });
  std::vector<std::vector<std::int64_t>> crossed;  // [memories]: no version changes it
  for (const GeometryMemory& memory : trials->memories) {
    crossed.push_back(world.first.crossed(memory.from, memory.place));
  }
  Replay replay(world);
  for (const std::size_t row : order) {
    GeometryPair& pair = trials->pairs[row];
    const GeometryMemory& memory = trials->memories[pair.memory];
    replay.advance_to(pair.now);
    pair.object_now = replay.places()[memory.object];
    truth_of(&pair, GeometryQuestion::kNow) = replay.voxels().is_clear(crossed[pair.memory]);
    truth_of(&pair, GeometryQuestion::kObjectNow) =
        replay.voxels().is_clear(memory.from, pair.object_now);
  }
}

}  // namespace

std::int64_t num_geometry_pairs(const GeometryMemorySettings& settings, std::int64_t num_changes) {
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < settings.num_memories; ++i) {
    count += num_pairs_of(version_of(i, settings, num_changes), settings, num_changes);
  }
  return count;
}

GeometryTrials make_geometry_trials(const ChangingWorld& world,
                                    const GeometryMemorySettings& settings) {
  const auto num_changes = static_cast<std::int64_t>(world.changes.size());
  GeometryTrials trials;
  Replay replay(world);
  for (std::int64_t i = 0; i < settings.num_memories; ++i) {
    const std::int64_t version = version_of(i, settings, num_changes);
    replay.advance_to(version);
    RandomItem random(settings.seed, kMemoryStream, static_cast<std::uint64_t>(i));
    GeometryMemory memory = draw_memory(world, replay, settings.range_m, &random);
    memory.version = version;
    RandomItem elsewhere(settings.seed, kElsewhereStream, static_cast<std::uint64_t>(i));
    const std::int64_t num_pairs = num_pairs_of(version, settings, num_changes);
    for (std::int64_t k = 0; k < num_pairs; ++k) {
      GeometryPair pair;
      pair.memory = trials.memories.size();
      pair.now = version + 1 + k * (num_changes - version) / num_pairs;
      pair.elsewhere = draw_elsewhere(world, replay, memory, settings.range_m, &elsewhere);
      truth_of(&pair, GeometryQuestion::kThen) =
          replay.voxels().is_clear(memory.from, memory.place);
      truth_of(&pair, GeometryQuestion::kElsewhereThen) =
          replay.voxels().is_clear(memory.from, pair.elsewhere);
      trials.pairs.push_back(pair);
    }
    trials.memories.push_back(memory);
  }
  judge_now(world, &trials);
  return trials;
}

}  // namespace sightline::host
