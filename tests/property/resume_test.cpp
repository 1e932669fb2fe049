// However a run is stopped and continued, and on however many threads and in however large pieces
// it runs, its answers are the same bytes.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "host/config/json_text.h"
#include "host/sweep/store.h"
#include "support/effort.h"
#include "support/places.h"
#include "support/run_program.h"
#include "support/sweep_files.h"

namespace sightline::tests {
namespace {

using std::chrono::milliseconds;

constexpr int kNumBlocks = kSanitized ? 40 : 60;
constexpr unsigned kSeed = 20260131;
constexpr milliseconds kStartLimit{60'000};

std::vector<std::string> sweep_command(const std::string& config, const std::string& out,
                                       const std::vector<std::string>& more = {}) {
  std::vector<std::string> argv = {program_path(), "sweep", config,   "--out", out,
                                   "--device",     "cpu",   "--quiet"};
  argv.insert(argv.end(), more.begin(), more.end());
  return argv;
}

/// One thread: small blocks run no faster on more, and much slower where cores are shared.
std::vector<std::string> plain_sweep(const std::string& config, const std::string& out) {
  return sweep_command(config, out, {"--threads", "1"});
}

std::vector<std::string> resumed_sweep(const std::string& config, const std::string& out) {
  return sweep_command(config, out, {"--threads", "1", "--resume"});
}

/// The answers of a run, as files.
struct RunAnswers {
  std::string results, summary;
  explicit RunAnswers(const std::string& folder)
      : results(read_text(folder + "/results.csv")), summary(read_text(folder + "/summary.json")) {}
};

nlohmann::json manifest_of(const std::string& folder) {
  return host::parse_json<nlohmann::json>(read_text(folder + "/manifest.json"));
}

std::int64_t num_finished(const std::string& folder) {
  if (!std::filesystem::exists(folder + "/run.sqlite")) return 0;
  try {
    return host::read_run(folder).num_finished;
  } catch (const std::exception&) {
    return 0;  // not begun yet
  }
}

/// One sweep, run once without interruption: what every other way of running it must give.
class Resume : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TemporaryFolder;
    write_text(config(), clutter_sweep(kNumBlocks));
    const auto begin = std::chrono::steady_clock::now();
    const ProgramResult whole = run_program(plain_sweep(config(), *folder_ / "whole"));
    ASSERT_EQ(whole.exit_code, 0) << whole.err;
    whole_time_ = std::chrono::steady_clock::now() - begin;
    expected_ = new RunAnswers(*folder_ / "whole");
    ASSERT_EQ(std::count(expected_->results.begin(), expected_->results.end(), '\n'),
              1 + kNumBlocks * kClutterStepsPerBlock * kClutterArms);
  }
  static void TearDownTestSuite() {
    delete expected_;
    delete folder_;
  }

  static std::string config() { return *folder_ / "sweep.yaml"; }
  static std::string out(const std::string& name) { return *folder_ / name; }

  static void expect_whole(const std::string& folder) {
    const RunAnswers answers(folder);
    EXPECT_EQ(answers.results, expected_->results);
    EXPECT_EQ(answers.summary, expected_->summary);
    EXPECT_EQ(manifest_of(folder).at("status"), "complete");
  }

  /// Starts or resumes, and sends the signal once at least `num` configurations are done.
  static ProgramResult stop_after(const std::string& folder, std::int64_t num, int signal) {
    Program program(resumed_sweep(config(), folder));
    program.wait_until([&] { return num_finished(folder) >= num; }, kStartLimit);
    program.send(signal);
    return program.wait();
  }

  static TemporaryFolder* folder_;
  static RunAnswers* expected_;
  static std::chrono::duration<double> whole_time_;
};
TemporaryFolder* Resume::folder_ = nullptr;
RunAnswers* Resume::expected_ = nullptr;
std::chrono::duration<double> Resume::whole_time_{};

TEST_F(Resume, AfterKillsAtRandomMomentsGivesTheSameBytes) {
  // Any moment counts, also before the folder exists and while the files are written at the end.
  constexpr int kTrials = effort(6), kMostKills = 8;
  std::mt19937 random(kSeed);
  std::uniform_real_distribution<double> moment(0, 0.6 * whole_time_.count());
  int killed_half_way = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    const std::string folder = out("killed" + std::to_string(trial));
    ProgramResult result;
    for (int kill = 0; kill < kMostKills && result.exit_code != 0; ++kill) {
      const std::chrono::duration<double> delay(moment(random));
      Program program(resumed_sweep(config(), folder));
      std::this_thread::sleep_for(delay);
      program.send(SIGKILL);
      result = program.wait();
      ASSERT_TRUE(result.exit_code == 0 || result.signal == SIGKILL) << result.err;
      const std::int64_t done = num_finished(folder);
      if (done > 0 && done < kNumBlocks * kClutterStepsPerBlock) ++killed_half_way;
    }
    result = run_program(resumed_sweep(config(), folder));
    ASSERT_EQ(result.exit_code, 0) << result.err;
    expect_whole(folder);
  }
  EXPECT_GT(killed_half_way, 0) << "no kill fell between two blocks; seed " << kSeed;
}

TEST_F(Resume, RunsOnlyWhatIsMissing) {
  constexpr std::int64_t kDoneFirst = 30;
  const std::string folder = out("missing");
  EXPECT_EQ(stop_after(folder, kDoneFirst, SIGKILL).signal, SIGKILL);
  const auto before = host::read_run(folder);
  ASSERT_GE(before.num_finished, kDoneFirst);
  ASSERT_FALSE(before.complete());
  EXPECT_EQ(run_program(resumed_sweep(config(), folder)).exit_code, 0);
  const auto after = host::read_run(folder);
  ASSERT_TRUE(after.complete());
  // A row that was there keeps its time to the last bit: it was not measured again.
  for (std::size_t i = 0; i < before.rows.size(); ++i) {
    EXPECT_EQ(after.rows[i].result.configuration_id, before.rows[i].result.configuration_id);
    EXPECT_EQ(after.rows[i].cost.seconds, before.rows[i].cost.seconds);
  }
  const auto sessions = manifest_of(folder).at("sessions");
  ASSERT_EQ(sessions.size(), 2u);
  EXPECT_EQ(sessions.at(0).at("status"), "killed");
  EXPECT_EQ(sessions.at(1).at("status"), "complete");
  expect_whole(folder);
}

TEST_F(Resume, OfACompleteRunChangesNoAnswer) {
  const std::string folder = out("again");
  ASSERT_EQ(run_program(plain_sweep(config(), folder)).exit_code, 0);
  EXPECT_EQ(run_program(resumed_sweep(config(), folder)).exit_code, 0);
  expect_whole(folder);
}

TEST_F(Resume, MakesTheFilesAgainFromTheDatabase) {
  const std::string folder = out("rewritten");
  ASSERT_EQ(run_program(plain_sweep(config(), folder)).exit_code, 0);
  std::filesystem::remove(folder + "/results.csv");
  write_text(folder + "/summary.json", "scribble");
  std::filesystem::remove(folder + "/manifest.json");
  EXPECT_EQ(run_program(resumed_sweep(config(), folder)).exit_code, 0);
  expect_whole(folder);
}

class ResumeAfterSignal : public Resume, public testing::WithParamInterface<int> {};

TEST_P(ResumeAfterSignal, FlushesExits130AndGivesTheSameBytes) {
  constexpr std::int64_t kDoneFirst = 15;
  const std::string folder = out("signal" + std::to_string(GetParam()));
  const ProgramResult stopped = stop_after(folder, kDoneFirst, GetParam());
  EXPECT_EQ(stopped.exit_code, 130) << stopped.err;
  EXPECT_NE(stopped.err.find("--resume"), std::string::npos) << stopped.err;
  EXPECT_EQ(manifest_of(folder).at("status"), "interrupted");
  // What is done is in the files, and is a part of the whole.
  const RunAnswers partial(folder);
  const auto lines = std::count(partial.results.begin(), partial.results.end(), '\n');
  EXPECT_EQ(lines, 1 + num_finished(folder) * kClutterArms);
  EXPECT_GE(lines, 1 + kDoneFirst * kClutterArms);
  EXPECT_EQ(expected_->results.substr(0, partial.results.size()), partial.results);
  EXPECT_LT(partial.results.size(), expected_->results.size());
  EXPECT_EQ(run_program(resumed_sweep(config(), folder)).exit_code, 0);
  expect_whole(folder);
}
INSTANTIATE_TEST_SUITE_P(Signals, ResumeAfterSignal, testing::Values(SIGINT, SIGTERM));

TEST_F(Resume, StopsWithinALongBlockAndKeepsNothingOfIt) {
  const std::string config = out("long.yaml"), folder = out("long");
  write_text(config, R"(world: {scene: clutter}
observers: {random_free: {count: 3000, height_m: 1.6}}
targets: {random_free: {count: 3000, height_m: 1}}
arms: {sight: {predict: line_of_sight, visibility: {method: march, step_m: 0.001}}}
)");
  Program program(plain_sweep(config, folder));
  ASSERT_TRUE(program.wait_until([&] { return std::filesystem::exists(folder + "/manifest.json"); },
                                 kStartLimit));
  std::this_thread::sleep_for(milliseconds(500));  // into the block
  program.send(SIGINT);
  constexpr milliseconds kMuchLessThanTheBlock{60'000};
  EXPECT_EQ(program.wait(kMuchLessThanTheBlock).exit_code, 130);
  EXPECT_EQ(num_finished(folder), 0);
  EXPECT_EQ(manifest_of(folder).at("status"), "interrupted");
}

/// One set of rays and three passes over it, each of a second or so: three transactions.
std::string one_ray_set() {
  const std::string count = std::to_string(effort(500));
  return "world: {scene: clutter}\n"
         "observers: {random_free: {count: " +
         count +
         ", height_m: 1.6}}\n"
         "targets: {random_free: {count: " +
         count + ", height_m: 1}}\n" +
         R"(visibility: {method: march, step_m: 0.001, unknown: free}
arms: {sight: {predict: line_of_sight}}
axes: {visibility.unknown: [free, blocks, unknown]}
)";
}

TEST_F(Resume, KeepsThePassesDoneOverOneSetOfRaysAndPrintsTheCommandThatGoesOn) {
  const std::string config = out("passes of one set.yaml"), folder = out("passes");
  write_text(config, one_ray_set());
  Program program(plain_sweep(config, folder));
  ASSERT_TRUE(program.wait_until([&] { return num_finished(folder) >= 1; }, kStartLimit));
  program.send(SIGINT);
  const ProgramResult stopped = program.wait();
  ASSERT_EQ(stopped.exit_code, 130) << stopped.err;
  const std::int64_t done = num_finished(folder);
  EXPECT_GE(done, 1);
  EXPECT_LT(done, 3);
  const std::string introduction = "continue with:\n  ";
  const std::size_t begin = stopped.err.find(introduction);
  ASSERT_NE(begin, std::string::npos) << stopped.err;
  const std::string command = stopped.err.substr(begin + introduction.size());
  const ProgramResult resumed = run_program({"/bin/sh", "-c", command});
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err << command;
  ASSERT_EQ(run_program(plain_sweep(config, out("passes at once"))).exit_code, 0);
  EXPECT_EQ(RunAnswers(folder).results, RunAnswers(out("passes at once")).results);
}

TEST_F(Resume, AfterAFullDiskGivesTheSameBytes) {
  // The largest file may not grow beyond what the database needs for a part of the run.
  const auto whole_bytes = std::filesystem::file_size(out("whole") + "/run.sqlite");
  ProgramOptions options;
  options.max_file_bytes = static_cast<long>(whole_bytes / 2);
  const std::string folder = out("full");
  const ProgramResult failed = run_program(plain_sweep(config(), folder), options);
  EXPECT_EQ(failed.exit_code, 1) << failed.err;
  EXPECT_NE(failed.err.find("run.sqlite"), std::string::npos) << failed.err;
  EXPECT_LT(num_finished(folder), kNumBlocks * kClutterStepsPerBlock);
  const ProgramResult resumed = run_program(resumed_sweep(config(), folder));
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  expect_whole(folder);
}

class AnswersDoNotDependOn : public Resume,
                             public testing::WithParamInterface<std::vector<std::string>> {};

TEST_P(AnswersDoNotDependOn, ThreadsOrPieces) {
  std::string name = "variant";
  for (const std::string& argument : GetParam()) name += argument;
  ASSERT_EQ(run_program(sweep_command(config(), out(name), GetParam())).exit_code, 0);
  expect_whole(out(name));
}
INSTANTIATE_TEST_SUITE_P(Machines, AnswersDoNotDependOn,
                         testing::Values(std::vector<std::string>{"--threads", "1"},
                                         std::vector<std::string>{"--threads", "2"},
                                         std::vector<std::string>{"--threads", "3"},
                                         std::vector<std::string>{"--batch", "1"},
                                         std::vector<std::string>{"--batch", "97"},
                                         std::vector<std::string>{"--batch", "1600"}));

}  // namespace
}  // namespace sightline::tests
