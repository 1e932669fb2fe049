#include "bench/backend.h"

#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdio>

namespace sightline::bench {

Backend::Backend(kernels::Backend kind, int num_threads) : threads_(num_threads) {
  if (kind == kernels::Backend::kCuda) gpu_ = std::make_unique<Gpu>();
}

kernels::Executor Backend::executor() const {
  if (!gpu_) return {kernels::Backend::kCpu, threads_};
  return {kernels::Backend::kCuda, 0, gpu_->stream.handle()};
}

int Backend::num_threads() const { return gpu_ ? 0 : resolved_threads(executor()); }

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

kernels::Workspace Backend::workspace(std::int64_t num_bytes) {
  if (num_bytes == 0) return {};
  const auto size = static_cast<std::size_t>(num_bytes);
  if (gpu_) return {gpu_->workspace.reserve(size), num_bytes};
  std::size_t room = size + kernels::Workspace::kAlignment;
  if (host_workspace_.size() < room) host_workspace_.resize(room);
  void* data = host_workspace_.data();
  return {std::align(kernels::Workspace::kAlignment, size, data, room), num_bytes};
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

std::vector<std::shared_ptr<Backend>> usable_backends() {
  std::vector<std::shared_ptr<Backend>> backends{std::make_shared<Backend>(kernels::Backend::kCpu)};
  const std::vector<host::GpuInfo> gpus = host::list_gpus();
  if (gpus.empty()) {
    std::fprintf(stderr, "backend:cuda skipped: %s\n",
                 kernels::built_with_cuda() ? "no GPU can be used" : "this build has no CUDA");
    return backends;
  }
  benchmark::AddCustomContext("gpu", gpus.front().name);
  backends.push_back(std::make_shared<Backend>(kernels::Backend::kCuda));
  return backends;
}

}  // namespace sightline::bench
