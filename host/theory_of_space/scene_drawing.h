// A scene as a map: in characters, and as a picture from above. North is up in both.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/theory_of_space/scene.h"
#include "host/world/image.h"

namespace sightline::host::tos {

/// What stands for an item in drawings: objects have capitals in the order of the scene (A to Z,
/// then AA, AB, ...), doors small letters.
std::string symbol_of(const Scene& scene, int item);

/// The rooms' numbers, walls '#', objects with an arrow where they face, doors with '-' or '|' for
/// the way through, the agent '@'; then a line for each of them, and one for each room.
std::string scene_text(const Scene& scene);

/// An object's own colour, and that which a door's name begins with; other doors are brown.
Rgb color_of_item(const Scene& scene, int item);
constexpr Rgb kFacingColor{28, 28, 36};  ///< of the mark where an object faces

struct SceneMap {
  int cell_px = 32;
  bool shows_objects = true;     ///< with arrows where they face, and their symbols
  std::optional<Pose> agent;     ///< none: it is not drawn
  std::vector<Cell> candidates;  ///< discs with the letters A, B, ... in this order
};

/// From above, cell_px a cell. Without objects and with candidates it is what Theory of Space (ToS,
/// Figure 11 and C.3) asks unseen places by.
Image scene_picture(const Scene& scene, const SceneMap& map);

}  // namespace sightline::host::tos
