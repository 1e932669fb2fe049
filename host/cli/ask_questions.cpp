#include "host/cli/ask_questions.h"

#include <fmt/format.h>

#include <algorithm>

#include "host/error.h"

namespace sightline::cli {

using namespace host;

std::string caret_text(const std::string& question, const QueryError& error) {
  std::string shown, below;
  std::size_t character = 0;
  for (const char c : question) {
    const bool is_control = static_cast<unsigned char>(c) < ' ' || c == '\x7f';
    shown += is_control ? ' ' : c;
    const bool begins = (static_cast<unsigned char>(c) & 0xc0) != 0x80;  // of UTF-8
    if (begins && ++character < error.character()) below += ' ';
  }
  return fmt::format(
      "{}\n  {}\n  {}^\n(sightline ask --help shows what can be "
      "asked)",
      error.what(), shown, below);
}

Query parse_or_point(const std::string& question) {
  try {
    return parse_query(question);
  } catch (const QueryError& error) {
    throw InputError(caret_text(question, error));
  }
}

std::vector<ListedQuestion> listed_questions(const std::string& path, const std::string& column,
                                             const std::optional<std::uint16_t>& only) {
  std::vector<ListedQuestion> questions = read_listed_questions(path, column);
  if (!only) return questions;
  questions.erase(std::remove_if(questions.begin(), questions.end(),
                                 [&](const ListedQuestion& one) {
                                   return one.sequence && *one.sequence != *only;
                                 }),
                  questions.end());
  if (!questions.empty()) return questions;
  throw InputError(fmt::format("{}: no question is of sequence {}", path, *only));
}

}  // namespace sightline::cli
