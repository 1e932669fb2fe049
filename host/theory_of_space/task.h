// The nine tasks of Theory of Space (ToS), section 3.3 and Table 5: a question about a scene that
// was explored, and its true answer.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "host/theory_of_space/action.h"
#include "host/theory_of_space/bins.h"

namespace sightline::host::tos {

enum class TaskKind : std::uint8_t {
  kDirection,  ///< where is `target` from `anchor`, north up?
  kPerspTake,  ///< standing on `anchor`, facing as it does: where is `target`?
  kPercDec,    ///< on which object, facing as it does, does one see `facts`?
  kAct2View,   ///< after `plan`, where is `target`?
  kView2Act,   ///< what leads to a view of `facts`?
  kAllocMap,   ///< where are `names`, counted from the start?
  kMentRot,    ///< in which order does a full turn at the start meet `names`?
  kLoc2View,   ///< at `cell` from `origin`, so turned: where is `target`?
  kView2Loc    ///< so turned, seeing `facts`: at what cell from `origin`?
};
constexpr int kNumTaskKinds = 9;
std::string_view name_of(TaskKind kind);  ///< as the paper writes it: "persp.take"

/// Something that is seen from a pose.
struct SeenFact {
  std::string name;
  EgoBin direction = EgoBin::kFront;
  DistanceBin distance = DistanceBin::kNear;
};

/// What `origin` says for the start cell.
constexpr const char* kInitialPosition = "initial_pos";

/// Cells count from the start, but for loc2view and view2loc, which count from `origin`.
struct TaskQuestion {
  TaskKind kind = TaskKind::kDirection;
  std::string target, anchor;
  std::string origin = kInitialPosition;  ///< or a door
  std::vector<SeenFact> facts;
  std::vector<Action> plan;        ///< act2view; of view2act one that leads there
  std::vector<std::string> names;  ///< alloc.map, ment.rot: in the order of the question
  bool is_clockwise = true;        ///< ment.rot
  Cell cell;                       ///< loc2view
  Eighth view = 0;                 ///< loc2view, view2loc: diagonals too

  // The true answer.
  std::string answer_direction;  ///< a label: direction, and every view
  DistanceBin answer_distance = DistanceBin::kNear;
  std::vector<std::string> answer_names;  ///< perc.dec: one; ment.rot: all
  std::vector<Cell> answer_cells;         ///< alloc.map: of all names; view2loc: one
};

/// The true answer in the words that an agent is to use: "north west, near"; "sofa"; "(1, 2); (3,
/// 4)"; "lamp, desk"; "Rotate(90), JumpTo(desk)".
std::string answer_text(const TaskQuestion& question);

}  // namespace sightline::host::tos
