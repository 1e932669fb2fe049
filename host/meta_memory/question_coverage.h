// How many questions of a file the closed language of parse_query.h can read.
//
// .tsv: a header line that names the columns, then a question a line; the column `question` holds
// it, `type` or else `category`, if there is one, its type, `sequence`, if it is a whole number,
// the walk that it is about. .jsonl: an object a line with these keys. .json: an array of such
// objects, as OpenEQA (Majumdar et al. 2024) has. .txt, or any file without an extension: a
// question a line, without types; blank lines are left out. UTF-8.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/meta_memory/parse_query.h"

namespace sightline::host {

struct ListedQuestion {
  std::string text;
  std::string type;                      ///< empty: the file does not say
  std::int64_t line = 0;                 ///< .json: of the array; else of the file; from 1
  std::optional<std::int64_t> sequence;  ///< of which it is asked, where the file says it
};

/// `column`: of the table, or the key, that holds the question; plain text has none. Throws
/// InputError naming file and line: another extension, no such column or key, a line with other
/// columns than the header, no question at all.
std::vector<ListedQuestion> read_listed_questions(const std::string& path,
                                                  const std::string& column = "question");

/// Of one type of questions.
struct TypeCoverage {
  std::string type;
  std::int64_t questions = 0, parsed = 0;
  std::int64_t basic = 0, local = 0, global = 0, episodic = 0;  ///< of those that parsed
};

struct QuestionCoverage {
  std::vector<ListedQuestion> questions;
  std::vector<ParsedQuery> parsed;    ///< [questions.size()]
  std::vector<TypeCoverage> by_type;  ///< by name
  TypeCoverage all;                   ///< type "all"
};

QuestionCoverage cover_questions(std::vector<ListedQuestion> questions, int num_threads = 0);

/// A table by type; with `with_questions` also each question, tab separated: line, type, basic,
/// local, global, episodic or -, the question, and what it parsed to or why it did not.
std::string coverage_text(const QuestionCoverage& coverage, bool with_questions);

}  // namespace sightline::host
