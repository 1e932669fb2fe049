// Sightline world files (`.slw`): the packed grid as it lies in memory, behind a checked header.
//
// Numbers are in the byte order of the machine that wrote them, which the mark tells. The block
// follows the header at once, so it can be mapped.
//
//     byte   0  magic "\x89SLW\r\n\x1a\n": a transfer that changes line ends or the top bit shows
//            8  u32 byte order mark 0x01020304      12  u32 format version, 1
//           16  u32 header bytes, 128               20  u32 frame: 0 y up (scene), 1 z up (map)
//           24  i64 dims[3], voxels                 48  f64 origin_m[3]
//           72  f64 voxel_m[3]                      96  u32 root of the occupied plane (words)
//          100  u32 root of the not-free plane     104  u64 words in the block
//          112  u64 XXH64 of the block             120  u64 XXH64 of bytes 0 to 119
//          128  the block: kernels/occupancy.h
#pragma once

#include <string>

#include "host/world/occupancy_grid.h"

namespace sightline::host {

/// Reads a grid. Throws InputError naming the file and what is wrong (not a world file, a newer
/// version, cut short, a checksum, an impossible block); sizes are checked before memory is taken.
OccupancyGrid read_slw(const std::string& path);

/// Writes a grid to a temporary file, then renames it.
void write_slw(const OccupancyGrid& grid, const std::string& path);

}  // namespace sightline::host
