// Memories as text: one JSON object a line.
//
//     {"id": 4, "text": "a red mug on the desk", "anchor": [1.5, 0.8, 3],
//      "size": [0.1, 0.12, 0.1],
//      "observer": {"position": [1, 1.6, 1], "yaw_deg": 20, "pitch_deg": -10},
//      "time_s": "2026-05-01T12:30:00Z", "last_access_s": 1777640000, "importance": 0.7,
//      "staleness": 1, "object": "mug_2", "class": "mug", "region": "study", "world_version": 0}
//
// on one line each. `class`, or `activity` in its stead, is the group. `size` is that of the
// box around the anchor that bounds the thing. `id` and `anchor` are needed; of the rest
// MemoryDefaults and memory_table.h say what stands for them. Embeddings are in a `.npy` beside it.
#pragma once

#include <string>

#include "host/memory/json_lines.h"
#include "host/memory/memory_table.h"

namespace sightline::host {

/// Memories in the order of the file, without embeddings (width 0). Throws InputError naming the
/// file, the line and the key: what is no object, an unknown or missing key, a value of another
/// kind. Bounds are check_memories's affair. With `needs_anchors` false, lines may be without, and
/// their anchors are at the origin.
MemoryTable read_memories_jsonl(const std::string& path, bool needs_anchors = true);

/// What a memory is one of, or a query asks for: `activity` or `class`; empty if the line has
/// neither. Throws InputError if it has both.
std::string read_group(const JsonObject& line);

}  // namespace sightline::host
