// A robot's entries as one JSON object a line (`.jsonl`), with their embeddings in a `.npy` beside
// it.
//
//     {"sequence": 0, "time_s": 3.0, "position": [12.5, -3, 0.4], "yaw_deg": 90,
//      "caption": "A red mug on a desk.", "image": "frames/0001.jpg",
//      "visible": [{"object": 4, "class": "mug", "attributes": ["red"],
//                   "position": [13, -2, 0.8], "confidence": 0.9}]}
//
// sequence, time_s and position are needed; yaw_deg is counter-clockwise from east. Line i's
// embedding is row i of the `.npy`, float16, float32 or float64 [n, width].
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "host/meta_memory/entries.h"

namespace sightline::host {

struct EntriesSource {
  std::string path;
  std::string embeddings;  ///< `.npy`; empty: the one beside `path`
  /// What made them; empty: "file". kPlaceWords (place_words.h), without embeddings, makes them.
  std::string embedder;
  /// Hash the captions instead, in so many numbers; every caption then needs a word.
  std::optional<std::int32_t> hashed_width;
  AnswerMode answer_mode = AnswerMode::kViewpoint;
  double north_offset_rad = 0;
};

/// Throws InputError naming file, line and key for what is missing or cannot be: an unknown class
/// or attribute, a time before the last of its sequence, an entry that is there already, `visible`
/// told of some entries only, another number of embeddings than lines.
EntryTable read_entries_jsonl(const EntriesSource& source);

/// Appends them to a table, whose width they must have (an empty one takes theirs); answer mode and
/// north are the table's. Throws as above; what was appended until then stays.
void append_entries_jsonl(const EntriesSource& source, EntryTable* table);

}  // namespace sightline::host
