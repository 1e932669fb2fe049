// The rule-based reader: what an agent decides who knows an action and the notes put before it.
//
// A stand-in for the language model of What Spatial Memory Must Store (2026), sections 6.6 and 6.7,
// that reads no more than the text of the prompt (note_prompt.h), and always the same way:
//
// - A note is about the object acted on, if the arm binds notes to objects. Else words decide: the
//   note names the kind of thing ("footbridge", by its English stem), and before one such naming
//   stands a determiner or nothing ("the footbridge": it cannot be told from the one acted on), or
//   a word of the object's own name ("the cedar footbridge"). "The mill footbridge" is another.
// - Only notes about the object count. Per task, one that says so in words changes the decision:
//     warning       forbids ("must not", "never", ..)            refuse, else proceed
//     resume        tells of unfinished work ("half", "so far")  continue, else start anew
//     upstream_fix  tells a cause ("because", "comes from", ..)  look upstream, else treat the
//                   symptom; a request that says the trouble came back ("again", "keeps", ..) makes
//                   it look upstream with no note at all
//     handoff       tells of an owner ("belongs to", ..)         defer, else proceed
//   So does, in every task, one that says that the work has been done: it is not done again.
#pragma once

#include <string>
#include <vector>

#include "index/lexical_index.h"

namespace sightline::host {

enum class NoteTask { kWarning, kResume, kUpstreamFix, kHandoff };

/// Their names in sweep files, in that order; also those of their files of scenarios.
const std::vector<std::string>& note_task_names();

/// Not for several threads at once.
class NoteReader {
 public:
  /// Throws EnvironmentError in a build without a stemmer.
  NoteReader();

  /// Does a note say, of whatever it is about, what changes the decision?
  bool is_told(NoteTask task, const std::string& note) const;
  /// Do its words let a note be about the object?
  bool may_be_about(const std::string& object, const std::string& note);
  /// Refuse, continue, look upstream, defer: true. `surfaced` are texts; `is_bound`: all of them
  /// are about the object.
  bool decides(NoteTask task, const std::string& action, const std::string& object,
               const std::vector<std::string>& surfaced, bool is_bound);

 private:
  index::Stemmer stemmer_;
};

}  // namespace sightline::host
