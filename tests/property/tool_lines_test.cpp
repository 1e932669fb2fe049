// The tool service under thousands of lines that nobody would write: calls mended and broken at
// random, byte by byte and value by value. Each is answered by one line of JSON, of the schema, and
// by the same one when it all happens again.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "host/config/json_text.h"
#include "host/meta_memory/tool_schema.h"
#include "host/meta_memory/tool_service.h"
#include "support/ask_command.h"
#include "support/effort.h"
#include "support/json_schema.h"
#include "support/random.h"

namespace sightline::tests {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kSeed = 20250107;

/// Calls that are answered, of every tool.
const std::vector<std::string>& good_calls() {
  static const std::vector<std::string> calls{
      R"({"id": 1, "tool": "ssr", "args": {"queries": [{"text": "the blue bench", "class": "bench", )"
      R"("attrs": ["blue"], "time": [0, 300], "box": [[-10, -10, -1], [130, 10, 1]]}], "k": 3, )"
      R"("verify": true, "min_sim": -0.5}})",
      R"({"id": "b", "tool": "ssr", "args": {"queries": [{"text": "bench", "visible_set": )"
      R"(["bench", "trash bin"]}, {"text": "mailbox", "name": "Moon"}]}})",
      R"({"id": 2, "tool": "srr", "args": {"pos": [99, 0], "radius": 12.5, "text": "red cup", )"
      R"("k": 4, "verify": false, "xy": true}})",
      R"({"id": 3, "tool": "srr", "args": {"pos": [60, 0, 0], "class": "library"}})",
      R"({"id": 4, "tool": "mi", "args": {"relation": "kth", "k": 2, "tau": 9, "refs": )"
      R"([{"name": "a", "pos": [0, 0]}, {"pos": [120, 0, 0]}], "candidates": [{"pos": [21, 2], )"
      R"("id": 7}, {"pos": [42, -2], "entries": [14, 13], "prob": 0.5}, {"id": 27}]}})",
      R"({"id": 5, "tool": "mi", "args": {"relation": "direction", "dir": "southwest", "target": )"
      R"("bench", "refs": [{"pos": [60, 3, 0]}], "candidates": [{"id": 3}, {"id": 40}]}})",
      R"({"tool": "mi", "args": {"relation": "near", "metric": "walk", "refs": [{"pos": [80, 0]}], )"
      R"("candidates": [{"id": 27}]}})",
      R"({"id": 6, "tool": "ask", "args": {"question": "where is the nearest vending machine to )"
      R"(the west of the library", "here": [63, 40]}})",
      R"({"id": 7, "tool": "ask", "args": {"question": "which area has a bench and a trash bin"}})",
      R"({"id": 8, "tool": "parse", "args": {"question": "where did I last see my red cup?"}})",
      R"({"id": 9, "tool": "session", "args": {"question": "and then?"}})",
      R"({"tool": "session"})"};
  return calls;
}

/// Values that are wrong somewhere, and right elsewhere.
const std::vector<std::string>& odd_values() {
  static const std::vector<std::string> values{
      "null",
      "true",
      "0",
      "-1",
      "1",
      "2.5",
      "1e308",
      "-1e-320",
      "9007199254740993",
      "1000",
      "18446744073709551615",
      "-9223372036854775808",
      "10000001",
      "\"\"",
      "\"mug\"",
      "\"here\"",
      "\"\\u0000\"",
      "\"\\ud83d\\ude00 caf\\u00e9\"",
      "\"west\"",
      "[]",
      "[0, 0]",
      "[1e7, -1e7, 0]",
      "[[]]",
      "{}",
      "{\"text\": \"a\"}",
      "{\"id\": 0}",
      "{\"pos\": [0, 0]}",
      "\"where is the red cup on the route from here to (9e6, 1)\""};
  return values;
}

class LineMaker {
 public:
  explicit LineMaker(std::uint64_t seed) : random_(seed) {}

  std::string next() {
    std::string line = one_of(good_calls());
    if (random_.chance(0.1)) return line;  // so that sessions get on
    if (random_.chance(0.6)) {
      Json call = host::parse_json<Json>(line);
      for (std::int64_t n = random_.integer(1, 3); n > 0; --n) change(&call);
      line = host::json_text(call);
    }
    if (random_.chance(0.5)) {
      for (std::int64_t n = random_.integer(1, 4); n > 0; --n) damage(&line);
    }
    // A line has no end within it, and a blank one is passed over.
    std::replace(line.begin(), line.end(), '\n', ' ');
    return line.find_first_not_of(" \t\r") == std::string::npos ? "?" : line;
  }

 private:
  template <class List>
  const std::string& one_of(const List& list) {
    return list[place_in(list.size())];
  }
  std::size_t place_in(std::size_t size) {
    return static_cast<std::size_t>(random_.integer(0, static_cast<std::int64_t>(size) - 1));
  }

  /// Replaces, adds, doubles or takes out a value somewhere.
  void change(Json* value) {
    if ((value->is_object() || value->is_array()) && !value->empty() && random_.chance(0.8)) {
      auto item = value->begin();
      std::advance(item, static_cast<std::ptrdiff_t>(place_in(value->size())));
      if (random_.chance(0.1)) {
        value->erase(item);
      } else {
        change(&*item);
      }
      return;
    }
    if (value->is_array() && random_.chance(0.5)) {
      value->push_back(value->empty() ? host::parse_json<Json>(one_of(odd_values()))
                                      : value->back());
    } else if (value->is_object() && random_.chance(0.5)) {
      constexpr const char* kKeys[] = {"id", "k", "pos", "text", "embedding", "entries", "qeury"};
      (*value)[kKeys[place_in(std::size(kKeys))]] = host::parse_json<Json>(one_of(odd_values()));
    } else {
      *value = host::parse_json<Json>(one_of(odd_values()));
    }
  }

  void damage(std::string* line) {
    const std::size_t at = place_in(line->size() + 1);
    switch (random_.integer(0, 5)) {
      case 0:
        line->resize(at);
        break;
      case 1:
        line->insert(at, 1, static_cast<char>(random_.integer(0, 255)));
        break;
      case 2:
        if (at < line->size()) (*line)[at] = static_cast<char>(random_.integer(0, 255));
        break;
      case 3:
        line->erase(at, static_cast<std::size_t>(random_.integer(1, 9)));
        break;
      case 4:
        line->insert(at, one_of(odd_values()));
        break;
      default: {
        const std::string& other = one_of(good_calls());
        *line = line->substr(0, at) + other.substr(place_in(other.size()));
      }
    }
  }

  Random random_;
};

class ToolLines : public AskCommand {
 protected:
  void SetUp() override {
    AskCommand::SetUp();
    if (IsSkipped()) return;
    LineMaker maker(kSeed);
    for (int i = 0; i < effort(6000); ++i) lines_.push_back(maker.next());
  }

  std::vector<std::string> lines_;
};

/// All the answers of one service, in the order of the lines.
std::vector<std::string> answers_to(const std::vector<std::string>& lines) {
  const host::PlaceStore store(memory_of(small_campus()), {});
  host::OracleVerifier oracle({1, 1, 0});
  host::ToolServiceOptions options;
  options.checker = "by the store's known visible things, a stand-in for a vision model";
  host::ToolService service(store, &oracle, options);
  std::vector<std::string> answers;
  for (const std::string& line : lines) {
    SCOPED_TRACE(line);
    EXPECT_NO_THROW(answers.push_back(service.answer(line)));
    if (testing::Test::HasFailure()) break;
  }
  return answers;
}

TEST_F(ToolLines, EachIsAnsweredByOneLineOfTheSchema) {
  SCOPED_TRACE(kSeed);
  const JsonSchema schema(host::place_tools().schema());
  const std::vector<std::string> answers = answers_to(lines_);
  ASSERT_EQ(answers.size(), lines_.size());
  std::map<std::string, int> num;  // of each kind
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    SCOPED_TRACE(lines_[i]);
    ASSERT_EQ(answers[i].find('\n'), std::string::npos);
    const Json answer = host::parse_json_or_discarded<Json>(answers[i]);
    ASSERT_FALSE(answer.is_discarded()) << answers[i];
    ASSERT_EQ(schema.fault(answer, "/$defs/answer"), "") << answers[i];
    ASSERT_NE(answer.contains("result"), answer.contains("error"));
    ++num[answer.contains("result") ? "result" : answer.at("error").at("code").get<std::string>()];
  }
  // The lines reach everything, and not one kind alone.
  const int few = static_cast<int>(lines_.size()) / 200;
  for (const char* kind :
       {"result", "malformed_line", "bad_request", "unknown_tool", "bad_argument", "refused"}) {
    EXPECT_GT(num[kind], few) << kind;
  }
  EXPECT_GT(num["not_parsed"], 0);
}

TEST_F(ToolLines, TheSameLinesHaveTheSameAnswers) {
  EXPECT_EQ(answers_to(lines_), answers_to(lines_));
}

/// The program reads them from its standard input, up to the end.
TEST_F(ToolLines, TheProgramAnswersEachInItsPlace) {
  lines_.resize(std::min<std::size_t>(lines_.size(), 1500));
  std::string text;
  for (const std::string& line : lines_) text += line + "\n";
  write_text(folder_ / "lines.txt", text);
  const ProgramResult result =
      run_program({"/bin/bash", "-c",
                   "'" + program_path() + "' ask --store '" + store_ + "' --serve-stdio < '" +
                       (folder_ / "lines.txt") + "'"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  std::string expected;
  for (const std::string& answer : answers_to(lines_)) expected += answer + "\n";
  EXPECT_EQ(result.out, expected);
}

}  // namespace
}  // namespace sightline::tests
