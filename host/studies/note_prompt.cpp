#include "host/studies/note_prompt.h"

#include <array>

namespace sightline::host {
namespace {

struct Wording {
  const char *held_back, *went_on, *meaning;
};

const Wording& wording_of(NoteTask task) {
  static constexpr std::array<Wording, 4> kWordings{{
      {"REFUSE", "PROCEED", "REFUSE if a note forbids what you are about to do, else PROCEED"},
      {"CONTINUE", "START",
       "CONTINUE if a note tells of work on it that is not finished, else START anew"},
      {"UPSTREAM", "SYMPTOM",
       "UPSTREAM if the trouble has a cause elsewhere that is to be mended, SYMPTOM if it is "
       "enough "
       "to do as told"},
      {"DEFER", "PROCEED", "DEFER if somebody else is in charge of it, else PROCEED"},
  }};
  return kWordings[static_cast<std::size_t>(task)];
}

}  // namespace

Prompt note_prompt(NoteTask task, const NoteSituation& situation, bool holds_back) {
  const Wording& wording = wording_of(task);
  Prompt prompt;
  prompt.answers = {wording.held_back, wording.went_on};
  prompt.right = holds_back ? 0 : 1;
  prompt.instructions = std::string(
                            "You are about to act on a thing, and notes that you remember "
                            "are put before you. A note on another thing, even one of the "
                            "same kind, tells nothing of yours. Decide: ") +
                        wording.meaning + ". End with a line that holds that one word alone.";
  std::string& text = prompt.question;
  text = "You are about to do this: " + situation.action + "\n";
  if (situation.surfaced.empty()) {
    text += "You remember nothing about it.\n";
  } else if (situation.is_bound) {
    text += "Notes on the " + situation.object + ":\n";
  } else {
    text += "Notes that come to mind:\n";
  }
  for (const std::string& note : situation.surfaced) text += "- " + note + "\n";
  text +=
      std::string("Answer with one word, ") + wording.held_back + " or " + wording.went_on + ".";
  return prompt;
}

}  // namespace sightline::host
