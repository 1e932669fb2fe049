// The study of NaVQA's questions: its scores are the errors that `sightline places navqa` prints,
// and its claims hold of the reference data.
#include "host/studies/navqa_questions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "host/device.h"
#include "host/memory/hashed_embedder.h"
#include "host/meta_memory/navqa.h"
#include "host/meta_memory/navqa_memory.h"
#include "host/meta_memory/phrase_embedder.h"
#include "host/world/binary_file.h"
#include "support/errors.h"
#include "support/memory_files.h"
#include "support/reference_data.h"
#include "support/study_command.h"

namespace sightline::tests {
namespace {

using host::ArmAnswers;
using host::ConfigValue;
using host::NavqaErrors;
using host::NavqaMethod;
using host::NavqaTruth;

constexpr double kRounding = 1e-12;  ///< of means of some fifty numbers
constexpr double kStored_km = 1e-7;  ///< of places that a store keeps, more than their rounding

const std::pair<const char*, NavqaMethod> kArms[]{
    {"here", NavqaMethod::kCurrent},    {"random", NavqaMethod::kRandom},
    {"mean", NavqaMethod::kWindowMean}, {"best", NavqaMethod::kBest},
    {"bm25", NavqaMethod::kBm25},       {"similar", NavqaMethod::kHashed},
    {"planner", NavqaMethod::kPlanned}};

class NavqaStudy : public testing::Test {
 protected:
  void SetUp() override {
    SIGHTLINE_REQUIRE_REFERENCE_DATA("navqa_coda/navqa_questions.tsv");
    folder_ = reference_data("navqa_coda");
  }

  /// With the arms of kArms, or these; `more` are settings of the study in YAML.
  std::vector<ArmAnswers> run(const std::string& more, const std::string& arms = {}) const {
    const ConfigValue study =
        ConfigValue::parse_yaml("{folder: \"" + folder_ + "\", " + more + "}", "mine.yaml");
    std::string named = arms;
    if (arms.empty()) {
      for (const auto& [name, method] : kArms) {
        named += std::string(named.empty() ? "" : ", ") + name + ": {answer: " + name + "}";
      }
    }
    const ConfigValue parsed = ConfigValue::parse_yaml("{" + named + "}", "mine.yaml");
    const auto made = host::make_navqa_questions({study, parsed.entries(), 1});
    host::Device device(host::DeviceChoice::kCpu, 1);
    return made->run(device);
  }

  static double mean_of(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  }

  std::string folder_;
};

TEST_F(NavqaStudy, ScoresAreTheErrorsThatTheCommandPrints) {
  const host::Navqa navqa = host::read_navqa(folder_);
  for (const NavqaTruth truth : {NavqaTruth::kSeenFrom, NavqaTruth::kObject}) {
    const std::string settings =
        std::string("truth: ") + (truth == NavqaTruth::kObject ? "thing" : "robot") + ", ";
    for (const NavqaErrors& row : navqa_errors(navqa, truth)) {
      const std::string of_run =
          "run: " + (row.sequence < 0 ? std::string("all") : std::to_string(row.sequence));
      const auto* arm = std::find_if(std::begin(kArms), std::end(kArms),
                                     [&](const auto& one) { return one.second == row.method; });
      ASSERT_NE(arm, std::end(kArms));
      const std::string only = std::string(arm->first) + ": {answer: " + arm->first + "}";
      const ArmAnswers errors = run(settings + of_run + ", measure: error", only).at(0);
      ASSERT_EQ(static_cast<std::int64_t>(errors.score.size()), row.num_answered);
      EXPECT_NEAR(mean_of(errors.score), row.error_3d_m / 1000, kRounding)
          << arm->first << " " << of_run;
      if (row.method == NavqaMethod::kRandom) continue;
      const ArmAnswers within = run(settings + of_run, only).at(0);
      EXPECT_EQ(static_cast<std::int64_t>(within.right.size()), row.num_asked);
      EXPECT_EQ(std::accumulate(within.right.begin(), within.right.end(), std::int64_t{0}),
                row.num_within)
          << arm->first << " " << of_run;
    }
  }
}

TEST_F(NavqaStudy, MoreIsRightFurtherOff) {
  const auto nearly = run("within_m: 5"), far = run("within_m: 50");
  for (std::size_t arm = 0; arm < nearly.size(); ++arm) {
    for (std::size_t i = 0; i < nearly[arm].score.size(); ++i) {
      EXPECT_LE(nearly[arm].score[i], far[arm].score[i]);
    }
    EXPECT_LT(mean_of(nearly[arm].score), mean_of(far[arm].score));
  }
  // A segment drawn at random is right as often as segments are.
  const std::vector<double>& random = far.at(1).score;
  EXPECT_TRUE(std::any_of(random.begin(), random.end(), [](double s) { return s > 0 && s < 1; }));
}

TEST_F(NavqaStudy, QuestionsOfAWrongTruthCanBeLeftOut) {
  const host::Navqa navqa = host::read_navqa(folder_);
  const auto kept = run("wrong_truth: kept"), left = run("wrong_truth: left_out");
  EXPECT_EQ(kept.at(0).right.size(), left.at(0).right.size() + out_of_run(navqa).size());
}

/// Hashed words given as a model's vectors find what hashed words find; others do not.
TEST_F(NavqaStudy, GivenVectorsAreThoseOfTheArmsThatAreNotHashed) {
  const TemporaryFolder folder;
  const host::Navqa navqa = host::read_navqa(folder_);
  const auto write = [&](const std::string& path, const std::vector<std::string>& texts) {
    std::vector<float> values;
    for (const std::string& text : texts) {
      const std::vector<float> unit = host::hashed_embedding(text);
      values.insert(values.end(), unit.begin(), unit.end());
    }
    host::write_file(path, float_npy(values, host::kHashedWidth));
  };
  std::vector<std::string> captions, others;
  for (const host::NavqaCaption& caption : navqa.captions) {
    captions.push_back(caption.text);
    others.push_back("no words of it, but number " + std::to_string(others.size()));
  }
  const std::vector<std::string> phrases = host::navqa_texts(navqa);
  host::write_file(folder / "phrases.jsonl", host::texts_file(phrases));
  write(folder / "phrases.npy", phrases);
  const std::string settings = "measure: error, phrases: \"" + (folder / "phrases.jsonl") +
                               "\", captions: \"" + (folder / "captions.npy") + "\"";
  const char* const kEmbedded =
      "similar: {answer: similar}, planner: {answer: planner, embedder: given}, "
      "hashed: {answer: similar, embedder: hashed}, hashed_planner: {answer: planner, embedder: "
      "hashed}";
  write(folder / "captions.npy", captions);
  const auto same = run(settings, kEmbedded);
  for (std::size_t i = 0; i < same.at(0).score.size(); ++i) {
    EXPECT_NEAR(same.at(0).score[i], same.at(2).score[i], kStored_km) << i;
  }
  EXPECT_EQ(same.at(1).score, same.at(3).score);
  write(folder / "captions.npy", others);
  const auto other = run(settings, kEmbedded);
  EXPECT_NE(other.at(0).score, other.at(2).score);
  EXPECT_EQ(other.at(2).score, same.at(2).score);
}

TEST_F(NavqaStudy, RefusesWhatItDoesNotKnow) {
  const auto error_of = [&](const std::string& more, const std::string& arms = {}) {
    return input_error_of([&] { run(more, arms); });
  };
  const auto expect = [](const std::string& error, const char* words) {
    EXPECT_NE(error.find(words), std::string::npos) << error;
  };
  expect(error_of("run: 5"), "no question is asked of run 5; there are 0, 3");
  expect(error_of("run: every"), "run: must be all, or the number of a run");
  expect(error_of("truth: robots"), "did you mean \"robot\"");
  expect(error_of("captions: a.npy"), "goes with the other of captions and phrases");
  expect(error_of("within_m: 0"), "within_m");
  expect(error_of("measures: error"), "did you mean \"measure\"");
  expect(error_of("run: all", "a: {answer: planer}"), "did you mean \"planner\"");
  expect(error_of("run: all", "a: {answer: bm25, embedder: hashed}"), "unknown key \"embedder\"");
  expect(error_of("run: all", "a: {answer: similar, embedder: given}"),
         "needs captions and phrases of the study");
  folder_ = "/no/such";
  expect(error_of("run: all"), "mine.yaml:1:10: ");
  expect(error_of("run: all"), "/no/such: is no folder; -s study.navqa_questions.folder=FOLDER");
  const TemporaryFolder empty;
  folder_ = empty / ".";
  expect(error_of("run: all"), "navqa_questions.tsv: cannot be opened");
}

class NavqaClaims : public StudyCommand {
 protected:
  void SetUp() override { SIGHTLINE_REQUIRE_REFERENCE_DATA("navqa_coda/navqa_questions.tsv"); }
  std::string print(const std::vector<std::string>& more) {
    std::vector<std::string> overrides{"study.navqa_questions.folder=" +
                                       reference_data("navqa_coda")};
    overrides.insert(overrides.end(), more.begin(), more.end());
    const ProgramResult result = sweep("meta_memory_navqa.yaml", overrides);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  }
};

TEST_F(NavqaClaims, AreReproduced) {
  const std::string output = print({});
  EXPECT_EQ(count(output, "reproduced"), 9) << output;
}

/// Other distances and truths are asked of the same questions.
TEST_F(NavqaClaims, TheSameQuestionsAreNotAddedUp) {
  for (const char* axis : {"within_m=[5, 15]", "truth=[robot, thing]"}) {
    const std::string output = print({std::string("study.navqa_questions.") + axis});
    EXPECT_EQ(count(output, "reproduced"), 0) << output;
    EXPECT_EQ(count(output, "not tested"), 9) << output;
  }
}

TEST_F(NavqaClaims, APlannerThatGuessesIsFoundOut) {
  const std::string output = print({"arms.planner.answer=random"});
  EXPECT_EQ(count(output, "not reproduced", "than any segment"), 1) << output;
  EXPECT_EQ(count(output, "not reproduced", "than that of any segment"), 1) << output;
  EXPECT_EQ(count(output, "not reproduced", "... and the planner"), 1) << output;
}

TEST_F(NavqaClaims, AnAuditTellsWhichArmKnowsTheTruth) {
  print({});
  const ProgramResult audit = run_program({program_path(), "audit", folder_ / "run0"});
  EXPECT_EQ(audit.exit_code, 1) << audit.out;
  const std::size_t flag = audit.out.find("FLAGGED");
  ASSERT_NE(flag, std::string::npos) << audit.out;
  EXPECT_NE(audit.out.find("best"), std::string::npos) << audit.out;
}

TEST_F(NavqaClaims, OtherArmsOfTheCommandLineAreToldToLeaveClaimsOut) {
  const ProgramResult result = sweep(
      "meta_memory_navqa.yaml", {"study.navqa_questions.folder=" + reference_data("navqa_coda"),
                                 "arms={planner: {answer: planner}, bm25: {answer: bm25}}"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("claims[0].arm: no arm is called \"here\"; known are planner, bm25; -s "
                            "claims=null leaves out"),
            std::string::npos)
      << result.err;
}

/// Its trials are the same under every seed.
TEST_F(NavqaClaims, ReplicatesAreRefused) {
  const ProgramResult result =
      sweep("meta_memory_navqa.yaml",
            {"study.navqa_questions.folder=" + reference_data("navqa_coda"), "replicates=2"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("asks the same trials again"), std::string::npos) << result.err;
}

}  // namespace
}  // namespace sightline::tests
