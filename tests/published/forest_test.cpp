// Embodied-RAG's published forest of "Building 99": built anew from its leaves.
//
// Its levels have 510, 17, 7, 3, 3 and 1 nodes. Of the 510 the clusters hold 256, all but one of
// the things that were seen; the other 254 are where the robot was, and the robot.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "host/meta_memory/forest_file.h"
#include "support/reference_data.h"

namespace sightline::host {
namespace {

constexpr const char* kFolder = "embodied_rag_building99";

class PublishedForest : public testing::Test {
 protected:
  void SetUp() override {
    SIGHTLINE_REQUIRE_REFERENCE_DATA(std::string(kFolder) + "/nodes.tsv");
    file_ = read_forest_file(tests::reference_data(kFolder));
  }
  ForestFile file_;
};

TEST_F(PublishedForest, HasThePublishedLevels) {
  EXPECT_EQ(file_.level_counts(), (std::vector<std::int64_t>{510, 17, 7, 3, 3, 1}));
  EXPECT_EQ(file_.leaves().size(), 256U);
  for (const std::int32_t leaf : file_.leaves()) {
    EXPECT_EQ(file_.nodes[static_cast<std::size_t>(leaf)].type, "object");
  }
}

TEST_F(PublishedForest, IsBuiltAnewClusterByCluster) {
  const SemanticForest forest = file_.rebuilt({});
  EXPECT_EQ(forest.level_counts(), (std::vector<std::int64_t>{256, 17, 7, 3, 3, 1}));
  for (const ForestLevel& level : compare(file_, forest)) {
    EXPECT_EQ(level.num_rebuilt, level.num_original) << level.level;
    EXPECT_EQ(level.num_same, level.num_original) << level.level;
  }
}

TEST_F(PublishedForest, LiesWhereTheOriginalLies) {
  constexpr double kRounded_m = 0.002;  // the tables are rounded to millimetres
  const SemanticForest forest = file_.rebuilt({});
  for (const ForestNode& node : forest.nodes) {
    const auto near = [&](const ForestFileNode& other) {
      return other.level == node.level &&
             std::abs(other.position_m.x - node.position_m.x) < kRounded_m &&
             std::abs(other.position_m.y - node.position_m.y) < kRounded_m &&
             std::abs(other.position_m.z - node.position_m.z) < kRounded_m;
    };
    EXPECT_TRUE(std::any_of(file_.nodes.begin(), file_.nodes.end(), near)) << node.level;
  }
}

/// With other thresholds it is another forest.
TEST_F(PublishedForest, IsNotBuiltWithAnotherThreshold) {
  ForestOptions options;
  options.threshold_m = 4;
  const std::vector<ForestLevel> levels = compare(file_, file_.rebuilt(options));
  EXPECT_NE(levels[0].num_same, levels[0].num_original);
}

}  // namespace
}  // namespace sightline::host
