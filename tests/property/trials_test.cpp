// `sightline sweep --trials`: what is written of every trial adds up to the counts of the run, and
// is the same bytes however the run is divided, stopped and continued.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include "host/sweep/store.h"
#include "support/places.h"
#include "support/run_program.h"
#include "support/sweep_files.h"
#include "support/trial_files.h"

namespace sightline::tests {
namespace {

namespace fs = std::filesystem;

constexpr int kNumBlocks = 12;
constexpr int kNumConfigurations = kNumBlocks * kClutterStepsPerBlock;
constexpr std::chrono::seconds kStartLimit{60};

/// A run with trials by one process on one thread, and a folder to do it otherwise in.
class Trials : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    suite_ = new TemporaryFolder;
    write_text(config(), clutter_sweep(kNumBlocks));
    const ProgramResult whole = run_program(sweep(whole_run(), {"--trials"}));
    ASSERT_EQ(whole.exit_code, 0) << whole.err;
    ASSERT_EQ(trial_bytes(whole_run()).size(), std::size_t{kNumConfigurations});
  }
  static void TearDownTestSuite() { delete suite_; }

  static std::string config() { return *suite_ / "sweep.yaml"; }
  static std::string whole_run() { return *suite_ / "whole"; }
  static std::vector<std::string> sweep(const std::string& out,
                                        const std::vector<std::string>& more = {}) {
    std::vector<std::string> argv = {program_path(), "sweep", config(), "--out", out,
                                     "--device",     "cpu",   "--quiet"};
    argv.insert(argv.end(), more.begin(), more.end());
    const bool told = std::find(more.begin(), more.end(), "--threads") != more.end();
    if (!told) argv.insert(argv.end(), {"--threads", "1"});
    return argv;
  }
  std::string out() const { return folder_ / "run"; }
  ProgramResult run(const std::vector<std::string>& more) const {
    return run_program(sweep(out(), more));
  }
  void expect_whole() const {
    EXPECT_EQ(trial_bytes(out()), trial_bytes(whole_run()));
    EXPECT_EQ(read_text(out() + "/results.csv"), read_text(whole_run() + "/results.csv"));
  }
  void expect_refused(const std::vector<std::string>& more,
                      const std::vector<std::string>& words) const {
    const ProgramResult refused = run(more);
    EXPECT_EQ(refused.exit_code, 2) << refused.err;
    for (const std::string& word : words) {
      EXPECT_NE(refused.err.find(word), std::string::npos) << word << " in: " << refused.err;
    }
  }

  static inline TemporaryFolder* suite_ = nullptr;
  TemporaryFolder folder_;
};

/// The counts of an arm, from what its trials say. 0: hidden, 1: visible, 2: unknown.
host::Answers counted(const TrialFile& trials, const std::string& arm,
                      const std::string& baseline) {
  host::Answers counts;
  counts.num_rays = trials.num_rows;
  for (std::size_t i = 0; i < trials["truth"].size(); ++i) {
    const double truth = trials["truth"][i], answer = trials[arm + ".answer"][i];
    const bool right = trials[arm + ".right"][i] != 0;
    const bool baseline_right = trials[baseline + ".right"][i] != 0;
    counts.num_visible += truth == 1;
    counts.num_occluded += truth == 0;
    counts.num_unknown += truth == 2;
    counts.correct += right;
    counts.false_visible += truth == 0 && answer == 1;
    counts.false_occluded += truth == 1 && answer == 0;
    counts.said_unknown += truth != 2 && answer == 2;
    counts.only_arm_right += right && !baseline_right;
    counts.only_baseline_right += baseline_right && !right;
  }
  return counts;
}

TEST_F(Trials, AddUpToTheCountsOfWhatIsSeen) {
  const host::RunData data = host::read_run(whole_run());
  const host::CountColumn* const mistakes =
      host::measures_of(data.kind()).find_count("false_visible");
  std::int64_t num_mistakes = 0;
  for (const host::RunData::Row& row : data.rows) {
    const TrialFile trials =
        read_trial_file(whole_run() + "/trials/" + row.result.configuration_id + ".npy");
    host::ResultRow recount;
    recount.answers = counted(trials, row.result.arm, "text");
    for (const host::CountColumn& column : host::measures_of(data.kind()).counts) {
      EXPECT_EQ(column.of(recount), column.of(row.result)) << column.name << row.result.arm;
    }
    num_mistakes += mistakes->of(recount);
  }
  EXPECT_GT(num_mistakes, 0) << "nothing to tell the arms apart by";
}

TEST_F(Trials, LeaveTheOtherFilesAsTheyAre) {
  ASSERT_EQ(run({}).exit_code, 0);
  EXPECT_FALSE(fs::exists(out() + "/trials"));
  for (const char* name : {"/results.csv", "/summary.json", "/resolved.yaml"}) {
    EXPECT_EQ(read_text(out() + name), read_text(whole_run() + name)) << name;
  }
}

TEST_F(Trials, AreTheSameForAnyThreadsAndPieces) {
  const std::vector<std::vector<std::string>> variants = {
      {"--threads", "2"}, {"--threads", "3"}, {"--batch", "97"}};
  for (std::vector<std::string> more : variants) {
    fs::remove_all(out());
    more.emplace_back("--trials");
    ASSERT_EQ(run(more).exit_code, 0);
    expect_whole();
  }
}

TEST_F(Trials, OfShardsAreGatheredByAMerge) {
  for (const char* shard : {"1/3", "2/3", "3/3"}) {
    ASSERT_EQ(run({"--trials", "--shard", shard}).exit_code, 0);
  }
  EXPECT_FALSE(fs::exists(out() + "/trials"));
  ASSERT_EQ(run_program({program_path(), "merge", out(), "--quiet"}).exit_code, 0);
  expect_whole();
}

TEST_F(Trials, OfShardsAreTakenOverByAWholeRun) {
  ASSERT_EQ(run({"--trials", "--shard", "1/3"}).exit_code, 0);
  ASSERT_EQ(run({"--trials", "--resume"}).exit_code, 0);
  expect_whole();
}

TEST_F(Trials, OfARunThatWasKilledAreAllThereOnceItIsResumed) {
  const auto num_files = [&] {
    std::error_code none;
    const fs::directory_iterator files(out() + "/trials", none);
    return std::count_if(fs::begin(files), fs::end(files), [](const fs::directory_entry& file) {
      return file.path().extension() == ".npy";
    });
  };
  Program program(sweep(out(), {"--trials"}));
  ASSERT_TRUE(
      program.wait_until([&] { return num_files() >= kClutterStepsPerBlock + 1; }, kStartLimit));
  program.send(SIGKILL);
  program.wait();
  // Where a file has a name from its first byte, or where it replaces another, this is left of it.
  const std::string unfinished = out() + "/trials/0123456789abcdef.npy.71.tmp";
  const std::string user_file = out() + "/results.of.mine.tmp";
  for (const std::string& path : {unfinished, out() + "/results.csv.71.tmp", user_file}) {
    write_text(path, "half");
  }
  host::RunStore store(out(), host::Database::Access::kRead);
  for (const host::FinishedConfiguration& done : store.finished_but({})) {
    EXPECT_TRUE(fs::exists(out() + "/trials/" + done.id + ".npy")) << done.id;
  }
  ASSERT_EQ(run({"--trials", "--resume"}).exit_code, 0);
  expect_whole();
  EXPECT_FALSE(fs::exists(unfinished));
  EXPECT_FALSE(fs::exists(out() + "/results.csv.71.tmp"));
  EXPECT_TRUE(fs::exists(user_file));
}

/// Trials of one block, larger than the database of its counts.
std::vector<std::string> with_many_rays(std::vector<std::string> more) {
  more.insert(more.end(), {"-s", "observers.random_free.count=400", "-s", "seed=1"});
  return more;
}

TEST_F(Trials, ThatADiskHasNoRoomForAreWrittenOnceItHas) {
  const std::string roomy = folder_ / "roomy";
  ASSERT_EQ(run_program(sweep(roomy, with_many_rays({"--trials"}))).exit_code, 0);
  const auto bytes = fs::file_size(fs::directory_iterator(roomy + "/trials")->path());
  ASSERT_GT(bytes, fs::file_size(roomy + "/run.sqlite"));
  ProgramOptions options;
  options.max_file_bytes = static_cast<long>(bytes - 1);
  const ProgramResult full = run_program(sweep(out(), with_many_rays({"--trials"})), options);
  EXPECT_EQ(full.exit_code, 1) << full.err;
  EXPECT_NE(full.err.find(".npy: cannot be written"), std::string::npos) << full.err;
  EXPECT_TRUE(fs::is_empty(out() + "/trials"));
  EXPECT_EQ(host::read_run(out()).num_finished, 0);
  const std::string copy = folder_ / "copy";
  fs::copy(out(), copy, fs::copy_options::recursive);
  ASSERT_EQ(run(with_many_rays({"--trials", "--resume"})).exit_code, 0);
  EXPECT_EQ(trial_bytes(out()), trial_bytes(roomy));
  // Nothing is done there, so it may go on without, too.
  const ProgramResult without = run_program(sweep(copy, with_many_rays({"--resume"})));
  ASSERT_EQ(without.exit_code, 0) << without.err;
  EXPECT_EQ(read_text(copy + "/results.csv"), read_text(roomy + "/results.csv"));
}

TEST_F(Trials, CannotBeAskedForOrLeftOutHalfWay) {
  ASSERT_EQ(run({"--shard", "1/3"}).exit_code, 0);
  expect_refused({"--trials", "--shard", "2/3"}, {"--trials: was absent, is given"});
  expect_refused({"--trials", "--resume"}, {"--trials: was absent, is given"});
  fs::remove_all(out());
  ASSERT_EQ(run({"--trials"}).exit_code, 0);
  expect_refused({"--resume"}, {"--trials: was given, is absent"});
  expect_whole();
}

/// Files of trials in a folder, by name.
std::vector<std::string> trial_files_in(const std::string& folder) {
  std::vector<std::string> files;
  for (const fs::path& file : fs::directory_iterator(folder)) files.push_back(file.string());
  std::sort(files.begin(), files.end());
  return files;
}

void flip_last_byte(const std::string& path) {
  std::string bytes = read_text(path);
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  fs::remove(path);  // and not in a file of the same bytes elsewhere
  write_text(path, bytes);
}

TEST_F(Trials, ThatAreGoneOrChangedAreComputedAgain) {
  ASSERT_EQ(run({"--trials"}).exit_code, 0);
  const std::vector<std::string> files = trial_files_in(out() + "/trials");
  fs::remove(files.at(1));
  flip_last_byte(files.at(2));
  fs::resize_file(files.at(3), 100);
  const ProgramResult resumed = run({"--trials", "--resume"});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_NE(resumed.err.find(".npy and 2 other files: gone or not what was written"),
            std::string::npos)
      << resumed.err;
  expect_whole();
  EXPECT_EQ(run({"--trials", "--resume"}).err, "");
}

/// What was counted is kept until it is counted again, even if all trials are lost.
TEST_F(Trials, ThatAreGoneTakeNoCountsWithThem) {
  ASSERT_EQ(run({"--trials"}).exit_code, 0);
  fs::remove_all(out() + "/trials");
  host::Database(out() + "/run.sqlite", host::Database::Access::kReadWrite)
      .execute("UPDATE meta SET value = '0.0.9, revision 1' WHERE key = 'program'");
  expect_refused({"--trials", "--resume"}, {"program: was 0.0.9"});
  EXPECT_EQ(host::read_run(out()).num_finished, kNumConfigurations);
}

TEST_F(Trials, ThatAShardLostAreNotMergedAndComeBack) {
  for (const char* shard : {"1/2", "2/2"}) {
    ASSERT_EQ(run({"--trials", "--shard", shard}).exit_code, 0);
  }
  const auto merge = [&] { return run_program({program_path(), "merge", out(), "--quiet"}); };
  const std::string lost = trial_files_in(out() + "/shards/1-of-2/trials").front();
  flip_last_byte(lost);
  const ProgramResult merged = merge();
  EXPECT_EQ(merged.exit_code, 1);
  EXPECT_NE(merged.err.find(lost + ": gone or not what was written"), std::string::npos)
      << merged.err;
  EXPECT_NE(merged.err.find(": 1 of 36 configurations are missing"), std::string::npos)
      << merged.err;
  EXPECT_EQ(run({"--trials", "--shard", "1/2", "--resume"}).exit_code, 0);
  EXPECT_EQ(merge().exit_code, 0);
  expect_whole();
  // And the other way round: the run has lost what a shard still has.
  flip_last_byte(trial_files_in(out() + "/trials").back());
  EXPECT_EQ(merge().err, "") << "nothing is missing";
  expect_whole();
  // Both have one file, and it is damaged for both.
  const std::string both = trial_files_in(out() + "/trials").back();
  fs::resize_file(both, 100);
  const ProgramResult short_of_one = merge();
  EXPECT_EQ(short_of_one.exit_code, 1);
  EXPECT_NE(short_of_one.err.find(": 1 of 36 configurations are missing"), std::string::npos)
      << short_of_one.err;
  EXPECT_NE(read_text(out() + "/summary.json").find("\"finished\": 35"), std::string::npos);
  ASSERT_EQ(run({"--trials", "--resume"}).exit_code, 0);
  expect_whole();
  EXPECT_EQ(run({"--trials", "--resume"}).err, "") << "a shard's is lost, and nothing is missing";
}

TEST_F(Trials, AreNotMixedWithAFolderOfOthers) {
  fs::create_directories(out() + "/trials");
  expect_refused({"--trials"}, {out() + "/trials: is there, and belongs to no run"});
  EXPECT_FALSE(fs::exists(out() + "/run.sqlite"));
  EXPECT_EQ(run({}).exit_code, 0);  // who does not ask for trials has no use for the name
}

}  // namespace
}  // namespace sightline::tests
