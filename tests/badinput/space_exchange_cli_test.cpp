// Answers to prompts about scenes that are not what they should be: each fault is told with its
// file and line, and nothing is written.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/places.h"
#include "support/run_program.h"
#include "support/two_rooms.h"

#include "host/config/json_text.h"

namespace sightline::tests {
namespace {

class BadAnswers : public testing::Test {
 protected:
  BadAnswers() {
    write_text(scenes_, std::string(kTwoRooms) + "\n");
    EXPECT_EQ(space("answer", {"--from", "scout", "--out", said_}).exit_code, 0);
    good_ = read_text(said_);
    first_ = good_.substr(0, good_.find('\n') + 1);
  }
  ProgramResult space(const std::string& command, const std::vector<std::string>& more) const {
    std::vector<std::string> argv{program_path(), "space", command, scenes_};
    argv.insert(argv.end(), more.begin(), more.end());
    return run_program(argv);
  }
  /// What the program says to a file of answers with that content.
  std::string refusal_of(const std::string& answers,
                         const std::vector<std::string>& options = {"--from", "scout"}) const {
    write_text(said_, answers);
    std::vector<std::string> more = options;
    more.insert(more.end(), {"--answers", said_});
    const ProgramResult scored = space("score", more);
    EXPECT_EQ(scored.exit_code, 2) << scored.out << scored.err;
    EXPECT_EQ(scored.out, "");
    more.insert(more.end(), {"--out", folder_ / "next.jsonl"});
    EXPECT_EQ(space("prompts", more).exit_code, 2);
    EXPECT_FALSE(std::filesystem::exists(folder_ / "next.jsonl"));
    return scored.err;
  }
  void expect_refusal(const std::string& answers, const std::string& place,
                      const std::string& what) const {
    const std::string error = refusal_of(answers);
    EXPECT_NE(error.find(place), std::string::npos) << error;
    EXPECT_NE(error.find(what), std::string::npos) << error;
  }

  TemporaryFolder folder_;
  const std::string scenes_ = folder_ / "scenes.jsonl", said_ = folder_ / "said.jsonl";
  std::string good_, first_;
};

TEST_F(BadAnswers, OfAnIdThatWasNotAsked) {
  expect_refusal(first_ + R"({"id": "two_rooms-task-direction-0-00000000", "answer": "north"})",
                 "said.jsonl:2: ", "is of no prompt of these scenes");
}

TEST_F(BadAnswers, GivenTwice) {
  expect_refusal(good_ + first_, "said.jsonl:", "is there twice, first at");
}

TEST_F(BadAnswers, OfNoFormat) {
  expect_refusal("{\"answer\": \"north\"}\n", "said.jsonl:1: ", "custom_id");
  expect_refusal("north, near\n", "said.jsonl:1: ", "JSON");
  expect_refusal("", "said.jsonl", "holds no answer");
  expect_refusal("[1]\n", "said.jsonl:1: ", "custom_id");
}

TEST_F(BadAnswers, OfTurnsWithoutThoseBefore) {
  const std::vector<std::string> model{"--from", "model"};
  ASSERT_EQ(space("answer", {"--from", "model", "--to-the-end", "--out", said_}).exit_code, 0);
  const std::string all = read_text(said_);
  const std::string error = refusal_of(all.substr(all.find('\n') + 1), model);
  EXPECT_NE(error.find("all answers before them are needed"), std::string::npos) << error;
}

TEST_F(BadAnswers, ToOtherSettings) {
  const std::string error = refusal_of(good_, {"--from", "scout", "--seed", "2"});
  EXPECT_NE(error.find("is of no prompt"), std::string::npos) << error;
}

TEST_F(BadAnswers, ThatSayNothingAreScored) {
  std::string lines;
  std::istringstream all(good_);
  for (std::string line; std::getline(all, line);) {
    nlohmann::json answer = host::parse_json<nlohmann::json>(line);
    answer["answer"] = "\xc3\xbc ((( ,,, ]]] \n\n";
    lines += host::json_text(answer) + "\n";
  }
  write_text(said_, lines);
  const ProgramResult scored = space("score", {"--from", "scout", "--answers", said_, "--json"});
  EXPECT_EQ(scored.exit_code, 0) << scored.err;
  const nlohmann::json report = host::parse_json<nlohmann::json>(scored.out);
  for (const auto& entry : report.at("scores").items()) {
    const bool is_of_task = entry.key().rfind("task", 0) == 0;
    EXPECT_TRUE(!is_of_task || entry.value()["mean"] == 0) << entry.key();
  }
}

TEST_F(BadAnswers, WrittenOverWhatIsRead) {
  const ProgramResult run =
      space("prompts", {"--from", "scout", "--answers", said_, "--out", said_});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(read_text(said_), good_);
}

TEST_F(BadAnswers, OfNobody) {
  const ProgramResult run = space("prompts", {"--from", "scoot", "--out", folder_ / "a.jsonl"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find("scout"), std::string::npos) << run.err;
  EXPECT_EQ(space("prompts", {"--from", "truth", "--ask", "changes", "--out", folder_ / "a.jsonl"})
                .exit_code,
            2);
}

}  // namespace
}  // namespace sightline::tests
