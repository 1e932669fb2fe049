#include "host/theory_of_space/pattern_explorers.h"

#include <algorithm>

namespace sightline::host::tos {

PatternExplorer::PatternExplorer(const Briefing& briefing, Pattern pattern, std::uint64_t seed,
                                 FieldOfView field)
    : memory_(briefing, field),
      pattern_(pattern),
      random_(seed, stream_of("theory of space: patterns"), static_cast<std::uint64_t>(pattern)) {}

void PatternExplorer::explore(World* world) {
  switch (pattern_) {
    case Pattern::kRotateAndScan:
      return tour_doors(world, false);
    case Pattern::kDoorFirst:
      return tour_doors(world, true);
    case Pattern::kObjectOrbit:
      return orbit(world);
    case Pattern::kRandom:
      return wander(world);
  }
}

/// Goes there and looks; false: the world has ended.
bool PatternExplorer::look(World* world, int node, Heading heading) {
  const std::vector<Action> actions = memory_.look_from(node, heading, memory_.walk());
  memory_.learn(world->act(actions), actions);
  if (memory_.node() != kStartNode) visited_ |= std::uint64_t{1} << memory_.node();
  return !world->has_ended();
}

/// Looks wherever it did not look from here, turning clockwise.
bool PatternExplorer::look_around(World* world) {
  for (int i = 0; i < kNumHeadings; ++i) {
    Heading heading = memory_.heading();
    for (int turn = 0; turn < kNumHeadings; ++turn) {
      if (!memory_.rooms().has_looked(memory_.node(), heading)) break;
      heading = turned(heading, 90);
    }
    if (memory_.rooms().has_looked(memory_.node(), heading)) return true;
    if (!look(world, memory_.node(), heading)) return false;
  }
  return true;
}

/// Goes to a door and looks through it.
bool PatternExplorer::look_through(World* world, int door) {
  const InferredRooms& rooms = memory_.rooms();
  const Heading back = rooms.into(door, rooms.rooms_of(door)[0]).value_or(Heading::kNorth);
  return look(world, door, turned(back, 180));
}

/// The nearest door that it was not at; of as near ones, some.
std::optional<int> PatternExplorer::new_door() {
  const auto steps = memory_.walk();
  std::vector<int> nearest;
  for (int door = memory_.num_objects(); door < memory_.num_items(); ++door) {
    if ((visited_ >> door & 1) != 0 || !memory_.is_reached(steps, door)) continue;
    const int jumps = memory_.num_jumps(steps, door);
    if (!nearest.empty() && jumps > memory_.num_jumps(steps, nearest.front())) continue;
    if (!nearest.empty() && jumps < memory_.num_jumps(steps, nearest.front())) nearest.clear();
    nearest.push_back(door);
  }
  if (nearest.empty()) return std::nullopt;
  return nearest[static_cast<std::size_t>(random_.below(nearest.size()))];
}

/// Some thing that it sees from here or saw, in this room, and was not at.
std::optional<int> PatternExplorer::new_object() {
  const auto steps = memory_.walk();
  std::vector<int> objects;
  for (int item = 0; item < memory_.num_objects(); ++item) {
    const bool is_near = (memory_.in_reach(memory_.node()) >> item & 1) != 0;
    if (is_near && (visited_ >> item & 1) == 0 && memory_.is_reached(steps, item)) {
      objects.push_back(item);
    }
  }
  if (objects.empty()) return std::nullopt;
  return objects[static_cast<std::size_t>(random_.below(objects.size()))];
}

void PatternExplorer::tour_doors(World* world, bool leaves_early) {
  if (!look(world, kStartNode, memory_.heading())) return;
  while (true) {
    std::optional<int> door = leaves_early ? new_door() : std::nullopt;
    if (!door) {
      if (!look_around(world)) return;
      door = new_door();
    }
    if (!door) return;
    if (!look_through(world, *door)) return;
  }
}

void PatternExplorer::orbit(World* world) {
  if (!look_around(world)) return;
  while (true) {
    const std::optional<int> object = new_object();
    if (object) {
      if (!look(world, *object, memory_.heading()) || !look_around(world)) return;
    }
    const std::optional<int> door = new_door();
    if (!door) return;
    if (!look_through(world, *door)) return;
  }
}

void PatternExplorer::wander(World* world) {
  constexpr int kLooks = 20;
  constexpr double kJumpShare = 0.5;
  for (int i = 0; i < kLooks; ++i) {
    int node = memory_.node();
    const auto steps = memory_.walk();
    std::vector<int> open;
    for (std::uint64_t left = memory_.in_reach(node); left != 0; left &= left - 1) {
      const int item = __builtin_ctzll(left);
      if (memory_.is_reached(steps, item)) open.push_back(item);
    }
    if (!open.empty() && random_.uniform() < kJumpShare) {
      node = open[static_cast<std::size_t>(random_.below(open.size()))];
    }
    if (!look(world, node, static_cast<Heading>(random_.below(kNumHeadings)))) return;
  }
}

}  // namespace sightline::host::tos
