// Gates as recall, which What Spatial Memory Must Store (2026) leaves open: of
// configs/gates_as_recall.yaml a few worlds that its rule was not made on, and rules that are
// broken on purpose, which must not pass.
#include "support/study_command.h"

namespace sightline::tests {
namespace {

class GatesAsRecall : public StudyCommand {
 protected:
  std::string print(const std::string& worlds, const std::vector<std::string>& more = {}) {
    std::vector<std::string> overrides{"axes.study.gates_as_recall.world=" + worlds,
                                       "study.gates_as_recall.world_seed=12"};
    overrides.insert(overrides.end(), more.begin(), more.end());
    const ProgramResult result = sweep("gates_as_recall.yaml", overrides);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  }
};

TEST_F(GatesAsRecall, FourWorldsShowWhatAllShow) {
  const std::string output = print("[rooms_1, village_2, clutter_1, terrain_3]");
  EXPECT_EQ(count(output, "reproduced"), 21) << output;
  // From afar the rule gains 15 points: of a quarter of the questions the interval goes below 10.
  EXPECT_EQ(count(output, "not reproduced", "better by a tenth or more"), 1) << output;
}

TEST_F(GatesAsRecall, TheOppositeOfTheRuleIsFoundOut) {
  const std::string output = print("[rooms_1, clutter_1]", {"arms.rule.inverted=true"});
  EXPECT_EQ(count(output, "not reproduced", "nowhere worse"), 1) << output;
  EXPECT_EQ(count(output, "not reproduced", "better in each world"), 1) << output;
  EXPECT_EQ(count(output, "not reproduced", "every gate that is always on"), 1) << output;
  EXPECT_EQ(count(output, "not reproduced", "the rule foretells"), 1) << output;
}

TEST_F(GatesAsRecall, PlacesOfOtherMemoriesAreFoundOut) {
  const std::string output = print("[rooms_1, clutter_1]", {"arms.rule.anchors=shuffled"});
  EXPECT_EQ(count(output, "not reproduced", "nowhere worse"), 1) << output;
  EXPECT_EQ(count(output, "not reproduced", "better by a tenth"), 1) << output;
  EXPECT_EQ(count(output, "not reproduced", "every gate that is always on"), 1) << output;
}

TEST_F(GatesAsRecall, PlacesOfObserversAreFoundOut) {
  const std::string output = print("[rooms_1, clutter_1]", {"arms.rule.anchors=observer"});
  EXPECT_EQ(count(output, "not reproduced", "To be told the regime"), 1) << output;
  EXPECT_EQ(count(output, "not reproduced", "every gate that is always on"), 1) << output;
}

}  // namespace
}  // namespace sightline::tests
