// `sightline space prompts`, `answer` and `score`: an evaluation by files, from outside.
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

using Json = nlohmann::json;

class SpaceExchange : public testing::Test {
 protected:
  SpaceExchange() { write_text(scenes_, std::string(kTwoRooms) + "\n"); }

  std::string run(const std::string& command, const std::vector<std::string>& more) {
    std::vector<std::string> argv{program_path(), "space", command, scenes_};
    argv.insert(argv.end(), more.begin(), more.end());
    const ProgramResult result = run_program(argv);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  }
  static std::vector<Json> lines_of(const std::string& path) {
    std::vector<Json> lines;
    std::istringstream text(read_text(path));
    for (std::string line; std::getline(text, line);) lines.push_back(host::parse_json<Json>(line));
    return lines;
  }
  Json scored(std::vector<std::string> options) {
    options.emplace_back("--json");
    return host::parse_json<Json>(run("score", options));
  }

  TemporaryFolder folder_;
  const std::string scenes_ = folder_ / "scenes.jsonl", asked_ = folder_ / "asked.jsonl",
                    said_ = folder_ / "said.jsonl";
};

TEST_F(SpaceExchange, AsksInTheFormOfBatchInterfaces) {
  run("prompts", {"--from", "scout", "--model", "small", "--max-tokens", "77", "--out", asked_});
  const std::vector<Json> prompts = lines_of(asked_);
  ASSERT_FALSE(prompts.empty());
  for (const Json& prompt : prompts) {
    EXPECT_EQ(prompt["url"], "/v1/chat/completions");
    EXPECT_EQ(prompt["body"]["model"], "small");
    EXPECT_EQ(prompt["body"]["max_tokens"], 77);
    EXPECT_EQ(prompt["body"]["messages"][0]["role"], "system");
    EXPECT_NE(prompt["body"]["messages"][1]["content"].get<std::string>().find("Turn 1: "),
              std::string::npos);
  }
}

TEST_F(SpaceExchange, SaysHowTheModelIsToAnswer) {
  run("prompts", {"--from", "scout", "--out", asked_});
  EXPECT_EQ(lines_of(asked_).front()["body"].size(), 3u) << "nothing that it was not told";
  run("prompts", {"--from", "scout", "--temperature", "0", "--model-seed", "3", "--max-tokens-key",
                  "max_completion_tokens", "--out", asked_});
  for (const Json& prompt : lines_of(asked_)) {
    EXPECT_EQ(prompt["body"]["temperature"], 0);
    EXPECT_EQ(prompt["body"]["seed"], 3);
    EXPECT_EQ(prompt["body"]["max_completion_tokens"], 4096);
    EXPECT_FALSE(prompt["body"].contains("max_tokens"));
  }
}

TEST_F(SpaceExchange, ExploresRoundByRoundAsInOneGo) {
  const std::vector<std::string> what{"--from", "model", "--ask", "task", "--ask", "global_map"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), what.begin(), what.end());
    return more;
  };
  run("answer", with({"--to-the-end", "--out", said_}));
  std::vector<std::string> rounds;
  constexpr int kMostRounds = 40;
  for (int round = 0; round < kMostRounds; ++round) {
    const std::string path = folder_ / ("round" + std::to_string(round) + ".jsonl");
    std::vector<std::string> options = with({"--out", path});
    for (const std::string& earlier : rounds) {
      options.insert(options.end(), {"--answers", earlier});
    }
    run("answer", options);
    if (read_text(path).empty()) break;
    rounds.push_back(path);
  }
  EXPECT_GT(rounds.size(), 3U);
  std::vector<std::string> by_rounds = what, at_once = what;
  for (const std::string& round : rounds) by_rounds.insert(by_rounds.end(), {"--answers", round});
  at_once.insert(at_once.end(), {"--answers", said_});
  const Json score = scored(at_once);
  EXPECT_EQ(scored(by_rounds), score);
  EXPECT_EQ(score["ended"], 1);
  EXPECT_EQ(score["prompts"]["turn"]["missing"], 0);
  EXPECT_EQ(score["scores"]["exploration node coverage"]["mean"], 1);
}

TEST_F(SpaceExchange, ReadsWhatABatchWrote) {
  const std::vector<std::string> what{"--from", "truth", "--count", "1"};
  std::vector<std::string> options = what;
  options.insert(options.end(), {"--out", said_});
  run("answer", options);
  std::string batch;
  const std::vector<Json> answers = lines_of(said_);
  for (const Json& answer : answers) {
    const Json content{{"message", {{"content", answer["answer"]}}}};
    const Json line{{"id", "batch_1"},
                    {"custom_id", answer["id"]},
                    {"error", nullptr},
                    {"response", {{"status_code", 200}, {"body", {{"choices", {content}}}}}}};
    batch += host::json_text(line) + "\n";
  }
  write_text(folder_ / "batch.jsonl", batch);
  options = what;
  options.insert(options.end(), {"--answers", folder_ / "batch.jsonl"});
  const Json score = scored(options);
  EXPECT_EQ(score["prompts"]["task"]["asked"], answers.size());
  for (const auto& entry : score["scores"].items()) EXPECT_EQ(entry.value()["mean"], 1);
}

TEST_F(SpaceExchange, AsksTheQuestionsOfAFile) {
  const std::string questions = folder_ / "questions.jsonl";
  run("questions", {"--count", "2", "--seed", "9", "--out", questions});
  run("prompts", {"--from", "truth", "--questions", questions, "--out", asked_});
  EXPECT_EQ(lines_of(asked_).size(), lines_of(questions).size());
  const std::string id = lines_of(asked_)[0]["custom_id"];
  EXPECT_EQ(id.rfind("two_rooms-task-direction-0-", 0), 0U) << id;
}

TEST_F(SpaceExchange, PrintsATableOfScores) {
  run("answer", {"--from", "scout", "--out", said_});
  const std::string table = run("score", {"--from", "scout", "--answers", said_});
  EXPECT_NE(table.find("1 scene, 1 of them to the end"), std::string::npos) << table;
  EXPECT_NE(table.find("task direction"), std::string::npos) << table;
  EXPECT_NE(table.find("95 % interval"), std::string::npos) << table;
}

TEST_F(SpaceExchange, SeesWiderAndWithErrorsWhereAsked) {
  const std::vector<std::string> what{"--from", "scout",   "--field-of-view",
                                      "120",    "--noise", "0.5"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), what.begin(), what.end());
    return more;
  };
  run("prompts", with({"--out", asked_}));
  run("answer", with({"--out", said_}));
  const std::vector<Json> prompts = lines_of(asked_), plain = [&] {
    run("prompts", {"--from", "scout", "--out", folder_ / "plain.jsonl"});
    return lines_of(folder_ / "plain.jsonl");
  }();
  const auto text = [](const Json& prompt, int message) {
    return prompt["body"]["messages"][message]["content"].get<std::string>();
  };
  EXPECT_NE(text(prompts[0], 0).find("You see 120 degrees"), std::string::npos);
  EXPECT_NE(text(plain[0], 0).find("You see 90 degrees"), std::string::npos);
  EXPECT_NE(text(prompts[0], 1), text(plain[0], 1));
  const Json score = scored(with({"--answers", said_}));
  EXPECT_EQ(score["prompts"]["task"]["missing"], 0);

  // Other options are another evaluation.
  for (const std::vector<std::string>& other :
       {std::vector<std::string>{"--from", "scout"},
        std::vector<std::string>{"--from", "scout", "--field-of-view", "120"},
        std::vector<std::string>{"--from", "scout", "--field-of-view", "120", "--noise", "0.4"}}) {
    std::vector<std::string> argv{program_path(), "space", "score", scenes_, "--answers", said_};
    argv.insert(argv.end(), other.begin(), other.end());
    const ProgramResult result = run_program(argv);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_NE(result.err.find("the options that their prompts were"), std::string::npos)
        << result.err;
  }
}

TEST_F(SpaceExchange, KeepsIntervalsWithinWhatScoresCanBe) {
  std::filesystem::remove(scenes_);
  ASSERT_EQ(run_program({program_path(), "space", "generate", "--count", "4", "--out", scenes_})
                .exit_code,
            0);
  run("answer", {"--from", "scout", "--ask", "task", "--ask", "global_map", "--out", said_});
  const Json score =
      scored({"--from", "scout", "--ask", "task", "--ask", "global_map", "--answers", said_});
  int num_at_the_end = 0;
  for (const auto& [measure, entry] : score["scores"].items()) {
    if (!entry.contains("high")) continue;
    const bool is_count = measure.find("exploration") == 0;
    EXPECT_GE(entry["low"], 0) << measure;
    if (is_count && measure.find("coverage") == std::string::npos) continue;
    EXPECT_LE(entry["high"], 1) << measure;
    num_at_the_end += entry["high"] == 1 && entry["mean"] < 1 ? 1 : 0;
  }
  EXPECT_GT(num_at_the_end, 0) << "some interval would have gone beyond";
}

}  // namespace
}  // namespace sightline::tests
