// Vectors as the TexMex corpora hold them (`.fvecs`): for each a 32-bit count, then as many floats,
// little-endian; every count of a file is the same.
//
// Jegou, Douze and Schmid, "Product Quantization for Nearest Neighbor Search" (2011);
// http://corpus-texmex.irisa.fr
#pragma once

#include <string>

#include "host/memory/memory_table.h"

namespace sightline::host {

/// Memories of embeddings alone: row i has id i, its embedding of unit length, and its anchor from
/// row i of `anchors`, a `.npy` [num_memories, 3] in metres. Throws InputError naming the file and
/// the row: another width than the first one's, a file cut short, NaN, a vector of zeros.
MemoryTable read_memories_fvecs(const std::string& path, const std::string& anchors);

}  // namespace sightline::host
