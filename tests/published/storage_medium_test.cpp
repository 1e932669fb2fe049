// E3 of What Spatial Memory Must Store (2026), section 7: its claims, and arms that are broken on
// purpose and must not pass.
#include <gtest/gtest.h>

#include "support/study_command.h"

namespace sightline::tests {
namespace {

constexpr const char* kConfig = "storage_medium.yaml";
constexpr int kClaims = 11;

class StorageMediumClaims : public StudyCommand {
 protected:
  void expect_missed(const std::string& override, const std::string& claim) {
    const ProgramResult run = sweep(kConfig, {override});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(count(run.out, "not reproduced", claim), 1) << run.out;
  }
};

TEST_F(StorageMediumClaims, AreReproduced) {
  const ProgramResult run = sweep(kConfig);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(count(run.out, "reproduced"), kClaims) << run.out;
}

TEST_F(StorageMediumClaims, FailForPromptsAnchoredAtTheObserver) {
  expect_missed("arms.rule_based_reader.anchors=observer", "The rule-based reader");
}

TEST_F(StorageMediumClaims, FailForPromptsWithShuffledAnchors) {
  expect_missed("arms.rule_based_reader.anchors=shuffled", "The rule-based reader");
}

TEST_F(StorageMediumClaims, FailForAMarchToTheObserversPlace) {
  expect_missed("arms.line_of_sight.anchors=observer", "A march over voxels");
}

TEST_F(StorageMediumClaims, FailForAMarchToShuffledAnchors) {
  expect_missed("arms.line_of_sight.anchors=shuffled", "A march over voxels");
}

TEST_F(StorageMediumClaims, FailForAMarchOfFiveMetres) {
  expect_missed("arms.line_of_sight.step_m=5", "A march over voxels");
}

TEST_F(StorageMediumClaims, FailForTheWallOfAnotherTrial) {
  expect_missed("arms.rule_based_reader.wall=another", "The rule-based reader");
  expect_missed("arms.rule_based_reader.wall=another", "In 200 trials reader and march");
  expect_missed("arms.rule_based_reader.wall=another", "They answer alike");
}

TEST_F(StorageMediumClaims, FailIfBlindTextIsToldTheLabel) {
  expect_missed("arms.blind_text_rule_based_reader.answer=stored_label",
                "Blind text is near chance");
}

TEST_F(StorageMediumClaims, FailIfCoordinatesAloneComeWithTheWall) {
  expect_missed("arms.coordinates_only_rule_based_reader.answer=coordinates_and_occluder",
                "without the wall");
}

}  // namespace
}  // namespace sightline::tests
