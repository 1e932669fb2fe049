// Sightline world files (`.slw`): the packed grid as it lies in memory, behind a checked header.
//
// Numbers are in the byte order of the machine that wrote them, which the mark tells. The block
// follows the header at once, so it can be mapped.
//
//     byte   0  magic "\x89SLW\r\n\x1a\n": a transfer that changes line ends or the top bit shows
//            8  u32 byte order mark 0x01020304      12  u32 format: 1 one grid, 2 a history
//           16  u32 header bytes, 128 or 152        20  u32 frame: 0 y up (scene), 1 z up (map)
//           24  i64 dims[3], voxels                 48  f64 origin_m[3]
//           72  f64 voxel_m[3]                      96  u32 root of the occupied plane (words)
//          100  u32 root of the not-free plane     104  u64 words in the block
//          112  u64 XXH64 of the block
//   one grid:
//          120  u64 XXH64 of bytes 0 to 119        128  the block: kernels/occupancy.h
//   a history, whose roots above are those of version 0:
//          120  u64 bytes of the history           128  u64 XXH64 of the history
//          136  u64 versions                       144  u64 XXH64 of bytes 0 to 143
//          152  the block, then the history: slw_history.h
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "host/world/versioned_grid.h"

namespace sightline::host {

/// What a file holds: its grid, or all versions of it and the latest of them as the grid.
struct SlwWorld {
  OccupancyGrid grid;
  std::shared_ptr<VersionedGrid> versions;  ///< null: the file holds one grid
};

/// Throws InputError naming the file and what is wrong (not a world file, a newer format, cut
/// short, a checksum, an impossible block or history); sizes are checked before memory is taken.
SlwWorld read_slw_world(const std::string& path);
/// The grid alone.
OccupancyGrid read_slw(const std::string& path);
/// How many versions a file says it holds; reads its header only.
std::int64_t slw_num_versions(const std::string& path);

/// Writes a grid to a temporary file, then renames it. Equal voxels in an equal place give equal
/// files, whatever edits led to them.
void write_slw(const OccupancyGrid& grid, const std::string& path);
/// The same for a grid with all its versions.
void write_slw(const VersionedGrid& versions, const std::string& path);

}  // namespace sightline::host
