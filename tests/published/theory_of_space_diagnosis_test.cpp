// Maps against tasks, which Theory of Space has in Table 11: claims of
// configs/theory_of_space_diagnosis.yaml on fewer scenes, and one that is broken on purpose.
#include "support/study_command.h"

namespace sightline::tests {
namespace {

class DiagnosisClaims : public StudyCommand {
 protected:
  std::string print(const std::vector<std::string>& more) {
    std::vector<std::string> overrides{"study.space_diagnosis.scenes.count=200",
                                       "axes.study.space_diagnosis.episode.noise=[0, 0.2]"};
    overrides.insert(overrides.end(), more.begin(), more.end());
    const ProgramResult result = sweep("theory_of_space_diagnosis.yaml", overrides);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  }
};

TEST_F(DiagnosisClaims, HoldOnFewerScenes) {
  const std::string output = print({});
  EXPECT_EQ(count(output, "reproduced", "On SCOUT's maps"), 1) << output;
  EXPECT_EQ(count(output, "reproduced", "Where much is left unseen"), 1) << output;
  EXPECT_EQ(count(output, "reproduced", "The task that asks for the map"), 1) << output;
  EXPECT_EQ(count(output, "not tested"), 3) << "three are on all errors: " << output;
}

/// `direction` in place of the mean of nine tasks: three questions say little.
TEST_F(DiagnosisClaims, DoNotHoldOfOneTask) {
  const std::string output = print({"arms.tasks.score=direction", "arms.alloc_map.score=direction",
                                    "axes.study.space_diagnosis.explorer=[scout]"});
  EXPECT_EQ(count(output, "not reproduced", "On SCOUT's maps"), 1) << output;
  EXPECT_EQ(count(output, "not reproduced", "The task that asks for the map"), 1) << output;
}

}  // namespace
}  // namespace sightline::tests
