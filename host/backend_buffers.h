// Memory where the kernels of a device find it: the host's, or the GPU's. Not installed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "host/error.h"
#include "host/gpu_state.h"
#include "host/host_workspace.h"
#include "kernels/kernels.h"

namespace sightline::host {

/// Buffers are kept and used again from batch to batch. Throws what the GPU does, GpuOutOfMemory
/// among it, where its memory is short even without what batches of rays keep.
class BackendBuffers {
 public:
  struct Buffer {
    HostBuffer host;
    gpu::Buffer gpu;
  };

  /// `gpu`: null, or what must outlive this.
  explicit BackendBuffers(GpuState* gpu) : gpu_(gpu) {}

  bool is_on_gpu() const { return gpu_ != nullptr; }

  template <class T>
  T* reserve(Buffer& buffer, std::int64_t count) {
    const std::size_t bytes = std::max<std::size_t>(1, static_cast<std::size_t>(count) * sizeof(T));
    if (gpu_) return static_cast<T*>(gpu_->reserve(buffer.gpu, bytes));
    return reinterpret_cast<T*>(buffer.host.reserve(bytes));
  }

  /// A copy where the kernels find it; null for null.
  template <class T>
  const T* place(Buffer& buffer, const T* host, std::int64_t count) {
    if (!host) return nullptr;
    T* const there = reserve<T>(buffer, count);
    const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(T);
    if (gpu_) {
      gpu_->copy_up(there, host, bytes);
      gpu_->stream.synchronize();  // the caller's memory may go
    } else {
      std::copy(host, host + count, there);
    }
    return there;
  }

  template <class T>
  void fetch(const T* there, std::int64_t count, T* host) {
    if (!gpu_) {
      std::copy(there, there + count, host);
      return;
    }
    gpu_->stream.download(host, there, static_cast<std::size_t>(count) * sizeof(T));
    gpu_->stream.synchronize();
  }
  template <class T>
  std::vector<T> fetch(const T* there, std::int64_t count) {
    std::vector<T> host(static_cast<std::size_t>(count));
    fetch(there, count, host.data());
    return host;
  }

  /// So many bytes; of a GPU no more than half of what is free, where there was not more already,
  /// and none where even that is refused: the answers are the same without.
  kernels::Workspace workspace(std::int64_t num_bytes) {
    if (gpu_ && num_bytes > workspace_bytes_) {
      const auto fits = static_cast<std::int64_t>(gpu::free_memory_bytes() / 2);
      num_bytes = std::min(num_bytes, std::max(fits, workspace_bytes_));
    }
    if (num_bytes == 0) return {};
    if (!gpu_) return host_workspace_.reserve(num_bytes);
    gpu::check_launches();  // of what is not asked again
    try {
      void* const data = reserve<std::byte>(workspace_buffer_, num_bytes);
      workspace_bytes_ = std::max(workspace_bytes_, num_bytes);
      return {data, num_bytes};
    } catch (const GpuOutOfMemory&) {
      workspace_bytes_ = 0;
      return {};
    }
  }

 protected:
  /// Nothing queued may use it any more.
  void release_workspace() noexcept {
    workspace_buffer_.gpu.release();
    workspace_bytes_ = 0;
  }

 private:
  GpuState* gpu_;
  HostWorkspace host_workspace_;
  Buffer workspace_buffer_;           ///< of a GPU
  std::int64_t workspace_bytes_ = 0;  ///< of the buffer, so far
};

}  // namespace sightline::host
