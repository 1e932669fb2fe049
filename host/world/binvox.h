// Binvox files (`.binvox`): run lengths of solid and empty voxels behind a header of text.
//
// Min (2004), binvox voxel file format specification, www.patrickmin.com/binvox.
//
//     #binvox 1
//     dim DX DZ DY             the voxel of x, y, z is number (x DZ + z) DY + y: y runs fastest
//     translate TX TY TZ       the low corner of voxel (0, 0, 0)
//     scale S                  metres along the axis with the most voxels: a voxel is S / max(dim)
//     data
//     then pairs of bytes: 0 empty or 1 solid, and for how many voxels (1 to 255)
//
// Coordinates are those of the model that was voxelised, and are kept as they are. The format does
// not say which way is up; it is read as y, unless the placement says z. Such models are mostly
// right-handed and Sightline's y-up frame is left-handed: lines of sight are the same either way,
// pictures with y up show the mirror image.
#pragma once

#include <string>

#include "host/world/formats.h"

namespace sightline::host {

/// Reads a grid of free and occupied voxels; of `placement`, the frame counts. Throws InputError
/// naming the file, what is wrong and the fix; sizes are checked before memory is taken.
OccupancyGrid read_binvox(const std::string& path, const Placement& placement);

/// Writes the grid; unknown voxels become empty, the frame is not kept. Throws InputError if the
/// voxels are no cubes.
void write_binvox(const OccupancyGrid& grid, const std::string& path);

}  // namespace sightline::host
