#include "host/studies/note_prompt.h"

#include <array>
#include <sstream>

#include "host/error.h"

namespace sightline::host {
namespace {

struct Wording {
  const char *held_back, *went_on, *meaning;
};

constexpr std::array<Wording, 4> kWordings{{
    {"REFUSE", "PROCEED", "REFUSE if a note forbids what you are about to do, else PROCEED"},
    {"CONTINUE", "START",
     "CONTINUE if a note tells of work on it that is not finished, else START anew"},
    {"UPSTREAM", "SYMPTOM",
     "UPSTREAM if the trouble has a cause elsewhere that is to be mended, SYMPTOM if it is enough "
     "to do as told"},
    {"DEFER", "PROCEED", "DEFER if somebody else is in charge of it, else PROCEED"},
}};

const Wording& wording_of(NoteTask task) { return kWordings[static_cast<std::size_t>(task)]; }

constexpr const char* kActOn = "You are about to act on the ";
constexpr const char* kNothing = "You remember nothing about it.";
constexpr const char* kNotesOn = "Notes on the ";
constexpr const char* kNotesAtAll = "Notes that come to mind:";
constexpr const char* kBullet = "- ";

std::string asked_for(const Wording& wording) {
  return std::string("Answer with one word, ") + wording.held_back + " or " + wording.went_on + ".";
}

bool starts_with(const std::string& text, const std::string& start) {
  return text.compare(0, start.size(), start) == 0;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream rest(text);
  for (std::string line; std::getline(rest, line);) lines.push_back(line);
  return lines;
}

[[noreturn]] void fail_unread(const std::string& line) {
  throw InputError("the rule-based reader cannot read \"" + line + "\" in a prompt about notes");
}

NoteTask task_asked_in(const std::string& line) {
  for (std::size_t task = 0; task < kWordings.size(); ++task) {
    if (line == asked_for(kWordings[task])) return static_cast<NoteTask>(task);
  }
  fail_unread(line);
}

}  // namespace

Prompt note_prompt(NoteTask task, const NoteSituation& situation, bool holds_back) {
  const Wording& wording = wording_of(task);
  Prompt prompt;
  prompt.answers = {wording.held_back, wording.went_on};
  prompt.right = holds_back ? 0 : 1;
  prompt.instructions =
      std::string(
          "You are about to act on a thing, and notes that you remember "
          "are put before you. A note on another thing, even one of the "
          "same kind, tells nothing of yours. Decide: ") +
      wording.meaning +
      ". What a note tells to be done already is not to be done again: " + wording.held_back +
      ". End with a line that holds that one word alone.";
  std::string& text = prompt.question;
  text = kActOn + situation.object + ": " + situation.action + "\n";
  if (situation.surfaced.empty()) {
    text += std::string(kNothing) + "\n";
  } else if (situation.is_bound) {
    text += kNotesOn + situation.object + ":\n";
  } else {
    text += std::string(kNotesAtAll) + "\n";
  }
  for (const std::string& note : situation.surfaced) text += kBullet + note + "\n";
  text += asked_for(wording);
  return prompt;
}

ToldNotes read_note_prompt(const std::string& question) {
  const std::vector<std::string> lines = lines_of(question);
  const std::string first = lines.empty() ? "" : lines.front();
  const std::size_t object_at = std::string(kActOn).size(), object_end = first.find(": ");
  constexpr std::size_t kFewest = 3;
  if (lines.size() < kFewest || !starts_with(first, kActOn) || object_end == std::string::npos) {
    fail_unread(first);
  }
  ToldNotes told;
  NoteSituation& situation = told.situation;
  situation.object = first.substr(object_at, object_end - object_at);
  situation.action = first.substr(object_end + 2);
  situation.is_bound = starts_with(lines[1], kNotesOn);
  if (!situation.is_bound && lines[1] != kNotesAtAll && lines[1] != kNothing) fail_unread(lines[1]);
  for (std::size_t i = 2; i + 1 < lines.size(); ++i) {
    if (!starts_with(lines[i], kBullet)) fail_unread(lines[i]);
    situation.surfaced.push_back(lines[i].substr(std::string(kBullet).size()));
  }
  told.task = task_asked_in(lines.back());
  return told;
}

std::string answer_note_prompt(const std::string& question, NoteReader* reader) {
  const ToldNotes told = read_note_prompt(question);
  const NoteSituation& now = told.situation;
  const bool holds_back =
      reader->decides(told.task, now.action, now.object, now.surfaced, now.is_bound);
  const Wording& wording = wording_of(told.task);
  return holds_back ? wording.held_back : wording.went_on;
}

}  // namespace sightline::host
