#include "bench/backend.h"

#include <chrono>

namespace sightline::bench {

Backend::Backend(kernels::Backend kind) {
  if (kind == kernels::Backend::kCuda) gpu_ = std::make_unique<Gpu>();
}

kernels::Executor Backend::executor() const {
  if (!gpu_) return {};
  return {kernels::Backend::kCuda, 0, gpu_->stream.handle()};
}

const void* Backend::input_bytes(int slot, const void* items, std::size_t bytes) {
  if (!gpu_) return items;
  void* const device = gpu_->inputs.at(static_cast<std::size_t>(slot)).reserve(bytes);
  gpu_->stream.upload(device, items, bytes);
  gpu_->stream.synchronize();
  return device;
}

void* Backend::output_bytes(void* answers, std::size_t bytes) {
  return gpu_ ? gpu_->output.reserve(bytes) : answers;
}

void Backend::fetch_bytes(void* answers, std::size_t bytes) {
  if (!gpu_) return;
  gpu_->stream.download(answers, gpu_->output.reserve(bytes), bytes);
  gpu_->stream.synchronize();
}

double Backend::seconds(const std::function<void()>& run) {
  if (gpu_) {
    gpu_->timer.start(gpu_->stream);
    run();
    gpu_->timer.stop(gpu_->stream);
    return gpu_->timer.seconds();
  }
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  run();
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

}  // namespace sightline::bench
