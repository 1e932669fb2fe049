// Section 6.5 of What Spatial Memory Must Store (2026): the landscape of memory methods, and arms
// of geometry that are broken on purpose and must not pass for it.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/study_command.h"

namespace sightline::tests {
namespace {

class LandscapeCommand : public StudyCommand {
 protected:
  ProgramResult sweep(std::vector<std::string> overrides) {
    overrides.push_back("study.landscape.texts=" + source_file("configs/corpora/landscape"));
    return StudyCommand::sweep("landscape.yaml", overrides);
  }
  static bool says(const ProgramResult& result, const std::string& words) {
    return result.out.find(words) != std::string::npos;
  }
};

TEST_F(LandscapeCommand, MissesThreeOfItsClaims) {
  const ProgramResult result = sweep({});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(count(result.out, "reproduced"), 31) << result.out;
  EXPECT_EQ(count(result.out, "not reproduced"), 3) << result.out;
  EXPECT_TRUE(says(result, "not reproduced  Generative Agents: competitive")) << result.out;
  EXPECT_TRUE(says(result, "not reproduced  It answers occlusion by a march")) << result.out;
  EXPECT_TRUE(says(result, "not reproduced  By exact walks it is right")) << result.out;
}

TEST_F(LandscapeCommand, IsRightByExactWalksOfATruthOfFinerSteps) {
  const ProgramResult result = sweep({"study.landscape.truth_step_m=0.001"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(says(result, "\nreproduced      By exact walks it is right")) << result.out;
}

// Its own hashes, listed, embedded by the script and read back from a file, give the answers they
// give.
TEST_F(LandscapeCommand, ReadsTheEmbeddingsOfItsListedTexts) {
  const std::vector<std::string> control{"study.landscape.type=control",
                                         "study.landscape.domain=[village, library]",
                                         "study.landscape.trials=40"};
  const TemporaryFolder folder;
  std::vector<std::string> list{
      program_path(),
      "texts",
      source_file("configs/landscape.yaml"),
      "--out",
      folder / "texts.jsonl",
      "-s",
      "study.landscape.texts=" + source_file("configs/corpora/landscape")};
  for (const std::string& text : control) list.insert(list.end(), {"-s", text});
  const ProgramResult listed = run_program(list);
  ASSERT_EQ(listed.exit_code, 0) << listed.err;
  const ProgramResult embedded = run_program(
      {source_file("scripts/embed.py"), folder / "texts.jsonl", folder / "texts.npy", "--hashed"});
  ASSERT_EQ(embedded.exit_code, 0) << embedded.err;
  std::vector<std::string> of_files = control;
  of_files.push_back("study.landscape.embeddings=" + folder.path().string());
  const auto verdicts = [](const ProgramResult& result) {
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out.substr(0, result.out.find("configurations run"));
  };
  EXPECT_EQ(verdicts(sweep(of_files)), verdicts(sweep(control)));
  of_files[2] = "study.landscape.trials=41";
  const ProgramResult unlisted = sweep(of_files);
  EXPECT_EQ(unlisted.exit_code, 2);
  EXPECT_NE(unlisted.err.find("list the texts anew"), std::string::npos) << unlisted.err;
}

// Below: what holds in the honest run, and must not hold of arms that are broken on purpose.

TEST_F(LandscapeCommand, AnchorsOfObserversAreNotReproduced) {
  const ProgramResult result = sweep({"arms.geometry.anchors=observer"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(says(result, "not reproduced  Geometry answers what needs it")) << result.out;
  EXPECT_TRUE(says(result, "not reproduced  It is right of every relation")) << result.out;
}

TEST_F(LandscapeCommand, ShuffledAnchorsAreNotReproduced) {
  const ProgramResult result = sweep({"arms.geometry.anchors=shuffled"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(says(result, "not reproduced  Geometry answers what needs it")) << result.out;
  EXPECT_TRUE(says(result, "not reproduced  It is right of every relation")) << result.out;
}

TEST_F(LandscapeCommand, AMarchThatLeapsOverWallsIsNotReproduced) {
  const ProgramResult result = sweep({"arms.geometry.step_m=5"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(says(result, "not reproduced  Geometry answers what needs it")) << result.out;
  EXPECT_FALSE(says(result, "not reproduced  It is right of every relation")) << result.out;
}

TEST_F(LandscapeCommand, AMethodOfContentThatReadsPlacesIsNotReproduced) {
  const ProgramResult result =
      sweep({"arms.bm25={answer: geometry, anchors: subject, method: march, step_m: 0.5}"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(says(result, "not reproduced  By construction, BM25: at chance")) << result.out;
  EXPECT_TRUE(says(result, "not reproduced  BM25: competitive")) << result.out;
  EXPECT_TRUE(says(result, "not reproduced  By construction, BM25 reads no place")) << result.out;
}

}  // namespace
}  // namespace sightline::tests
