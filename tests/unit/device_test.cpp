// Choosing where a batch runs.
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "host/device.h"
#include "host/error.h"
#include "support/errors.h"

namespace sightline::tests {
namespace {

using host::Device;
using host::DeviceChoice;

TEST(Device, OnTheCpuSaysHowManyThreadsItUses) {
  const Device device(DeviceChoice::kCpu, 3);
  EXPECT_FALSE(device.is_gpu());
  EXPECT_EQ(device.num_threads(), 3);
  EXPECT_EQ(device.description(), "CPU, 3 threads");
}

TEST(Device, TakesAllCoresUnlessTold) {
  EXPECT_GE(Device(DeviceChoice::kCpu).num_threads(), 1);
  EXPECT_EQ(Device(DeviceChoice::kCpu).gpu_index(), -1);
  EXPECT_EQ(Device(DeviceChoice::kCpu, 0).num_threads(),
            Device(DeviceChoice::kCpu, -5).num_threads());
}

TEST(Device, TakesTheFirstGpuWhenThereIsOneAndElseTheCpu) {
  const auto gpus = host::list_gpus();
  const Device device(DeviceChoice::kAuto);
  EXPECT_EQ(device.is_gpu(), !gpus.empty());
  EXPECT_EQ(device.description().find("CPU") == 0, gpus.empty());
}

TEST(Device, ThatIsForcedToAGpuSaysWhenThereIsNone) {
  if (!host::list_gpus().empty()) GTEST_SKIP() << "this machine has a GPU";
  EXPECT_THROW(Device{DeviceChoice::kCuda}, host::EnvironmentError);
}

TEST(Device, ListsNoGpuInABuildWithoutCuda) {
  if (kernels::built_with_cuda()) GTEST_SKIP() << "this build has CUDA";
  EXPECT_TRUE(host::list_gpus().empty());
}

TEST(Instructions, AreTheBestUnlessNamed) {
  using kernels::InstructionSet;
  EXPECT_EQ(host::parse_instructions(nullptr), InstructionSet::kBest);
  EXPECT_EQ(host::parse_instructions(""), InstructionSet::kBest);
  EXPECT_EQ(host::parse_instructions("portable"), InstructionSet::kPortable);
  const std::pair<const char*, InstructionSet> sets[] = {{"avx2", InstructionSet::kAvx2},
                                                         {"avx512", InstructionSet::kAvx512}};
  for (const auto& [name, set] : sets) {
    if (kernels::has_instruction_set(set)) {
      EXPECT_EQ(host::parse_instructions(name), set);
    } else {
      EXPECT_NE(input_error_of([&, n = name] {
                  host::parse_instructions(n);
                }).find(std::string("SIGHTLINE_ISA=") + name + ": this build or this CPU has no"),
                std::string::npos);
    }
  }
}

TEST(Instructions, ThatNobodyKnowsAreRefusedWithTheChoices) {
  for (const char* name : {"avx", "AVX2", " avx2", "best", "0"}) {
    const std::string message = input_error_of([&] { host::parse_instructions(name); });
    EXPECT_EQ(message.find(std::string("SIGHTLINE_ISA=") + name +
                           ": no such instruction set; "
                           "set it to portable"),
              0u)
        << message;
  }
}

}  // namespace
}  // namespace sightline::tests
