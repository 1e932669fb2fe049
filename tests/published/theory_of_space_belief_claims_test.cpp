// Beliefs about what changed, which Theory of Space has in Table 4: the claims of
// configs/theory_of_space_false_belief.yaml on a few scenes, and arms that are broken on purpose,
// which must not pass.
#include "support/study_command.h"

namespace sightline::tests {
namespace {

class FalseBeliefClaims : public StudyCommand {
 protected:
  /// What the program prints of the first scenes, with more overrides.
  std::string print(int scenes, const std::string& measures,
                    const std::vector<std::string>& more = {}) {
    std::vector<std::string> overrides = more;
    overrides.insert(overrides.end(), {"study.space_changes.scenes.count=" + std::to_string(scenes),
                                       "axes.study.space_changes.measure=" + measures});
    const ProgramResult result = sweep("theory_of_space_false_belief.yaml", overrides);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  }
};

TEST_F(FalseBeliefClaims, AFewScenesShowWhatAllOfThemDo) {
  const std::string output = print(60, "[f1, inertia, facing_inertia]");
  EXPECT_EQ(count(output, "reproduced"), 6) << output;
}

TEST_F(FalseBeliefClaims, ABeliefThatLearnsIsNotStale) {
  const std::string output =
      print(10, "[inertia, facing_inertia]", {"arms.stale={explorer: scout, belief: exact}"});
  EXPECT_EQ(count(output, "not reproduced", "A stale belief"), 1) << output;
  EXPECT_EQ(count(output, "not reproduced", "... of facings too"), 1) << output;
}

TEST_F(FalseBeliefClaims, ABeliefThatStaysIsNotExact) {
  const std::string output =
      print(10, "[inertia, facing_inertia]", {"arms.exact={explorer: scout, belief: stale}"});
  EXPECT_EQ(count(output, "not reproduced", "An exact update"), 1) << output;
  EXPECT_EQ(count(output, "not reproduced", "... nor of facings"), 1) << output;
}

TEST_F(FalseBeliefClaims, ASolverThatDoesNotReviseItselfIsFoundOut) {
  const std::string output = print(10, "[f1, facing_inertia]",
                                   {"arms.revises_strategist={explorer: strategist, belief: stale}",
                                    "arms.revises={explorer: scout, belief: stale}"});
  EXPECT_EQ(count(output, "not reproduced", "nine changes in ten"), 1) << output;
  EXPECT_EQ(count(output, "not reproduced", "It keeps no facing"), 1) << output;
}

}  // namespace
}  // namespace sightline::tests
