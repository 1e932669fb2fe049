// A map of voxels as boxes, told as text beside a question of occlusion, and who reads that without
// a language model. Not for users of the library: see render_as_recall.h.
//
//     You stand with your eyes at x 3.10, y 1.60, z 5.00. The thing is at x 12.30, y 1.20, z 7.85.
//     Solid: x 9.50 to 10.50, y 0.00 to 4.00, z 0.00 to 9.00.
//     Can you see the thing from where you stand? Answer with one word, VISIBLE or HIDDEN.
//
// One line for each box, as many as are told.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/studies/prompt.h"
#include "host/world/occupancy_grid.h"

namespace sightline::host {

/// Boxes that hold the occupied voxels of a grid, each voxel in one of them: from each voxel that
/// is left, in the order of the grid, as far along x as it goes, then along y, then along z.
std::vector<Bounds> boxes_of(const OccupancyGrid& grid);

/// What a question tells; nothing but the question: VISIBLE or HIDDEN.
struct ToldOccluders {
  bool has_places = false;
  kernels::Vec3 from_m, target_m;
  std::vector<Bounds> boxes;
};

/// Of the boxes, those that meet the box around the two places: at most `most`, the nearest to
/// `from_m` first, of equally near ones the earlier.
std::vector<Bounds> boxes_between(const std::vector<Bounds>& boxes, const kernels::Vec3& from_m,
                                  const kernels::Vec3& target_m, std::int64_t most);

Prompt occluder_prompt(const ToldOccluders& told, bool visible);

/// The rule-based reader: it sees the question's text alone, parses the numbers, and answers HIDDEN
/// if the line between the two places meets a box; of what is not told it makes VISIBLE.
std::string read_occluder_prompt(const std::string& question);

}  // namespace sightline::host
