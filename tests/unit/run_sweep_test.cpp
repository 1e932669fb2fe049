// A sweep through the library on several threads, stopped from one of them: what the program does
// on Ctrl-C, without the program.
#include "host/sweep/run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <utility>

#include "host/error.h"
#include "host/sweep/store.h"
#include "support/errors.h"
#include "support/run_program.h"
#include "support/sweep_files.h"

namespace sightline::tests {
namespace {

namespace fs = std::filesystem;

constexpr int kNumBlocks = 6;

host::SweepSummary run(const std::string& folder, int num_threads, bool resume,
                       std::function<void(const host::Progress&)> on_progress = {},
                       std::function<bool()> stop_requested = {}) {
  host::SweepOptions options;
  options.output_directory = folder;
  options.resume = resume;
  options.on_progress = std::move(on_progress);
  options.stop_requested = std::move(stop_requested);
  host::Device device(host::DeviceChoice::kCpu, num_threads);
  return host::run_sweep(host::SweepPlan::parse(clutter_sweep(kNumBlocks), "clutter.yaml", {}),
                         options, device);
}

TEST(RunSweep, StoppedFromAnotherThreadAndResumedGivesTheSameAnswers) {
  const TemporaryFolder folder;
  run(folder / "whole", 1, false);

  std::atomic<std::int64_t> done_blocks{0};
  std::atomic<bool> stop{false};
  std::thread user([&] {
    while (done_blocks < 2) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    stop = true;
  });
  const auto on_progress = [&](const host::Progress& now) { done_blocks = now.done_blocks; };
  const auto stop_requested = [&] {
    while (done_blocks >= 2 && !stop) std::this_thread::yield();  // blocks are quicker than users
    return stop.load();
  };
  EXPECT_THROW(run(folder / "stopped", 3, false, on_progress, stop_requested), host::Interrupted);
  done_blocks = 2;  // also where the run failed in another way
  user.join();
  const host::SweepSummary rest = run(folder / "stopped", 3, true);
  EXPECT_EQ(rest.skipped, 2 * kClutterStepsPerBlock);
  EXPECT_EQ(rest.ran, (kNumBlocks - 2) * kClutterStepsPerBlock);
  EXPECT_EQ(read_text(folder / "stopped/results.csv"), read_text(folder / "whole/results.csv"));
}

/// Two blocks that read a point file, at which `meddle` comes in between.
class InputsWhileRunning : public testing::Test {
 protected:
  static constexpr const char* kPoints = "x,y,z\n1,1,1\n8,1,8\n";
  static constexpr std::int64_t kBlocks = 2;  // of a configuration each

  InputsWhileRunning() { write_text(points(), kPoints); }
  std::string points() const { return folder_ / "points.csv"; }

  host::SweepSummary run(bool resume, bool keep_going = false,
                         const std::function<void()>& meddle = {}) const {
    host::SweepOptions options;
    options.output_directory = folder_ / "run";
    options.resume = resume;
    options.keep_going = keep_going;
    options.on_progress = [&, meddled = false](const host::Progress& now) mutable {
      if (!meddle || meddled || now.done_blocks == 0) return;
      meddled = true;
      meddle();
    };
    host::Device device(host::DeviceChoice::kCpu, 1);
    return host::run_sweep(host::SweepPlan::parse(sweep_of_point_file(points()), "p.yaml", {}),
                           options, device);
  }

  TemporaryFolder folder_;
};

TEST_F(InputsWhileRunning, AChangedFileEndsTheRunAndResumesOnceItIsBack) {
  const auto change = [&] { write_text(points(), "x,y,z\n1,1,1\n8,1,8\n9,1,9\n"); };
  const std::string message = input_error_of([&] { run(false, false, change); });
  EXPECT_EQ(message.rfind(points() + ": changed since the run began", 0), 0u) << message;
  EXPECT_NE(message.find("--resume"), std::string::npos) << message;
  EXPECT_EQ(host::read_run(folder_ / "run").num_finished, 1);
  write_text(points(), kPoints);
  const host::SweepSummary rest = run(true);
  EXPECT_EQ(rest.skipped, 1);
  EXPECT_EQ(rest.ran, 1);
}

TEST_F(InputsWhileRunning, AChangedFileFailsItsBlocksWhereTheRunGoesOn) {
  const auto change = [&] { write_text(points(), "x,y,z\n1,1,1\n8,1,8\n9,1,9\n"); };
  const host::SweepSummary summary = run(false, true, change);
  EXPECT_EQ(summary.ran, 1);
  EXPECT_EQ(summary.failed, 1);
}

TEST_F(InputsWhileRunning, AFileWrittenAgainAsItWasIsTheSame) {
  const auto write_again = [&] {
    write_text(points(), kPoints);
    fs::last_write_time(points(), fs::last_write_time(points()) + std::chrono::seconds(1));
  };
  EXPECT_EQ(run(false, false, write_again).ran, kBlocks);
}

/// A sweep over steps of one batch of rays, of which 1e-7 m is too small for any.
host::SweepSummary sweep_steps(const std::string& steps, const std::string& out) {
  host::SweepOptions options;
  options.output_directory = out;
  options.keep_going = true;
  host::Device device(host::DeviceChoice::kCpu, 1);
  const std::string sweep =
      "world: {scene: {name: clutter, seed: 1}}\n"
      "observers: {random_free: {count: 3, seed: 1, height_m: 1}}\n"
      "targets: {random_free: {count: 3, seed: 2, height_m: 1}}\n"
      "visibility: {method: march}\n"
      "oracle: {method: hdda}\n"
      "arms: {los: {predict: line_of_sight}}\n"
      "axes: {visibility.step_m: [" +
      steps + "]}\n";
  return host::run_sweep(host::SweepPlan::parse(sweep, "steps.yaml", {}), options, device);
}

TEST(RunSweep, GoesOnWithAllThatCanRunOfABlock) {
  const TemporaryFolder folder;
  for (const char* steps : {"1.0e-7, 0.1, 0.3", "0.1, 1.0e-7", "0.1, 0.2, 1.0e-7, 0.3, 0.4, 0.5",
                            "1.0e-7, 0.1, 0.2, 0.3, 2.0e-7"}) {
    const std::string list = steps;
    const auto bad = std::count(list.begin(), list.end(), 'e');
    const auto good = std::count(list.begin(), list.end(), ',') + 1 - bad;
    const host::SweepSummary summary = sweep_steps(list, folder / std::to_string(list.size()));
    EXPECT_EQ(summary.ran, good) << list;
    EXPECT_EQ(summary.failed, bad) << list;
  }
}

TEST(RunSweep, TakesFromABlockThatFailsTheAnswersThatTheOthersGiveAlone) {
  const TemporaryFolder folder;
  sweep_steps("0.1, 0.3", folder / "good");
  sweep_steps("0.1, 1.0e-7, 0.3", folder / "mixed");
  const auto lines_of = [&](const std::string& run) {
    std::istringstream text(read_text(folder / (run + "/results.csv")));
    std::set<std::string> lines;
    for (std::string line; std::getline(text, line);) lines.insert(line);
    return lines;
  };
  EXPECT_EQ(lines_of("mixed"), lines_of("good"));
}

}  // namespace
}  // namespace sightline::tests
