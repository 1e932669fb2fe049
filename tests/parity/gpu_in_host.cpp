#include "parity/gpu_in_host.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
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

/// What a stream was asked for and was not waited for. Downloads are not made before: their
/// destinations may not be read. Uploads from page-locked memory are made at once, but remembered:
/// where they come from may not be written to.
struct Queue {
  struct Download {
    void* to;
    const void* from;
    std::size_t bytes;
  };
  struct Upload {
    const void* from;
    std::string bytes;
  };
  std::vector<Download> downloads;
  std::vector<Upload> uploads;

  void clear() {
    if (!downloads.empty()) --tests::gpu_in_host().num_downloading;
    if (!uploads.empty()) --tests::gpu_in_host().num_uploading;
    downloads.clear();
    uploads.clear();
  }
};
Queue& queue_of(const Stream& stream) { return *static_cast<Queue*>(stream.handle()); }

/// Page-locked memory, by where it begins.
std::map<const char*, std::size_t>& locked_memory() {
  static std::map<const char*, std::size_t> locked;
  return locked;
}
bool is_locked(const void* data) {
  const char* const byte = static_cast<const char*>(data);
  auto after = locked_memory().upper_bound(byte);
  if (after == locked_memory().begin()) return false;
  const auto [begin, bytes] = *--after;
  return byte < begin + bytes;
}

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

HostBuffer::~HostBuffer() { release(); }

void HostBuffer::release() noexcept {
  locked_memory().erase(static_cast<const char*>(data_));
  std::free(data_);
  data_ = nullptr;
  bytes_ = 0;
}

void* HostBuffer::reserve(std::size_t bytes) {
  if (bytes <= bytes_) return data_;
  release();
  data_ = std::malloc(bytes);
  bytes_ = bytes;
  is_locked_ = true;
  locked_memory()[static_cast<const char*>(data_)] = bytes;
  return data_;
}

Stream::Stream(std::size_t) : handle_(new Queue) {}
Stream::~Stream() {
  queue_of(*this).clear();
  delete static_cast<Queue*>(handle_);
}

void Stream::upload(void* device, const void* host, std::size_t bytes) {
  std::memcpy(device, host, bytes);
  if (!is_locked(host)) return;
  std::vector<Queue::Upload>& uploads = queue_of(*this).uploads;
  if (uploads.empty()) ++tests::gpu_in_host().num_uploading;
  uploads.push_back({host, {static_cast<const char*>(host), bytes}});
}
void Stream::download(void* host, const void* device, std::size_t bytes) {
  std::vector<Queue::Download>& downloads = queue_of(*this).downloads;
  tests::GpuInHost& gpu = tests::gpu_in_host();
  if (downloads.empty()) ++gpu.num_downloading;
  gpu.most_downloading = std::max(gpu.most_downloading, gpu.num_downloading);
  downloads.push_back({host, device, bytes});
}
void Stream::synchronize() {
  Queue& queue = queue_of(*this);
  if (tests::gpu_in_host().is_lost) {
    queue.clear();
    throw EnvironmentError("the GPU was lost: it was in host memory");
  }
  for (const Queue::Upload& upload : queue.uploads) {
    const bool is_same = std::memcmp(upload.from, upload.bytes.data(), upload.bytes.size()) == 0;
    tests::gpu_in_host().num_spoilt_uploads += is_same ? 0 : 1;
  }
  for (const Queue::Download& copy : queue.downloads) {
    std::memcpy(copy.to, copy.from, copy.bytes);
  }
  queue.clear();
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

void check_launches() {
  tests::GpuInHost& gpu = tests::gpu_in_host();
  if (gpu.num_checks_to_pass < 0 || gpu.num_checks_to_pass-- > 0) return;
  ++gpu.num_refusals;
  throw GpuOutOfMemory("the GPU in host memory had none for a launch");
}
void check_code(int) {}  // nothing is refused by others

std::size_t free_memory_bytes() { return tests::gpu_in_host().claimed_bytes; }

void select(std::size_t) {}  // there is one

}  // namespace host::gpu
}  // namespace sightline
