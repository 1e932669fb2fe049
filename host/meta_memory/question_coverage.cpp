#include "host/meta_memory/question_coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "host/config/characters.h"
#include "host/config/json_text.h"
#include "host/memory/json_lines.h"
#include "host/world/binary_file.h"
#include "host/world/text_scan.h"

namespace sightline::host {
namespace {

constexpr const char* kTypes[]{"type", "category"};
constexpr const char* kSequence = "sequence";
constexpr std::size_t kNoColumn = static_cast<std::size_t>(-1);

[[noreturn]] void fail_at_line(const std::string& path, std::int64_t line,
                               const std::string& message) {
  throw InputError(path + ":" + std::to_string(line) + ": " + message);
}

std::string whole_text(const std::string& path) {
  InputFile file(path);
  std::string text(static_cast<std::size_t>(file.size_bytes()), '\0');
  file.read(text.data(), text.size());
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (text.compare(0, kByteOrderMark.size(), kByteOrderMark) == 0) text.erase(0, 3);
  check_characters(text, path);
  return text;
}

std::vector<std::string> fields_of(std::string_view line) {
  std::vector<std::string> fields;
  for (std::size_t end; (end = line.find('\t')) != std::string_view::npos;) {
    fields.emplace_back(line.substr(0, end));
    line.remove_prefix(end + 1);
  }
  fields.emplace_back(line);
  return fields;
}

std::size_t column_of(const std::vector<std::string>& header, const std::string& name) {
  const auto found = std::find(header.begin(), header.end(), name);
  return found == header.end() ? kNoColumn : static_cast<std::size_t>(found - header.begin());
}

std::optional<std::int64_t> whole_number(const std::string& text) {
  double number = 0;
  constexpr double kMost = 1e9;
  const bool is_one =
      parse_number(text, number) && number >= 0 && number <= kMost && number == std::floor(number);
  return is_one ? std::optional(static_cast<std::int64_t>(number)) : std::nullopt;
}

std::vector<ListedQuestion> read_tsv(const std::string& path, const std::string& column) {
  std::string text = whole_text(path);
  if (!text.empty() && text.back() != '\n') text += '\n';
  std::string_view rest = text, line;
  if (!next_line(rest, line)) throw InputError(path + ": is empty; it must name its columns");
  const std::vector<std::string> header = fields_of(line);
  const std::size_t question = column_of(header, column);
  if (question == kNoColumn) {
    fail_at_line(path, 1,
                 "no column is named \"" + column + "\"; the first line must name the columns");
  }
  std::size_t type = column_of(header, kTypes[0]);
  if (type == kNoColumn) type = column_of(header, kTypes[1]);
  const std::size_t sequence = column_of(header, kSequence);
  std::vector<ListedQuestion> questions;
  for (std::int64_t number = 2; next_line(rest, line); ++number) {
    if (line.empty()) continue;
    const std::vector<std::string> fields = fields_of(line);
    if (fields.size() != header.size()) {
      fail_at_line(path, number,
                   fmt::format("has {} columns, the header {}; part them by one tab each",
                               fields.size(), header.size()));
    }
    ListedQuestion& listed = questions.emplace_back();
    listed.text = fields[question];
    if (type != kNoColumn) listed.type = fields[type];
    listed.line = number;
    if (sequence != kNoColumn) listed.sequence = whole_number(fields[sequence]);
  }
  return questions;
}

ListedQuestion question_of(const nlohmann::json& object, const std::string& path,
                           const std::string& column, std::int64_t line) {
  ListedQuestion listed;
  listed.line = line;
  const auto text = [&](const std::string& key, std::string* value) {
    if (!object.contains(key) || object[key].is_null()) return false;
    if (!object[key].is_string()) fail_at_line(path, line, key + " must be a text");
    *value = object[key].get<std::string>();
    return true;
  };
  if (!object.is_object() || !text(column, &listed.text)) {
    fail_at_line(path, line, "has no " + column + "; write {\"" + column + "\": \"where is ...\"}");
  }
  if (!text(kTypes[0], &listed.type)) text(kTypes[1], &listed.type);
  const auto sequence = object.find(kSequence);
  if (sequence != object.end() && sequence->is_number_unsigned()) {
    listed.sequence = sequence->get<std::int64_t>();
  }
  return listed;
}

std::vector<ListedQuestion> read_jsonl(const std::string& path, const std::string& column) {
  std::vector<ListedQuestion> questions;
  JsonLines lines(path);
  while (lines.next()) {
    questions.push_back(question_of(lines.value(), path, column, lines.line()));
  }
  return questions;
}

std::vector<ListedQuestion> read_json(const std::string& path, const std::string& column) {
  nlohmann::json array;
  try {
    array = parse_json<nlohmann::json>(whole_text(path));
  } catch (const nlohmann::json::exception& error) {
    throw InputError(path + ": cannot be read as JSON: " + json_fault(error.what()));
  }
  if (!array.is_array()) throw InputError(path + ": must be an array of questions");
  std::vector<ListedQuestion> questions;
  for (const nlohmann::json& object : array) {
    const auto line = static_cast<std::int64_t>(questions.size()) + 1;
    questions.push_back(question_of(object, path, column, line));
  }
  return questions;
}

std::vector<ListedQuestion> read_lines(const std::string& path) {
  std::string text = whole_text(path);
  if (!text.empty() && text.back() != '\n') text += '\n';
  std::string_view rest = text, line;
  std::vector<ListedQuestion> questions;
  for (std::int64_t number = 1; next_line(rest, line); ++number) {
    if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
    questions.push_back({std::string(line), "", number, std::nullopt});
  }
  return questions;
}

void count(const ParsedQuery& parsed, TypeCoverage* coverage) {
  ++coverage->questions;
  if (!parsed.query) return;
  ++coverage->parsed;
  std::int64_t* const kinds[]{&coverage->basic, &coverage->local, &coverage->global,
                              &coverage->episodic};
  ++*kinds[parsed.query->asked.index()];
}

/// A question within a line of a table.
std::string in_one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
  return text;
}

}  // namespace

std::vector<ListedQuestion> read_listed_questions(const std::string& path,
                                                  const std::string& column) {
  const std::string extension = extension_of(path);
  std::vector<ListedQuestion> questions;
  if (extension == ".tsv") {
    questions = read_tsv(path, column);
  } else if (extension == ".jsonl") {
    questions = read_jsonl(path, column);
  } else if (extension == ".json") {
    questions = read_json(path, column);
  } else if (extension == ".txt" || extension.empty()) {
    questions = read_lines(path);
  } else {
    throw InputError(path +
                     ": questions are read from .txt (one a line), .tsv, .jsonl and .json; change "
                     "the extension");
  }
  if (questions.empty()) throw InputError(path + ": holds no question");
  return questions;
}

QuestionCoverage cover_questions(std::vector<ListedQuestion> questions, int num_threads) {
  QuestionCoverage coverage;
  std::vector<std::string> texts;
  for (const ListedQuestion& listed : questions) texts.push_back(listed.text);
  coverage.parsed = parse_queries(texts, num_threads);
  coverage.questions = std::move(questions);
  coverage.all.type = "all";
  std::map<std::string, TypeCoverage> by_type;
  for (std::size_t i = 0; i < coverage.questions.size(); ++i) {
    count(coverage.parsed[i], &by_type[coverage.questions[i].type]);
    count(coverage.parsed[i], &coverage.all);
  }
  for (auto& entry : by_type) {
    entry.second.type = entry.first;
    coverage.by_type.push_back(std::move(entry.second));
  }
  return coverage;
}

std::string coverage_text(const QuestionCoverage& coverage, bool with_questions) {
  std::vector<TypeCoverage> rows = coverage.by_type;
  rows.push_back(coverage.all);
  std::size_t width = 4;
  for (const TypeCoverage& row : rows) width = std::max(width, row.type.size());
  std::string text =
      fmt::format("{:<{}}  {:>9}  {:>6}  {:>5}  {:>5}  {:>6}  {:>8}\n", "type", width, "questions",
                  "parsed", "basic", "local", "global", "episodic");
  for (const TypeCoverage& row : rows) {
    text += fmt::format("{:<{}}  {:>9}  {:>6}  {:>5}  {:>5}  {:>6}  {:>8}\n",
                        row.type.empty() ? "-" : row.type, width, row.questions, row.parsed,
                        row.basic, row.local, row.global, row.episodic);
  }
  if (!with_questions) return text;
  text += "\nline\ttype\tkind\tquestion\tread as\n";
  for (std::size_t i = 0; i < coverage.questions.size(); ++i) {
    const ListedQuestion& listed = coverage.questions[i];
    const ParsedQuery& parsed = coverage.parsed[i];
    text += fmt::format("{}\t{}\t{}\t{}\t{}\n", listed.line, in_one_line(listed.type),
                        parsed.query ? type_of(*parsed.query) : "-", in_one_line(listed.text),
                        parsed.query ? text_of(*parsed.query) : in_one_line(parsed.error));
  }
  return text;
}

}  // namespace sightline::host
