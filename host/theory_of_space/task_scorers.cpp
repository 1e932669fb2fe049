#include "host/theory_of_space/task_scorers.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "host/theory_of_space/answer_words.h"

namespace sightline::host::tos {
namespace {

struct Point {
  double x = 0, y = 0;
};

double rms(double sum_of_squares, std::size_t count) {
  return std::sqrt(sum_of_squares / static_cast<double>(count));
}

CardinalBin bin_of(Point a, Point b) {
  constexpr double kPi = 3.14159265358979323846, kLargest = 1e6;
  const double dx = a.x - b.x, dy = a.y - b.y;
  const bool is_whole = dx == std::floor(dx) && dy == std::floor(dy);
  if (is_whole && std::abs(dx) < kLargest && std::abs(dy) < kLargest) {
    return cardinal_bin(Cell{static_cast<std::int32_t>(dx), static_cast<std::int32_t>(dy)});
  }
  return cardinal_bin_of_bearing(std::atan2(dx, dy) * 180 / kPi);
}

Point point_of(Cell cell) { return {static_cast<double>(cell.x), static_cast<double>(cell.y)}; }

std::vector<Point> points_of(std::string_view answer) {
  std::vector<Point> points;
  for (const auto& [x, y] : coordinates_in(answer)) points.push_back({x, y});
  return points;
}

const MapEntry* find(const SpatialMap& map, const std::string& name) {
  const auto exact = map.items.find(name);
  if (exact != map.items.end()) return &exact->second;
  for (const auto& item : map.items) {
    if (lower(item.first) == lower(name)) return &item.second;
  }
  return nullptr;
}

bool has_label(const std::string& answer, const std::string& truth, bool is_strict) {
  const std::string ours = canonical_label(answer), theirs = canonical_label(truth);
  if (ours.empty() || theirs.empty()) return false;
  if (ours == theirs) return true;
  return !is_strict && (is_word_of(ours, theirs) || is_word_of(theirs, ours));
}

}  // namespace

double score_direction_distance(std::string_view answer, std::string_view direction,
                                std::string_view distance, bool is_strict) {
  const std::optional<std::pair<std::string, std::string>> said = two_labels_in(answer);
  if (!said) return 0;
  const std::string where(direction), how_far(distance);
  const auto score = [&](const std::string& first, const std::string& second) {
    return (has_label(first, where, is_strict) ? 0.5 : 0) +
           (has_label(second, how_far, is_strict) ? 0.5 : 0);
  };
  const double as_asked = score(said->first, said->second);
  return is_strict ? as_asked : std::max(as_asked, score(said->second, said->first));
}

double score_names(std::string_view answer, const std::vector<std::string>& names) {
  const std::vector<std::string> said = list_in(answer);
  const auto is_same = [](const std::string& a, const std::string& b) {
    return single_spaced(a) == single_spaced(b);
  };
  return std::equal(said.begin(), said.end(), names.begin(), names.end(), is_same) ? 1 : 0;
}

double score_cells(std::string_view answer, const std::vector<Cell>& cells) {
  std::vector<Point> said = points_of(answer);
  if (cells.empty() || said.size() != cells.size()) return 0;
  double error = 0, length = 0;
  std::vector<Point> truth;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    truth.push_back(point_of(cells[i]));
    const double dx = said[i].x - truth[i].x, dy = said[i].y - truth[i].y;
    error += dx * dx + dy * dy;
    length += static_cast<double>(squared_length(cells[i]));
  }
  const double scale = length > 0 ? rms(length, cells.size()) : 1;
  const double position = std::exp(-rms(error, cells.size()) / scale);
  truth.push_back({}), said.push_back({});
  int right = 0, all = 0;
  for (std::size_t j = 1; j < truth.size(); ++j) {
    for (std::size_t i = 0; i < j; ++i, ++all) {
      right += bin_of(said[i], said[j]) == bin_of(truth[i], truth[j]) ? 1 : 0;
    }
  }
  return (position + static_cast<double>(right) / all) / 2;
}

double score_cell(std::string_view answer, Cell cell) {
  const std::vector<Point> said = points_of(answer);
  if (said.empty()) return 0;
  const double dx = said[0].x - cell.x, dy = said[0].y - cell.y;
  const double error = std::sqrt(dx * dx + dy * dy);
  const double length = std::sqrt(static_cast<double>(squared_length(cell)));
  if (length == 0) return error == 0 ? 1 : 0;
  return std::exp(-error / length);
}

bool sees(const SpatialMap& map, Cell from, Eighth view, const std::vector<SeenFact>& facts) {
  return std::all_of(facts.begin(), facts.end(), [&](const SeenFact& fact) {
    const MapEntry* entry = find(map, fact.name);
    if (entry == nullptr || entry->cell == from) return false;
    const Cell offset = entry->cell - from;
    return is_within(FieldOfView::k90, offset, view) && ego_bin(offset, view) == fact.direction &&
           distance_bin(offset) == fact.distance;
  });
}

bool follow(const SpatialMap& map, const std::vector<Action>& actions, Cell* cell,
            Heading* heading) {
  for (const Action& action : actions) {
    if (action.kind == ActionKind::kRotate && is_rotation(action.degrees)) {
      *heading = turned(*heading, action.degrees);
      continue;
    }
    const MapEntry* aim = action.kind == ActionKind::kJump ? find(map, action.name) : nullptr;
    if (aim == nullptr || aim->cell == *cell) return false;
    if (!is_within(FieldOfView::k90, aim->cell - *cell, eighth_of(*heading))) return false;
    *cell = aim->cell;
  }
  return true;
}

double score_plan(std::string_view answer, const SpatialMap& truth,
                  const std::vector<SeenFact>& facts) {
  const std::vector<Action> actions = plan_in(answer);
  Cell cell;
  Heading heading = Heading::kNorth;
  if (actions.empty() || !follow(truth, actions, &cell, &heading)) return 0;
  return sees(truth, cell, eighth_of(heading), facts) ? 1 : 0;
}

double score_answer(const TaskQuestion& question, const SpatialMap& truth, std::string_view answer,
                    const ScoringOptions& options) {
  switch (question.kind) {
    case TaskKind::kPercDec: {
      const std::string name(trimmed(answer));
      const MapEntry* entry = find(truth, name);
      const bool is_name = has_label(name, question.answer_names.front(), true);
      if (entry == nullptr || !is_name) return 0;
      const Heading facing = entry->facing.value_or(Heading::kNorth);
      return sees(truth, entry->cell, eighth_of(facing), question.facts) ? 1 : 0;
    }
    case TaskKind::kView2Act:
      return score_plan(answer, truth, question.facts);
    case TaskKind::kAllocMap:
      return score_cells(answer, question.answer_cells);
    case TaskKind::kMentRot:
      return score_names(answer, question.answer_names);
    case TaskKind::kView2Loc: {
      const auto said = coordinates_in(answer);
      if (options.checks_facts) {
        constexpr double kFarthest = 1000;
        const MapEntry* origin = find(truth, question.origin);
        const Cell from = origin == nullptr ? Cell{} : origin->cell;
        if (said.empty() || std::abs(said[0].first) > kFarthest ||
            std::abs(said[0].second) > kFarthest) {
          return 0;
        }
        const Cell cell{static_cast<std::int32_t>(std::lround(said[0].first)),
                        static_cast<std::int32_t>(std::lround(said[0].second))};
        if (!sees(truth, from + cell, question.view, question.facts)) return 0;
      }
      return score_cell(answer, question.answer_cells.front());
    }
    default:
      break;
  }
  return score_direction_distance(answer, question.answer_direction,
                                  name_of(question.answer_distance), options.is_strict);
}

}  // namespace sightline::host::tos
