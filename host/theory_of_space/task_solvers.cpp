#include "host/theory_of_space/task_solvers.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "host/theory_of_space/task_scorers.h"

namespace sightline::host::tos {
namespace {

std::optional<Cell> cell_of(const SpatialMap& map, const std::string& name) {
  if (name == kInitialPosition) return Cell{};
  const auto entry = map.items.find(name);
  if (entry == map.items.end()) return std::nullopt;
  return entry->second.cell;
}

std::string seen_from(Cell target, Cell from, Eighth view) {
  const Cell offset = target - from;
  return fmt::format("{}, {}", name_of(ego_bin(offset, view)), name_of(distance_bin(offset)));
}

std::string text_of(Cell cell) { return fmt::format("({}, {})", cell.x, cell.y); }

constexpr double kNoView = 1e9;  ///< more than any misfit of a view

/// How far a number is outside [low, high].
double outside(double value, double low, double high) {
  return std::max({0.0, low - value, value - high});
}

/// Degrees outside a bin, in widths of a bin.
double misfit_of(EgoBin bin, double degrees) {
  constexpr double kWidth = 22.5, kHalfField = 45, kStraightOn = 180;
  switch (bin) {
    case EgoBin::kFrontLeft:
      return outside(degrees, -kHalfField, -kWidth) / kWidth;
    case EgoBin::kFrontSlightLeft:
      return outside(degrees, -kWidth, 0) / kWidth;
    case EgoBin::kFront:
      return outside(degrees, 0, 0) / kWidth;
    case EgoBin::kFrontSlightRight:
      return outside(degrees, 0, kWidth) / kWidth;
    case EgoBin::kFrontRight:
      return outside(degrees, kWidth, kHalfField) / kWidth;
    case EgoBin::kLeft:
    case EgoBin::kBeyondLeft:
      return outside(degrees, -kStraightOn, -kHalfField) / kWidth;
    case EgoBin::kRight:
    case EgoBin::kBeyondRight:
      break;
  }
  return outside(degrees, kHalfField, kStraightOn) / kWidth;
}

/// Doublings outside a bin.
double misfit_of(DistanceBin bin, double cells) {
  constexpr double kNearest = 0.5;  // one cell is the least that two things can be apart
  if (bin == DistanceBin::kSame) return cells;
  const double high = static_cast<double>(bin);  // near is 1: up to 2 cells
  const double low = bin == DistanceBin::kNear ? std::log2(kNearest) : high - 1;
  return outside(std::log2(std::max(cells, kNearest)), low, high);
}

/// How far facts are from what would be seen from a pose: 0 if all are. A map in the middle of what
/// is believed often has no pose that sees them all.
double misfit(const SpatialMap& map, Cell from, Eighth view, const std::vector<SeenFact>& facts) {
  constexpr double kDegrees = 180 / 3.14159265358979323846, kUnknown = 100;
  constexpr int kStep = 45, kFullTurn = 360;
  if (sees(map, from, view, facts)) return 0;
  double sum = 0;
  for (const SeenFact& fact : facts) {
    const std::optional<Cell> cell = cell_of(map, fact.name);
    if (!cell) {
      sum += kUnknown;
      continue;
    }
    const Cell offset = *cell - from;
    const double bearing = std::atan2(offset.x, offset.y) * kDegrees - kStep * view;
    const double degrees = std::remainder(bearing, kFullTurn);
    const double apart = misfit_of(fact.direction, degrees) +
                         misfit_of(fact.distance, std::hypot(offset.x, offset.y));
    sum += apart * apart;
  }
  // Beyond what a platform's functions of angles may differ by; and never as good as seeing all.
  constexpr double kRounding = 1e-6;
  return kRounding * (1 + std::round(sum / kRounding));
}

/// Of the cells no more than 40 from the start either way.
std::vector<Cell> cells_nearest_to_seeing(const SpatialMap& map, Eighth view,
                                          const std::vector<SeenFact>& facts) {
  constexpr int kFarthest = 40;
  std::vector<Cell> cells;
  double least = kNoView;
  for (int x = -kFarthest; x <= kFarthest; ++x) {
    for (int y = -kFarthest; y <= kFarthest; ++y) {
      const double apart = misfit(map, {x, y}, view, facts);
      if (apart > least) continue;
      if (apart < least) cells.clear();
      least = apart;
      cells.push_back({x, y});
    }
  }
  return cells;
}

std::string solve_direction(const TaskQuestion& question, const SpatialMap& map) {
  const auto target = cell_of(map, question.target), anchor = cell_of(map, question.anchor);
  if (!target || !anchor) return {};
  const Cell offset = *target - *anchor;
  return fmt::format("{}, {}", name_of(cardinal_bin(offset)), name_of(distance_bin(offset)));
}

std::string solve_persp_take(const TaskQuestion& question, const SpatialMap& map) {
  const auto target = cell_of(map, question.target);
  const auto anchor = map.items.find(question.anchor);
  if (!target || anchor == map.items.end() || !anchor->second.facing) return {};
  return seen_from(*target, anchor->second.cell, eighth_of(*anchor->second.facing));
}

/// A plan that was asked about can be followed, whatever a map that is not quite right says of it.
std::string solve_act2view(const TaskQuestion& question, const SpatialMap& map) {
  const auto target = cell_of(map, question.target);
  std::optional<Cell> cell = Cell{};
  Heading heading = Heading::kNorth;
  for (const Action& action : question.plan) {
    if (action.kind == ActionKind::kRotate) heading = turned(heading, action.degrees);
    if (action.kind == ActionKind::kJump) cell = cell_of(map, action.name);
  }
  if (!target || !cell) return {};
  return seen_from(*target, *cell, eighth_of(heading));
}

/// One jump from the start to a thing, and a turn there.
std::string solve_view2act(const TaskQuestion& question, const SpatialMap& map) {
  std::string best;
  double least = kNoView;
  for (const auto& [name, entry] : map.items) {
    if (entry.cell == Cell{}) continue;
    for (int i = 0; i < kNumHeadings; ++i) {
      const auto heading = static_cast<Heading>(i);
      const double apart = misfit(map, entry.cell, eighth_of(heading), question.facts);
      if (apart >= least) continue;
      const Heading towards = closest_heading(entry.cell);
      least = apart;
      best =
          fmt::format("Rotate({}), JumpTo({}), Rotate({})", turn_between(Heading::kNorth, towards),
                      name, turn_between(towards, heading));
    }
  }
  return best;
}

/// The object from which most nearly that is seen.
std::string solve_perc_dec(const TaskQuestion& question, const SpatialMap& map) {
  std::string best;
  double least = kNoView;
  for (const auto& [name, entry] : map.items) {
    if (entry.is_door || !entry.facing) continue;
    const double apart = misfit(map, entry.cell, eighth_of(*entry.facing), question.facts);
    if (apart < least) least = apart, best = name;
  }
  return best;
}

std::string solve_alloc_map(const TaskQuestion& question, const SpatialMap& map) {
  std::vector<std::string> cells;
  for (const std::string& name : question.names) {
    // A guess at the start scores more than leaving out one of the cells that are asked for.
    cells.push_back(text_of(cell_of(map, name).value_or(Cell{})));
  }
  return fmt::format("{}", fmt::join(cells, "; "));
}

std::string solve_loc2view(const TaskQuestion& question, const SpatialMap& map) {
  const auto target = cell_of(map, question.target), origin = cell_of(map, question.origin);
  if (!target || !origin) return {};
  return seen_from(*target, *origin + question.cell, question.view);
}

std::string solve_view2loc(const TaskQuestion& question, const SpatialMap& map) {
  const auto origin = cell_of(map, question.origin);
  const std::vector<Cell> cells = cells_nearest_to_seeing(map, question.view, question.facts);
  if (!origin || cells.empty()) return {};
  CellSet fitting;
  for (const Cell cell : cells) fitting.insert(CellSet::only(cell));
  return text_of((fitting.empty() ? cells.front() : fitting.middle()) - *origin);
}

}  // namespace

std::vector<Cell> cells_that_see(const SpatialMap& map, Eighth view,
                                 const std::vector<SeenFact>& facts) {
  constexpr int kFarthest = 40;
  std::vector<Cell> cells;
  for (int x = -kFarthest; x <= kFarthest; ++x) {
    for (int y = -kFarthest; y <= kFarthest; ++y) {
      if (sees(map, {x, y}, view, facts)) cells.push_back({x, y});
    }
  }
  return cells;
}

std::vector<std::string> objects_that_see(const SpatialMap& map,
                                          const std::vector<SeenFact>& facts) {
  std::vector<std::string> names;
  for (const auto& [name, entry] : map.items) {
    if (entry.is_door || !entry.facing) continue;
    if (sees(map, entry.cell, eighth_of(*entry.facing), facts)) names.push_back(name);
  }
  return names;
}

std::vector<std::string> in_order_of_turn(const SpatialMap& map,
                                          const std::vector<std::string>& names,
                                          bool is_clockwise) {
  constexpr double kPi = 3.14159265358979323846, kSameAngle = 1e-9;
  struct Met {
    double angle;
    std::int64_t squared;
    std::string name;
  };
  std::vector<Met> met;
  for (const std::string& name : names) {
    const std::optional<Cell> cell = cell_of(map, name);
    if (!cell) return {};
    double angle = std::atan2(cell->x, cell->y);
    if (!is_clockwise) angle = -angle;
    if (angle < 0) angle += 2 * kPi;
    met.push_back({angle, squared_length(*cell), name});
  }
  std::stable_sort(met.begin(), met.end(), [](const Met& a, const Met& b) {
    if (std::abs(a.angle - b.angle) > kSameAngle) return a.angle < b.angle;
    return a.squared < b.squared;
  });
  std::vector<std::string> order;
  for (const Met& one : met) order.push_back(one.name);
  return order;
}

std::string solve(const TaskQuestion& question, const SpatialMap& map) {
  switch (question.kind) {
    case TaskKind::kDirection:
      return solve_direction(question, map);
    case TaskKind::kPerspTake:
      return solve_persp_take(question, map);
    case TaskKind::kPercDec:
      return solve_perc_dec(question, map);
    case TaskKind::kAct2View:
      return solve_act2view(question, map);
    case TaskKind::kView2Act:
      return solve_view2act(question, map);
    case TaskKind::kAllocMap:
      return solve_alloc_map(question, map);
    case TaskKind::kMentRot:
      return fmt::format(
          "{}", fmt::join(in_order_of_turn(map, question.names, question.is_clockwise), ", "));
    case TaskKind::kLoc2View:
      return solve_loc2view(question, map);
    case TaskKind::kView2Loc:
      break;
  }
  return solve_view2loc(question, map);
}

}  // namespace sightline::host::tos
