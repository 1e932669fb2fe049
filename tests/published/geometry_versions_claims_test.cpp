// Worlds that change, which What Spatial Memory Must Store (2026), section 9, leaves open: of
// configs/geometry_versions.yaml one world and one number of edits, on a seed of its own, and
// stores that are broken on purpose, which must not pass.
#include "support/reference_data.h"
#include "support/study_command.h"

namespace sightline::tests {
namespace {

class GeometryVersionsClaims : public StudyCommand {
 protected:
  std::string print(const std::vector<std::string>& more = {}) {
    std::vector<std::string> overrides{"axes.study.geometry_versions.world=[rooms]",
                                       "axes.study.geometry_versions.edits=[100]", "seed=102"};
    overrides.insert(overrides.end(), more.begin(), more.end());
    const ProgramResult result = sweep("geometry_versions.yaml", overrides);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  }
};

TEST_F(GeometryVersionsClaims, OneWorldShowsWhatAllDo) {
  const std::string output = print();
  EXPECT_EQ(count(output, "reproduced"), 23) << output;
  // 18,100 pairs are fewer than 100,000, and other numbers of edits were not run.
  EXPECT_EQ(count(output, "not reproduced"), 1) << output;
  EXPECT_EQ(count(output, "not reproduced", "More than 100,000 pairs"), 1) << output;
  EXPECT_EQ(count(output, "not tested"), 5) << output;
}

TEST_F(GeometryVersionsClaims, AGridAskedAtTheWrongVersionIsFoundOut) {
  const std::string output = print({"arms.versions.late_by=1", "arms.versions_and_ids.late_by=1"});
  EXPECT_EQ(count(output, "not reproduced", "The versioned grid is never wrong"), 1) << output;
  EXPECT_EQ(count(output, "not reproduced", "With stable ids it answers all four"), 1) << output;
}

TEST_F(GeometryVersionsClaims, AnEditLogOutOfOrderIsFoundOut) {
  const std::string output = print({"arms.versions.log=shuffled"});
  EXPECT_EQ(count(output, "not reproduced", "The versioned grid is never wrong"), 1) << output;
}

TEST_F(GeometryVersionsClaims, SnapshotsTakenAfterTheEditAreFoundOut) {
  const std::string output = print({"arms.snapshots.late_by=10", "arms.shared_snapshots.late_by=10",
                                    "arms.crossed_bricks.late_by=10"});
  EXPECT_EQ(count(output, "not reproduced", "Snapshots answer the past"), 1) << output;
  EXPECT_EQ(count(output, "not reproduced", "So do those that memories of a version share"), 1)
      << output;
  EXPECT_EQ(count(output, "not reproduced", "What a memory's own ray crosses"), 1) << output;
}

TEST_F(GeometryVersionsClaims, AnAuditOfWhatIsWrongElsewhereIsFoundOut) {
  for (const char* other :
       {"arms.audit={keeps: [snapshots], stands_in: true, judged_by: changed_pairs}",
        "arms.audit={keeps: [versions], log: shuffled, stands_in: true, judged_by: "
        "changed_pairs}"}) {
    const std::string output = print({other});
    EXPECT_EQ(count(output, "not reproduced", "Current-only is wrong about the past on exactly"), 1)
        << output;
  }
}

TEST_F(GeometryVersionsClaims, VersionsAreNotSmallerThanSoManySnapshotsAsThereAreFew) {
  const std::string output = print({"study.geometry_versions.memories=20"});
  EXPECT_EQ(count(output, "not reproduced", "... after 100"), 1) << output;
}

TEST_F(GeometryVersionsClaims, TheScannedBuildingShowsTheSame) {
  const char* kFile = "octomap_geb079/geb079.bt";
  SIGHTLINE_REQUIRE_REFERENCE_DATA(kFile);
  const std::string output =
      print({"axes.study.geometry_versions.world=[building]",
             "study.geometry_versions.worlds.building.file=" + reference_data(kFile)});
  EXPECT_EQ(count(output, "not reproduced"), 1) << output;
  EXPECT_EQ(count(output, "reproduced", "The versioned grid is never wrong"), 1) << output;
  EXPECT_EQ(count(output, "reproduced", "Current-only is wrong about the past on exactly"), 1)
      << output;
}

TEST_F(GeometryVersionsClaims, WithoutTheBuildingTheErrorNamesTheFile) {
  const ProgramResult result =
      sweep("geometry_versions.yaml", {"axes.study.geometry_versions.world=[building]"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("geb079.bt"), std::string::npos) << result.err;
}

}  // namespace
}  // namespace sightline::tests
