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
  EXPECT_EQ(count(result.out, "reproduced"), 22) << result.out;
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
  EXPECT_TRUE(says(result, "not reproduced  BM25: at chance")) << result.out;
  EXPECT_TRUE(says(result, "not reproduced  BM25: competitive")) << result.out;
  EXPECT_TRUE(says(result, "not reproduced  BM25 reads no place")) << result.out;
}

}  // namespace
}  // namespace sightline::tests
