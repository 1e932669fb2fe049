// Choosing where a batch runs.
#include <gtest/gtest.h>

#include "host/device.h"
#include "host/error.h"

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

}  // namespace
}  // namespace sightline::tests
