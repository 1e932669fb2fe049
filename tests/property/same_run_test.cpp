// What is gone on with is the same run, and all that is: a run knows itself by the order of its
// axes and arms, whatever its folder is called, whoever has come back to a part of it.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "host/sweep/run_lock.h"
#include "host/sweep/sqlite.h"
#include "host/sweep/store.h"
#include "support/shards.h"

namespace sightline::tests {
namespace {

namespace fs = std::filesystem;

class SameRun : public Shards {
 protected:
  /// The sweep of the fixture with one part of its file put in place of another.
  std::string swept_otherwise(const std::string& part, const std::string& other) const {
    std::string text = clutter_sweep(kNumBlocks);
    const std::size_t at = text.find(part);
    if (at == std::string::npos) throw std::runtime_error("the sweep has no " + part);
    const std::string path = folder_ / "otherwise.yaml";
    write_text(path, text.replace(at, part.size(), other));
    return path;
  }
  ProgramResult run_file(const std::string& file, const std::vector<std::string>& more) const {
    std::vector<std::string> argv = sweep(out(), more);
    argv[2] = file;
    return run_program(argv);
  }
  void expect_refused(const ProgramResult& result, const std::string& words) const {
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_NE(result.err.find(words), std::string::npos) << words << " in: " << result.err;
  }
  std::string axes_in_another_order() const {
    const std::string steps = "  visibility.step_m: [1, 0.5, 0.1]\n";
    std::string text = clutter_sweep(kNumBlocks);
    text.erase(text.find(steps), steps.size());
    const std::string axes = "axes:\n";
    text.insert(text.find(axes) + axes.size(), steps);
    const std::string path = folder_ / "axes.yaml";
    write_text(path, text);
    return path;
  }
};

// A configuration is known by its number, which the order of the axes gives it.
TEST_F(SameRun, HasItsAxesInTheSameOrder) {
  const std::string other = axes_in_another_order();
  const std::string told =
      "axes: was in the order seed, seed.range, seed.range.start, seed.range.stop, "
      "seed.range.step, visibility.step_m, is in the order visibility.step_m, seed";
  ASSERT_EQ(run_shard("1/2").exit_code, 0);
  expect_refused(run_file(other, {"--resume"}), told);
  expect_refused(run_file(other, {"--shard", "2/2"}), told);
  EXPECT_FALSE(fs::exists(out() + "/run.sqlite"));
  ASSERT_EQ(run_shard("2/2").exit_code, 0);
  ASSERT_EQ(merge().exit_code, 0);
  expect_refused(run_file(other, {"--resume"}), told);
  expect_whole();
}

TEST_F(SameRun, HasItsArmsInTheSameOrder) {
  const std::string one = "  text: {predict: visible}\n",
                    two = "  sight: {predict: line_of_sight}\n";
  const std::string other = swept_otherwise(one + two, two + one);
  ASSERT_EQ(run_shard("1/2").exit_code, 0);
  expect_refused(run_file(other, {"--resume"}),
                 "arms: was in the order text, sight, is in the order sight, text");
}

TEST_F(SameRun, MayHaveOtherKeysInAnotherOrder) {
  const std::string one = "observers: {random_free: {count: 40, height_m: 1.6}}\n";
  const std::string other =
      swept_otherwise(one, "observers: {random_free: {height_m: 1.6, count: 40}}\n");
  ASSERT_EQ(run_shard("1/2").exit_code, 0);
  ASSERT_EQ(run_file(other, {"--resume"}).exit_code, 0);
  expect_whole();
}

// The folder of a run may be called what the folder of a shard is called.
TEST_F(SameRun, IsNoShardForItsName) {
  const std::string out = folder_ / "wave-1-of-2";
  ASSERT_EQ(run_program(sweep(out)).exit_code, 0);
  expect_refused(run_program(sweep(out, {"--shard", "1/2"})), "already holds a run");
  fs::remove_all(out);
  fs::create_directories(out);
  const host::RunLock at_work(out);
  host::RunStore(out, host::Database::Access::kReadWrite);
  expect_refused(run_program(sweep(out, {"--shard", "1/2", "--resume"})), "in use by process");
}

// Whoever has come back to a shard may be further than what was looked at.
TEST_F(SameRun, TakesOfAPartWhatItHasSeen) {
  ASSERT_EQ(run_shard("1/2").exit_code, 0);
  const std::string part = out() + "/shards/1-of-2";
  host::RunStore shard(part, host::Database::Access::kRead);
  std::vector<host::FinishedConfiguration> seen = shard.finished_but({});
  ASSERT_GT(seen.size(), 2u);
  seen.resize(2);
  host::RunStore run(out(), host::Database::Access::kReadWrite);
  run.begin(shard.identity());
  run.take(part, seen);
  run.take(part, seen);  // what is there is not taken again
  EXPECT_EQ(run.finished_configurations().size(), 2u);
  EXPECT_EQ(run.verified_checksums().size(), 2u);
}

// A program of later needs nothing that is not there.
TEST_F(SameRun, ThatIsCompleteIsReadByAnotherProgram) {
  for (const char* shard : {"1/2", "2/2"}) ASSERT_EQ(run_shard(shard).exit_code, 0);
  ASSERT_EQ(merge().exit_code, 0);
  const std::string change = "UPDATE meta SET value = '0.0.9, revision 1' WHERE key = 'program'";
  for (const char* folder : {"", "/shards/1-of-2", "/shards/2-of-2"}) {
    host::Database(out() + folder + "/run.sqlite", host::Database::Access::kReadWrite)
        .execute(change);
  }
  const ProgramResult read = run_program(sweep(out(), {"--resume"}));
  EXPECT_EQ(read.exit_code, 0) << read.err;
  expect_whole();
  fs::remove_all(out() + "/shards/2-of-2");
  for (const fs::path& path : std::vector<fs::path>(fs::directory_iterator(out()), {})) {
    if (path.filename() != "shards") fs::remove(path);
  }
  expect_refused(run_program(sweep(out(), {"--resume"})), "program: was 0.0.9, revision 1");
}

TEST_F(SameRun, KeepsWhatItsPageShowsWhenItIsMergedAgain) {
  for (const char* shard : {"1/2", "2/2"}) ASSERT_EQ(run_shard(shard).exit_code, 0);
  ASSERT_EQ(merge().exit_code, 0);
  ASSERT_EQ(run_program(sweep(out(), {"--resume", "-s", "report.arm=sight"})).exit_code, 0);
  ASSERT_EQ(merge().exit_code, 0);
  EXPECT_NE(read_text(out() + "/resolved.yaml").find("arm: sight"), std::string::npos);
}

TEST_F(SameRun, ShowsWhatAPartOfItWasAskedForLast) {
  for (const char* shard : {"1/2", "2/2"}) ASSERT_EQ(run_shard(shard).exit_code, 0);
  ASSERT_EQ(merge().exit_code, 0);
  const std::vector<std::string> more = {"--shard", "1/2", "--resume", "-s", "report.arm=sight"};
  ASSERT_EQ(run_program(sweep(out(), more)).exit_code, 0);
  ASSERT_EQ(merge().exit_code, 0);
  EXPECT_NE(read_text(out() + "/resolved.yaml").find("arm: sight"), std::string::npos);
  expect_whole();
}

TEST_F(SameRun, HasAPathThatItsDatabaseCanHave) {
  std::string deep = folder_.path().string();
  while (deep.size() < 520) deep += "/" + std::string(100, 'd');
  expect_refused(run_program(sweep(deep)), "choose a folder with a shorter one");
}

}  // namespace
}  // namespace sightline::tests
