#include "host/theory_of_space/plan_steps.h"

#include <algorithm>
#include <cstdlib>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace sightline::host::tos {
namespace {

/// Something that one could jump to.
struct Aim {
  std::string name;
  Cell offset;
  bool is_door = false, is_in_view = false;
};

/// Where a plan has led so far.
class Walker {
 public:
  Walker(const SpatialMap& map, const SharesRoom& shares_room)
      : map_(map), shares_room_(shares_room) {}

  void rotate(int degrees) { heading_ = turned(heading_, degrees); }
  void jump(const Aim& aim) { at_ = aim.name, cell_ = cell_ + aim.offset; }

  /// All that shares a room with the place, nearest first; of one distance, from the left.
  std::vector<Aim> aims() const {
    std::vector<Aim> aims;
    for (const auto& [name, entry] : map_.items) {
      const Cell offset = entry.cell - cell_;
      if (name == at_ || offset == Cell{} || !shares_room_(at_, name)) continue;
      aims.push_back(
          {name, offset, entry.is_door, is_within(FieldOfView::k90, offset, eighth_of(heading_))});
    }
    std::stable_sort(aims.begin(), aims.end(), [&](const Aim& a, const Aim& b) {
      const std::int64_t near_a = squared_length(a.offset), near_b = squared_length(b.offset);
      if (near_a != near_b) return near_a < near_b;
      return ahead_of(a.offset, eighth_of(heading_)).right <
             ahead_of(b.offset, eighth_of(heading_)).right;
    });
    return aims;
  }

  PlanStep step_to(const Aim& aim) const {
    PlanStep step;
    step.is_jump = true;
    step.is_door = aim.is_door;
    step.direction = ego_bin(aim.offset, eighth_of(heading_));
    step.distance = distance_bin(aim.offset);
    return step;
  }
  bool fits(const PlanStep& step, const Aim& aim) const { return misfit(step, aim) == 0; }
  /// How many bins a thing is off; what is out of view comes after all that is not.
  int misfit(const PlanStep& step, const Aim& aim) const {
    constexpr int kOutOfView = 100;
    const PlanStep seen = step_to(aim);
    return std::abs(static_cast<int>(seen.direction) - static_cast<int>(step.direction)) +
           std::abs(static_cast<int>(seen.distance) - static_cast<int>(step.distance)) +
           (aim.is_in_view ? 0 : kOutOfView);
  }

 private:
  const SpatialMap& map_;
  const SharesRoom& shares_room_;
  std::string at_ = kInitialPosition;
  Cell cell_;
  Heading heading_ = Heading::kNorth;
};

std::vector<Aim> aims_that_fit(const Walker& walker, const PlanStep& step) {
  std::vector<Aim> fitting;
  for (Aim& aim : walker.aims()) {
    if (aim.is_door == step.is_door && walker.fits(step, aim)) fitting.push_back(std::move(aim));
  }
  return fitting;
}

std::optional<Aim> aim_of_step(const Walker& walker, const PlanStep& step) {
  const std::vector<Aim> fitting = aims_that_fit(walker, step);
  if (!fitting.empty()) {
    return fitting[std::min(fitting.size(), static_cast<std::size_t>(step.place)) - 1];
  }
  std::optional<Aim> best;
  for (const Aim& aim : walker.aims()) {
    if (aim.is_door != step.is_door) continue;
    if (!best || walker.misfit(step, aim) < walker.misfit(step, *best)) best = aim;
  }
  return best;
}

/// "nearest", "2nd nearest"
std::string place_text(int place) {
  if (place == 1) return "nearest";
  constexpr int kFirstTeen = 11, kLastTeen = 13;
  const int ten = place % 100;
  const bool is_teen = ten >= kFirstTeen && ten <= kLastTeen;
  const char* end = is_teen           ? "th"
                    : place % 10 == 1 ? "st"
                    : place % 10 == 2 ? "nd"
                    : place % 10 == 3 ? "rd"
                                      : "th";
  return fmt::format("{}{} nearest", place, end);
}

}  // namespace

SharesRoom shared_rooms_of(const Scene& scene) {
  return [&scene](const std::string& a, const std::string& b) {
    const auto rooms_of = [&scene](const std::string& name) {
      if (name == kInitialPosition) return scene.start.rooms;
      const int item = scene.item_named(name);
      return item < 0 ? RoomSet{} : scene.rooms_of(item);
    };
    return rooms_of(a).meets(rooms_of(b));
  };
}

SharesRoom shared_rooms_of(std::vector<std::vector<std::string>> rooms) {
  return [rooms = std::move(rooms)](const std::string& a, const std::string& b) {
    return std::any_of(rooms.begin(), rooms.end(), [&](const std::vector<std::string>& room) {
      const auto has = [&](const std::string& name) {
        return std::find(room.begin(), room.end(), name) != room.end();
      };
      return has(a) && has(b);
    });
  };
}

std::optional<std::vector<PlanStep>> steps_of_plan(const SpatialMap& map,
                                                   const SharesRoom& shares_room,
                                                   const std::vector<Action>& plan) {
  Walker walker(map, shares_room);
  std::vector<PlanStep> steps;
  for (const Action& action : plan) {
    if (action.kind == ActionKind::kRotate) {
      PlanStep& step = steps.emplace_back();
      step.degrees = action.degrees;
      walker.rotate(action.degrees);
      continue;
    }
    const std::vector<Aim> aims = walker.aims();
    const auto aim = std::find_if(aims.begin(), aims.end(), [&](const Aim& one) {
      return one.name == action.name && one.is_in_view;
    });
    if (action.kind != ActionKind::kJump || aim == aims.end()) return std::nullopt;
    PlanStep step = walker.step_to(*aim);
    const std::vector<Aim> fitting = aims_that_fit(walker, step);
    step.count = static_cast<int>(fitting.size());
    while (fitting[static_cast<std::size_t>(step.place) - 1].name != action.name) ++step.place;
    steps.push_back(step);
    walker.jump(*aim);
  }
  return steps;
}

std::optional<std::vector<Action>> plan_of_steps(const SpatialMap& map,
                                                 const SharesRoom& shares_room,
                                                 const std::vector<PlanStep>& steps) {
  Walker walker(map, shares_room);
  std::vector<Action> plan;
  for (const PlanStep& step : steps) {
    if (!step.is_jump) {
      plan.push_back(Action::rotate(step.degrees));
      walker.rotate(step.degrees);
      continue;
    }
    const std::optional<Aim> aim = aim_of_step(walker, step);
    if (!aim) return std::nullopt;
    plan.push_back({ActionKind::kJump, 0, -1, aim->name});
    walker.jump(*aim);
  }
  return plan;
}

std::string steps_text(const std::vector<PlanStep>& steps) {
  std::string text;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const PlanStep& step = steps[i];
    if (i > 0) text += "\n";
    text += fmt::format("{}. ", i + 1);
    if (!step.is_jump) {
      text += fmt::format("Rotate({})", step.degrees);
      continue;
    }
    text += fmt::format("Jump to the {} at {}, {}", step.is_door ? "door" : "object",
                        name_of(step.direction), name_of(step.distance));
    if (step.count > 1) text += fmt::format(", the {} of {}", place_text(step.place), step.count);
    text += ".";
  }
  return text;
}

}  // namespace sightline::host::tos
