// The recall half of SPMEM-OCC-LIVE-v1, What Spatial Memory Must Store (2026), section 6.9: what is
// behind a wall is remembered, by every arm; and settings broken on purpose, which must not pass.
#include <filesystem>

#include "support/study_command.h"

namespace sightline::tests {
namespace {

constexpr int kClaims = 9;

class OcclusionRecall : public StudyCommand {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(things_)) GTEST_SKIP() << "no corpora in this tree";
  }
  ProgramResult run(std::vector<std::string> overrides = {}) {
    overrides.push_back("memories.corpus.file=" + things_);
    const std::string folder = source_file("configs/corpora/occlusion_live/");
    overrides.push_back("memories.corpus.embeddings=" + folder + "things.bge.npy");
    overrides.push_back("memories.corpus.queries.file=" + folder + "questions.jsonl");
    overrides.push_back("memories.corpus.queries.embeddings=" + folder + "questions.bge.npy");
    return sweep("occlusion_recall.yaml", overrides);
  }

  const std::string things_ = source_file("configs/corpora/occlusion_live/things.jsonl");
};

TEST_F(OcclusionRecall, AllClaimsAreReproduced) {
  const ProgramResult result = run();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(count(result.out, "reproduced"), kClaims) << result.out;
}

TEST_F(OcclusionRecall, AGateOnSightLosesThemAll) {
  const ProgramResult result =
      run({"arms.words_and_place.recall.gate={line_of_sight: {method: hdda}}"});
  EXPECT_EQ(count(result.out, "not reproduced", "So do words and places"), 1) << result.out;
  EXPECT_EQ(count(result.out, "not reproduced", "Nor do places (TOST"), 1) << result.out;
}

TEST_F(OcclusionRecall, AMarchOfFiveMetresStepsOverTheWalls) {
  const ProgramResult result =
      run({"preflight=null", "arms.cone_los.recall.verify.line_of_sight.step_m=5"});
  EXPECT_EQ(count(result.out, "not reproduced", "Line of sight calls none"), 1) << result.out;
}

// The mistake of the paper's relay: bound to where the observer stood, everything is in sight.
TEST_F(OcclusionRecall, AnchorsAtTheObserverAreStoppedByThePreflight) {
  const ProgramResult result = run({"memories.bound_to=observer"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("preflight.hidden"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("arm cone_los calls memory 1 visible"), std::string::npos)
      << result.err;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "run0"));
}

TEST_F(OcclusionRecall, AMarchThatLeapsOverWallsIsStoppedByThePreflight) {
  const ProgramResult result = run({"arms.cone_los.recall.verify.line_of_sight.step_m=12"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("arm cone_los calls memory 1 visible"), std::string::npos)
      << result.err;
}

// Without it the run goes on, and its truth is still where the things are: 96 of them hidden.
TEST_F(OcclusionRecall, AnchorsAtTheObserverAreNotReproduced) {
  const ProgramResult result = run({"preflight=null", "memories.bound_to=observer"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(count(result.out, "not reproduced", "Line of sight calls none"), 1) << result.out;
  EXPECT_EQ(count(result.out, "not reproduced", "Who remembers only what is in sight"), 1)
      << result.out;
  EXPECT_EQ(count(result.out, "not tested"), 0) << result.out;
}

TEST_F(OcclusionRecall, APreflightThatChecksNothingIsRefused) {
  const auto refused = [&](std::vector<std::string> overrides, const std::string& words) {
    const ProgramResult result = run(std::move(overrides));
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_NE(result.err.find("preflight"), std::string::npos) << result.err;
    EXPECT_NE(result.err.find(words), std::string::npos) << result.err;
  };
  refused({"preflight.hidden=[25]"}, "no memory 25 among 24, with ids from 1 to 24");
  refused({"preflight.hidden=[]"}, "at least one memory");
  refused({"preflight.hidden=[[12, 1.5, 10]]"}, "an integer");
  refused({"arms={text: {recall: {}}}", "claims=[]"}, "no arm looks along rays");
}

}  // namespace
}  // namespace sightline::tests
