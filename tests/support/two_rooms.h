// A small scene of Theory of Space, as a line of a file: two rooms of 3 x 3 cells, one door.
#pragma once

namespace sightline::tests {

constexpr const char* kTwoRooms =
    R"({"id": "two_rooms", "set": "", "seed": 0, "mask": ["#####", "#111#", "#111#", "#111#", )"
    R"("##D##", "#222#", "#222#", "#222#", "#####"], )"
    R"("objects": [["sofa", 1, 3, "E", 1], ["lamp", 3, 1, "-", 1], ["desk", 7, 3, "W", 2]], )"
    R"("gates": [["red door", 4, 2, [1, 2], {"1": "W", "2": "E"}]], "agent": [2, 2, "N", 1], )"
    R"("grid": 9})";

}  // namespace sightline::tests
