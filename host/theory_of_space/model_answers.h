// What a language model's answers to prompts say: each read by the rule of what was asked.
//
// Nothing here throws: what cannot be read is none.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/theory_of_space/false_belief.h"
#include "host/theory_of_space/spatial_map.h"
#include "host/theory_of_space/task.h"

namespace sightline::host::tos {

/// Could this be an answer to a question of the kind, right or wrong? The scorers give 0 if not.
bool is_task_answer(TaskKind kind, std::string_view answer);

/// "2, 5", of candidates numbered from 1; "none" is none of them. Numbers beyond are left out.
std::optional<std::vector<Cell>> chosen_cells(std::string_view answer,
                                              const std::vector<Cell>& candidates);

/// "north west, near; south, far": the parts of a list of `count`. Missing ones are empty.
std::optional<std::vector<std::string>> told_relations(std::string_view answer, std::size_t count);

/// "lamp: moved; sofa: rotated; desk: moved, rotated", or "none".
std::optional<std::vector<ReportedChange>> told_changes(std::string_view answer);

}  // namespace sightline::host::tos
