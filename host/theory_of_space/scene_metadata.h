// Scenes of the published dataset of Theory of Space: one `meta_data.json` a scene.
//
// What is read of it; all else (images, tasks, pixels, what follows from the mask) is let be:
//
//     mask             rows over x, numbers over y: -1 outside, 0 wall, 1 to 9 a room, 100 a door
//                      that one walks through along x, 101 along y
//     offset           [x, z]: what to add to a place to have its cell of the mask
//     objects          name ('_' is a blank), pos.x and pos.z, rot.y (0 north, 90 east, ...),
//                      attributes.has_orientation, .orientation (must say what rot.y does)
//                      doors: attributes.connected_rooms, .orientation (vertical: 100)
//     cameras          where the one with the id "agent" stands, and its rotation.y
//     run_seed, seed   the scene's number
//
// Rooms of objects are the mask's: attributes.room_id is out of date in the files of changed
// scenes. Doors come as the published code has them: those along x first, each kind by x, then y.
#pragma once

#include <string>

#include "host/theory_of_space/scene.h"

namespace sightline::host::tos {

/// `id` empty: "run" and the scene's number. Throws InputError, naming file and key, on what is no
/// such file, or no scene (check_scene).
Scene read_scene_metadata(const std::string& path, const std::string& id = "");

}  // namespace sightline::host::tos
