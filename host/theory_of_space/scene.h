// A scene of Theory of Space: rooms in a grid, doors between them, objects, and where one starts.
//
// Theory of Space (ToS), section 2 and C.2. Everything stands in the world's frame: x east, y
// north, one cell a unit. Items are the objects and, after them, the doors; an item index counts
// both.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "host/theory_of_space/bins.h"

namespace sightline::host::tos {

/// The one room that something is in, or the two of a door.
struct RoomSet {
  int first = 0, second = 0;  ///< 0: none
  constexpr bool has(int room) const { return room != 0 && (first == room || second == room); }
  constexpr bool meets(RoomSet other) const { return has(other.first) || has(other.second); }
  friend constexpr bool operator==(RoomSet a, RoomSet b) {
    return a.first == b.first && a.second == b.second;
  }
};

struct SceneObject {
  std::string name;
  Cell cell;
  Heading facing = Heading::kNorth;
  bool has_facing = true;  ///< of a bowl nobody can say where it faces; `facing` is of no meaning
  int room = 0;
};

struct Door {
  std::string name;
  Cell cell;
  std::array<int, 2> rooms{};
  std::array<Heading, 2> into{};  ///< from the door into that room
  Heading into_room(int room) const { return into[rooms[0] == room ? 0 : 1]; }
};

/// Where an agent is. On a door it is in both of its rooms.
struct Pose {
  Cell cell;
  Heading heading = Heading::kNorth;
  RoomSet rooms;
};

/// What stands in each cell: a room, or one of these.
namespace mask {
constexpr std::int8_t kOutside = -1, kWall = 0;
constexpr std::int8_t kDoorAlongX = 100;  ///< one walks through it east or west
constexpr std::int8_t kDoorAlongY = 101;  ///< north or south
}  // namespace mask

struct Mask {
  int width = 0, height = 0;
  std::vector<std::int8_t> cells;  ///< [width x height], x outer
  std::int8_t at(Cell cell) const {
    if (cell.x < 0 || cell.y < 0 || cell.x >= width || cell.y >= height) return mask::kOutside;
    return cells[static_cast<std::size_t>(cell.x * height + cell.y)];
  }
  void set(Cell cell, std::int8_t value) {
    cells[static_cast<std::size_t>(cell.x * height + cell.y)] = value;
  }
};

struct Scene {
  static constexpr int kMaxItems = 63;  ///< with the start, a set of them is one machine word
  static constexpr int kMaxRooms = 9;   ///< a digit each in files
  static constexpr int kMaxSide =
      31;  ///< so that a row of cells on either side of the start is one word

  std::string id, set;
  std::int64_t seed = 0;
  Mask mask;
  std::vector<SceneObject> objects;
  std::vector<Door> doors;
  Pose start;
  int grid = 0;  ///< g: the side of the grid that information is counted by

  int num_objects() const { return static_cast<int>(objects.size()); }
  int num_items() const { return static_cast<int>(objects.size() + doors.size()); }
  int num_rooms() const;
  bool is_door(int item) const { return item >= num_objects(); }
  const SceneObject& object(int item) const { return objects[static_cast<std::size_t>(item)]; }
  const Door& door(int item) const {
    return doors[static_cast<std::size_t>(item) - objects.size()];
  }
  const std::string& name_of(int item) const {
    return is_door(item) ? door(item).name : object(item).name;
  }
  Cell cell_of(int item) const { return is_door(item) ? door(item).cell : object(item).cell; }
  RoomSet rooms_of(int item) const {
    return is_door(item) ? RoomSet{door(item).rooms[0], door(item).rooms[1]}
                         : RoomSet{object(item).room, 0};
  }
  int item_named(const std::string& name) const;  ///< -1: there is none
  /// The item that stands there, objects first; -1: none.
  int item_at(Cell cell) const;
  /// Rooms of a cell: one, the two of a door, or none.
  RoomSet rooms_at(Cell cell) const;
};

/// The greater side of a mask: what the published code takes as g.
int grid_of(const Mask& mask);

/// Throws InputError, which begins with `where`, for a scene that cannot be: two things on a cell
/// or of a name, a thing outside its room, a door without two rooms, rooms that no door leads to,
/// too many of anything, a start outside room 1.
void check_scene(const Scene& scene, const std::string& where);

}  // namespace sightline::host::tos
