// A GPU made of host memory, for machines without one: what a program is linked with in place of
// host/gpu_cuda.cpp. Everything above gpu.h then does what it does for a GPU - pieces of batches,
// two streams in turn, uploads of versions, answers as bits - and the ops run on the CPU.
//
// It can also fail as GPUs do.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sightline::tests {

struct GpuInHost {
  static constexpr std::size_t kPlenty = std::size_t{16} << 30;

  std::size_t memory_bytes = kPlenty;   ///< buffers that would take more throw GpuOutOfMemory
  std::size_t claimed_bytes = kPlenty;  ///< what it says is free
  bool is_lost = false;                 ///< whatever waits for it throws EnvironmentError
  int num_checks_to_pass = -1;          ///< of launches: one after so many finds one refused

  std::size_t used_bytes = 0;
  std::int64_t num_refusals = 0;  ///< of memory

  // What a real GPU would read or write while the host goes on.
  std::int64_t num_spoilt_uploads = 0;  ///< from a HostBuffer changed before they were waited for
  std::int64_t num_uploading = 0;       ///< streams with uploads from HostBuffers queued
  std::int64_t num_downloading = 0;     ///< streams with downloads queued
  std::int64_t most_downloading = 0;    ///< at a time

  /// Only `bytes` more than are in use.
  void leave(std::size_t bytes) { memory_bytes = used_bytes + bytes; }
  /// As it was, but for what is in use.
  void mend() {
    memory_bytes = claimed_bytes = kPlenty;
    is_lost = false;
    num_checks_to_pass = -1;
    num_refusals = num_spoilt_uploads = most_downloading = 0;
  }
};

/// Of this process.
GpuInHost& gpu_in_host();

}  // namespace sightline::tests
