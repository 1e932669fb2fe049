// Answers to the nine tasks from a map alone: what an ideal reasoner makes of what it believes.
#pragma once

#include <string>

#include "host/theory_of_space/cell_set.h"
#include "host/theory_of_space/spatial_map.h"
#include "host/theory_of_space/task.h"

namespace sightline::host::tos {

/// The answer, in the words of the task, that follows from the map and the question; nothing of the
/// question's true answer is looked at. Where several answers fit, the first by name, or the cell
/// in the middle of them; where none does, that which most nearly fits. Empty: the map lacks what
/// the question needs.
std::string solve(const TaskQuestion& question, const SpatialMap& map);

/// Cells, no more than 40 from the start either way, from which all facts are seen.
std::vector<Cell> cells_that_see(const SpatialMap& map, Eighth view,
                                 const std::vector<SeenFact>& facts);
/// Objects with a facing that see all facts, by name.
std::vector<std::string> objects_that_see(const SpatialMap& map,
                                          const std::vector<SeenFact>& facts);
/// The names by the angle through which a turn at the start meets them; of one angle, nearer first.
std::vector<std::string> in_order_of_turn(const SpatialMap& map,
                                          const std::vector<std::string>& names, bool is_clockwise);

}  // namespace sightline::host::tos
