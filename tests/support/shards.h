// A run that is divided among processes, held against the bytes of one.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/effort.h"
#include "support/places.h"
#include "support/run_program.h"
#include "support/sweep_files.h"

#include "host/config/json_text.h"

namespace sightline::tests {

constexpr int kNumBlocks = kSanitized ? 12 : 40;
constexpr int kNumConfigurations = kNumBlocks * kClutterStepsPerBlock;
constexpr std::chrono::seconds kStartLimit{60};  ///< for a program to begin its work

/// A sweep, what one process makes of it, and a folder to divide it in.
class Shards : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    suite_ = new TemporaryFolder;
    write_text(config(), clutter_sweep(kNumBlocks));
    const ProgramResult whole = run_program(sweep(*suite_ / "whole"));
    ASSERT_EQ(whole.exit_code, 0) << whole.err;
  }
  static void TearDownTestSuite() { delete suite_; }

  static std::string config() { return *suite_ / "sweep.yaml"; }
  static std::vector<std::string> sweep(const std::string& out,
                                        const std::vector<std::string>& more = {}) {
    std::vector<std::string> argv = {program_path(), "sweep", config(),  "--out",     out,
                                     "--device",     "cpu",   "--quiet", "--threads", "1"};
    argv.insert(argv.end(), more.begin(), more.end());
    return argv;
  }
  std::string out() const { return folder_ / "run"; }
  ProgramResult run_shard(const std::string& shard, bool resume = false) const {
    std::vector<std::string> argv = sweep(out(), {"--shard", shard});
    if (resume) argv.push_back("--resume");
    return run_program(argv);
  }
  ProgramResult merge() const { return run_program({program_path(), "merge", out(), "--quiet"}); }
  void expect_whole() const {
    for (const char* name : {"/results.csv", "/summary.json"}) {
      EXPECT_EQ(read_text(out() + name), read_text(*suite_ / "whole" + name)) << name;
    }
    const auto manifest = host::parse_json<nlohmann::json>(read_text(out() + "/manifest.json"));
    EXPECT_EQ(manifest.at("status"), "complete");
  }

  static inline TemporaryFolder* suite_ = nullptr;
  TemporaryFolder folder_;
};

}  // namespace sightline::tests
