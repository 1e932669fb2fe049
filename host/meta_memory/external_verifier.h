// Checks of images by a model elsewhere, through files: questions out, answers back.
//
//     questions  {"id": 0, "entry": 12, "image": "frames/0012.jpg", "caption": "...",
//                 "class": "mug", "attributes": ["red"], "name": "", "text": "the red mug"}
//     answers    {"id": 0, "probability": 0.9, "position": [13, -2, 0.8]}       position: optional
//
// A question whose answer is not known yet counts as not seen and is noted; ask again once answers
// have been read. Retrieval that follows from answers asks more: questions and answers go to and
// fro until num_unanswered() stays 0.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "host/meta_memory/verifier.h"

namespace sightline::host {

class ExternalVerifier : public Verifier {
 public:
  /// Reads the answers to the questions that write_questions() once wrote. A thing is seen from a
  /// probability of 0.5 on. Throws InputError, with file and line, for an id without a question, an
  /// id twice, a question without an answer, an entry that is none of `entries`, a probability
  /// outside [0, 1].
  void read_answers(const EntryTable& entries, const std::string& questions_path,
                    const std::string& answers_path);

  /// Questions asked of this and not answered, each once.
  std::int64_t num_unanswered() const { return static_cast<std::int64_t>(unanswered_.size()); }
  /// Writes them, in the order of entry, class, attributes and name.
  void write_questions(const EntryTable& entries, const std::string& path) const;

 private:
  /// Entry, class, attributes, name: the text may differ.
  using Key = std::tuple<std::int64_t, ClassId, AttributeBits, std::string>;

  std::vector<CheckAnswer> answer(const EntryTable& entries, const std::vector<RawCheck>& checks,
                                  int num_threads) override;
  static std::map<std::int64_t, std::pair<Key, std::string>> read_questions(
      const EntryTable& entries, const std::string& path);

  std::map<Key, CheckAnswer> answers_;
  std::map<Key, std::string> unanswered_;  ///< and the text of the phrase that asked first
};

}  // namespace sightline::host
