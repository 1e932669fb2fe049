// A small scene of Theory of Space: two rooms of 3 x 3 cells, one door. As a line of a file, and in
// the form of the published dataset.
#pragma once

namespace sightline::tests {

constexpr const char* kTwoRooms =
    R"({"id": "two_rooms", "set": "", "seed": 0, "mask": ["#####", "#111#", "#111#", "#111#", )"
    R"("##D##", "#222#", "#222#", "#222#", "#####"], )"
    R"("objects": [["sofa", 1, 3, "E", 1], ["lamp", 3, 1, "-", 1], ["desk", 7, 3, "W", 2]], )"
    R"("gates": [["red door", 4, 2, [1, 2], {"1": "W", "2": "E"}]], "agent": [2, 2, "N", 1], )"
    R"("grid": 9})";

/// The same, the cell (4, 2) being its origin; with keys that say nothing of the scene.
constexpr const char* kTwoRoomsMetadata = R"({
  "room_size": [5.0, 9.0], "seed": 3, "run_seed": 7,
  "objects": [
    {"object_id": 11, "model": "sofa4", "name": "sofa", "label": "1",
     "pos": {"x": -3.0, "y": 0.05, "z": 1.0}, "rot": {"x": 0, "y": 90, "z": 0},
     "attributes": {"has_orientation": true, "room_id": 1, "orientation": "east"}},
    {"object_id": 12, "model": "lamp1", "name": "lamp", "label": "2",
     "pos": {"x": -1.0, "y": 0.05, "z": -1.0}, "rot": {"x": 0, "y": 180, "z": 0},
     "attributes": {"has_orientation": false, "room_id": 1}},
    {"object_id": 13, "model": "desk2", "name": "desk", "label": "3",
     "pos": {"x": 3.0, "y": 0.05, "z": 1.0}, "rot": {"x": 0, "y": 270, "z": 0},
     "attributes": {"has_orientation": true, "room_id": 2, "orientation": "west"}},
    {"object_id": 20042, "model": "red_door", "name": "red_door",
     "pos": {"x": 0.0, "y": 0, "z": 0.0}, "rot": {"x": 0, "y": 0, "z": 0},
     "attributes": {"color": "red", "orientation": "vertical", "connected_rooms": [2, 1]}}],
  "cameras": [
    {"id": "11", "position": {"x": -3.0, "y": 0.8, "z": 1.0}, "rotation": {"y": 33.7}},
    {"id": "agent", "position": {"x": -2.0, "y": 0.85, "z": 0.0}, "rotation": {"y": 0.0}}],
  "mask": [[0, 0, 0, 0, 0], [0, 1, 1, 1, 0], [0, 1, 1, 1, 0], [0, 1, 1, 1, 0], [0, 0, 100, 0, 0],
           [0, 2, 2, 2, 0], [0, 2, 2, 2, 0], [0, 2, 2, 2, 0], [0, 0, 0, 0, 0]],
  "offset": [4, 2]
})";

}  // namespace sightline::tests
