// Files of questions, and how many of them the closed language reads.
#include "host/meta_memory/question_coverage.h"

#include <gtest/gtest.h>

#include <string>

#include "support/errors.h"
#include "support/run_program.h"

namespace sightline::tests {
namespace {

using host::QuestionCoverage;

class Coverage : public testing::Test {
 protected:
  QuestionCoverage cover(const std::string& name, const std::string& text, int threads = 0) {
    write_text(folder_ / name, text);
    return host::cover_questions(host::read_listed_questions(folder_ / name), threads);
  }
  std::string error_of(const std::string& name, const std::string& text) {
    return input_error_of([&] { cover(name, text); });
  }

  TemporaryFolder folder_;
};

TEST_F(Coverage, ColumnsAreFoundByTheirNames) {
  const QuestionCoverage coverage = cover("q.tsv",
                                          "id\ttype\tquestion\n"
                                          "1\tposition\tWhere is the bench?\n"
                                          "2\tposition\tWhere is the unicorn?\n"
                                          "3\ttime\tWhen did you leave?\r\n"
                                          "4\tposition\tWhich room has a cup and a mug?");
  EXPECT_EQ(coverage.all.questions, 4);
  EXPECT_EQ(coverage.all.parsed, 2);
  EXPECT_EQ(coverage.all.basic, 1);
  EXPECT_EQ(coverage.all.local, 1);
  EXPECT_EQ(coverage.all.global, 0);
  ASSERT_EQ(coverage.by_type.size(), 2u);
  EXPECT_EQ(coverage.by_type[0].type, "position");
  EXPECT_EQ(coverage.by_type[0].questions, 3);
  EXPECT_EQ(coverage.by_type[0].parsed, 2);
  EXPECT_EQ(coverage.by_type[1].parsed, 0);
  EXPECT_EQ(coverage.questions[3].line, 5);
  const std::string text = host::coverage_text(coverage, true);
  EXPECT_PRED_FORMAT2(testing::IsSubstring,
                      "2\tposition\tbasic\tWhere is the bench?\tWhere is the bench?\n", text);
  EXPECT_PRED_FORMAT2(testing::IsSubstring,
                      "3\tposition\t-\tWhere is the unicorn?\tcharacter 14, \"unicorn\"", text);
}

TEST_F(Coverage, JsonAndJsonLines) {
  const std::string first = R"({"question": "Where is the bench?", "category": "place", "x": 1})";
  const std::string second = R"({"question": "Why?"})";
  for (const QuestionCoverage& coverage : {cover("q.jsonl", first + "\n\n" + second),
                                           cover("q.json", "[" + first + "," + second + "]")}) {
    EXPECT_EQ(coverage.all.questions, 2);
    EXPECT_EQ(coverage.all.parsed, 1);
    EXPECT_EQ(coverage.by_type[1].type, "place");
    EXPECT_EQ(coverage.by_type[0].type, "");
  }
}

TEST_F(Coverage, PlainTextHasAQuestionALine) {
  for (const char* name : {"q.txt", "Q.TXT", "questions"}) {
    const QuestionCoverage coverage =
        cover(name, "\xef\xbb\xbfWhere is the bench?\r\n  \t\nWhy?\n\nWhere is the mug?");
    EXPECT_EQ(coverage.all.questions, 3);
    EXPECT_EQ(coverage.all.parsed, 2);
    ASSERT_EQ(coverage.by_type.size(), 1u);
    EXPECT_EQ(coverage.by_type[0].type, "");
    EXPECT_EQ(coverage.questions[0].text, "Where is the bench?");
    EXPECT_EQ(coverage.questions[1].line, 3);
    EXPECT_EQ(coverage.questions[2].line, 5);
  }
}

TEST_F(Coverage, AnyNumberOfThreadsSaysTheSame) {
  std::string text = "question\n";
  for (int i = 0; i < 500; ++i) {
    text += "Where is the " + std::string(i % 3 == 0 ? "nice " : "") + "bench?\n";
  }
  EXPECT_EQ(host::coverage_text(cover("q.tsv", text, 1), true),
            host::coverage_text(cover("q.tsv", text, 7), true));
}

TEST_F(Coverage, BadFilesAreRefused) {
  const auto expect = [&](const char* name, const char* text, const char* message) {
    EXPECT_PRED_FORMAT2(testing::IsSubstring, message, error_of(name, text)) << name << text;
  };
  expect("q.tsv", "", "is empty");
  expect("q.tsv", "id\ttext\n1\tWhy?\n", "q.tsv:1: no column is named \"question\"");
  expect("q.tsv", "id\tquestion\n1\n", "q.tsv:2: has 1 columns, the header 2");
  expect("q.tsv", "question\n", "holds no question");
  expect("q.tsv", "question\n\xff\n", "q.tsv:2:1: byte 0xff is not UTF-8");
  expect("q.jsonl", "{\"question\": \"Why?\"}\n{\"text\": 1}\n", "q.jsonl:2: has no question");
  expect("q.jsonl", "{\"question\": 7}", "q.jsonl:1: question must be a text");
  expect("q.json", "{}", "must be an array");
  expect("q.json", "[7]", "q.json:1: has no question");
  expect("q.json", "[", "cannot be read as JSON");
  expect("q.txt", " \n\n", "holds no question");
  expect("q.txt", "Why?\n\xff\n", "q.txt:2:1: byte 0xff is not UTF-8");
  expect("q.csv", "Why?", "questions are read from .txt (one a line), .tsv, .jsonl and .json");
}

}  // namespace
}  // namespace sightline::tests
