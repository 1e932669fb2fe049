// What an agent can do, and how it says so: Theory of Space (ToS), section 2.
//
//     [Rotate(90), JumpTo(red door), Observe()]
//
// A turn is any number of moves and, last, one of Observe, Query and Term. Term stands alone.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "host/theory_of_space/scene.h"

namespace sightline::host::tos {

enum class ActionKind : std::uint8_t {
  kJump,     ///< JumpTo(name), Goto(name): to a thing that is seen now
  kRotate,   ///< Rotate(degrees): 0, 90, 180 or 270, clockwise; negative: the other way
  kReturn,   ///< Return(): to the start pose
  kObserve,  ///< costs 1
  kQuery,    ///< Query(name): exactly where a thing is; costs 2
  kTerm      ///< ends the exploration
};

struct Action {
  ActionKind kind = ActionKind::kObserve;
  int degrees = 0;   ///< of a rotation
  int item = -1;     ///< of a jump or a query; -1: what `name` says
  std::string name;  ///< as an agent wrote it

  static Action jump(int item) { return {ActionKind::kJump, 0, item, {}}; }
  static Action rotate(int degrees) { return {ActionKind::kRotate, degrees, -1, {}}; }
  static Action observe() { return {ActionKind::kObserve, 0, -1, {}}; }
  static Action query(int item) { return {ActionKind::kQuery, 0, item, {}}; }
  static Action term() { return {ActionKind::kTerm, 0, -1, {}}; }
  bool is_move() const { return kind <= ActionKind::kReturn; }
};

/// By how much one rotates, in degrees: 0, 90, 180 or 270, or as much the other way.
constexpr bool is_rotation(int degrees) {
  return degrees % 90 == 0 && degrees >= -270 && degrees <= 270;
}

/// The actions of an answer, or why it has none.
struct ParsedActions {
  std::vector<Action> actions;
  std::string error;  ///< empty: it could be read
};

/// Reads what an agent answered. Of a longer answer the last list in brackets that begins with an
/// action counts; blanks do not, nor the case of the words. Never throws.
ParsedActions parse_actions(std::string_view answer);

/// Why these are no turn; empty: they are one.
std::string turn_error(const std::vector<Action>& actions, bool allows_return);

/// "[Rotate(90), JumpTo(red door), Observe()]"
std::string actions_text(const Scene& scene, const std::vector<Action>& actions);
std::string action_text(const Scene& scene, const Action& action);

}  // namespace sightline::host::tos
