// What a language model is told of an action and of the notes put before it, and how the rule-based
// reader reads the same text. Not for users of the library: see flattening.h.
#pragma once

#include <string>
#include <vector>

#include "host/studies/note_reader.h"
#include "host/studies/prompt.h"

namespace sightline::host {

/// What an agent decides of, and with what before it.
struct NoteSituation {
  std::string action, object;
  std::vector<std::string> surfaced;  ///< texts of notes
  bool is_bound = false;              ///< all of them are about the object, which the prompt says
};

/// Answers: first the one that holds back (REFUSE, CONTINUE, UPSTREAM, DEFER), then the one that
/// goes on. `holds_back`: which is right.
Prompt note_prompt(NoteTask task, const NoteSituation& situation, bool holds_back);

/// What the text of a prompt tells: nothing else is known of it.
struct ToldNotes {
  NoteTask task = NoteTask::kWarning;
  NoteSituation situation;
};
/// Reads the question of a note_prompt(). Throws InputError for another text.
ToldNotes read_note_prompt(const std::string& question);

/// The rule-based reader's answer to the question of a note_prompt(): one of the prompt's answers.
std::string answer_note_prompt(const std::string& question, NoteReader* reader);

}  // namespace sightline::host
