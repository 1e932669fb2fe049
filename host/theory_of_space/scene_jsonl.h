// Files of scenes: one a line, in the format of the conformance data.
//
//     {"id": "A000", "set": "A", "seed": 0, "grid": 20,
//      "mask": ["####", ...],                    over x, characters over y: ' ' outside, '#' wall,
//                                                a digit a room, 'D' a door that one walks through
//                                                along x, 'd' along y
//      "objects": [["easel", 7, 10, "W", 1]],    name, x, y, facing ('-': none), room
//      "gates": [["red door", 12, 7, [1, 2], {"1": "W", "2": "E"}]],   rooms; headings into them
//      "agent": [8, 12, "N", 1]}
//
// set, seed and grid may be left out: "", 0 and the greater side of the mask.
#pragma once

#include <string>
#include <vector>

#include "host/theory_of_space/scene.h"

namespace sightline::host::tos {

/// Throws InputError, naming file, line and key, on a line that is no scene (check_scene).
std::vector<Scene> read_scenes(const std::string& path);

/// The scene of that id. Throws InputError, naming the nearest id, if the file has none of it.
Scene read_scene(const std::string& path, const std::string& id);

/// One scene of text, `where` being named in errors.
Scene parse_scene(const std::string& line, const std::string& where);

/// The line of a scene, without its end; reading it back gives the same scene.
std::string scene_line(const Scene& scene);

}  // namespace sightline::host::tos
