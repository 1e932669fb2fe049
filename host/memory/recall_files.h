// What was recalled, as files for other programs.
#pragma once

#include <string>
#include <vector>

#include "host/memory/questions.h"
#include "host/memory/recall.h"

namespace sightline::host {

/// One JSON object: questions, each {query, text, from_m, now_s, recalled}, and in `recalled`, best
/// first, {rank, id, score, distance_m, parts, in_gate, sight, text}; rank counts from 1, in_gate
/// is there with a soft gate, sight with verification. Indented by two.
std::string recalled_json(const MemoryTable& memories, const Questions& questions,
                          const RecallRequest& request,
                          const std::vector<std::vector<Recalled>>& answers);

/// Throws InputError if `path` is a file that neither function below wrote: a store or embeddings
/// of the same extension are not replaced by answers, answers are.
void check_recalled_output(const std::string& path);

/// The items of `questions` above, one a line. Written as a whole or not at all.
void write_recalled_jsonl(const std::string& path, const MemoryTable& memories,
                          const Questions& questions, const RecallRequest& request,
                          const std::vector<std::vector<Recalled>>& answers);

/// A NumPy structured array [num_questions, request.k], best first: id (int64, -1 where fewer were
/// recalled; the other fields are then 0), score, distance_m (float64), parts (5 x float64, in the
/// order of ScorePart), in_gate (bool), sight (uint8: 0 hidden, 1 visible, 2 unknown, 255 not
/// asked). Written as a whole or not at all.
void write_recalled_npy(const std::string& path, const MemoryTable& memories,
                        const RecallRequest& request,
                        const std::vector<std::vector<Recalled>>& answers);

}  // namespace sightline::host
