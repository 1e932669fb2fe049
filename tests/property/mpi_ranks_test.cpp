// A run on several ranks of MPI: its answers are the bytes of one process, whatever becomes of
// them.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "host/ranks.h"
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
  /// One rank of each kind.
  static ProgramResult run_both(const std::vector<std::string>& one,
                                const std::vector<std::string>& other) {
    std::vector<std::string> all = on_ranks(1, one);
    all.insert(all.end(), {":", "-np", "1"});
    all.insert(all.end(), other.begin(), other.end());
    return run_program(all, rank_options());
  }
};

void expect_told_once(const ProgramResult& result, const std::string& words) {
  EXPECT_EQ(result.exit_code, 2);
  const std::size_t first = result.err.find("sightline: error:");
  ASSERT_NE(first, std::string::npos) << result.err;
  EXPECT_EQ(result.err.find("sightline: error:", first + 1), std::string::npos) << result.err;
  EXPECT_NE(result.err.find(words), std::string::npos) << result.err;
}

/// Takes what it is dealt, as one of three ranks, of which one is slow at its first item.
void take_items() {
  constexpr int kNumItems = 300;  // of which another rank than the first gets several at a time
  host::Ranks ranks = host::Ranks::of_launcher();
  const bool is_slow = ranks.rank() == 1;
  std::int64_t taken = 0;
  {
    host::Ranks::Deal deal(ranks, std::vector<double>(kNumItems, 1));
    if (!is_slow) std::this_thread::sleep_for(std::chrono::milliseconds(500));
    while (deal.next(1)) {
      if (is_slow && taken == 0) std::this_thread::sleep_for(std::chrono::seconds(1));
      ++taken;
    }
  }
  std::int64_t all_taken = 0;
  for (const std::int64_t of_rank : ranks.joined({taken})) all_taken += of_rank;
  EXPECT_EQ(all_taken, kNumItems);
  EXPECT_TRUE(!is_slow || taken > 1) << "it was to hold some";
}

// The first rank is done while another has not begun most of what it was dealt. This test starts
// itself.
TEST(Ranks, OfWhichOneIsSlowLoseNothing) {
  if (!no_ranks().empty()) GTEST_SKIP() << no_ranks();
  if (host::launched().size > 1) return take_items();
  const std::string itself = fs::canonical("/proc/self/exe");
  const ProgramResult result = run_program(
      on_ranks(3, {itself, "--gtest_filter=Ranks.OfWhichOneIsSlowLoseNothing"}), rank_options());
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
}

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
  expect_told_once(run_on(3, {program_path(), "sweep", folder_ / "absent.yaml", "--out", out()}),
                   "absent.yaml");
  expect_told_once(run_on(3, sweep(out(), {"--shard", "1/2"})), "--shard: the ranks of one mpirun");
  expect_told_once(run_on(3, sweep(out(), {"--shard", "9/2"})), "9/2");
  ASSERT_EQ(run_on(2, sweep(out())).exit_code, 0);
  expect_told_once(run_on(2, sweep(out())), "already holds a run");
}

TEST_F(RanksOfMpi, TellAWrongCommandOnce) {
  expect_told_once(run_on(3, {program_path(), "sweep", config(), "--ot", out()}), "--ot");
  expect_told_once(run_on(3, {program_path()}), "no command given");
}

TEST_F(RanksOfMpi, OfWhichOneIsAskedWronglyEnd) {
  std::vector<std::string> misspelt = sweep(out());
  misspelt.push_back("--al");
  expect_told_once(run_both(sweep(out()), misspelt), "--al");
}

TEST_F(RanksOfMpi, WithOtherOptionsAreRefused) {
  for (const char* option : {"--resume", "--trials", "--keep-going"}) {
    expect_told_once(run_both(sweep(out()), sweep(out(), {option})),
                     "rank 1 has other options than rank 0");
    EXPECT_FALSE(fs::exists(out()));
  }
}

TEST_F(RanksOfMpi, OfOtherFoldersAreRefused) {
  const std::string mine = folder_ / "mine", other = folder_ / "other";
  for (const std::string& folder : {mine, other}) fs::create_directory(folder);
  const auto in = [&](const std::string& folder) {
    std::vector<std::string> argv = {"-wdir", folder};
    const std::vector<std::string> of_sweep = sweep("out");
    argv.insert(argv.end(), of_sweep.begin(), of_sweep.end());
    return argv;
  };
  expect_told_once(run_both(in(mine), in(other)),
                   "--out out: rank 1 finds another folder there than rank 0");
  EXPECT_TRUE(fs::is_empty(mine));
  EXPECT_TRUE(fs::is_empty(other));
}

TEST_F(RanksOfMpi, RefuseAFolderOfOtherFilesAtOnce) {
  fs::create_directory(out());
  write_text(out() + "/results.csv", "mine");
  expect_told_once(run_on(2, sweep(out())), "would be overwritten, and belongs to no run");
  const ProgramResult shard = run_program(sweep(out(), {"--shard", "1/2"}));
  EXPECT_EQ(shard.exit_code, 2);
  EXPECT_NE(shard.err.find("would be overwritten"), std::string::npos) << shard.err;
  EXPECT_FALSE(fs::exists(out() + "/shards"));
  EXPECT_EQ(read_text(out() + "/results.csv"), "mine");
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
