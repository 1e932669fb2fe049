// However a run is divided among processes and ranks, and whatever becomes of them, put together
// its answers are the bytes of one process.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "host/config/json_text.h"
#include "host/sweep/run_lock.h"
#include "host/sweep/sqlite.h"
#include "host/sweep/store.h"
#include "support/shards.h"

namespace sightline::tests {
namespace {

namespace fs = std::filesystem;

TEST_F(Shards, AtOnceInOneFolderGiveTheBytesOfOneProcess) {
  std::vector<std::unique_ptr<Program>> programs;
  for (const char* shard : {"2/3", "3/3", "1/3"}) {
    programs.push_back(std::make_unique<Program>(sweep(out(), {"--shard", shard})));
  }
  for (const auto& program : programs) EXPECT_EQ(program->wait().exit_code, 0) << program->err();
  EXPECT_FALSE(fs::exists(out() + "/results.csv"));
  const ProgramResult merged = merge();
  ASSERT_EQ(merged.exit_code, 0) << merged.err;
  expect_whole();
  // Who ran what stays known.
  const auto manifest = host::parse_json<nlohmann::json>(read_text(out() + "/manifest.json"));
  ASSERT_EQ(manifest.at("sessions").size(), 4u);
  std::vector<std::string> shards;
  for (const auto& session : manifest.at("sessions")) {
    shards.push_back(session.value("shard", "merge"));
  }
  std::sort(shards.begin(), shards.end());
  EXPECT_EQ(shards, (std::vector<std::string>{"1/3", "2/3", "3/3", "merge"}));
}

TEST_F(Shards, AreMergedAsFarAsTheyAreAndAgainLater) {
  ASSERT_EQ(run_shard("1/2").exit_code, 0);
  const ProgramResult half = merge();
  EXPECT_EQ(half.exit_code, 1);
  EXPECT_NE(half.err.find(std::to_string(kNumConfigurations / 2) + " of " +
                          std::to_string(kNumConfigurations) + " configurations are missing"),
            std::string::npos)
      << half.err;
  EXPECT_EQ(host::read_run(out()).num_finished, kNumConfigurations / 2);
  // The half that is there must not stand in the way of the other, nor be begun again.
  EXPECT_EQ(run_shard("1/2").exit_code, 2);
  ASSERT_EQ(run_shard("2/2").exit_code, 0);
  for (int again = 0; again < 2; ++again) {
    ASSERT_EQ(merge().exit_code, 0);
    expect_whole();
  }
}

TEST_F(Shards, AreNoPartOfARunThatOneProcessHasDone) {
  ASSERT_EQ(run_program(sweep(out())).exit_code, 0);
  const ProgramResult refused = run_shard("1/2");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("already holds a run"), std::string::npos) << refused.err;
}

TEST_F(Shards, ThatWereKilledGoOnWhereTheyWere) {
  Program program(sweep(out(), {"--shard", "1/2"}));
  const std::string shard = out() + "/shards/1-of-2";
  program.wait_until([&] { return fs::exists(shard + "/manifest.json"); }, kStartLimit);
  program.send(SIGKILL);
  program.wait();
  ASSERT_EQ(run_shard("2/2").exit_code, 0);
  ASSERT_EQ(run_shard("1/2", true).exit_code, 0);
  ASSERT_EQ(merge().exit_code, 0);
  expect_whole();
}

TEST_F(Shards, OfAnotherSplitAreGoneOnWith) {
  ASSERT_EQ(run_shard("2/3").exit_code, 0);
  const ProgramResult refused = run_shard("1/2");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("already holds a shard of a run"), std::string::npos) << refused.err;
  ASSERT_EQ(run_shard("1/2", true).exit_code, 0);
  ASSERT_EQ(run_shard("2/2", true).exit_code, 0);
  std::int64_t finished = 0;
  for (const char* shard : {"2-of-3", "1-of-2", "2-of-2"}) {
    finished += host::read_run(out() + "/shards/" + shard).num_finished;
  }
  EXPECT_EQ(finished, kNumConfigurations) << "something was computed twice";
  ASSERT_EQ(merge().exit_code, 0);
  expect_whole();
}

TEST_F(Shards, AreTakenOverByAWholeRunThatIsResumed) {
  ASSERT_EQ(run_shard("1/3").exit_code, 0);
  const ProgramResult refused = run_program(sweep(out()));
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("continue with --resume"), std::string::npos) << refused.err;
  const ProgramResult resumed = run_program(sweep(out(), {"--resume"}));
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  expect_whole();
}

TEST_F(Shards, MoreThanBlocksLeaveSomeWithNothing) {
  write_text(folder_ / "one.yaml", clutter_sweep(1));
  for (const char* shard : {"1/3", "2/3", "3/3"}) {
    const ProgramResult result = run_program({program_path(), "sweep", folder_ / "one.yaml",
                                              "--out", out(), "--shard", shard, "--quiet"});
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }
  ASSERT_EQ(merge().exit_code, 0);
  EXPECT_EQ(host::read_run(out()).num_finished, kClutterStepsPerBlock);
}

const std::vector<std::string> kOther = {"-s", "visibility.unknown=blocks"};

TEST_F(Shards, OfAnotherSweepAreRefusedBeforeTheyRun) {
  ASSERT_EQ(run_shard("1/2").exit_code, 0);
  for (const char* resume : {"", "--resume"}) {
    std::vector<std::string> more = {"--shard", "2/2", kOther[0], kOther[1]};
    if (*resume) more.push_back(resume);
    const ProgramResult other = run_program(sweep(out(), more));
    EXPECT_EQ(other.exit_code, 2);
    EXPECT_NE(other.err.find("this is another run"), std::string::npos) << other.err;
    EXPECT_FALSE(fs::exists(out() + "/shards/2-of-2"));
  }
}

TEST_F(Shards, OfAnotherSweepAreNotMerged) {
  ASSERT_EQ(run_shard("1/2").exit_code, 0);
  const std::vector<std::string> more = {"--shard", "2/2", kOther[0], kOther[1]};
  ASSERT_EQ(run_program(sweep(folder_ / "other", more)).exit_code, 0);
  fs::copy(folder_ / "other/shards/2-of-2", out() + "/shards/2-of-2", fs::copy_options::recursive);
  const ProgramResult merged = merge();
  EXPECT_EQ(merged.exit_code, 2);
  for (const char* word : {"2-of-2", "this is another run", "visibility.unknown"}) {
    EXPECT_NE(merged.err.find(word), std::string::npos) << merged.err;
  }
  EXPECT_FALSE(fs::exists(out() + "/run.sqlite"));
}

TEST_F(Shards, WithoutResultsDoNotStandInTheWay) {
  // Of another sweep, with less blocks than shards.
  write_text(folder_ / "one.yaml", clutter_sweep(1));
  ASSERT_EQ(run_program({program_path(), "sweep", folder_ / "one.yaml", "--out", out(), "--shard",
                         "3/3", "--quiet"})
                .exit_code,
            0);
  ASSERT_EQ(run_shard("1/2", true).exit_code, 0);
  ASSERT_EQ(run_shard("2/2", true).exit_code, 0);
  ASSERT_EQ(merge().exit_code, 0);
  expect_whole();
}

TEST_F(Shards, ThatDisagreeAreNotMerged) {
  ASSERT_EQ(run_shard("1/2").exit_code, 0);
  ASSERT_EQ(run_shard("2/2").exit_code, 0);
  // As if a part had been computed twice, and damaged once.
  fs::copy(out() + "/shards/2-of-2", out() + "/shards/3-of-3", fs::copy_options::recursive);
  {
    host::Database shard(out() + "/shards/3-of-3/run.sqlite", host::Database::Access::kReadWrite);
    const std::int64_t changed =
        shard.integer("SELECT configuration FROM result ORDER BY configuration DESC");
    shard.execute("UPDATE result SET correct = correct + 1 WHERE configuration = " +
                  std::to_string(changed));
    shard.execute("UPDATE configuration SET checksum = NULL");  // as of a program that had none
  }
  const ProgramResult whole = run_program(sweep(out(), {"--resume"}));
  for (const ProgramResult& refused : {merge(), whole}) {
    EXPECT_EQ(refused.exit_code, 2);
    for (const char* word : {"has other results than in", "2-of-2", "3-of-3"}) {
      EXPECT_NE(refused.err.find(word), std::string::npos) << refused.err;
    }
    EXPECT_FALSE(fs::exists(out() + "/run.sqlite"));
  }
  fs::remove_all(out() + "/shards/3-of-3");
  ASSERT_EQ(merge().exit_code, 0);
  expect_whole();
}

TEST_F(Shards, ThatAreStillAtWorkAreLeftAlone) {
  ASSERT_EQ(run_shard("1/2").exit_code, 0);
  ASSERT_EQ(run_shard("2/2").exit_code, 0);
  {
    const host::RunLock at_work(out() + "/shards/2-of-2");
    const ProgramResult merged = run_program({program_path(), "merge", out()});
    EXPECT_EQ(merged.exit_code, 1);
    EXPECT_NE(merged.out.find("shards/2-of-2: 0 configurations, running"), std::string::npos)
        << merged.out;
    EXPECT_EQ(host::read_run(out()).num_finished, kNumConfigurations / 2);
    // Another split would compute what this one is at.
    for (const ProgramResult& refused :
         {run_shard("1/3", true), run_program(sweep(out(), {"--resume"}))}) {
      EXPECT_EQ(refused.exit_code, 2);
      EXPECT_NE(refused.err.find("2-of-2: in use by process"), std::string::npos) << refused.err;
    }
  }
  ASSERT_EQ(merge().exit_code, 0);
  expect_whole();
}

TEST_F(Shards, AreToldByAReportThatFindsNoRun) {
  ASSERT_EQ(run_shard("1/2").exit_code, 0);
  const ProgramResult report = run_program({program_path(), "report", out()});
  EXPECT_EQ(report.exit_code, 2);
  EXPECT_NE(report.err.find("holds shards; put them together with `sightline merge"),
            std::string::npos)
      << report.err;
}

TEST_F(Shards, ThatAreDamagedAreNamed) {
  ASSERT_EQ(run_shard("1/2").exit_code, 0);
  const std::string database = out() + "/shards/1-of-2/run.sqlite";
  fs::resize_file(database, 3000);
  const ProgramResult merged = merge();
  EXPECT_EQ(merged.exit_code, 2);
  EXPECT_NE(merged.err.find("1-of-2/run.sqlite"), std::string::npos) << merged.err;
  EXPECT_NE(merged.err.find("; remove its folder"), std::string::npos) << merged.err;
}

// What is wrong is seen before anything of it is taken over, so that computing it again helps.
TEST_F(Shards, WithARowThatIsNotWhatWasStoredAreComputedAgain) {
  ASSERT_EQ(run_shard("1/2").exit_code, 0);
  ASSERT_EQ(run_shard("2/2").exit_code, 0);
  const std::string damaged = out() + "/shards/1-of-2";
  host::Database(damaged + "/run.sqlite", host::Database::Access::kReadWrite)
      .execute("UPDATE result SET correct = correct + 1 WHERE arm_idx = 0");
  for (const ProgramResult& refused :
       {merge(), run_program(sweep(out(), {"--resume"})), run_shard("1/2", true)}) {
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_NE(refused.err.find("1-of-2/run.sqlite: damaged: configuration "), std::string::npos)
        << refused.err;
    EXPECT_NE(refused.err.find("is not what was stored; remove its folder"), std::string::npos)
        << refused.err;
  }
  EXPECT_FALSE(fs::exists(out() + "/run.sqlite"));
  fs::remove_all(damaged);
  ASSERT_EQ(run_shard("1/2").exit_code, 0);
  ASSERT_EQ(merge().exit_code, 0);
  expect_whole();
}

TEST_F(Shards, WithoutATimeOfWhatTheyCountedAreDamaged) {
  ASSERT_EQ(run_shard("1/2").exit_code, 0);
  host::Database(out() + "/shards/1-of-2/run.sqlite", host::Database::Access::kReadWrite)
      .execute(
          "DELETE FROM cost WHERE arm_idx = 0 AND configuration ="
          " (SELECT min(configuration) FROM cost)");
  const ProgramResult refused = merge();
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("damaged: 1 result without the time it took"), std::string::npos)
      << refused.err;
}

TEST_F(Shards, OfAnOlderFormatAreMerged) {
  ASSERT_EQ(run_shard("1/2").exit_code, 0);
  ASSERT_EQ(run_shard("2/2").exit_code, 0);
  for (const char* shard : {"/shards/1-of-2/run.sqlite", "/shards/2-of-2/run.sqlite"}) {
    host::Database(out() + shard, host::Database::Access::kReadWrite)
        .execute(
            "ALTER TABLE configuration DROP COLUMN checksum;"
            "ALTER TABLE configuration DROP COLUMN trials_checksum; PRAGMA user_version=2");
  }
  ASSERT_EQ(merge().exit_code, 0);
  expect_whole();
}

/// As on a disk with so much room for each file.
ProgramResult run_with_room_for(std::uintmax_t max_file_bytes,
                                const std::vector<std::string>& argv) {
  ProgramOptions options;
  options.max_file_bytes = static_cast<long>(max_file_bytes);
  return run_program(argv, options);
}

TEST_F(Shards, AfterAFullDiskGoOnToTheBytesOfOneProcess) {
  ASSERT_EQ(run_shard("2/2").exit_code, 0);
  // The log of SQLite's transactions grows beyond this after some blocks.
  constexpr std::uintmax_t kRoomBytes = 72 << 10;
  const ProgramResult full =
      run_with_room_for(kRoomBytes, sweep(out(), {"--shard", "1/2", "--resume"}));
  EXPECT_EQ(full.exit_code, 1) << full.err;
  EXPECT_NE(full.err.find("1-of-2/run.sqlite"), std::string::npos) << full.err;
  const std::int64_t done = host::read_run(out() + "/shards/1-of-2").num_finished;
  EXPECT_GT(done, 0);
  EXPECT_LT(done, kNumConfigurations / 2);
  const ProgramResult early = merge();
  EXPECT_EQ(early.exit_code, 1);
  EXPECT_NE(early.err.find("configurations are missing"), std::string::npos) << early.err;
  ASSERT_EQ(run_shard("1/2", true).exit_code, 0);
  ASSERT_EQ(merge().exit_code, 0);
  expect_whole();
}

TEST_F(Shards, AreMergedOnceAFullDiskHasRoomAgain) {
  for (const char* shard : {"1/2", "2/2"}) ASSERT_EQ(run_shard(shard, true).exit_code, 0);
  const auto bytes = fs::file_size(*suite_ / "whole/run.sqlite");
  const ProgramResult full =
      run_with_room_for(bytes * 3 / 4, {program_path(), "merge", out(), "--quiet"});
  EXPECT_EQ(full.exit_code, 1) << full.err;
  EXPECT_NE(full.err.find("run.sqlite"), std::string::npos) << full.err;
  EXPECT_FALSE(fs::exists(out() + "/results.csv"));
  for (const char* shard : {"/shards/1-of-2", "/shards/2-of-2"}) {
    EXPECT_EQ(host::read_run(out() + shard).num_finished, kNumConfigurations / 2);
  }
  ASSERT_EQ(merge().exit_code, 0);
  expect_whole();
}

TEST_F(Shards, NeedSomethingToMerge) {
  const ProgramResult merged = merge();
  EXPECT_EQ(merged.exit_code, 2);
  EXPECT_NE(merged.err.find("holds no shards"), std::string::npos) << merged.err;
}

}  // namespace
}  // namespace sightline::tests
