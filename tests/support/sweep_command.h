// `sightline sweep` on a small sweep in a folder of the test's own.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "support/places.h"
#include "support/run_program.h"
#include "support/sweep_files.h"

namespace sightline::tests {

// Exit codes.
constexpr int kOk = 0, kRunFailed = 1, kBadInput = 2, kNoEnvironment = 3;
constexpr int kFewBlocks = 2;

class SweepCommand : public testing::Test {
 protected:
  SweepCommand() { write_text(config(), clutter_sweep(kFewBlocks)); }

  std::string config() const { return folder_ / "sweep.yaml"; }
  std::string out() const { return folder_ / "run"; }
  bool written(const std::string& name) const {
    return std::filesystem::exists(std::filesystem::path(out()) / name);
  }

  std::vector<std::string> command(const std::vector<std::string>& more) const {
    std::vector<std::string> argv = {program_path(), "sweep"};
    argv.insert(argv.end(), more.begin(), more.end());
    return argv;
  }
  /// sweep CONFIG --out DIR, and more; on one thread unless told otherwise, since such small blocks
  /// only lose on more where cores are shared.
  ProgramResult sweep(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> argv = command({config(), "--out", out()});
    argv.insert(argv.end(), more.begin(), more.end());
    ProgramOptions options;
    options.environment = {{"OMP_NUM_THREADS", "1"}, {"CUDA_VISIBLE_DEVICES", ""}};
    return run_program(argv, options);
  }

  TemporaryFolder folder_;
};

inline void expect_failure(const ProgramResult& result, int exit_code,
                           const std::vector<std::string>& words) {
  EXPECT_EQ(result.exit_code, exit_code) << result.err;
  EXPECT_EQ(result.out, "");
  for (const std::string& word : words) {
    EXPECT_NE(result.err.find(word), std::string::npos)
        << "no \"" << word << "\" in: " << result.err;
  }
}

}  // namespace sightline::tests
