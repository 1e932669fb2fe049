// Scenes with a name, and the generators they and YAML scenes share.
//
//     village   houses with doors, windows and inner rooms, gardens, trees
//     rooms     one building: rooms in rows, a door in every wall
//     clutter   boxes at random
//     terrain   hills, with caves and tunnels dug into them
//     pilot2    a wall with a gap and nothing else
//
// Their arguments: named_scenes().
#pragma once

#include <string>
#include <vector>

#include "host/config/value.h"
#include "host/world/scene_builder.h"

namespace sightline::host {

/// One named scene, for lists that people read.
struct NamedScene {
  std::string name;
  std::string summary;    ///< one line
  std::string arguments;  ///< with their defaults
};
const std::vector<NamedScene>& named_scenes();

/// Fails on a name that is not in the library, naming the nearest one.
void check_scene_name(const ConfigValue& name);

/// Builds {name: NAME, arguments ...}.
Scene make_named_scene(const ConfigValue& scene);

/// A building of rooms that fills the scene's bounds. Arguments: room_m, wall_m, door_m,
/// door_height_m, window_share, seed.
void add_rooms(SceneBuilder& scene, const ConfigValue& arguments);

/// Boxes of random place and size inside the scene's bounds. Arguments: count, box_m [low, high],
/// seed.
void add_clutter(SceneBuilder& scene, const ConfigValue& arguments);

/// "closed", "open" or "half_open".
Edges edges_of(const ConfigValue& value);

}  // namespace sightline::host
