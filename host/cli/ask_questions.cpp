#include "host/cli/ask_questions.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>

#include "host/config/json_text.h"
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

void print_refused(const ListedQuestion& listed, const InputError& error, bool as_json) {
  if (!as_json) {
    fmt::print("{}\n  error     line {}: {}\n", listed.text, listed.line, error.what());
    return;
  }
  nlohmann::ordered_json line{{"question", listed.text},
                              {"status", "error"},
                              {"line", listed.line},
                              {"error", error.what()}};
  const auto* query_error = dynamic_cast<const QueryError*>(&error);
  if (query_error) line["character"] = query_error->character();
  fmt::print("{}\n", json_text(line));
}

std::string sequences_warning(const std::string& path, const std::vector<ListedQuestion>& questions,
                              const EntryTable& entries) {
  const std::set<std::int64_t> known(entries.sequence.begin(), entries.sequence.end());
  for (const ListedQuestion& one : questions) {
    if (!one.sequence || known.count(*one.sequence) > 0) continue;
    return fmt::format(
        "{}:{}: is of sequence {}, which the store has not; it is asked of what there is", path,
        one.line, *one.sequence);
  }
  const bool any_named = std::any_of(questions.begin(), questions.end(),
                                     [](const ListedQuestion& one) { return one.sequence; });
  if (!any_named || known.size() < 2) return "";
  return path +
         ": its questions name their sequence, and are asked of all that the store has; "
         "--sequence N asks those of one walk, of that walk alone";
}

}  // namespace sightline::cli
