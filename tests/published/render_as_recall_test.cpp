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
    std::vector<std::string> overrides{"study.render_as_recall.poses=8",
                                       "axes.study.render_as_recall.world=[clutter, terrain]"};
    overrides.insert(overrides.end(), more.begin(), more.end());
    ProgramResult run = sweep(kConfig, overrides);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return run;
  }
  /// One run of arms that are broken; each of the claims must be told to be missed.
  void expect_missed(const std::vector<std::string>& broken,
                     const std::vector<std::string>& claims) {
    const ProgramResult run = few(broken);
    for (const std::string& claim : claims) {
      EXPECT_EQ(count(run.out, "not reproduced", claim), 1) << claim << "\n" << run.out;
    }
  }
};

TEST_F(RenderAsRecallClaims, AreReproducedOnAFewPoses) {
  const ProgramResult run = few();
  EXPECT_EQ(count(run.out, "reproduced"), kClaims - 1) << run.out;
  EXPECT_EQ(count(run.out, "not tested", "In the open worlds"), 1) << run.out;
}

TEST_F(RenderAsRecallClaims, FailForMarchesOfFiveMetres) {
  expect_missed(
      {"arms.exact={answer: line_of_sight, method: march, step_m: 5}", "arms.march_25cm.step_m=5"},
      {"An exact line of sight is right", "By 0.25 m through many",
       "Shorter steps see through fewer"});
}

TEST_F(RenderAsRecallClaims, FailForPicturesFromAnothersPose) {
  expect_missed({"arms.query_view.pose=another", "arms.ego_view_192.pose=another"},
                {"A picture from here, turned to the target", "At 192 pixels most answers"});
}

TEST_F(RenderAsRecallClaims, FailForShuffledTargets) {
  expect_missed({"arms.exact.targets=shuffled", "arms.query_view.targets=shuffled",
                 "arms.text_256.targets=shuffled"},
                {"An exact line of sight is right", "A picture from here, turned to the target",
                 "256 boxes as text"});
}

TEST_F(RenderAsRecallClaims, FailForGatesAndTextThatKnowTheWalls) {
  expect_missed({"arms.fov_coverage={answer: line_of_sight}", "arms.text={answer: coordinates}",
                 "arms.best_view={answer: view, from: query}"},
                {"Coverage by fields of view", "Text without places says visible",
                 "Text without places reads none", "calls most of what is hidden visible"});
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

TEST_F(RenderAsRecallClaims, OfDamageAreReproducedAndFailForWrongPosesAndTargets) {
  const std::vector<std::string> one_world{"study.render_as_recall.world=clutter"};
  const ProgramResult run = sweep(kDamage, one_world);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(count(run.out, "reproduced"), kDamageClaims) << run.out;
  std::vector<std::string> broken = one_world;
  broken.insert(broken.end(), {"axes.study.render_as_recall.damage.amount=[0, 10]",
                               "arms.query_view.pose=another", "arms.exact.targets=shuffled"});
  const ProgramResult missed = sweep(kDamage, broken);
  EXPECT_EQ(count(missed.out, "not reproduced", "Undamaged, the line of sight is right"), 1)
      << missed.out;
  EXPECT_EQ(count(missed.out, "not reproduced", "A tenth of the walls lost"), 1) << missed.out;
}

}  // namespace
}  // namespace sightline::tests
