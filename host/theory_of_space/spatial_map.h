// A map of a scene as somebody believes it to be: where things are and where they face.
//
// Theory of Space (ToS), section 5 (cognitive maps). Cells count from the start cell, x east and y
// north. The true map, an agent's answer and what a belief amounts to have all this one type, so
// that all are scored and reasoned over alike.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "host/theory_of_space/scene.h"

namespace sightline::host::tos {

struct MapEntry {
  Cell cell;
  std::optional<Heading> facing;  ///< none: it has none, or nobody said
  bool is_door = false;
};

struct SpatialMap {
  std::map<std::string, MapEntry> items;  ///< by name, in alphabetical order
  std::optional<MapEntry> agent;
};

/// All items of a scene. The agent is not in it.
inline SpatialMap true_map(const Scene& scene) {
  SpatialMap map;
  for (int item = 0; item < scene.num_items(); ++item) {
    MapEntry entry{scene.cell_of(item) - scene.start.cell, std::nullopt, scene.is_door(item)};
    if (!entry.is_door && scene.object(item).has_facing) entry.facing = scene.object(item).facing;
    map.items.emplace(scene.name_of(item), entry);
  }
  return map;
}

}  // namespace sightline::host::tos
