// NanoVDB grids (`.nvdb`), read and written where the program was built with NanoVDB's headers.
//
// Museth (2021), NanoVDB: a GPU-friendly and portable VDB data structure for real-time rendering
// and simulation. File format version 32, one grid per file, uncompressed.
//
// What is occupied: in a level set (grid class LevelSet, float or double) every value below 0,
// active or not; in all other grids (float, double, mask, index, bool) every active voxel, whatever
// its value. The rest is free.
//
// Where it lies: the value of index (i, j, k) stands for the cube of one voxel around that point,
// so a voxel's low corner lies half a voxel below it. The map from index to world may scale and
// move, each axis for itself; turned or mirrored grids are refused. Coordinates are kept as they
// are; y is up unless the placement says z.
#pragma once

#include <string>

#include "host/world/formats.h"

namespace sightline::host {

/// Was the program built with NanoVDB? If not, reading and writing throw InputError, which says
/// what to install.
bool has_nanovdb();

/// Reads the occupied voxels into a grid that spans them. Offsets are followed only after they have
/// been found to stay in the file; then NanoVDB's own check (checksum, where the file has one) must
/// pass. Throws InputError naming the file, what is wrong and the fix.
OccupancyGrid read_nanovdb(const std::string& path, const Placement& placement);

/// Writes a mask grid with active voxels where the grid is occupied, whole nodes as tiles. Throws
/// InputError if nothing is.
void write_nanovdb(const OccupancyGrid& grid, const std::string& path);

/// The centre of voxel (0, 0, 0), from which the reader finds the same low corner again, bit for
/// bit, wherever a double allows it.
std::array<double, 3> nanovdb_centre(const GridGeometry& geometry);

}  // namespace sightline::host
