// Where to run, as a user names it.
#pragma once

#include <cstdint>
#include <string>

#include "host/device.h"

namespace sightline::host {

struct NamedDevice {
  DeviceChoice choice = DeviceChoice::kAuto;
  std::int64_t gpu_idx = -1;  ///< among those that CUDA shows; -1: none is named
};

/// Of "auto", "cpu", "cuda" or "cuda:N". Throws InputError for another text.
NamedDevice parse_device(const std::string& text);

/// The place to make a Device with: that of the GPU that is named, which comes before the `place`
/// of this process among those of the machine. Throws EnvironmentError if there is no such GPU.
std::int64_t place_of(const NamedDevice& device, std::int64_t place, std::int64_t num_gpus);

/// Where a thread uses several Devices in turn: says before a batch which one is next, as CUDA
/// notes for each thread which GPU it works on. Nothing for one on the CPU.
void make_current(const Device& device);

}  // namespace sightline::host
