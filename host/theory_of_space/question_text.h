// The nine tasks as a language model is asked them: Theory of Space (ToS), Table 5 and Figure 9.
//
// The wording is our own; what is asked, and the form of its answer, is the paper's.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "host/theory_of_space/plan_steps.h"
#include "host/theory_of_space/task.h"

namespace sightline::host::tos {

/// What an answer has to look like.
struct AnswerForm {
  std::string_view form;     ///< "<cardinal direction>, <distance>"
  std::string_view example;  ///< "north west, near"
};
AnswerForm answer_form(TaskKind kind);

/// The question alone. `steps` tell the plan of act2view; other kinds need none.
std::string question_text(const TaskQuestion& question, const std::vector<PlanStep>& steps = {});

/// A question without its true answer: what may be given to whoever answers. The plan goes too,
/// which names what act2view only hints at, and what view2act asks for.
TaskQuestion without_answer(const TaskQuestion& question);

}  // namespace sightline::host::tos
