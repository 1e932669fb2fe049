// A question, cut into words and signs.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace sightline::host {

struct QueryWord {
  enum class Kind {
    kWord,    ///< letters and digits; hyphens between letters part words
    kQuoted,  ///< "..." or “...”
    kPoint,   ///< (x, y)
    kComma,   ///< also ; and :
    kStop,    ///< . ? !
    kOther,   ///< what no question holds, and bytes that are no UTF-8
    kEnd
  };
  Kind kind = Kind::kEnd;
  std::string word;                ///< kWord: in lower case; kQuoted: what stands between the marks
  std::size_t begin = 0, end = 0;  ///< bytes of the question
  std::size_t character = 1;       ///< of the question where it begins, from 1 (code points)
  double x = 0, y = 0;             ///< kPoint: finite
};

/// Ends with one of kEnd. Typographic quotes, dashes, full-width stops and blanks count as those of
/// ASCII.
std::vector<QueryWord> words_of_question(const std::string& question);

/// Without blanks around it, and each run of blanks within it one blank.
std::string with_single_blanks(const std::string& text);

}  // namespace sightline::host
