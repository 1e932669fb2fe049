// `sightline sweep --fail-on-claims`: the exit code tells whether what the sweep file claims has
// come out, and all that was computed is kept.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "host/sweep/store.h"
#include "support/ranks.h"
#include "support/sweep_command.h"

namespace sightline::tests {
namespace {

const std::string kTrue =
    "{text: right, arm: sight, where: {seed: 1}, by: [visibility.step_m], "
    "correct: {min: 1}}";
const std::string kFalse =
    "{text: wrong, arm: sight, where: {seed: 1}, by: [visibility.step_m], "
    "correct: {max: 0}}";
const std::string kUntested =
    "{text: elsewhere, arm: sight, where: {seed: 77}, "
    "correct: {min: 1}}";
const std::string kOfModel = "{text: by a model, needs_model: true, paper: 0.9}";

class FailOnClaims : public SweepCommand {
 protected:
  void claim(const std::vector<std::string>& claims) const {
    std::string text = clutter_sweep(kFewBlocks) + "claims:\n";
    for (const std::string& one : claims) text += "  - " + one + "\n";
    write_text(config(), text);
  }
};

TEST_F(FailOnClaims, EndsWithOneWhereAClaimIsMissedAndKeepsTheRun) {
  claim({kTrue, kFalse});
  const ProgramResult result = sweep({"--fail-on-claims"});
  EXPECT_EQ(result.exit_code, kRunFailed) << result.err;
  EXPECT_NE(result.out.find("2 claims: 1 reproduced, 1 not reproduced\n"), std::string::npos);
  const std::string told =
      "not all claims are reproduced (--fail-on-claims): 2 claims: 1 "
      "reproduced, 1 not reproduced; see claims.csv";
  EXPECT_NE(result.err.find(told), std::string::npos) << result.err;
  EXPECT_EQ(host::read_run(out()).num_finished, kFewBlocks * kClutterStepsPerBlock);
  for (const char* name : {"results.csv", "claims.csv", "summary.json"}) {
    EXPECT_TRUE(written(name)) << name;
  }
  // To resume it runs nothing, and says the same; without the option it ends with 0.
  const ProgramResult resumed = sweep({"--resume", "--quiet", "--fail-on-claims"});
  EXPECT_EQ(resumed.exit_code, kRunFailed);
  EXPECT_NE(resumed.err.find(told), std::string::npos) << resumed.err;
  EXPECT_EQ(sweep({"--resume", "--quiet"}).exit_code, kOk);
}

TEST_F(FailOnClaims, EndsWithOneWhereAClaimIsNotTested) {
  claim({kTrue, kUntested});
  const ProgramResult result = sweep({"--quiet", "--fail-on-claims"});
  EXPECT_EQ(result.exit_code, kRunFailed);
  EXPECT_NE(result.err.find("1 not tested"), std::string::npos) << result.err;
}

TEST_F(FailOnClaims, EndsWithZeroWhereAllHoldButThoseOfAModel) {
  claim({kTrue, kOfModel});
  const ProgramResult result = sweep({"--quiet", "--fail-on-claims"});
  EXPECT_EQ(result.exit_code, kOk) << result.err;
}

TEST_F(FailOnClaims, IsForTheMergeOfShards) {
  claim({kFalse});
  expect_failure(sweep({"--shard", "1/2", "--fail-on-claims"}), kBadInput,
                 {"--fail-on-claims", "sightline merge"});
  EXPECT_FALSE(std::filesystem::exists(out()));
  for (const char* shard : {"1/2", "2/2"}) {
    ASSERT_EQ(sweep({"--quiet", "--shard", shard}).exit_code, kOk);
  }
  const std::vector<std::string> merge{program_path(), "merge", out(), "--quiet"};
  EXPECT_EQ(run_program(merge).exit_code, kOk);
  std::vector<std::string> strict = merge;
  strict.push_back("--fail-on-claims");
  const ProgramResult merged = run_program(strict);
  EXPECT_EQ(merged.exit_code, kRunFailed);
  EXPECT_NE(merged.err.find("1 claim: 0 reproduced, 1 not reproduced"), std::string::npos)
      << merged.err;
}

TEST_F(FailOnClaims, EndsTheRanksOfMpiWithOne) {
  if (!no_ranks().empty()) GTEST_SKIP() << no_ranks();
  claim({kFalse});
  const ProgramResult result =
      run_program(on_ranks(2, command({config(), "--out", out(), "--quiet", "--fail-on-claims"})),
                  rank_options());
  EXPECT_EQ(result.exit_code, kRunFailed) << result.err;
  EXPECT_NE(result.err.find("1 claim: 0 reproduced, 1 not reproduced"), std::string::npos)
      << result.err;
  EXPECT_EQ(host::read_run(out()).num_finished, kFewBlocks * kClutterStepsPerBlock);
}

}  // namespace
}  // namespace sightline::tests
