#include "host/theory_of_space/inferred_rooms.h"

#include <algorithm>

namespace sightline::host::tos {
namespace {

/// The heading that points from a door into the viewer's room, of the wall that it is seen in.
Heading into_viewers_room(WallWord wall, Heading viewer) {
  for (int i = 0; i < kNumHeadings; ++i) {
    if (wall_word(static_cast<Heading>(i), viewer) == wall) return static_cast<Heading>(i);
  }
  return viewer;
}

bool is_left(EgoBin bin) {
  return bin == EgoBin::kFrontLeft || bin == EgoBin::kFrontSlightLeft || bin == EgoBin::kLeft;
}

}  // namespace

InferredRooms::InferredRooms(int num_items, int num_objects)
    : num_items_(num_items),
      num_objects_(num_objects),
      rooms_(1),
      room_of_(static_cast<std::size_t>(num_objects), -1),
      doors_(static_cast<std::size_t>(num_items - num_objects)),
      looks_(static_cast<std::size_t>(num_items) + 1) {}

void InferredRooms::add(const Observation& observation, int node) {
  const Heading heading = observation.pose.heading;
  mark_look(node, heading);
  if (is_door(node)) {
    DoorSides& door = doors_[static_cast<std::size_t>(node - num_objects_)];
    if (door.into_first && door.second < 0) {
      door.second = num_rooms();
      rooms_.push_back({std::uint64_t{1} << node});
    }
  }
  for (const SeenItem& seen : observation.items) {
    const int room = side_of(node, heading, seen);
    if (room >= 0) put(room, seen, heading);
  }
}

/// The room in which something is seen.
int InferredRooms::side_of(int node, Heading heading, const SeenItem& seen) const {
  if (node == kStartNode) return 0;
  if (!is_door(node)) return room_of_[static_cast<std::size_t>(node)];
  const DoorSides& door = doors_[static_cast<std::size_t>(node - num_objects_)];
  if (!door.into_first) return -1;
  Heading side = heading;
  const bool is_aside = seen.direction == EgoBin::kLeft || seen.direction == EgoBin::kRight;
  if (is_aside && seen.wall == WallWord::kFront) {
    // A door in the wall that one stands in, which leads ahead: of the room behind.
    side = turned(heading, 180);
  }
  const bool is_along_wall = turn_between(*door.into_first, heading) % 180 != 0;
  if (is_along_wall) {
    // Straight along the wall there are doors alone, and they say which room they are seen from.
    if (seen.direction == EgoBin::kFront) {
      if (!seen.wall) return -1;
      side = into_viewers_room(*seen.wall, heading);
    } else {
      side = turned(heading, is_left(seen.direction) ? -90 : 90);
    }
  }
  return side == *door.into_first ? door.first : door.second;
}

void InferredRooms::put(int room, const SeenItem& seen, Heading viewer) {
  rooms_[static_cast<std::size_t>(room)].items |= std::uint64_t{1} << seen.item;
  if (!is_door(seen.item)) {
    room_of_[static_cast<std::size_t>(seen.item)] = room;
    return;
  }
  DoorSides& door = doors_[static_cast<std::size_t>(seen.item - num_objects_)];
  if (door.into_first || !seen.wall) return;
  door.into_first = into_viewers_room(*seen.wall, viewer);
  door.first = room;
}

std::array<int, 2> InferredRooms::rooms_of(int node) const {
  if (node == kStartNode) return {0, -1};
  if (!is_door(node)) return {room_of_[static_cast<std::size_t>(node)], -1};
  const DoorSides& door = doors_[static_cast<std::size_t>(node - num_objects_)];
  return {door.first, door.second};
}

std::uint64_t InferredRooms::neighbours(int node) const {
  std::uint64_t items = 0;
  for (const int room : rooms_of(node)) {
    if (room >= 0) items |= items_of(room);
  }
  return node == kStartNode ? items : items & ~(std::uint64_t{1} << node);
}

std::optional<Heading> InferredRooms::into(int node, int room) const {
  if (!is_door(node)) return std::nullopt;
  const DoorSides& door = doors_[static_cast<std::size_t>(node - num_objects_)];
  if (!door.into_first) return std::nullopt;
  return room == door.first ? *door.into_first : turned(*door.into_first, 180);
}

bool InferredRooms::leads_to_unknown(int node) const {
  if (!is_door(node)) return false;
  const DoorSides& door = doors_[static_cast<std::size_t>(node - num_objects_)];
  return door.into_first.has_value() && door.second < 0;
}

double InferredRooms::look_share(int node, Heading heading, int room) const {
  constexpr double kAhead = 0.6, kAside = 0.2, kInside = 0.25;
  const std::optional<Heading> into_room = into(node, room);
  if (!into_room) return kInside;
  const int degrees = turn_between(*into_room, heading);
  if (degrees == 0) return kAhead;
  return degrees == 180 ? 0 : kAside;
}

double InferredRooms::unseen_share(int room) const {
  double unseen = 1;
  for (int node = kStartNode; node < num_items_; ++node) {
    const std::array<int, 2> rooms = rooms_of(node);
    if (rooms[0] != room && rooms[1] != room) continue;
    double share = 0;
    for (int i = 0; i < kNumHeadings; ++i) {
      const auto heading = static_cast<Heading>(i);
      if (has_looked(node, heading)) share += look_share(node, heading, room);
    }
    constexpr double kAll = 0.999;
    unseen *= share > kAll ? 0 : 1 - share;
  }
  return unseen;
}

}  // namespace sightline::host::tos
