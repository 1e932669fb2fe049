// The history in a `.slw` file: one record per version, version 0 first. Internal to slw.cpp.
//
//     record  u64 words of the block, this version's included      f64 time in s, NaN: not told
//             u32 regions    u32 edits    u32 bytes of the note    u32 zero
//             regions: u32 entry, u32 occupied root, u32 not-free root
//             edits:   i64 lo[3], i64 hi[3], u32 state (0 free, 1 occupied, 2 unknown), u32 zero
//             the note, UTF-8
//
// Version 0 has no regions: its roots lie in the block.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/world/versioned_grid.h"

namespace sightline::host {

std::string write_history(const VersionedGrid& versions);

/// The records as they were written: what they say of the block is not checked here. Throws
/// InputError if they are cut short or there are too many of them.
std::vector<GridVersion> read_history(const std::vector<char>& bytes, std::uint64_t num_versions);

}  // namespace sightline::host
