// Maps turn by turn, which Theory of Space has in Table 3: the claims of
// configs/theory_of_space_beliefs.yaml on a few scenes, and arms that are broken on purpose, which
// must not pass.
#include "support/study_command.h"

namespace sightline::tests {
namespace {

class BeliefMapClaims : public StudyCommand {
 protected:
  /// What the program prints of the first scenes, without errors and with many.
  std::string print(int scenes, const std::vector<std::string>& more = {}) {
    std::vector<std::string> overrides{
        "study.space_beliefs.scenes.count=" + std::to_string(scenes),
        "axes.study.space_beliefs.episode.noise=[0, 0.4]",
        "axes.study.space_beliefs.measure=[correctness, correctness_facing, correctness_position, "
        "perception_position, consistency_position, stability_facing, stability_position]"};
    overrides.insert(overrides.end(), more.begin(), more.end());
    const ProgramResult result = sweep("theory_of_space_beliefs.yaml", overrides);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  }
};

TEST_F(BeliefMapClaims, AFewScenesShowWhatAllOfThemDo) {
  const std::string output = print(16);
  EXPECT_EQ(count(output, "reproduced"), 16) << output;
  EXPECT_EQ(count(output, "not tested"), 2) << "two claims are on all errors: " << output;
}

TEST_F(BeliefMapClaims, WhoGuessesIsFoundOut) {
  const std::string output =
      print(6, {"arms.scout.belief=guesses", "arms.gain={explorer: scout, belief: guesses}"});
  EXPECT_EQ(count(output, "not reproduced", "... and keeps them"), 1) << output;
  EXPECT_EQ(count(output, "not reproduced", "Errors of perception leave"), 1) << output;
  EXPECT_EQ(count(output, "not reproduced", "who settles does not contradict"), 1) << output;
  EXPECT_EQ(count(output, "not reproduced", "Guessing costs stability"), 1) << output;
}

/// What is null is not set, to a report too.
TEST_F(BeliefMapClaims, ARunWhoseReportSettingsAreNullHasAReport) {
  for (const char* key :
       {"report.curves", "report.lines", "report.apart", "baseline", "description"}) {
    const std::string run = folder_ / key;
    const ProgramResult swept =
        run_program({program_path(), "sweep", source_file("configs/theory_of_space_beliefs.yaml"),
                     "--out", run, "-s", "study.space_beliefs.scenes.count=2", "-s", "claims=null",
                     "-s", "axes={study.space_beliefs.measure: [correctness, uncertainty]}", "-s",
                     std::string(key) + "=null"});
    ASSERT_EQ(swept.exit_code, 0) << swept.err;
    const ProgramResult report = run_program({program_path(), "report", run});
    EXPECT_EQ(report.exit_code, 0) << key << ": " << report.err;
    const ProgramResult audit = run_program({program_path(), "audit", run});
    EXPECT_EQ(audit.exit_code, 0) << key << ": " << audit.err;
  }
}

/// Configurations of other measures share an evaluation, and shards are dealt these.
TEST_F(BeliefMapClaims, ShardsGiveTheBytesOfOneProcess) {
  const std::string whole = folder_ / "whole", parts = folder_ / "parts";
  const auto run = [&](const std::string& out, const std::vector<std::string>& more) {
    std::vector<std::string> argv{program_path(),
                                  "sweep",
                                  source_file("configs/theory_of_space_beliefs.yaml"),
                                  "--out",
                                  out,
                                  "-s",
                                  "study.space_beliefs.scenes.count=3",
                                  "-s",
                                  "claims=null"};
    argv.insert(argv.end(), more.begin(), more.end());
    const ProgramResult result = run_program(argv);
    EXPECT_EQ(result.exit_code, 0) << result.err;
  };
  run(whole, {});
  run(parts, {"--shard", "1/3"});
  run(parts, {"--shard", "3/3"});
  run(parts, {"--shard", "2/3"});
  const ProgramResult merged = run_program({program_path(), "merge", parts});
  EXPECT_EQ(merged.exit_code, 0) << merged.err;
  EXPECT_EQ(read_text(whole + "/results.csv"), read_text(parts + "/results.csv"));
}

TEST_F(BeliefMapClaims, WhoSettlesDoesNotGuess) {
  const std::string output = print(6, {"arms.guesses.belief=settles"});
  EXPECT_EQ(count(output, "not reproduced", "contradicts itself as they do"), 1) << output;
  EXPECT_EQ(count(output, "not reproduced", "Guessing costs stability"), 1) << output;
}

}  // namespace
}  // namespace sightline::tests
