#include "parity/gpu_in_host.h"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "host/error.h"
#include "host/gpu.h"

namespace sightline {

tests::GpuInHost& tests::gpu_in_host() {
  static GpuInHost gpu;
  return gpu;
}

namespace host::gpu {

namespace {

/// Copies that a stream was asked for and has not made: their destinations may be read once the
/// stream was waited for, and not before.
struct Downloads {
  struct Copy {
    void* to;
    const void* from;
    std::size_t bytes;
  };
  std::vector<Copy> waiting;
};

}  // namespace

kernels::Backend backend() { return kernels::Backend::kCpu; }

std::vector<GpuInfo> list() {
  return {
      {"a GPU in host memory", 0, 0, static_cast<std::int64_t>(tests::gpu_in_host().memory_bytes)}};
}

Buffer::~Buffer() { release(); }

void Buffer::release() noexcept {
  std::free(data_);
  tests::gpu_in_host().used_bytes -= bytes_;
  data_ = nullptr;
  bytes_ = 0;
}

void* Buffer::reserve(std::size_t bytes) {
  constexpr std::size_t kAlignment = 256;
  constexpr int kGarbage = 0xa5;
  if (bytes <= bytes_) return data_;
  release();
  tests::GpuInHost& gpu = tests::gpu_in_host();
  if (gpu.used_bytes + bytes > gpu.memory_bytes) {
    ++gpu.num_refusals;
    throw GpuOutOfMemory("the GPU in host memory is full");
  }
  data_ = std::aligned_alloc(kAlignment, (bytes + kAlignment - 1) / kAlignment * kAlignment);
  std::memset(data_, kGarbage, bytes);
  bytes_ = bytes;
  gpu.used_bytes += bytes;
  return data_;
}

void* Buffer::grow(std::size_t bytes, std::size_t kept, Stream&) {
  if (bytes <= bytes_) return data_;
  Buffer larger;
  larger.reserve(bytes);
  if (kept > 0) std::memcpy(larger.data_, data_, kept);
  std::swap(data_, larger.data_);
  std::swap(bytes_, larger.bytes_);
  return data_;
}

Stream::Stream(std::size_t) : handle_(new Downloads) {}
Stream::~Stream() { delete static_cast<Downloads*>(handle_); }

void Stream::upload(void* device, const void* host, std::size_t bytes) {
  std::memcpy(device, host, bytes);
}
void Stream::download(void* host, const void* device, std::size_t bytes) {
  static_cast<Downloads*>(handle_)->waiting.push_back({host, device, bytes});
}
void Stream::synchronize() {
  std::vector<Downloads::Copy>& waiting = static_cast<Downloads*>(handle_)->waiting;
  if (tests::gpu_in_host().is_lost) {
    waiting.clear();
    throw EnvironmentError("the GPU was lost: it was in host memory");
  }
  for (const Downloads::Copy& copy : waiting) std::memcpy(copy.to, copy.from, copy.bytes);
  waiting.clear();
}

namespace {
using Clock = std::chrono::steady_clock;
}

Timer::Timer() : begin_(new Clock::time_point), end_(new Clock::time_point) {}
Timer::~Timer() {
  delete static_cast<Clock::time_point*>(begin_);
  delete static_cast<Clock::time_point*>(end_);
}
void Timer::start(Stream&) { *static_cast<Clock::time_point*>(begin_) = Clock::now(); }
void Timer::stop(Stream&) { *static_cast<Clock::time_point*>(end_) = Clock::now(); }
double Timer::seconds() {
  const auto elapsed =
      *static_cast<Clock::time_point*>(end_) - *static_cast<Clock::time_point*>(begin_);
  return std::chrono::duration<double>(elapsed).count();
}

std::size_t free_memory_bytes() { return tests::gpu_in_host().claimed_bytes; }

}  // namespace host::gpu
}  // namespace sightline
