#include "host/device.h"

#include <cstdlib>
#include <utility>

#include "host/device_impl.h"

namespace sightline::host {

using namespace kernels;

namespace {

constexpr const char* kInstructionsVariable = "SIGHTLINE_ISA";
constexpr struct {
  const char* name;
  InstructionSet set;
} kInstructionSets[] = {{"portable", InstructionSet::kPortable},
                        {"avx2", InstructionSet::kAvx2},
                        {"avx512", InstructionSet::kAvx512}};

/// "portable or avx2": the sets that this build and this CPU have.
std::string choices_of_instructions() {
  std::string choices;
  for (const auto& [name, set] : kInstructionSets) {
    if (has_instruction_set(set)) choices += (choices.empty() ? "" : " or ") + std::string(name);
  }
  return choices;
}

}  // namespace

std::vector<GpuInfo> list_gpus() { return gpu::list(); }

InstructionSet parse_instructions(const char* name) {
  if (!name || !*name) return InstructionSet::kBest;
  const std::string asked = name, place = std::string(kInstructionsVariable) + "=" + asked;
  for (const auto& [known, set] : kInstructionSets) {
    if (asked != known) continue;
    if (has_instruction_set(set)) return set;
    throw InputError(place + ": this build or this CPU has no " + asked + "; set it to " +
                     choices_of_instructions() + ", or leave it unset for the best");
  }
  throw InputError(place + ": no such instruction set; set it to " + choices_of_instructions() +
                   ", or leave it unset for the best");
}

InstructionSet chosen_instructions() {
  static const InstructionSet chosen = parse_instructions(std::getenv(kInstructionsVariable));
  return chosen;
}

Device::Device(DeviceChoice choice, int num_threads, std::int64_t place)
    : impl_(std::make_unique<Impl>()) {
  impl_->executor.num_threads = num_threads;
  impl_->executor.instructions = chosen_instructions();
  const std::vector<GpuInfo> gpus =
      choice == DeviceChoice::kCpu ? std::vector<GpuInfo>{} : list_gpus();
  if (choice == DeviceChoice::kCuda && gpus.empty()) {
    throw EnvironmentError(built_with_cuda()
                               ? "device cuda: no usable NVIDIA GPU or driver; use --device cpu"
                               : "device cuda: this build has no CUDA backend; build the preset "
                                 "`cuda`, or use --device cpu");
  }
  if (gpus.empty()) {
    impl_->description = "CPU, " + std::to_string(this->num_threads()) + " threads";
    return;
  }
  const std::size_t gpu_idx = static_cast<std::size_t>(place) % gpus.size();
  impl_->gpu = std::make_unique<GpuState>(gpu_idx, impl_->executor);
  if (gpu::backend() == Backend::kCuda && !built_for_gpu()) {
    const GpuInfo& gpu = gpus[gpu_idx];
    const std::string number =
        std::to_string(gpu.compute_major) + std::to_string(gpu.compute_minor);
    throw EnvironmentError("device cuda: this program has no code for " + gpu.name + " (sm_" +
                           number + "), but for architectures " + gpu_architectures() +
                           "; build it with -DSIGHTLINE_CUDA_ARCHITECTURES=" + number +
                           ", or use --device cpu");
  }
  impl_->executor.backend = gpu::backend();
  impl_->executor.stream = impl_->gpu->stream.handle();
  impl_->lane = &impl_->gpu->lanes[0];
  impl_->description = gpus[gpu_idx].name;
  impl_->gpu_index = static_cast<int>(gpu_idx);
}

Device::~Device() = default;

bool Device::is_gpu() const { return impl_->gpu != nullptr; }
int Device::gpu_index() const { return impl_->gpu_index; }
std::string Device::description() const { return impl_->description; }
int Device::num_threads() const { return resolved_threads(impl_->executor); }
Executor Device::host_threads() const {
  Executor cpu;
  cpu.num_threads = num_threads();
  cpu.instructions = impl_->executor.instructions;
  return cpu;
}
void Device::set_max_rays_per_batch(std::int64_t max_rays) { impl_->max_rays = max_rays; }
std::int64_t Device::grid_bytes_sent() const {
  return impl_->gpu ? impl_->gpu->grid_on_gpu.bytes_sent() : 0;
}
void Device::set_on_warning(std::function<void(const std::string&)> on_warning) {
  impl_->on_warning = std::move(on_warning);
}
void Device::warn(const std::string& text) const {
  if (impl_->on_warning) impl_->on_warning(text);
}
void Device::set_stop_requested(std::function<bool()> stop_requested) {
  impl_->stop_requested = std::move(stop_requested);
}

}  // namespace sightline::host
