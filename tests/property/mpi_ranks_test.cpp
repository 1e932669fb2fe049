// A run on several ranks of MPI: its answers are the bytes of one process, whatever becomes of
// them.
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include "host/sweep/run_lock.h"
#include "host/sweep/store.h"
#include "support/ranks.h"
#include "support/shards.h"
#include "support/trial_files.h"

namespace sightline::tests {
namespace {

namespace fs = std::filesystem;

class RanksOfMpi : public Shards {
 protected:
  void SetUp() override {
    if (!no_ranks().empty()) GTEST_SKIP() << no_ranks();
  }
  ProgramResult run_on(int num_ranks, const std::vector<std::string>& argv) const {
    return run_program(on_ranks(num_ranks, argv), rank_options());
  }
};

TEST_F(RanksOfMpi, OfAnyNumberGiveTheBytesOfOneProcess) {
  for (const int num_ranks : {1, 2, 4}) {
    fs::remove_all(out());
    const ProgramResult result = run_on(num_ranks, sweep(out()));
    ASSERT_EQ(result.exit_code, 0) << result.err;
    expect_whole();
    std::int64_t finished = 0;
    for (int rank = 1; rank <= num_ranks && num_ranks > 1; ++rank) {
      const std::string shard =
          out() + "/shards/" + std::to_string(rank) + "-of-" + std::to_string(num_ranks);
      finished += host::read_run(shard).num_finished;
    }
    EXPECT_EQ(finished, num_ranks > 1 ? kNumConfigurations : 0);
  }
}

TEST_F(RanksOfMpi, WriteTheTrialsOfOneProcess) {
  const std::string one = folder_ / "one";
  ASSERT_EQ(run_program(sweep(one, {"--trials"})).exit_code, 0);
  const ProgramResult result = run_on(3, sweep(out(), {"--trials"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(trial_bytes(one).size(), std::size_t{kNumConfigurations});
  EXPECT_EQ(trial_bytes(out()), trial_bytes(one));
  expect_whole();
}

TEST_F(RanksOfMpi, GoOnWithTheRunOfOneProcess) {
  ASSERT_EQ(run_program(sweep(out())).exit_code, 0);
  const ProgramResult nothing_left = run_on(2, sweep(out(), {"--resume"}));
  ASSERT_EQ(nothing_left.exit_code, 0) << nothing_left.err;
  expect_whole();
  {
    host::Database database(out() + "/run.sqlite", host::Database::Access::kReadWrite);
    for (const char* table : {"result", "cost", "configuration"}) {
      database.execute(std::string("DELETE FROM ") + table + " WHERE configuration % 5 < 2");
    }
  }
  const ProgramResult rest = run_on(2, sweep(out(), {"--resume"}));
  ASSERT_EQ(rest.exit_code, 0) << rest.err;
  expect_whole();
}

TEST_F(RanksOfMpi, ThatLoseOneLeaveARunToResume) {
  Program program(on_ranks(3, sweep(out())), rank_options());
  const std::string shard = out() + "/shards/2-of-3/manifest.json";
  ASSERT_TRUE(program.wait_until([&] { return fs::exists(shard); }, kStartLimit));
  const int process = process_of_rank(1, out());
  ASSERT_GT(process, 0);
  ASSERT_EQ(::kill(process, SIGKILL), 0);
  EXPECT_NE(program.wait().exit_code, 0);
  const ProgramResult resumed = run_on(2, sweep(out(), {"--resume"}));
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  expect_whole();
}

TEST_F(RanksOfMpi, TellAnErrorOnce) {
  const ProgramResult absent =
      run_on(3, {program_path(), "sweep", folder_ / "absent.yaml", "--out", out()});
  EXPECT_EQ(absent.exit_code, 2);
  const std::size_t first = absent.err.find("sightline: error:");
  ASSERT_NE(first, std::string::npos) << absent.err;
  EXPECT_EQ(absent.err.find("sightline: error:", first + 1), std::string::npos) << absent.err;
  ASSERT_EQ(run_on(2, sweep(out())).exit_code, 0);
  const ProgramResult again = run_on(2, sweep(out()));
  EXPECT_EQ(again.exit_code, 2);
  EXPECT_NE(again.err.find("already holds a run"), std::string::npos) << again.err;
}

TEST_F(RanksOfMpi, TellAMisspeltOptionOnce) {
  const ProgramResult misspelt = run_on(3, {program_path(), "sweep", config(), "--ot", out()});
  EXPECT_EQ(misspelt.exit_code, 2);
  const std::size_t first = misspelt.err.find("sightline: error:");
  ASSERT_NE(first, std::string::npos) << misspelt.err;
  EXPECT_EQ(misspelt.err.find("sightline: error:", first + 1), std::string::npos) << misspelt.err;
}

TEST_F(RanksOfMpi, OfAnotherLauncherAreRefused) {
  ProgramOptions options = rank_options();
  options.environment.push_back({"PMI_SIZE", "2"});
  const ProgramResult alone = run_program(sweep(out()), options);
  EXPECT_EQ(alone.exit_code, 3);
  EXPECT_NE(alone.err.find("the launcher is not of its kind"), std::string::npos) << alone.err;
  EXPECT_FALSE(fs::exists(out()));
}

TEST_F(RanksOfMpi, StopTogetherWhereOneFails) {
  // Observers find no free space at their height in one of the worlds.
  write_text(folder_ / "bad.yaml",
             clutter_sweep(8) +
                 "  world.scene.seed: [3, 4]\n"
                 "  observers.random_free.height_m: [1.6, 100]\n"
                 "zip: [[world.scene.seed, observers.random_free.height_m]]\n");
  const std::vector<std::string> bad = {program_path(), "sweep", folder_ / "bad.yaml",
                                        "--out",        out(),   "--quiet"};
  const ProgramResult result = run_on(2, bad);
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("free"), std::string::npos) << result.err;
  std::vector<std::string> going_on = bad;
  going_on.insert(going_on.end(), {"--resume", "--keep-going"});
  EXPECT_EQ(run_on(2, going_on).exit_code, 1);
  const host::RunData run = host::read_run(out());
  EXPECT_EQ(run.num_finished, 8 * kClutterStepsPerBlock);
  EXPECT_EQ(run.failures.size(), static_cast<std::size_t>(8 * kClutterStepsPerBlock));
}

}  // namespace
}  // namespace sightline::tests
