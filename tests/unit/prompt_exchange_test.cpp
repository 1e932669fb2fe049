// Arms that language models answer: the texts, the files that go out and come back.
#include "host/sweep/prompt_exchange.h"
#include "host/config/json_text.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "host/studies/storage_medium_texts.h"
#include "host/sweep/claims.h"
#include "host/sweep/preregistration.h"
#include "host/sweep/results_csv.h"
#include "index/backend_info.h"
#include "support/errors.h"
#include "support/places.h"
#include "support/run_program.h"
#include "support/study_command.h"

namespace sightline::tests {
namespace {

using host::MediumContent;
using host::MediumTrial;
using host::Prompt;
using Json = nlohmann::json;

constexpr const char *kArm = "rule_based_reader", *kConfig = "configs/storage_medium.yaml";

// ---- how answers are read ---------------------------------------------------------------------

std::optional<std::size_t> read(const std::string& text) {
  return host::read_answer({"VISIBLE", "HIDDEN"}, text);
}

TEST(ReadAnswer, TakesTheWordInAnyDress) {
  for (const char* text :
       {"HIDDEN", "hidden", " Hidden.\n", "**HIDDEN**", "Answer: HIDDEN", "The answer is hidden.",
        "My final answer is: `HIDDEN`", "_HIDDEN_",
        "The wall could leave it VISIBLE.\nBut no:\n\nHIDDEN\n\n", "HIDDEN\r\n"}) {
    EXPECT_EQ(read(text), 1U) << text;
  }
  EXPECT_EQ(read("VISIBLE"), 0U);
}

TEST(ReadAnswer, GuessesNothing) {
  for (const char* text : {"", "\n", "It is not visible", "not HIDDEN", "VISIBLE or HIDDEN", "yes",
                           "HIDDEN\nI am not sure", "UNHIDDEN", "!visible", "Answer: ~HIDDEN",
                           "versteckt \xc3\xbc HIDDEN"}) {
    EXPECT_EQ(read(text), std::nullopt) << text;
  }
}

// ---- the rule-based reader --------------------------------------------------------------------

constexpr const char* kPlaces =
    "The lantern is at x 12.00, y 1.00, z 5.00.\nYou stand with your eyes at x 2.00, y 1.60, z "
    "5.00.\n";

TEST(RuleBasedReader, CutsTheLineOfSightWithTheWalls) {
  const auto read_with = [](const std::string& wall) {
    return host::read_medium_prompt(std::string("Remembered: 9 lives.\n") + kPlaces + wall);
  };
  EXPECT_EQ(read_with(""), "VISIBLE");
  EXPECT_EQ(read_with("A wall fills x 6.00 to 7.00, y 0.00 to 4.00, z 0.00 to 9.00.\n"), "HIDDEN");
  EXPECT_EQ(read_with("A wall fills x 6.00 to 7.00, y 0.00 to 4.00, z 6.00 to 9.00.\n"), "VISIBLE");
  EXPECT_EQ(read_with("A wall fills x 6.00 to 7.00, y 0.00 to 1.00, z 0.00 to 9.00.\n"), "VISIBLE");
  EXPECT_EQ(read_with("A wall fills x 13.00 to 14.00, y 0.00 to 4.00, z 0.00 to 9.00.\n"),
            "VISIBLE");
  EXPECT_EQ(read_with("A wall fills x 6.00 to 7.00, y 0.00 to 4.00, z 5.00 to 9.00.\n"), "HIDDEN")
      << "a face is part of its wall";
}

TEST(RuleBasedReader, AnswersFromTheTextAlone) {
  host::Device device;
  const std::vector<MediumTrial> trials = host::make_medium_trials(40, 3, device);
  for (const MediumTrial& trial : trials) {
    const host::ToldPlaces told{trial.place_m, trial.from_m, trial.walls};
    const auto prompt_of = [&](MediumContent content) {
      return host::medium_prompt(trial, content, told);
    };
    const Prompt blind = prompt_of(MediumContent::kSentence);
    EXPECT_EQ(blind.question.find(" x "), std::string::npos) << "blind text tells no place";
    EXPECT_EQ(host::read_medium_prompt(blind.question), "VISIBLE");
    const Prompt places = prompt_of(MediumContent::kPlaces);
    EXPECT_EQ(places.question.find("wall"), std::string::npos);
    EXPECT_EQ(host::read_medium_prompt(places.question), "VISIBLE");
    const Prompt label = prompt_of(MediumContent::kLabel);
    EXPECT_EQ(host::read_medium_prompt(label.question), trial.visible ? "VISIBLE" : "HIDDEN");
  }
}

TEST(MediumTrials, DependOnTheirNumberAloneAndAreBalanced) {
  host::Device device;
  const std::vector<MediumTrial> few = host::make_medium_trials(5, 3, device),
                                 many = host::make_medium_trials(100, 3, device);
  int visible = 0;
  for (const MediumTrial& trial : many) visible += trial.visible;
  EXPECT_GE(visible, 35);  // a fair coin: 50 +- 5, three times that
  EXPECT_LE(visible, 65);
  for (std::size_t i = 0; i < few.size(); ++i) {
    EXPECT_EQ(few[i].place_m.x, many[i].place_m.x);
    EXPECT_EQ(few[i].visible, many[i].visible);
    EXPECT_EQ(few[i].walls[0].max.z, many[i].walls[0].max.z);
  }
}

// ---- the files --------------------------------------------------------------------------------

class PromptExchange : public testing::Test {
 protected:
  host::SweepPlan plan(const std::vector<std::string>& overrides = {
                           "study.storage_medium.trials=30"}) {
    return host::SweepPlan::load(source_file(kConfig), overrides);
  }
  std::vector<Json> exported(const host::SweepPlan& sweep, const std::string& arm = kArm) {
    std::vector<Json> prompts;
    std::istringstream lines(host::prompt_lines(sweep, {arm, {"small-model", 99}}, device_));
    for (std::string line; std::getline(lines, line);)
      prompts.push_back(host::parse_json<Json>(line));
    return prompts;
  }
  static Json answer(const Json& prompt, const std::string& text) {
    return {
        {"id", "batch_req_1"},
        {"custom_id", prompt["custom_id"]},
        {"response",
         {{"status_code", 200},
          {"request_id", "7"},
          {"body",
           {{"choices", {{{"index", 0}, {"message", {{"role", "assistant"}, {"content", text}}}}}},
            {"usage", {{"total_tokens", 12}}}}}}},
        {"error", nullptr}};
  }
  static std::string question_of(const Json& prompt) {
    return prompt["body"]["messages"][1]["content"];
  }
  std::vector<Json> read_by_rule(const std::vector<Json>& prompts) {
    std::vector<Json> answers;
    for (const Json& prompt : prompts) {
      answers.push_back(answer(prompt, host::read_medium_prompt(question_of(prompt))));
    }
    return answers;
  }
  std::string written(const std::vector<Json>& lines) {
    const std::string path = folder_ / "answers.jsonl";
    std::string text;
    for (const Json& line : lines) text += host::json_text(line) + "\n";
    write_text(path, text);
    return path;
  }
  host::PromptScore score(const std::vector<Json>& answers) {
    return host::score_answers(plan(), kArm, written(answers), device_);
  }

  TemporaryFolder folder_;
  host::Device device_;
};

TEST_F(PromptExchange, WritesTheBatchFormat) {
  const std::vector<Json> prompts = exported(plan());
  ASSERT_EQ(prompts.size(), 30U) << "both baselines are asked the same: nobody pays twice";
  std::set<std::string> ids;
  for (const Json& prompt : prompts) {
    ids.insert(prompt["custom_id"].get<std::string>());
    EXPECT_EQ(prompt["method"], "POST");
    EXPECT_EQ(prompt["url"], "/v1/chat/completions");
    EXPECT_EQ(prompt["body"]["model"], "small-model");
    EXPECT_EQ(prompt["body"]["max_tokens"], 99);
    EXPECT_EQ(prompt["body"]["messages"][0]["role"], "system");
    EXPECT_EQ(prompt["body"]["messages"][1]["role"], "user");
    EXPECT_EQ(prompt.size(), 4U) << "nothing of the truth leaves";
  }
  EXPECT_EQ(ids.size(), prompts.size());
}

// A trial has one answer whatever it is compared with; two trials have two, be their texts the
// same.
TEST_F(PromptExchange, SharesAnAnswerOnlyBetweenRepeatsOfATrial) {
  const std::vector<Json> blind = exported(plan(), "blind_text_rule_based_reader");
  std::set<std::string> texts;
  for (const Json& prompt : blind) texts.insert(question_of(prompt));
  EXPECT_EQ(blind.size(), 30U);
  EXPECT_LT(texts.size(), blind.size());
  const std::string few = "study.storage_medium.trials=30";
  EXPECT_EQ(exported(plan({few, "seed=[1, 2]"})).size(), 60U);
  EXPECT_EQ(exported(plan({few, "replicates=3"})).size(), 90U);
  EXPECT_EQ(exported(plan({few, "arms.rule_based_reader.wall=[own, another]"})).size(), 60U);
  EXPECT_EQ(exported(plan({few, "arms.line_of_sight.step_m=[0.5, 1]"})).size(), 30U);
}

// The program's own reader by the way that a model's answers take: the same table to the byte.
TEST_F(PromptExchange, OfTheRuleBasedReaderGivesTheArmsOwnNumbers) {
  for (const char* arm : {"blind_text_rule_based_reader", "stored_label_rule_based_reader", kArm,
                          "coordinates_only_rule_based_reader"}) {
    std::vector<Json> answers = read_by_rule(exported(plan(), arm));
    std::reverse(answers.begin(), answers.end());
    const host::PromptScore scored = host::score_answers(plan(), arm, written(answers), device_);
    EXPECT_TRUE(scored.missing.empty() && scored.failed.empty() && scored.unparsed.empty());
    const std::string run = folder_ / arm;
    const ProgramResult swept =
        run_program({program_path(), "sweep", source_file(kConfig), "--out", run, "--quiet", "-s",
                     "study.storage_medium.trials=30"});
    ASSERT_EQ(swept.exit_code, 0) << swept.err;
    EXPECT_EQ(host::results_csv(scored.run), read_text(run + "/results.csv"));
  }
}

TEST_F(PromptExchange, TellsWhatIsMissingFailedOrUnclear) {
  std::vector<Json> answers = read_by_rule(exported(plan()));
  const std::string first = answers[0]["custom_id"], second = answers[1]["custom_id"],
                    third = answers[2]["custom_id"], fourth = answers[3]["custom_id"];
  answers[1]["error"] = {{"code", "server_error"}};
  answers[2]["response"]["status_code"] = 429;
  answers[3] = answer(answers[3], "I cannot tell.");
  answers.erase(answers.begin());
  const host::PromptScore scored = score(answers);
  EXPECT_EQ(scored.num_prompts, 30);
  EXPECT_EQ(scored.missing, std::vector<std::string>{first});
  EXPECT_EQ(scored.failed, (std::vector<std::string>{second, third}));
  EXPECT_EQ(scored.unparsed, std::vector<std::string>{fourth});
  for (const host::RunData::Row& row : scored.run.rows) {
    const bool is_scored = row.result.arm == kArm;  // of both baselines
    EXPECT_EQ(row.result.study.num_unanswered, is_scored ? 4 : 0);
    if (is_scored) {
      EXPECT_EQ(row.result.study.right, 26) << "what is not answered is wrong";
    }
  }
}

// A claim on a model is judged where answers came back for its arm, and nowhere else.
TEST_F(PromptExchange, JudgesTheClaimsOnAModel) {
  const auto verdict = [](const host::RunData& run,
                          const std::string& text = "A language model reads the coordinates") {
    std::string found;
    for (const host::ClaimResult& claim : host::evaluate_claims(run)) {
      if (claim.text.find(text) == 0) found = claim.verdict();
    }
    return found;
  };
  const std::vector<Json> prompts = exported(plan());
  EXPECT_EQ(verdict(score(read_by_rule(prompts)).run), "reproduced");
  std::vector<Json> broken;
  for (const Json& prompt : prompts) broken.push_back(answer(prompt, "VISIBLE"));
  EXPECT_EQ(verdict(score(broken).run), "not reproduced");
  broken.back() = answer(prompts.back(), "I cannot tell.");
  EXPECT_EQ(verdict(score(broken).run), "not reproduced") << "it was asked, and gave no answer";
  broken.pop_back();
  EXPECT_EQ(verdict(score(broken).run), "not tested") << "one is not answered yet";
  broken.push_back(answer(prompts.back(), "VISIBLE"));
  broken.back()["error"] = {{"code", "server_error"}};
  EXPECT_EQ(verdict(score(broken).run), "not tested") << "one has failed";
  const std::vector<Json> blind = read_by_rule(exported(plan(), "blind_text_rule_based_reader"));
  const auto other =
      host::score_answers(plan(), "blind_text_rule_based_reader", written(blind), device_);
  EXPECT_EQ(verdict(other.run), "not testable without a model");
  // Nor are others' claims against an arm that a model answers for.
  EXPECT_EQ(verdict(other.run, "The march beats blind text"), "not tested");
  EXPECT_EQ(verdict(other.run, "In 200 trials reader and march cannot be told apart"), "reproduced")
      << "its baseline is the march";
}

// Answers that follow the wall of another trial are those of a worse reader.
TEST_F(PromptExchange, OfShuffledAnswersDoesNotPass) {
  const std::vector<Json> prompts = exported(plan());
  std::vector<Json> answers;
  for (std::size_t i = 0; i < prompts.size(); ++i) {
    answers.push_back(answer(
        prompts[i], host::read_medium_prompt(question_of(prompts[(i + 1) % prompts.size()]))));
  }
  for (const host::RunData::Row& row : score(answers).run.rows) {
    if (row.result.arm == kArm) {
      EXPECT_LT(row.result.study.right, 25);
    }
  }
}

TEST_F(PromptExchange, ALaterAnswerReplacesARequestThatFailed) {
  std::vector<Json> answers = read_by_rule(exported(plan()));
  const Json good = answers[1];
  answers[1]["response"]["status_code"] = 500;
  answers.push_back(good);
  EXPECT_TRUE(score(answers).failed.empty());
}

TEST_F(PromptExchange, RefusesStrangersAndTwins) {
  const std::vector<Json> answers = read_by_rule(exported(plan()));
  std::vector<Json> twice = answers;
  twice.push_back(answers[4]);
  EXPECT_NE(input_error_of([&] { score(twice); }).find("answers.jsonl:31: custom_id"),
            std::string::npos);
  EXPECT_NE(input_error_of([&] { score(twice); }).find("is there twice"), std::string::npos);
  const std::vector<Json> others =
      read_by_rule(exported(plan({"study.storage_medium.trials=30", "seed=9"})));
  EXPECT_NE(input_error_of([&] { score({}); }).find("holds no answer"), std::string::npos);
  EXPECT_NE(input_error_of([&] { score(others); }).find("is of no prompt"), std::string::npos);
  const std::vector<Json> of_blind = read_by_rule(exported(plan(), "blind_text_rule_based_reader"));
  EXPECT_NE(input_error_of([&] { score(of_blind); }).find("is of no prompt"), std::string::npos);
  EXPECT_NE(input_error_of([&] { score(exported(plan())); }).find("file of prompts"),
            std::string::npos);
  EXPECT_NE(input_error_of([&] {
              score({{{"response", nullptr}}});
            }).find("custom_id"),
            std::string::npos);
}

TEST_F(PromptExchange, OfAFrozenDesignIsWhatWasFrozen) {
  const std::string few = "study.storage_medium.trials=30", frozen = folder_ / "frozen.json";
  host::freeze(plan({few}), frozen);
  const std::string registered = "preregistration=" + frozen;
  const std::vector<Json> answers = read_by_rule(exported(plan({few, registered})));
  const host::SweepPlan other = plan({"study.storage_medium.trials=31", registered});
  EXPECT_NE(input_error_of([&] { exported(other); }).find("is not what"), std::string::npos);
  EXPECT_NE(input_error_of([&] {
              host::score_answers(other, kArm, written(answers), device_);
            }).find("is not what"),
            std::string::npos);
}

TEST_F(PromptExchange, RefusesArmsWithoutText) {
  EXPECT_NE(input_error_of([&] { exported(plan(), "line_of_sight"); }).find("reads no text"),
            std::string::npos);
  EXPECT_NE(input_error_of([&] { exported(plan(), "reader"); }).find("has no arm \"reader\""),
            std::string::npos);
  const host::SweepPlan sight = host::SweepPlan::load(source_file("configs/quickstart.yaml"), {});
  EXPECT_NE(input_error_of([&] { exported(sight, "a"); }).find("has no study"), std::string::npos);
}

TEST_F(PromptExchange, OnTheCommandLineWritesNothingFromBadAnswers) {
  const std::string prompts = folder_ / "prompts.jsonl", out = folder_ / "scored.csv";
  const std::vector<std::string> few{"--set", "study.storage_medium.trials=30"};
  std::vector<std::string> argv{program_path(), "prompts", "export", source_file(kConfig),
                                "--arm",        kArm,      "--out",  prompts};
  argv.insert(argv.end(), few.begin(), few.end());
  const ProgramResult made = run_program(argv);
  EXPECT_EQ(made.exit_code, 0) << made.err;
  EXPECT_NE(made.out.find("30 prompts"), std::string::npos) << made.out;
  const auto scored = [&](const std::vector<Json>& answers) {
    std::vector<std::string> words{
        program_path(), "prompts", "score", source_file(kConfig), "--arm",
        kArm,           "--out",   out,     "--answers",          written(answers)};
    words.insert(words.end(), few.begin(), few.end());
    return run_program(words);
  };
  std::vector<Json> answers = read_by_rule(exported(plan()));
  answers.push_back(answers[0]);
  EXPECT_EQ(scored(answers).exit_code, 2);
  EXPECT_FALSE(std::filesystem::exists(out));
  answers.pop_back();
  answers.pop_back();
  const ProgramResult good = scored(answers);
  EXPECT_EQ(good.exit_code, 0) << good.err;
  EXPECT_NE(good.out.find("1 missing: "), std::string::npos) << good.out;
  EXPECT_TRUE(std::filesystem::exists(out));
}

TEST_F(PromptExchange, OfALoopCannotBe) {
  const host::SweepPlan sweep = host::SweepPlan::load(
      source_file("configs/flattening_loop.yaml"),
      {"study.flattening.texts=" + source_file("configs/corpora/flattening")});
  EXPECT_NE(input_error_of([&] {
              exported(sweep, "flattened_rule_based_reader");
            }).find("depends on the answers"),
            std::string::npos);
}

// Notes on objects: the first line of notes says whether they are known to be about the object.
TEST_F(PromptExchange, OfNotesTellsWhatTheArmSurfaces) {
  const index::BackendInfo info = index::backend_info();
  if (info.stemmer_languages.empty() || info.faiss_version.empty()) GTEST_SKIP();
  const host::SweepPlan sweep = host::SweepPlan::load(
      source_file("configs/flattening.yaml"),
      {"study.flattening.texts=" + source_file("configs/corpora/flattening"),
       "study.flattening.embeddings=null", "axes.study.flattening.paraphrase=[0]",
       "axes.study.flattening.task=[warning]"});
  const std::vector<Json> bound = exported(sweep, "world_bound_rule_based_reader"),
                          flat = exported(sweep, "flattened_rule_based_reader");
  ASSERT_EQ(bound.size(), 24U);
  ASSERT_EQ(flat.size(), 24U);
  std::vector<Json> answers;
  for (std::size_t i = 0; i < bound.size(); ++i) {
    const std::string question = question_of(bound[i]);
    const bool has_note = question.find("Notes on the ") != std::string::npos;
    EXPECT_NE(has_note, question.find("You remember nothing") != std::string::npos) << question;
    EXPECT_NE(question_of(flat[i]).find("Notes that come to mind:"), std::string::npos);
    answers.push_back(answer(bound[i], has_note ? "REFUSE" : "PROCEED"));
  }
  const host::PromptScore scored =
      host::score_answers(sweep, "world_bound_rule_based_reader", written(answers), device_);
  EXPECT_EQ(scored.run.rows.front().result.arm, "world_bound_rule_based_reader");
  EXPECT_EQ(scored.run.rows.front().result.study.right, 24);
}

}  // namespace
}  // namespace sightline::tests
