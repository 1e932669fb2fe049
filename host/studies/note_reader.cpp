#include "host/studies/note_reader.h"

#include <algorithm>

#include "host/memory/finder_errors.h"
#include "host/studies/note_texts.h"

namespace sightline::host {
namespace {

using Phrases = std::vector<std::string>;

const Phrases& determiners() {
  static const Phrases words{"a",  "all", "an",   "any", "each",  "every", "her",  "his",   "its",
                             "my", "our", "that", "the", "their", "these", "this", "those", "your"};
  return words;
}

/// Words that say it, in lower case, as split_words leaves them.
const Phrases& cues_of(NoteTask task) {
  static const std::vector<Phrases> cues{
      {"must not", "do not", "never", "may not", "nobody may", "no one may", "off limits",
       "forbidden", "not safe", "unsafe", "is to stay", "are to stay", "keep clear"},
      {"half", "unfinished", "so far", "still missing", "still to come", "left to do", "not yet",
       "stopped at", "got as far as", "remaining", "remain", "remains", "partly"},
      {"because", "comes from", "come from", "caused by", "due to", "stems from", "traced to",
       "begins at", "the cause is", "the source is"},
      {"belongs to", "belong to", "in charge of", "responsible for", "reserved for", "assigned to",
       "claimed", "is building", "is working on", "owner"}};
  return cues[static_cast<std::size_t>(task)];
}

const Phrases& recurrence_cues() {
  static const Phrases cues{"again", "keeps", "once more", "still", "every day"};
  return cues;
}

/// " the words of a text ": a phrase with a space before and after is found in it only as whole
/// words.
std::string padded_words(const std::string& text) {
  std::string padded = " ";
  for (const std::string& word : index::split_words(text)) padded += word + " ";
  return padded;
}

bool holds_any(const std::string& text, const Phrases& phrases) {
  const std::string padded = padded_words(text);
  return std::any_of(phrases.begin(), phrases.end(), [&](const std::string& phrase) {
    return padded.find(" " + phrase + " ") != std::string::npos;
  });
}

bool is_among(const std::string& word, const Phrases& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

const std::vector<std::string>& note_task_names() {
  static const std::vector<std::string> names{"warning", "resume", "upstream_fix", "handoff"};
  return names;
}

NoteReader::NoteReader() : stemmer_(with_our_errors([] { return index::Stemmer("english"); })) {}

bool NoteReader::is_told(NoteTask task, const std::string& note) const {
  return holds_any(note, cues_of(task));
}

bool NoteReader::may_be_about(const std::string& object, const std::string& note) {
  Phrases name = index::split_words(object);
  for (std::string& word : name) word = stemmer_.stem(word);
  const Phrases words = index::split_words(note);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (stemmer_.stem(words[i]) != name.back()) continue;
    if (i == 0 || is_among(words[i - 1], determiners())) return true;
    if (is_among(stemmer_.stem(words[i - 1]), name)) return true;
  }
  return false;
}

bool NoteReader::decides(NoteTask task, const std::string& action, const std::string& object,
                         const std::vector<std::string>& surfaced, bool is_bound) {
  if (task == NoteTask::kUpstreamFix && holds_any(action, recurrence_cues())) return true;
  return std::any_of(surfaced.begin(), surfaced.end(), [&](const std::string& note) {
    const bool matters = is_told(task, note) || holds_any(note, {"has been done"});
    return matters && (is_bound || may_be_about(object, note));
  });
}

}  // namespace sightline::host
