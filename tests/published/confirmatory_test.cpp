// The confirmatory design of What Spatial Memory Must Store (2026), section 10: its claims, and
// arms that are broken on purpose and must not pass.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "support/matplotlib.h"
#include "support/study_command.h"

#include "host/config/json_text.h"

namespace sightline::tests {
namespace {

constexpr const char* kConfig = "confirmatory.yaml";
constexpr int kClaims = 21;

class ConfirmatoryClaims : public StudyCommand {};

TEST_F(ConfirmatoryClaims, AreReproduced) {
  const ProgramResult run = sweep(kConfig);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(count(run.out, "reproduced"), kClaims) << run.out;
}

TEST_F(ConfirmatoryClaims, FailForAnchorsAtTheObserver) {
  const ProgramResult run = sweep(kConfig, {"arms.geometry.anchors=observer"});
  EXPECT_EQ(count(run.out, "not reproduced", "F1"), 1) << run.out;
  EXPECT_EQ(count(run.out, "not reproduced", "Five types survive"), 1) << run.out;
}

TEST_F(ConfirmatoryClaims, F4TellsATruthThatIsReadFromMemories) {
  const ProgramResult run = sweep(kConfig, {"study.confirmatory.truth=memories"});
  EXPECT_EQ(count(run.out, "not reproduced", "F4"), 1) << run.out;
  EXPECT_EQ(count(run.out, "reproduced", "Text reads no place"), 1) << run.out;
}

TEST_F(ConfirmatoryClaims, ExchangedPlacesFailOnceTheyAreTheOwn) {
  const ProgramResult run = sweep(kConfig, {"arms.shuffled.anchors=subject"});
  EXPECT_EQ(count(run.out, "not reproduced", "Exchanged places"), 1) << run.out;
}

TEST_F(ConfirmatoryClaims, FailIfGeometryPassesForText) {
  const ProgramResult run = sweep(kConfig, {"arms.text.answer=text_coordinates"});
  EXPECT_EQ(count(run.out, "not reproduced", "Text reads no place"), 1) << run.out;
  EXPECT_EQ(count(run.out, "not reproduced", "F2"), 1) << run.out;
}

TEST_F(ConfirmatoryClaims, FailIfGeometryReadsNoPlace) {
  const ProgramResult run = sweep(kConfig, {"arms.geometry.answer=text"});
  EXPECT_EQ(count(run.out, "not reproduced", "F3"), 1) << run.out;
  EXPECT_EQ(count(run.out, "not reproduced", "All six contrasts"), 1) << run.out;
}

TEST_F(ConfirmatoryClaims, F5TellsTextThatCannotAnswerTheControl) {
  const ProgramResult run = sweep(kConfig, {"arms.text.answer=geometry"});
  EXPECT_EQ(count(run.out, "not reproduced", "F5"), 1) << run.out;
  EXPECT_EQ(count(run.out, "not reproduced", "TOST"), 1) << run.out;
}

TEST_F(ConfirmatoryClaims, FailForAMarchOfFiveMetres) {
  const ProgramResult run =
      sweep(kConfig, {"arms.geometry.method=march", "arms.geometry.step_m=5"});
  EXPECT_EQ(count(run.out, "not reproduced", "Occlusion suffers"), 1) << run.out;
}

// A preregistration holds hypothesis, worlds, arms and analysis; a byte of any of them ends it.
TEST_F(ConfirmatoryClaims, AFrozenDesignRunsAndAChangedOneDoesNot) {
  const std::string frozen = folder_ / "frozen.json";
  const ProgramResult freeze =
      run_program({program_path(), "prereg", "freeze", source_file("configs/confirmatory.yaml"),
                   "--out", frozen});
  ASSERT_EQ(freeze.exit_code, 0) << freeze.err;
  const std::string named = "preregistration=" + frozen;
  EXPECT_EQ(sweep(kConfig, {named}).exit_code, 0);
  // What was fixed is told by its hash, in the manifest and on the page.
  const std::string hash =
      host::parse_json<nlohmann::json>(read_text(frozen)).at("sha256").get<std::string>();
  EXPECT_EQ(hash.size(), 64u);
  EXPECT_NE(read_text(folder_ / "run0/manifest.json").find(hash), std::string::npos);
  if (has_matplotlib()) {
    const ProgramResult page = run_program({program_path(), "report", folder_ / "run0"});
    EXPECT_EQ(page.exit_code, 0) << page.err;
    EXPECT_NE(read_text(folder_ / "run0/report.html")
                  .find("Fixed before the run was scored: preregistration SHA-256 " + hash),
              std::string::npos);
  }
  for (const char* change : {"study.confirmatory.worlds.terrain_1.scene.relief_m=8.5",
                             "arms.view.min_pixels=2", "seed=8", "baseline=cone"}) {
    const ProgramResult run = sweep(kConfig, {named, change});
    EXPECT_EQ(run.exit_code, 2) << change;
    EXPECT_NE(run.err.find("preregist"), std::string::npos) << run.err;
    // Nor are prompts made of it, or scored.
    const ProgramResult prompts =
        run_program({program_path(), "prompts", "export", source_file("configs/confirmatory.yaml"),
                     "--arm", "rule_based_reader", "--model", "m", "--out",
                     folder_ / "prompts.jsonl", "-s", named, "-s", change});
    EXPECT_EQ(prompts.exit_code, 2) << change;
    EXPECT_FALSE(std::filesystem::exists(folder_ / "prompts.jsonl"));
  }
  // Its run can be audited: geometry answers by the truth's rule, but for occlusion.
  const ProgramResult audit = run_program({program_path(), "audit", folder_ / "run0"});
  EXPECT_EQ(audit.exit_code, 1) << audit.err;
  EXPECT_NE(audit.out.find("120 of 168"), std::string::npos) << audit.out;
}

}  // namespace
}  // namespace sightline::tests
