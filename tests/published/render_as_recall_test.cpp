// Render-as-recall, which What Spatial Memory Must Store (2026), section 9, leaves open: the claims
// of its two configs on a few poses, and arms that are broken on purpose and must not pass.
#include <gtest/gtest.h>

#include "support/reference_data.h"
#include "support/study_command.h"

namespace sightline::tests {
namespace {

constexpr const char* kConfig = "render_as_recall.yaml";
constexpr const char* kDamage = "render_as_recall_damage.yaml";
constexpr const char* kMap = "octomap_geb079/geb079.bt";
constexpr int kClaims = 23, kDamageClaims = 17;

class RenderAsRecallClaims : public StudyCommand {
 protected:
  /// Two small worlds, of which the claims hold as they do of all four.
  ProgramResult few(const std::vector<std::string>& more = {}) {
    std::vector<std::string> overrides{"study.render_as_recall.poses=12",
                                       "axes.study.render_as_recall.world=[clutter, terrain]"};
    overrides.insert(overrides.end(), more.begin(), more.end());
    ProgramResult run = sweep(kConfig, overrides);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return run;
  }
  void expect_missed(const std::string& override, const std::string& claim) {
    const ProgramResult run = few({override});
    EXPECT_EQ(count(run.out, "not reproduced", claim), 1) << run.out;
  }
};

TEST_F(RenderAsRecallClaims, AreReproducedOnAFewPoses) {
  const ProgramResult run = few();
  EXPECT_EQ(count(run.out, "reproduced"), kClaims) << run.out;
}

TEST_F(RenderAsRecallClaims, FailForAMarchOfFiveMetres) {
  expect_missed("arms.exact={answer: line_of_sight, method: march, step_m: 5}",
                "An exact line of sight is right");
  expect_missed("arms.march_25cm.step_m=5", "By 0.25 m through many");
  expect_missed("arms.march_25cm.step_m=5", "Shorter steps see through fewer");
}

TEST_F(RenderAsRecallClaims, FailForPicturesFromAnothersPose) {
  expect_missed("arms.query_view.pose=another", "A picture from here, turned to the target");
  expect_missed("arms.ego_view_192.pose=another", "At 192 pixels most answers are right");
}

TEST_F(RenderAsRecallClaims, FailForShuffledTargets) {
  expect_missed("arms.exact.targets=shuffled", "An exact line of sight is right");
  expect_missed("arms.query_view.targets=shuffled", "A picture from here, turned to the target");
  expect_missed("arms.text_256.targets=shuffled", "256 boxes as text");
}

TEST_F(RenderAsRecallClaims, FailForGatesAndTextThatKnowTheWalls) {
  expect_missed("arms.fov_coverage={answer: line_of_sight}", "Coverage by fields of view");
  expect_missed("arms.text={answer: coordinates}", "Text without places says visible");
  expect_missed("arms.text={answer: coordinates}", "Text without places reads none");
  expect_missed("arms.best_view={answer: view, from: query}", "In the open worlds nearly all");
}

TEST_F(RenderAsRecallClaims, HoldOfTheScannedBuilding) {
  SIGHTLINE_REQUIRE_REFERENCE_DATA(kMap);
  const ProgramResult run =
      sweep(kConfig, {"study.render_as_recall.worlds.building={file: " + reference_data(kMap) + "}",
                      "study.render_as_recall.world=building", "study.render_as_recall.poses=24"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(count(run.out, "reproduced"), kClaims - 1) << run.out;
  EXPECT_EQ(count(run.out, "not tested", "In the open worlds"), 1) << run.out;
}

TEST_F(RenderAsRecallClaims, OfDamageAreReproducedAndFailForWhatReadsTheWorldItself) {
  const std::vector<std::string> few{"study.render_as_recall.poses=8",
                                     "axes.study.render_as_recall.damage.amount=[0, 1, 3, 10, 30]"};
  const ProgramResult run = sweep(kDamage, few);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(count(run.out, "reproduced"), kDamageClaims) << run.out;
  std::vector<std::string> broken = few;
  broken.insert(broken.end(), {"arms.query_view.pose=another", "arms.exact.targets=shuffled"});
  const ProgramResult missed = sweep(kDamage, broken);
  EXPECT_EQ(count(missed.out, "not reproduced", "Undamaged, the line of sight is right"), 1)
      << missed.out;
  EXPECT_EQ(count(missed.out, "not reproduced", "A tenth of the walls lost"), 1) << missed.out;
}

}  // namespace
}  // namespace sightline::tests
