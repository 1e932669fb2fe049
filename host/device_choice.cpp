#include "host/device_choice.h"

#include <charconv>
#include <system_error>

#include "host/error.h"
#include "host/gpu.h"

namespace sightline::host {

NamedDevice parse_device(const std::string& text) {
  if (text == "auto") return {DeviceChoice::kAuto, -1};
  if (text == "cpu") return {DeviceChoice::kCpu, -1};
  if (text == "cuda") return {DeviceChoice::kCuda, -1};
  const std::string numbered = "cuda:";
  if (text.rfind(numbered, 0) != 0) {
    throw InputError("unknown device \"" + text + "\"; name auto, cpu, cuda or cuda:N");
  }
  NamedDevice device{DeviceChoice::kCuda, -1};
  const char* const begin = text.data() + numbered.size();
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(begin, end, device.gpu_idx);
  if (error == std::errc() && rest == end && device.gpu_idx >= 0) return device;
  throw InputError(
      "unknown device \"" + text +
      "\"; cuda:N wants the number of a GPU, from 0 on: " + "cuda:0 is the first that CUDA shows");
}

std::int64_t place_of(const NamedDevice& device, std::int64_t place, std::int64_t num_gpus) {
  if (device.gpu_idx < 0) return place;
  if (device.gpu_idx < num_gpus || num_gpus == 0) return device.gpu_idx;  // none: Device tells
  const std::string shown =
      num_gpus == 1
          ? "1 GPU, cuda:0"
          : std::to_string(num_gpus) + " GPUs, cuda:0 to cuda:" + std::to_string(num_gpus - 1);
  throw EnvironmentError("device cuda:" + std::to_string(device.gpu_idx) + ": CUDA shows " + shown +
                         " (sightline doctor; CUDA_VISIBLE_DEVICES hides others)");
}

void make_current(const Device& device) {
  if (device.is_gpu()) gpu::select(static_cast<std::size_t>(device.gpu_index()));
}

}  // namespace sightline::host
