// SPMEM-OCC-LIVE-v1 of What Spatial Memory Must Store (2026), section 6.9: the printed counts, and
// runs that are broken on purpose and must not pass for the experiment.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "host/stats/paired.h"
#include "support/places.h"
#include "support/run_program.h"
#include "support/sweeps.h"

namespace sightline::tests {
namespace {

constexpr const char* kConfig = "occlusion_live.yaml";
constexpr int kWorlds = 8, kBehind = 12, kOpen = 12;

TEST(OcclusionLive, EveryWorldHasThePrintedCounts) {
  const std::vector<SweepRow> rows = run_config(kConfig);
  ASSERT_EQ(rows.size(), 3u * kWorlds);
  for (const SweepRow& row : rows) {
    SCOPED_TRACE(row.arm + " in " + row.labels[0]);
    const host::Answers& a = row.answers;
    EXPECT_EQ(a.num_occluded, kBehind);
    EXPECT_EQ(a.num_visible, kOpen);
    EXPECT_EQ(a.false_occluded, 0) << "a control changed";
    const bool looks = row.arm == "cone_los";
    EXPECT_EQ(a.false_visible, looks ? 0 : kBehind);
    EXPECT_EQ(a.only_arm_right, looks ? kBehind : 0);
    EXPECT_EQ(a.only_baseline_right, 0);
    // The paper's per-world p.
    const double p = host::stats::mcnemar_exact(a.only_arm_right, a.only_baseline_right);
    EXPECT_NEAR(p, looks ? 4.8828125e-4 : 1, 1e-12) << "the paper's p of a world";
  }
}

class OcclusionLiveCommand : public testing::Test {
 protected:
  ProgramResult sweep(const std::vector<std::string>& overrides) const {
    std::vector<std::string> argv{program_path(), "sweep",
                                  source_file("configs/occlusion_live.yaml"), "--out", out_};
    for (const std::string& text : overrides) argv.insert(argv.end(), {"-s", text});
    return run_program(argv);
  }
  static int count(const std::string& text, const std::string& words) {
    int found = 0;
    for (std::size_t at = text.find(words); at != std::string::npos;
         at = text.find(words, at + 1)) {
      ++found;
    }
    return found;
  }

  TemporaryFolder folder_;
  const std::string out_ = folder_ / "run";
};

TEST_F(OcclusionLiveCommand, EveryClaimIsReproduced) {
  const ProgramResult result = sweep({});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(count(result.out, "\nnot reproduced"), 0) << result.out;
  EXPECT_EQ(count(result.out, "\nreproduced"), 8) << result.out;
  const std::string csv = read_text(out_ + "/claims.csv");
  EXPECT_NE(csv.find("\"b = 96, c = 0, p = 2.52435e-29\",reproduced"), std::string::npos) << csv;
  EXPECT_NE(csv.find("0 of 96 controls changed"), std::string::npos) << csv;
}

TEST_F(OcclusionLiveCommand, AWorldWithoutItsOccluderIsStoppedByThePreflight) {
  const ProgramResult result = sweep({"world.version=0"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("preflight.hidden"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("(12, 1.5, 10) visible"), std::string::npos) << result.err;
  EXPECT_FALSE(std::filesystem::exists(out_));
}

TEST_F(OcclusionLiveCommand, AMarchThatLeapsOverWallsIsStoppedByThePreflight) {
  const ProgramResult result = sweep({"visibility.step_m=5.7"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("arm cone_los calls"), std::string::npos) << result.err;
}

TEST_F(OcclusionLiveCommand, AMarchThatLeapsOverWallsIsNotReproduced) {
  const ProgramResult result = sweep({"visibility.step_m=3", "preflight=null"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  // False visible, agreement, McNemar; the counts of targets and the other arms stay.
  EXPECT_EQ(count(result.out, "\nnot reproduced"), 3) << result.out;
  EXPECT_EQ(count(result.out, "\nreproduced"), 5) << result.out;
}

TEST_F(OcclusionLiveCommand, AnArmThatHidesControlsIsNotReproduced) {
  const ProgramResult result = sweep({"arms.cone_los.field_of_view.half_angle_deg=5"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("not reproduced  Controls are unchanged"), std::string::npos)
      << result.out;
}

TEST_F(OcclusionLiveCommand, AMarginThatTwelveControlsCannotProveIsNotReproduced) {
  std::string config = read_text(source_file("configs/occlusion_live.yaml"));
  const std::string margin = "margin: 0.25";
  config.replace(config.find(margin), margin.size(), "margin: 0.22");  // 0.221 is needed
  write_text(folder_ / "narrow.yaml", config);
  const ProgramResult result =
      run_program({program_path(), "sweep", folder_ / "narrow.yaml", "--out", out_});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("not reproduced  Controls are unchanged"), std::string::npos)
      << result.out;
}

}  // namespace
}  // namespace sightline::tests
