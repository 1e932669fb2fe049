// Whose voxels are whose, from a text table.
#pragma once

#include <string>

#include "host/world/view.h"

namespace sightline::host {

/// Reads labels for a grid: columns id, and either x, y, z (the one voxel that holds the point, say
/// a memory's anchor) or min_x, min_y, min_z, max_x, max_y, max_z (the occupied voxels of an
/// object's box). Metres, world frame. Boxes may share voxels (VoxelLabels::add_box); points of two
/// ids may not. Throws InputError naming the file, the line and the column.
VoxelLabels read_labels_csv(const std::string& path, const OccupancyGrid& grid);

}  // namespace sightline::host
