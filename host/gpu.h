// The few CUDA runtime calls that device.cpp needs, without a CUDA type in sight.
// gpu_cuda.cpp implements them; in a build without CUDA gpu_none.cpp reports that there is no GPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "host/device.h"

namespace sightline::host::gpu {

/// What the launches of this implementation run on.
kernels::Backend backend();

/// GPUs that can be used; none when there is no driver or no card (the error is cleared).
std::vector<GpuInfo> list();

class Stream;

/// Memory on the GPU; freed on destruction. Grows, never shrinks, so batches reuse it.
class Buffer {
 public:
  Buffer() = default;
  ~Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  /// At least this much memory; earlier contents are lost when it grows. Throws GpuOutOfMemory.
  void* reserve(std::size_t bytes);
  /// The same, but the first `kept` bytes stay; both buffers exist while they are copied.
  void* grow(std::size_t bytes, std::size_t kept, Stream& stream);
  /// Gives the memory back. Nothing queued may use it any more.
  void release() noexcept;
  std::size_t bytes() const { return bytes_; }

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

/// Host memory that a stream copies from and to while the host goes on: page-locked, or ordinary
/// memory, which copies wait for, where no more can be locked. Freed on destruction. Grows, never
/// shrinks.
class HostBuffer {
 public:
  HostBuffer() = default;
  ~HostBuffer();
  HostBuffer(const HostBuffer&) = delete;
  HostBuffer& operator=(const HostBuffer&) = delete;
  /// At least this much memory; earlier contents are lost when it grows, and nothing queued may use
  /// them any more.
  void* reserve(std::size_t bytes);
  const void* data() const { return data_; }

 private:
  void release() noexcept;

  void* data_ = nullptr;
  std::size_t bytes_ = 0;
  bool is_locked_ = false;
};

/// A non-default stream on one of list(); from then on the thread that made it works on that GPU.
class Stream {
 public:
  explicit Stream(std::size_t gpu_idx = 0);
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  void* handle() const { return handle_; }
  // Queued; what they copy from must not change, and what they copy to not be read, before
  // synchronize(), but for an upload from memory that is not a HostBuffer's, which may change at
  // once.
  void upload(void* device, const void* host, std::size_t bytes);
  void download(void* host, const void* device, std::size_t bytes);
  /// Waits for everything queued, and throws CudaError if any of it failed, EnvironmentError if the
  /// GPU was lost.
  void synchronize();

 private:
  void* handle_ = nullptr;
};

/// The GPU's own clock, between two places of a stream.
class Timer {
 public:
  Timer();
  ~Timer();
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;
  void start(Stream& stream);
  void stop(Stream& stream);
  /// Waits until the stream has passed stop(). Throws CudaError if anything queued before it
  /// failed.
  double seconds();

 private:
  void* begin_ = nullptr;
  void* end_ = nullptr;
};

/// Throws what Stream::synchronize() would of a launch that was refused: before a call whose own
/// failure is caught, or that clears errors, it is the last chance to be told.
void check_launches();

/// The same of a code of CUDA's that somebody else was given; 0: nothing was refused.
void check_code(int code);

/// Of the GPU that the calling thread works on.
std::size_t free_memory_bytes();

/// The calling thread works on this one of list() from now on.
void select(std::size_t gpu_idx);

}  // namespace sightline::host::gpu
