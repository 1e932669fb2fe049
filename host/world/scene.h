// Scenes: worlds described by solids in metres, from YAML or from the library of named scenes.
//
//     scene: village                                  a named scene (scene_library.h)
//     scene: {name: village, seed: 7}                 with arguments
//     scene: my_scene.yaml                            a file that holds one of these maps
//     scene:
//       frame: y_up                                   or z_up
//       bounds_m: {min: [0, 0, 0], max: [32, 10, 20]}
//       solids:
//         - slab: {axis: x, at: 10, thickness: 1, openings: [{z: [9, 11], edges: closed}]}
//         - box: {min: [1, 0, 1], max: [2, 2, 2], closed: [x_min, y_min, z_min]}
//         - rotated_box: {center: [5, 1, 5], size: [2, 2, 0.2], yaw_deg: 30}
//         - diagonal_slab: {min: [0, 0, 0], max: [20, 10, 20], normal: [1, 0, 1], offset: 20,
//                           thickness: 1}
//         - cylinder: {base: [3, 0, 3], radius: 0.2, height: 3}
//         - sphere: {center: [3, 3, 3], radius: 1.5}
//         - pillars: {first: [10, 0, 0.5], step: [0, 0, 2.5], count: 9, width: 1, height: 10}
//         - rooms: {room_m: 6, seed: 1}
//         - clutter: {count: 50, box_m: [0.5, 2], seed: 1}
#pragma once

#include <string>

#include "host/config/value.h"
#include "host/world/world.h"

namespace sightline::host {

struct Scene {
  std::string name;
  Frame frame = Frame::kSceneYUp;
  Bounds bounds_m;
  AnalyticSolid solid;
};

/// Builds the scene that a value of a configuration describes. Throws InputError with the place of
/// the first fault in the file.
Scene make_scene(const ConfigValue& scene);

/// The map behind a scene: a name becomes {name: ...}, a `.yaml` path the map that the file holds.
/// Throws InputError if the file cannot be read or the name is not known.
ConfigValue resolve_scene(const ConfigValue& scene);

}  // namespace sightline::host
