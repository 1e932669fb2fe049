// Sightline memory files (`.slm`): the columns of a MemoryTable as they lie in memory, each behind
// a checksum.
//
// Numbers are little-endian. Sections begin at multiples of 64 bytes and hold what their column
// holds, so the file can be mapped; gaps are zeros.
//
//     byte   0  magic "\x89SLM\r\n\x1a\n": a transfer that changes line ends or the top bit shows
//            8  u32 format: 2                        12  u32 header bytes: 776
//           16  i64 memories n                       24  u32 width d of the embeddings
//           28  u32 bytes of a component: 2 or 4     32  u32 frame: 0 y up, 1 z up, 2 not told
//           36  u32 sections: 22                     40  24 zeros
//           64  of each section: u64 first byte, u64 bytes, u64 XXH64, u64 zero
//          768  u64 XXH64 of bytes 0 to 767; the first section is at 832, the last ends the file
//
//     section 0  id, i64 [n]                          1  anchor_m, f64 [n, 3]
//             2  has_observer, u8 [n]                 3  observer_m, f64 [n, 3]
//             4  observer_yaw_deg, f64 [n]            5  observer_pitch_deg, f64 [n]
//             6  time_s, f64 [n]                      7  last_access_s, f64 [n]
//             8  importance, f64 [n]                  9  staleness, f64 [n]
//            10  world_version, i32 [n]
//            11  where each text ends, u64 [n]       12  texts, UTF-8 one after the other
//         13, 14  the same of object_key          15, 16  the same of region
//        17, 18  the same of group
//            19  embedder, UTF-8                     20  size_m, f64 [n, 3]
//            21  embeddings, IEEE half or float [n, d]
#pragma once

#include <string>

#include "host/memory/memory_table.h"

namespace sightline::host {

/// Throws InputError naming the file and what is wrong (not a memory file, a newer format, cut
/// short, appended to, a checksum, impossible columns); sizes are checked before memory is taken.
/// Embeddings have unit length again (unit_embedding.h). save_memories writes.
MemoryTable read_slm(const std::string& path);

}  // namespace sightline::host
