#include "host/theory_of_space/question_text.h"

#include <array>

#include <fmt/format.h>

namespace sightline::host::tos {
namespace {

std::string facts_text(const std::vector<SeenFact>& facts) {
  std::vector<std::string> seen;
  for (const SeenFact& fact : facts) {
    seen.push_back(
        fmt::format("{}: {}, {}", fact.name, name_of(fact.direction), name_of(fact.distance)));
  }
  return fmt::format("{}", fmt::join(seen, "; "));
}

std::string_view view_name(Eighth view) { return name_of(static_cast<CardinalBin>(view)); }

std::string origin_text(const std::string& origin) {
  if (origin == kInitialPosition) {
    return "Count cells from your start, which is (0, 0): x to the east, y to the north.";
  }
  return fmt::format("Count cells from the {}, which is now (0, 0): x to the east, y to the north.",
                     origin);
}

std::string act2view_text(const TaskQuestion& question, const std::vector<PlanStep>& steps) {
  return fmt::format(
      "You are back at your start and face north. You do this, one after another; what you jump "
      "to is told as you see it then, of the room that you are in:\n{}\n"
      "Where do you then see the {}?",
      steps_text(steps), question.target);
}

std::string ment_rot_text(const TaskQuestion& question) {
  return fmt::format(
      "You are back at your start and face north. There you turn all the way around, {}; imagine "
      "that no wall hides anything. In which order do these come to be straight ahead of you: {}? "
      "Of two in one direction, name the nearer first.",
      question.is_clockwise ? "clockwise" : "counterclockwise", fmt::join(question.names, ", "));
}

}  // namespace

AnswerForm answer_form(TaskKind kind) {
  constexpr AnswerForm kView{"<direction as you see it>, <distance>", "front-left, near"};
  constexpr std::array<AnswerForm, kNumTaskKinds> kForms{
      {{"<cardinal direction>, <distance>", "north west, near"},
       kView,
       {"<name of an object>", "lamp"},
       kView,
       {"<moves divided by commas>", "Rotate(90), JumpTo(lamp), Rotate(-90)"},
       {"(x0, y0); (x1, y1); ... in the order of the question", "(1, 0); (-2, 3); (0, -1)"},
       {"<name>, <name>, ...", "mug, sofa, plant"},
       kView,
       {"(x, y)", "(2, -1)"}}};
  return kForms[static_cast<std::size_t>(kind)];
}

std::string question_text(const TaskQuestion& question, const std::vector<PlanStep>& steps) {
  switch (question.kind) {
    case TaskKind::kDirection:
      return fmt::format(
          "Think of the map as seen from above, north up. Where is the {} from the {}?",
          question.target, question.anchor);
    case TaskKind::kPerspTake:
      return fmt::format("You stand where the {} is and face as it does. Where do you see the {}?",
                         question.anchor, question.target);
    case TaskKind::kPercDec:
      return fmt::format(
          "You stand where one of the objects is and face as it does. You see:\n{}\n"
          "Which object is it?",
          facts_text(question.facts));
    case TaskKind::kAct2View:
      return act2view_text(question, steps);
    case TaskKind::kView2Act:
      return fmt::format(
          "You were back at your start, facing north, and then moved. Now you see:\n{}\n"
          "Which moves led here? Use JumpTo(name) and Rotate(degrees) alone, each of which must "
          "be possible.",
          facts_text(question.facts));
    case TaskKind::kAllocMap:
      return fmt::format("{} Where are these objects: {}?", origin_text(kInitialPosition),
                         fmt::join(question.names, ", "));
    case TaskKind::kMentRot:
      return ment_rot_text(question);
    case TaskKind::kLoc2View:
      return fmt::format("{} You stand at ({}, {}) and face {}. Where do you see the {}?",
                         origin_text(question.origin), question.cell.x, question.cell.y,
                         view_name(question.view), question.target);
    case TaskKind::kView2Loc:
      break;
  }
  return fmt::format("{} You stand somewhere and face {}. You see:\n{}\nAt which cell are you?",
                     origin_text(question.origin), view_name(question.view),
                     facts_text(question.facts));
}

TaskQuestion without_answer(const TaskQuestion& question) {
  TaskQuestion asked = question;
  asked.plan.clear();
  asked.answer_direction.clear();
  asked.answer_distance = DistanceBin::kNear;
  asked.answer_names.clear();
  asked.answer_cells.clear();
  return asked;
}

}  // namespace sightline::host::tos
