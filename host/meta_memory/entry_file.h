// Files of a robot's entries (`.slp`): the columns of an EntryTable, each behind a checksum.
//
// Numbers are little-endian. Sections begin at multiples of 64 bytes and hold what their column
// holds, but for visible things, which are packed; gaps are zeros.
//
//     byte   0  magic "\x89SLP\r\n\x1a\n": a transfer that changes line ends or the top bit shows
//            8  u32 format: 2                        12  u32 header bytes: 488
//           16  i64 entries n                        24  u32 width d of the embeddings
//           28  u32 answer mode: 0 viewpoint, 1 object
//           32  f64 north offset, rad                40  u32 sections: 13
//           44  u32: 1 if all entries say what they show, be it nothing
//           48  16 zeros
//           64  of each section: u64 first byte, u64 bytes, u64 XXH64, u64 zero
//          480  u64 XXH64 of bytes 0 to 479; the first section is at 512, the last ends the file
//
//     section 0  embedder, UTF-8                      1  sequence, u16 [n]
//             2  time_s, f64 [n]                      3  position_m, f32 [n, 3]
//             4  yaw_rad, f32 [n]                     5  deleted, u8 [n]
//             6  where each caption ends, u64 [n]     7  captions, UTF-8 one after the other
//          8, 9  the same of image references
//            10  where each entry's visible things end, u64 [n]
//            11  of each thing: u32 object, u32 attributes, u16 class, half confidence,
//                f32 [3] position: 24 bytes
//            12  embeddings, IEEE half [n, d]
//
// Format 1 is read too: its positions are f64, of float precision. An entry takes 51 bytes besides
// its texts, things and embedding: a million of 256 dimensions are 563 MB and their captions.
//
// Why a change writes the file anew: columns lie one behind the other, so that each can be mapped
// as it is, and all grow when an entry comes. A longer tail could not be written without moving
// what follows it, and a tombstone alone changes a byte, the checksum of its section and that of
// the header: three places, of which a crash could leave one. Written beside and renamed, the file
// is always whole.
#pragma once

#include <string>

#include "host/meta_memory/entries.h"

namespace sightline::host {

/// The table of a file, equal bit for bit to the one that was written. Its columns are views of the
/// mapped file (mapped_file.h), all but positions and visible things. Every checksum is verified,
/// and sizes are checked before memory is taken. Throws InputError naming the file and what is
/// wrong: not a file of entries, a newer format, cut short, appended to, damaged, columns that
/// cannot be.
EntryTable read_entries(const std::string& path);

/// Writes beside `path` and renames: the file is there as a whole or as it was before, also while
/// tables that view it live. To append: read, append_entry, save (all sections are written anew, so
/// that no crash leaves a header that speaks of half a section). Throws InputError for a path that
/// cannot be written, RunError if the disk refuses.
void save_entries(const EntryTable& table, const std::string& path);

}  // namespace sightline::host
