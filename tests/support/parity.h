// The CPU and a GPU side by side. Without a GPU a test is skipped, or fails with SL_REQUIRE_GPU=1.
// With SL_FEW_CASES=1 it tries a tenth of its cases: enough for a tool that looks for misuse of a
// GPU's memory and slows it down a hundredfold (scripts/gpu_check.sh).
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>

#include "host/device.h"
#include "host/error.h"
#include "support/effort.h"

namespace sightline::tests {

class OnBothBackends : public testing::Test {
 protected:
  void SetUp() override {
    try {
      gpu_ = std::make_unique<host::Device>(host::DeviceChoice::kCuda);
    } catch (const host::EnvironmentError& error) {
      if (is_set("SL_REQUIRE_GPU")) FAIL() << "SL_REQUIRE_GPU=1, but: " << error.what();
      GTEST_SKIP() << error.what();
    }
  }

  static bool is_set(const char* variable) {
    const char* value = std::getenv(variable);
    return value != nullptr && std::string(value) == "1";
  }
  /// How many of `all` cases to try.
  static int cases(int all) { return is_set("SL_FEW_CASES") ? std::max(1, all / 10) : effort(all); }

  host::Device cpu_{host::DeviceChoice::kCpu};
  std::unique_ptr<host::Device> gpu_;
};

}  // namespace sightline::tests
