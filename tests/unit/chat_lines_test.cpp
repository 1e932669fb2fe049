// The lines that prompts for a language model are written as: byte for byte, and what of them
// options change.
#include "host/memory/chat_lines.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "host/config/json_text.h"
#include "support/places.h"
#include "support/run_program.h"

namespace sightline::tests {
namespace {

using Json = nlohmann::json;

const host::ChatPrompt kPrompt{"a-1", "Be brief.", "Is it hidden?"};

TEST(ChatLines, OfAModelAloneSayNothingOfHowItAnswers) {
  EXPECT_EQ(chat_line(kPrompt, {"small"}),
            R"({"custom_id":"a-1","method":"POST","url":"/v1/chat/completions",)"
            R"("body":{"model":"small","messages":[{"role":"system","content":"Be brief."},)"
            R"({"role":"user","content":"Is it hidden?"}],"max_tokens":256}})"
            "\n");
}

TEST(ChatLines, SayHowAModelIsToAnswer) {
  host::ChatModel model{"small", 99, "max_completion_tokens", 0, 7};
  const Json body = host::parse_json<Json>(chat_line(kPrompt, model)).at("body");
  EXPECT_EQ(body.at("max_completion_tokens"), 99);
  EXPECT_FALSE(body.contains("max_tokens"));
  EXPECT_EQ(body.at("temperature"), 0);
  EXPECT_EQ(body.at("seed"), 7);
}

class PromptsExport : public testing::Test {
 protected:
  ProgramResult run(const std::vector<std::string>& options) const {
    std::vector<std::string> argv{program_path(), "prompts",
                                  "export",       source_file("configs/storage_medium.yaml"),
                                  "--arm",        "rule_based_reader",
                                  "--set",        "study.storage_medium.trials=10",
                                  "--out",        out_};
    argv.insert(argv.end(), options.begin(), options.end());
    return run_program(argv);
  }
  std::vector<Json> bodies() const {
    std::vector<Json> bodies;
    std::istringstream lines(read_text(out_));
    for (std::string line; std::getline(lines, line);) {
      bodies.push_back(host::parse_json<Json>(line).at("body"));
    }
    return bodies;
  }

  TemporaryFolder folder_;
  const std::string out_ = folder_ / "asked.jsonl";
};

TEST_F(PromptsExport, TakesHowAModelIsToAnswer) {
  const ProgramResult result =
      run({"--model", "small", "--temperature", "0.25", "--seed", "9007199254740993",
           "--max-tokens", "50", "--max-tokens-key", "max_completion_tokens"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::vector<Json> said = bodies();
  ASSERT_EQ(said.size(), 10u);
  for (const Json& body : said) {
    EXPECT_EQ(body.at("temperature"), 0.25);
    EXPECT_EQ(body.at("seed"), 9007199254740993) << "no double holds it";
    EXPECT_EQ(body.at("max_completion_tokens"), 50);
    EXPECT_EQ(body.size(), 5u) << body;
  }
}

TEST_F(PromptsExport, SaysNothingThatItWasNotTold) {
  ASSERT_EQ(run({}).exit_code, 0);
  for (const Json& body : bodies()) {
    EXPECT_EQ(body.size(), 3u) << body;
    EXPECT_EQ(body.at("max_tokens"), 256);
  }
}

TEST_F(PromptsExport, RefusesWhatNoServerTakes) {
  const std::vector<std::vector<std::string>> bad = {
      {"--temperature", "-0.1"}, {"--temperature", "2.5"},
      {"--temperature", "nan"},  {"--temperature", "hot"},
      {"--seed", "-1"},          {"--seed", "1.5"},
      {"--max-tokens", "0"},     {"--max-tokens-key", "tokens"}};
  for (const std::vector<std::string>& options : bad) {
    const ProgramResult result = run(options);
    EXPECT_EQ(result.exit_code, 2) << options[1];
    EXPECT_NE(result.err.find(options[0]), std::string::npos) << result.err;
    EXPECT_FALSE(std::filesystem::exists(out_)) << options[1];
  }
}

}  // namespace
}  // namespace sightline::tests
