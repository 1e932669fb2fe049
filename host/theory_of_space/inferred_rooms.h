// Which things share a room, as far as an agent can tell from what it saw.
//
// Everything that is seen from inside a room is in that room. A door says by the wall it is in on
// which side of it the room lies; who stands in it sees both rooms, one on either side.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "host/theory_of_space/episode.h"

namespace sightline::host::tos {

class InferredRooms {
 public:
  /// Items from `num_objects` on are doors. The start is in room 0.
  InferredRooms(int num_items, int num_objects);

  /// `node` is what the agent stood on.
  void add(const Observation& observation, int node);

  /// A look that counts as made.
  void mark_look(int node, Heading heading) {
    looks_[index_of(node)][static_cast<std::size_t>(heading)] = true;
  }

  bool is_door(int node) const { return node >= num_objects_; }
  int num_rooms() const { return static_cast<int>(rooms_.size()); }
  /// Items of a room that were seen.
  std::uint64_t items_of(int room) const { return rooms_[static_cast<std::size_t>(room)].items; }
  /// Of an object or the start: its room; of a door: both, as far as they are known. -1: none.
  std::array<int, 2> rooms_of(int node) const;
  /// Everything that was seen and shares a room with the node.
  std::uint64_t neighbours(int node) const;
  /// From a door into a room of it; none: that was not seen, or the node is no such door.
  std::optional<Heading> into(int door, int room) const;
  /// A door that one was not in yet: the room behind it is unknown.
  bool leads_to_unknown(int node) const;

  /// How much of a room was not looked at, from 0 to 1: a guess, by where one looked from.
  double unseen_share(int room) const;
  /// How much of a room a look from a node covers, by that guess; `room` -1: the unknown one behind
  /// a door.
  double look_share(int node, Heading heading, int room) const;
  /// Was this look made?
  bool has_looked(int node, Heading heading) const {
    return looks_[index_of(node)][static_cast<std::size_t>(heading)];
  }

 private:
  struct Room {
    std::uint64_t items = 0;
  };
  /// What is known of a door: the room on the side of each heading.
  struct DoorSides {
    std::optional<Heading> into_first;  ///< from it into the room that it was seen from
    int first = -1, second = -1;
  };

  std::size_t index_of(int node) const {
    return static_cast<std::size_t>(node == kStartNode ? num_items_ : node);
  }
  int side_of(int node, Heading heading, const SeenItem& seen) const;
  void put(int room, const SeenItem& seen, Heading viewer);

  int num_items_, num_objects_;
  std::vector<Room> rooms_;
  std::vector<int> room_of_;                           ///< [num_objects] -1: not seen
  std::vector<DoorSides> doors_;                       ///< [num_items - num_objects]
  std::vector<std::array<bool, kNumHeadings>> looks_;  ///< [num_items + 1]
};

}  // namespace sightline::host::tos
