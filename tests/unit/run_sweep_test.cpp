// A sweep through the library on several threads, stopped from one of them: what the program does
// on Ctrl-C, without the program.
#include "host/sweep/run.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <thread>
#include <utility>

#include "host/error.h"
#include "support/run_program.h"
#include "support/sweep_files.h"

namespace sightline::tests {
namespace {

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

}  // namespace
}  // namespace sightline::tests
