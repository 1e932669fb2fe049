// The CPU and a GPU side by side. Without a GPU a test is skipped, or fails with SL_REQUIRE_GPU=1.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "host/device.h"
#include "host/error.h"

namespace sightline::tests {

class OnBothBackends : public testing::Test {
 protected:
  void SetUp() override {
    try {
      gpu_ = std::make_unique<host::Device>(host::DeviceChoice::kCuda);
    } catch (const host::EnvironmentError& error) {
      const char* required = std::getenv("SL_REQUIRE_GPU");
      const bool is_required = required != nullptr && std::string(required) == "1";
      if (is_required) FAIL() << "SL_REQUIRE_GPU=1, but: " << error.what();
      GTEST_SKIP() << error.what();
    }
  }

  host::Device cpu_{host::DeviceChoice::kCpu};
  std::unique_ptr<host::Device> gpu_;
};

}  // namespace sightline::tests
