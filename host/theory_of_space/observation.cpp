#include "host/theory_of_space/observation.h"

#include <algorithm>
#include <array>

#include <fmt/core.h>

#include "host/random.h"

namespace sightline::host::tos {
namespace {

constexpr std::int64_t kNearSquared = 4;  ///< pairs are told of up to 2 cells apart

/// The room that a viewer on a door shares with another door; else the one that it is in.
int shared_room(const Door& door, RoomSet viewer) {
  return viewer.has(door.rooms[0]) ? door.rooms[0] : door.rooms[1];
}

SeenItem seen_item(const Scene& scene, int item, const Pose& pose) {
  SeenItem seen;
  const Cell offset = scene.cell_of(item) - pose.cell;
  seen.item = static_cast<std::int8_t>(item);
  seen.direction = seen_bin(offset, eighth_of(pose.heading));
  seen.distance = distance_bin(offset);
  if (scene.is_door(item)) {
    const Door& door = scene.door(item);
    seen.wall = wall_word(door.into_room(shared_room(door, pose.rooms)), pose.heading);
  } else if (scene.object(item).has_facing) {
    seen.facing = facing_word(scene.object(item).facing, pose.heading);
  }
  return seen;
}

/// From left to right.
constexpr std::array<EgoBin, 7> kAcross{
    EgoBin::kLeft,  EgoBin::kFrontLeft,        EgoBin::kFrontSlightLeft,
    EgoBin::kFront, EgoBin::kFrontSlightRight, EgoBin::kFrontRight,
    EgoBin::kRight};

/// A neighbour of place `at` among those from `first` to `last`, either side alike.
std::size_t neighbour(std::size_t at, std::size_t first, std::size_t last, RandomItem* random) {
  const bool up = random->below(2) == 1;
  if (at == first) return std::min(at + 1, last);
  if (at == last) return at - 1;
  return up ? at + 1 : at - 1;
}

EgoBin neighbour_of(EgoBin bin, FieldOfView field, RandomItem* random) {
  const auto at =
      static_cast<std::size_t>(std::find(kAcross.begin(), kAcross.end(), bin) - kAcross.begin());
  const bool is_wide = field == FieldOfView::k120 || field == FieldOfView::k180;
  return is_wide ? kAcross[neighbour(at, 0, 6, random)] : kAcross[neighbour(at, 1, 5, random)];
}

DistanceBin neighbour_of(DistanceBin bin, RandomItem* random) {
  return static_cast<DistanceBin>(
      neighbour(static_cast<std::size_t>(bin), 1, kNumDistanceBins - 1, random));
}

CardinalBin neighbour_of(CardinalBin bin, RandomItem* random) {
  const int step = random->below(2) == 1 ? 1 : kNumCardinalBins - 1;
  return static_cast<CardinalBin>((static_cast<int>(bin) + step) % kNumCardinalBins);
}

}  // namespace

bool is_visible(Cell cell, RoomSet rooms, Cell viewer, RoomSet viewer_rooms, Eighth view,
                FieldOfView field) {
  return cell != viewer && rooms.meets(viewer_rooms) && is_within(field, cell - viewer, view);
}

std::uint64_t visible_items(const Scene& scene, const Pose& pose, FieldOfView field) {
  std::uint64_t seen = 0;
  for (int item = 0; item < scene.num_items(); ++item) {
    const bool is_seen = is_visible(scene.cell_of(item), scene.rooms_of(item), pose.cell,
                                    pose.rooms, eighth_of(pose.heading), field);
    seen |= std::uint64_t{is_seen} << item;
  }
  return seen;
}

Observation observe(const Scene& scene, const Pose& pose, FieldOfView field) {
  Observation observation;
  observation.pose = pose;
  const std::uint64_t seen = visible_items(scene, pose, field);
  for (int item = 0; item < scene.num_items(); ++item) {
    if (seen >> item & 1) observation.items.push_back(seen_item(scene, item, pose));
  }
  const std::vector<SeenItem>& items = observation.items;
  for (std::size_t i = 0; i < items.size(); ++i) {
    for (std::size_t j = i + 1; j < items.size(); ++j) {
      const Cell offset = scene.cell_of(items[i].item) - scene.cell_of(items[j].item);
      if (squared_length(offset) > kNearSquared) continue;
      observation.pairs.push_back(
          {items[i].item, items[j].item, cardinal_bin(offset, pose.heading), distance_bin(offset)});
    }
  }
  return observation;
}

std::uint64_t noise_seed(std::uint64_t seed, std::uint64_t scene) {
  return RandomItem(seed, stream_of("space studies: errors of perception"), scene)();
}

void perturb(const Scene& scene, const BinNoise& noise, FieldOfView field, std::uint64_t turn,
             Observation* observation) {
  if (!noise.is_any()) return;
  constexpr std::uint64_t kStream = stream_of("theory of space: bins");
  const auto num_items = static_cast<std::uint64_t>(scene.num_items());
  const std::uint64_t first = turn * (num_items + 1) * (num_items + 1);
  for (SeenItem& seen : observation->items) {
    RandomItem random(noise.seed, kStream, first + static_cast<std::uint64_t>(seen.item));
    if (random.uniform() < noise.direction) {
      seen.direction = neighbour_of(seen.direction, field, &random);
    }
    if (random.uniform() < noise.distance) seen.distance = neighbour_of(seen.distance, &random);
    if (seen.facing && random.uniform() < noise.facing) {
      const int turned_by = 1 + static_cast<int>(random.below(kNumHeadings - 1));
      seen.facing =
          static_cast<FacingWord>((static_cast<int>(*seen.facing) + turned_by) % kNumHeadings);
    }
  }
  for (NearPair& pair : observation->pairs) {
    const auto row = static_cast<std::uint64_t>(pair.item),
               column = static_cast<std::uint64_t>(pair.from);
    RandomItem random(noise.seed, kStream, first + (row + 1) * num_items + column);
    if (random.uniform() < noise.direction) pair.direction = neighbour_of(pair.direction, &random);
    if (random.uniform() < noise.distance) pair.distance = neighbour_of(pair.distance, &random);
  }
}

std::string observation_text(const Scene& scene, const Observation& observation) {
  if (observation.items.empty()) return "You observe: no objects in your field of view.";
  std::string text = "You observe:";
  for (const SeenItem& seen : observation.items) {
    text += fmt::format("\n- {}: {}, {}", scene.name_of(seen.item), name_of(seen.direction),
                        name_of(seen.distance));
    if (seen.facing) text += fmt::format(", facing {}", name_of(*seen.facing));
    if (seen.wall) text += fmt::format(", on {} wall", name_of(*seen.wall));
  }
  for (const NearPair& pair : observation.pairs) {
    text += fmt::format("\n- {} is {}, {} of {}", scene.name_of(pair.item), name_of(pair.direction),
                        name_of(pair.distance), scene.name_of(pair.from));
  }
  return text;
}

}  // namespace sightline::host::tos
