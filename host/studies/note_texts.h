// Actions on named objects and the notes that memories hold of such objects, as corpora of JSON
// lines (configs/corpora/flattening/README.md).
//
// What Spatial Memory Must Store (2026), sections 6.6 and 6.7: what a scenario is made of. The
// sentences are this project's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sightline::host {

/// One note in several phrasings.
struct PhrasedNote {
  std::string object;              ///< that it is about; ends in the kind: "cedar footbridge"
  std::vector<std::string> texts;  ///< not empty
};

/// An action, the note on its object and notes on others, each in several phrasings.
struct Scenario {
  PhrasedNote action;
  std::optional<PhrasedNote> note;  ///< none: a control
  std::vector<PhrasedNote> others;
};

/// A note in the words of one set of paraphrases.
struct Note {
  std::string object, text;
};

/// A scenario in the words of one set.
struct WordedScenario {
  Note action;
  std::optional<Note> note;
  std::vector<Note> others;
};

constexpr std::int64_t kNumParaphrases = 20;  ///< sets

/// Scenarios of a file, in order. Throws InputError, with the line, for one that is out of order,
/// has no action, has an action without the kind of its object, or a note on an object that some
/// other scenario acts on.
std::vector<Scenario> read_scenarios(const std::string& path);

/// Lines of `object` and `text`.
std::vector<Note> read_episodes(const std::string& path);

/// Scenario number `index` in the words of set `paraphrase`: with c = paraphrase + 7 index,
/// phrasing c mod A of A of the action, c mod N of N of the note (N = 1 in a control) and (c div
/// lcm(A, N)) mod O of O of each other.
WordedScenario word(const Scenario& scenario, std::int64_t index, std::int64_t paraphrase);

/// The last word of an object's name.
std::string kind_of(const std::string& object);

}  // namespace sightline::host
