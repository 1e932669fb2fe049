// Scenes that change, which Meta-Memory (Mao et al.) leaves open: of
// configs/meta_memory_moving.yaml a few walks, where the most moves, and updates that are broken on
// purpose, which must not pass.
#include "index/backend_info.h"
#include "support/study_command.h"

namespace sightline::tests {
namespace {

class MovingClaims : public StudyCommand {
 protected:
  void SetUp() override {
    const index::BackendInfo info = index::backend_info();
    if (info.faiss_version.empty() || info.nanoflann_version.empty()) {
      GTEST_SKIP() << "this build has no FAISS, or no nanoflann";
    }
  }
  /// What the program prints of the first walks that the claims are judged on.
  std::string print(const std::string& walks, const std::string& asked,
                    const std::vector<std::string>& more = {}) {
    std::vector<std::string> overrides = more;
    overrides.insert(overrides.end(), {"axes.study.moving_places.sequence=" + walks,
                                       "axes.study.moving_places.share_moved=[0.4]",
                                       "axes.study.moving_places.asked=" + asked});
    const ProgramResult result = sweep("meta_memory_moving.yaml", overrides);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  }
};

TEST_F(MovingClaims, AFewWalksShowWhatAllOfThemDo) {
  const std::string output = print("[100, 101, 102, 103]", "[moved, vanished]");
  EXPECT_EQ(count(output, "reproduced"), 9) << output;
  // Leads over arms that are close need all walks for their intervals.
  EXPECT_EQ(count(output, "not reproduced"), 3) << output;
  for (const char* close :
       {"to prefer the latest sighting", "deleted at random", "of the oldest"}) {
    EXPECT_EQ(count(output, "not reproduced", close), 1) << output;
  }
  EXPECT_EQ(count(output, "not tested"), 5) << output;  // of what stayed, and of other shares
}

TEST_F(MovingClaims, AnUpdateThatKeepsTheOldIsFoundOut) {
  const std::string output = print("[100]", "[moved]", {"arms.overlap.update=keeps_old"});
  EXPECT_EQ(count(output, "not reproduced", "What moved is found more often"), 1) << output;
  EXPECT_EQ(count(output, "not reproduced", "as many entries deleted at random"), 1) << output;
  EXPECT_EQ(count(output, "reproduced", "Without updates all 1336"), 1) << output;
}

TEST_F(MovingClaims, NoUpdateIsFoundOut) {
  const std::string output = print("[100]", "[vanished]", {"arms.overlap={update: none}"});
  EXPECT_EQ(count(output, "not reproduced", "Updates leave a quarter"), 1) << output;
  EXPECT_EQ(count(output, "not reproduced", "With them it mostly is"), 1) << output;
}

}  // namespace
}  // namespace sightline::tests
