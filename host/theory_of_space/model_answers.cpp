#include "host/theory_of_space/model_answers.h"

#include <algorithm>
#include <charconv>

#include "host/theory_of_space/answer_words.h"

namespace sightline::host::tos {
namespace {

/// Lists of answers are divided by semicolons or stand on lines of their own.
constexpr std::string_view kEnds = ";\n";

bool is_none(std::string_view answer) {
  const std::string word = lower(trimmed(answer));
  return word == "none" || word == "none.";
}

}  // namespace

bool is_task_answer(TaskKind kind, std::string_view answer) {
  switch (kind) {
    case TaskKind::kPercDec:
      return !trimmed(answer).empty();
    case TaskKind::kMentRot:
      return !list_in(answer).empty();
    case TaskKind::kView2Act:
      return !plan_in(answer).empty();
    case TaskKind::kAllocMap:
    case TaskKind::kView2Loc:
      return !coordinates_in(answer).empty();
    default:
      return two_labels_in(answer).has_value();
  }
}

std::optional<std::vector<Cell>> chosen_cells(std::string_view answer,
                                              const std::vector<Cell>& candidates) {
  const std::string_view said = final_answer(answer);
  std::vector<Cell> cells;
  if (is_none(said)) return cells;
  bool is_read = false;
  for (const std::string& text : list_in(said)) {
    std::size_t number = 0;
    const char* end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data(), end, number);
    if (parsed.ec != std::errc() || parsed.ptr != end) continue;
    is_read = true;
    if (number >= 1 && number <= candidates.size()) cells.push_back(candidates[number - 1]);
  }
  if (!is_read) return std::nullopt;
  return cells;
}

std::optional<std::vector<std::string>> told_relations(std::string_view answer, std::size_t count) {
  std::vector<std::string> relations;
  for (const std::string_view part : split(final_answer(answer), kEnds)) {
    relations.emplace_back(part);
  }
  const bool is_read = std::any_of(relations.begin(), relations.end(), [](const std::string& part) {
    return two_labels_in(part).has_value();
  });
  if (!is_read) return std::nullopt;
  relations.resize(count);
  return relations;
}

std::optional<std::vector<ReportedChange>> told_changes(std::string_view answer) {
  const std::string_view said = final_answer(answer);
  std::vector<ReportedChange> changes;
  if (is_none(said)) return changes;
  for (const std::string_view part : split(said, kEnds)) {
    const std::size_t colon = part.rfind(':');
    if (colon == std::string_view::npos) continue;
    const std::string kinds = lower(part.substr(colon + 1));
    ReportedChange change{std::string(trimmed(part.substr(0, colon))),
                          kinds.find("moved") != std::string::npos,
                          kinds.find("rotated") != std::string::npos};
    if (change.moved || change.rotated) changes.push_back(std::move(change));
  }
  if (changes.empty()) return std::nullopt;
  return changes;
}

}  // namespace sightline::host::tos
