// Scenes drawn at random: rooms of one size on a square map, doors between them, objects in them.
//
// Theory of Space (ToS), section 3 and C.2, by the rules of the published generator; their random
// numbers are other ones. Rooms stand at uniform random places with a wall of one cell at least
// between them; a layout counts if doors can join all of them; the doors are the tree that a
// breadth-first walk from room 1 takes, lower rooms first, each at a uniform place of the wall that
// two rooms share.
#pragma once

#include <cstdint>

#include "host/theory_of_space/scene.h"

namespace sightline::host::tos {

/// Which rooms the doors join.
enum class Topology : std::uint8_t {
  kAny,    ///< as it comes
  kChain,  ///< none has more than two doors
  kStar    ///< all are joined to room 1
};

enum class Placement : std::uint8_t {
  kFree,  ///< any cells of a room; names are drawn anew for each scene
  /// As in the published scenes: no object in the eight cells around another, around the agent or
  /// around a door, and those of a room on every second column and row where they fit; the map is
  /// cut to the walls.
  kSpaced
};

struct SceneSettings {
  int num_rooms = 3;
  int room_width = 6, room_height = 6;  ///< cells
  int objects_per_room = 4;
  int map_side = 20;  ///< cells; what num_rooms need: map_side_for()
  Topology topology = Topology::kAny;
  Placement placement = Placement::kFree;
};

/// The sides that the published scenes have: 20 cells, 24 of four rooms and more.
int map_side_for(int num_rooms);

/// Throws InputError for settings that no scene can have, naming the value and the bound; `where`
/// is named first.
void check_scene_settings(const SceneSettings& settings, const std::string& where);

/// Scene `number` of a seed: equal arguments give equal scenes, in any order. Throws RunError if no
/// layout is found in five million tries of a room: too many rooms for the map.
Scene generate_scene(const SceneSettings& settings, std::uint64_t seed, std::uint64_t number);

}  // namespace sightline::host::tos
