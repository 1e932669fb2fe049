// Where to run, as a user names it: one of several GPUs, too.
#include "host/device_choice.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "host/error.h"

namespace sightline::tests {
namespace {

using host::DeviceChoice;
using host::NamedDevice;
using host::parse_device;
using host::place_of;

TEST(DeviceChoice, IsNamedByAWord) {
  EXPECT_EQ(parse_device("auto").choice, DeviceChoice::kAuto);
  EXPECT_EQ(parse_device("cpu").choice, DeviceChoice::kCpu);
  EXPECT_EQ(parse_device("cuda").choice, DeviceChoice::kCuda);
  for (const char* word : {"auto", "cpu", "cuda"}) EXPECT_LT(parse_device(word).gpu_idx, 0);
}

TEST(DeviceChoice, MayNameOneOfTheGpus) {
  for (const auto& [text, gpu_idx] : {std::pair{"cuda:0", 0}, {"cuda:7", 7}, {"cuda:12", 12}}) {
    EXPECT_EQ(parse_device(text).choice, DeviceChoice::kCuda);
    EXPECT_EQ(parse_device(text).gpu_idx, gpu_idx);
  }
}

TEST(DeviceChoice, RefusesOtherWords) {
  for (const std::string text :
       {"", "tpu", "CUDA", "cuda:", "cuda:x", "cuda:-1", "cuda:+1", "cuda: 1", "cuda:1x",
        "cuda:1.5", "cuda1", "cpu:0", "auto:0", "cuda:99999999999999999999"}) {
    try {
      parse_device(text);
      ADD_FAILURE() << text;
    } catch (const host::InputError& error) {
      EXPECT_NE(std::string(error.what()).find("\"" + text + "\"; "), std::string::npos);
      EXPECT_NE(std::string(error.what()).find("cuda:N"), std::string::npos);
    }
  }
}

TEST(DeviceChoice, OfANamedGpuComesBeforeThePlaceOfTheProcess) {
  constexpr std::int64_t kPlace = 5, kGpus = 4;
  EXPECT_EQ(place_of(parse_device("cuda:3"), kPlace, kGpus), 3);
  EXPECT_EQ(place_of(parse_device("cuda:0"), kPlace, kGpus), 0);
  EXPECT_EQ(place_of(parse_device("cuda"), kPlace, kGpus), kPlace);
  EXPECT_EQ(place_of(parse_device("auto"), kPlace, kGpus), kPlace);
}

TEST(DeviceChoice, TellsHowManyGpusThereAre) {
  const auto refusal = [](const char* text, std::int64_t num_gpus) -> std::string {
    try {
      place_of(parse_device(text), 0, num_gpus);
    } catch (const host::EnvironmentError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(refusal("cuda:4", 4).find("device cuda:4: CUDA shows 4 GPUs, cuda:0 to cuda:3"), 0u);
  EXPECT_EQ(refusal("cuda:1", 1).find("device cuda:1: CUDA shows 1 GPU, cuda:0 "), 0u);
  EXPECT_EQ(refusal("cuda:3", 4), "no error");
}

TEST(DeviceChoice, MakesADeviceOfTheGpuThatIsNamed) {
  const auto num_gpus = static_cast<std::int64_t>(host::list_gpus().size());
  if (num_gpus == 0) {
    const auto make = [] {
      host::Device(DeviceChoice::kCuda, 1, place_of(parse_device("cuda:0"), 0, 0));
    };
    EXPECT_THROW(make(), host::EnvironmentError);
    return;
  }
  const std::string last = "cuda:" + std::to_string(num_gpus - 1);
  const host::Device device(DeviceChoice::kCuda, 1, place_of(parse_device(last), 0, num_gpus));
  EXPECT_EQ(device.gpu_index(), num_gpus - 1);
}

}  // namespace
}  // namespace sightline::tests
