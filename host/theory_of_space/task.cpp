#include "host/theory_of_space/task.h"

#include <fmt/format.h>

namespace sightline::host::tos {

std::string_view name_of(TaskKind kind) {
  constexpr std::array<std::string_view, kNumTaskKinds> kNames{
      "direction", "persp.take", "perc.dec", "act2view", "view2act",
      "alloc.map", "ment.rot",   "loc2view", "view2loc"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string answer_text(const TaskQuestion& question) {
  switch (question.kind) {
    case TaskKind::kPercDec:
    case TaskKind::kMentRot:
      return fmt::format("{}", fmt::join(question.answer_names, ", "));
    case TaskKind::kAllocMap:
    case TaskKind::kView2Loc: {
      std::vector<std::string> cells;
      for (const Cell cell : question.answer_cells) {
        cells.push_back(fmt::format("({}, {})", cell.x, cell.y));
      }
      return fmt::format("{}", fmt::join(cells, "; "));
    }
    case TaskKind::kView2Act: {
      const std::string text = actions_text(Scene{}, question.plan);
      return text.substr(1, text.size() - 2);
    }
    default:
      break;
  }
  return fmt::format("{}, {}", question.answer_direction, name_of(question.answer_distance));
}

}  // namespace sightline::host::tos
