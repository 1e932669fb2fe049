// `sightline sweep --resume`, and runs that fail half-way: what goes on, what is refused and why.
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "host/config/json_text.h"
#include "host/sweep/store.h"
#include "support/ranks.h"
#include "support/sweep_command.h"

namespace sightline::tests {
namespace {

namespace fs = std::filesystem;

TEST_F(SweepCommand, ResumeStartsAnAbsentRunAndAnEmptyFolder) {
  EXPECT_EQ(sweep({"--resume", "--quiet"}).exit_code, kOk);
  fs::create_directory(folder_ / "empty");
  EXPECT_EQ(
      run_program(command({config(), "--out", folder_ / "empty", "--resume", "--quiet"})).exit_code,
      kOk);
}

TEST_F(SweepCommand, ResumeRefusesAnotherConfigAndSaysWhatChanged) {
  ASSERT_EQ(sweep({"--quiet"}).exit_code, kOk);
  const std::string before = read_text(out() + "/results.csv");
  expect_failure(sweep({"--resume", "-s", "visibility.unknown=blocks"}), kBadInput,
                 {"cannot resume", "visibility.unknown", "was absent", "\"blocks\""});
  write_text(config(), clutter_sweep(kFewBlocks + 1));
  expect_failure(sweep({"--resume"}), kBadInput, {"axes.seed.range.stop", "was 2, is 3"});
  EXPECT_EQ(read_text(out() + "/results.csv"), before);
}

TEST_F(SweepCommand, ResumeTakesTheSameConfigWrittenDifferently) {
  ASSERT_EQ(sweep({"--quiet"}).exit_code, kOk);
  write_text(config(), "# a comment\n" + clutter_sweep(kFewBlocks));
  EXPECT_EQ(sweep({"--quiet", "--resume", "-s", "visibility.method=march"}).exit_code, kOk);
}

TEST_F(SweepCommand, ResumeTakesAnotherReportAndKeepsItForThePage) {
  ASSERT_EQ(sweep({"--quiet", "-s", "report.lines=seed"}).exit_code, kOk);
  const ProgramResult resumed =
      sweep({"--quiet", "--resume", "-s", "report={lines: visibility.step_m, arm: sight}"});
  ASSERT_EQ(resumed.exit_code, kOk) << resumed.err;
  const host::ConfigValue report = host::read_run(out()).resolved.at("report");
  EXPECT_EQ(report.canonical_json(), R"({"arm":"sight","lines":"visibility.step_m"})");
}

TEST_F(SweepCommand, ResumeRefusesOtherInputsAndNamesTheFile) {
  const std::string points = folder_ / "points.csv";
  write_text(points, "x,y,z\n1,1,1\n8,1,8\n");
  write_text(config(), sweep_of_point_file(points));
  ASSERT_EQ(sweep({"--quiet"}).exit_code, kOk);
  const auto manifest = host::parse_json<nlohmann::json>(read_text(out() + "/manifest.json"));
  EXPECT_EQ(manifest.at("inputs").at(0).at("path"), points);
  write_text(points, "x,y,z\n1,1,1\n8,1,9\n");
  expect_failure(sweep({"--resume"}), kBadInput, {"points.csv", "its content changed"});
}

TEST_F(SweepCommand, ResumeRefusesAnotherProgramWhileSomethingIsMissing) {
  ASSERT_EQ(sweep({"--quiet"}).exit_code, kOk);
  host::Database database(out() + "/run.sqlite", host::Database::Access::kReadWrite);
  database.execute("UPDATE meta SET value = '0.0.1, revision old' WHERE key = 'program'");
  EXPECT_EQ(sweep({"--resume", "--quiet"}).exit_code, kOk);  // nothing is left to compute
  for (const char* table : {"result", "cost", "configuration"}) {
    database.execute(std::string("DELETE FROM ") + table + " WHERE configuration = 5");
  }
  expect_failure(sweep({"--resume"}), kBadInput, {"program: was 0.0.1, revision old"});
}

TEST_F(SweepCommand, TakesAFolderWhoseNameLooksLikeAUri) {
  fs::create_directory(folder_ / "x");
  const auto in_folder = [&](const std::vector<std::string>& more) {
    std::vector<std::string> argv = {program_path(), "sweep",  config(),
                                     "--out",        "file:x", "--quiet"};
    argv.insert(argv.end(), more.begin(), more.end());
    ProgramOptions options;
    options.working_directory = folder_.path();
    return run_program(argv, options);
  };
  ASSERT_EQ(in_folder({"--shard", "1/2"}).exit_code, kOk);
  ASSERT_EQ(in_folder({"--resume"}).exit_code, kOk);
  EXPECT_TRUE(fs::exists(folder_ / "file:x/run.sqlite"));
  EXPECT_TRUE(fs::is_empty(folder_ / "x"));
}

TEST_F(SweepCommand, RefusesAForeignDatabase) {
  fs::create_directory(out());
  write_text(out() + "/run.sqlite", "not a database at all, but long enough to look at");
  expect_failure(sweep({"--resume"}), kBadInput, {"run.sqlite", "not the results of a run"});
}

TEST_F(SweepCommand, RefusesToResumeWithoutTheDatabase) {
  ASSERT_EQ(sweep({"--quiet"}).exit_code, kOk);
  fs::remove(out() + "/run.sqlite");
  expect_failure(sweep({"--resume"}), kBadInput, {"run.sqlite", "is gone"});
  EXPECT_FALSE(written("run.sqlite"));
}

TEST_F(SweepCommand, ARunWithoutResultsIsStillNoOtherRun) {
  ASSERT_EQ(sweep({"--quiet"}).exit_code, kOk);
  {
    host::Database database(out() + "/run.sqlite", host::Database::Access::kReadWrite);
    for (const char* table : {"result", "cost", "configuration"}) {
      database.execute(std::string("DELETE FROM ") + table);
    }
  }
  expect_failure(sweep({"--resume", "-s", "seed=4"}), kBadInput, {"this is another run", "seed"});
  EXPECT_EQ(sweep({"--resume", "--quiet"}).exit_code, kOk);
  EXPECT_EQ(host::read_run(out()).num_configurations, 6);
}

// Each file has room for its bytes, but the disk has no names left at some moment of the run.
TEST_F(SweepCommand, OnADiskWithoutRoomForAFileEndsAsOnAFullOne) {
  const std::vector<std::string> mount = {"/usr/bin/env", "unshare", "-rm", "sh", "-c"};
  const std::string disk = folder_ / "disk";
  fs::create_directory(disk);
  const auto on_small_disk = [&](int num_files) {
    std::vector<std::string> argv = mount;
    argv.push_back("mount -t tmpfs -o size=64m,nr_inodes=" + std::to_string(num_files) + " none '" +
                   disk + "' && exec \"$0\" \"$@\"");
    return argv;
  };
  std::vector<std::string> test = on_small_disk(4);
  test.emplace_back("true");
  if (run_program(test).exit_code != 0) GTEST_SKIP() << "no right to mount a small disk";
  write_text(config(), clutter_sweep(kFewBlocks));
  int num_full = 0;
  for (const int num_files : {8, 9, 10, 11, 12, 64}) {
    std::vector<std::string> argv = on_small_disk(num_files);
    for (std::string& word : command({config(), "--out", disk + "/run", "--quiet"})) {
      argv.push_back(std::move(word));
    }
    const ProgramResult result = run_program(argv);
    if (result.exit_code == 0) continue;
    ++num_full;
    EXPECT_EQ(result.exit_code, 1) << num_files << ": " << result.err;
    EXPECT_NE(result.err.find("free some space"), std::string::npos) << result.err;
  }
  EXPECT_GT(num_full, 0);
}

TEST_F(SweepCommand, LetsOneProcessWorkInAFolder) {
  constexpr int kManyBlocks = 200;
  constexpr std::chrono::seconds kStartLimit{60};
  write_text(config(), clutter_sweep(kManyBlocks));
  Program first(command({config(), "--out", out(), "--threads", "1", "--quiet"}));
  ASSERT_TRUE(first.wait_until([&] { return written("manifest.json"); }, kStartLimit));
  expect_failure(sweep({"--resume"}), kBadInput, {out(), "in use by process"});
  expect_failure(sweep(), kBadInput, {"already holds a run"});
  first.send(SIGKILL);
  EXPECT_EQ(first.wait().signal, SIGKILL);
  EXPECT_EQ(sweep({"--resume", "--quiet"}).exit_code, kOk);
}

TEST_F(SweepCommand, RanksThatAreInterruptedTellHowToGoOn) {
  if (!no_ranks().empty()) GTEST_SKIP() << no_ranks();
  constexpr int kManyBlocks = 5000;
  constexpr std::chrono::seconds kStartLimit{60};
  write_text(config(), clutter_sweep(kManyBlocks));
  std::vector<std::string> argv = on_ranks(2, command({config(), "--out", out(), "--quiet"}));
  // Open MPI always waits so long before it kills: a second, which a busy machine may need.
  argv.insert(argv.begin() + 1, {"--mca", "odls_base_sigkill_timeout", "4"});
  Program program(argv, rank_options());
  ASSERT_TRUE(
      program.wait_until([&] { return written("shards/1-of-2/manifest.json"); }, kStartLimit));
  program.send(SIGINT);
  const ProgramResult result = program.wait();
  EXPECT_NE(result.exit_code, kOk);
  const std::string told = "as so many ranks, others or alone, continue with:\n  " +
                           program_path() + " sweep " + config() + " --out " + out() +
                           " --quiet --resume\n";
  const std::size_t first = result.err.find(told);
  ASSERT_NE(first, std::string::npos) << result.err;
  EXPECT_EQ(result.err.find(told, first + 1), std::string::npos) << "told once";
}

/// Observers without free space at their height in the second of two worlds: found only while its
/// block runs.
std::string half_bad_sweep() {
  return clutter_sweep(kFewBlocks) +
         "  world.scene.seed: [3, 4]\n"
         "  observers.random_free.height_m: [1.6, 100]\n"
         "zip: [[world.scene.seed, observers.random_free.height_m]]\n";
}

TEST_F(SweepCommand, KeepsGoingPastABlockThatFailsAndSaysSo) {
  write_text(config(), half_bad_sweep());
  const ProgramResult result = sweep({"--keep-going", "--json"});
  EXPECT_EQ(result.exit_code, kRunFailed) << result.err;
  const auto summary = host::parse_json<nlohmann::json>(result.out);
  EXPECT_EQ(summary.at("status"), "failed");
  EXPECT_EQ(summary.at("configurations").at("planned"), 12);
  EXPECT_EQ(summary.at("configurations").at("finished"), 6);
  EXPECT_EQ(summary.at("configurations").at("failed"), 6);
  EXPECT_FALSE(summary.at("failures").at(0).at("message").get<std::string>().empty());
  EXPECT_EQ(host::parse_json<nlohmann::json>(read_text(out() + "/manifest.json")).at("status"),
            "failed");
}

TEST_F(SweepCommand, StopsAtABlockThatFailsAndKeepsWhatIsDone) {
  write_text(config(), half_bad_sweep());
  const ProgramResult result = sweep({"--quiet"});
  EXPECT_EQ(result.exit_code, kBadInput) << result.err;
  EXPECT_EQ(host::read_run(out()).num_finished, 3);
  EXPECT_EQ(host::read_run(out()).failures.size(), 3u);
}

TEST_F(SweepCommand, TriesFailedBlocksAgainOnResume) {
  write_text(config(), half_bad_sweep());
  EXPECT_EQ(sweep({"--keep-going", "--quiet"}).exit_code, kRunFailed);
  const std::string before = read_text(out() + "/results.csv");
  EXPECT_EQ(sweep({"--keep-going", "--quiet", "--resume"}).exit_code, kRunFailed);
  EXPECT_EQ(read_text(out() + "/results.csv"), before);
  EXPECT_EQ(host::read_run(out()).failures.size(), 6u);
}

}  // namespace
}  // namespace sightline::tests
