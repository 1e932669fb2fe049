// ReMEmbR's retrieval (Anwar et al. 2024, arXiv:2409.13682): text, position and time, each by
// nearest neighbours, without its language model.
//
// As its published code has it (remembr/tools): the 5 nearest captions, the 4 nearest positions,
// which is no radius, and the 4 nearest times, all by L2; of unit vectors that is the order of
// cosines. In place of the language model, which reads what came back, stands a rule: the best
// entry whose caption names the class that is asked for, else the best. It never looks at images
// again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/meta_memory/entries.h"
#include "host/meta_memory/query.h"

namespace sightline::host {

struct RemembrOptions {
  std::int64_t num_texts = 5, num_positions = 4, num_times = 4;
  /// R1: the entries nearest to the best one are called for as well, and all are ranked by their
  /// captions: those that name the thing, with most of its attributes, then the similarity. R0: the
  /// entry of the highest similarity whose caption names the class.
  bool looks_around = false;
};

/// Rows nearest to a place in three dimensions; ties to the lower row. Deleted ones are left out.
std::vector<std::int64_t> nearest_positions(const EntryTable& entries, const kernels::Vec3& place,
                                            std::int64_t count);
/// Rows nearest to a time of a sequence; ties to the lower row.
std::vector<std::int64_t> nearest_times(const EntryTable& entries, double time_s,
                                        std::int64_t count);

/// The row whose position is the answer to a question for a thing; -1 without
/// entries. `similarity`: [entries.size()] of each caption to the question. `time_s`: that the
/// question is about, if it is about one ("did I last see": the end); the entries nearest to it are
/// called for as well.
std::int64_t answer_by_remembr(const EntryTable& entries, const std::vector<double>& similarity,
                               const NounPhrase& asked, const RemembrOptions& options,
                               const std::optional<double>& time_s = std::nullopt);

}  // namespace sightline::host
