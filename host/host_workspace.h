// Memory of the host for kernels to fill, and as they take it for a workspace. Not installed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "kernels/executor.h"

namespace sightline::host {

/// Grows, never shrinks; what it held before is lost then. Nothing is written to it, so that its
/// pages come to the threads that fill them.
class HostBuffer {
 public:
  /// At least so many bytes, aligned for any fundamental type.
  std::byte* reserve(std::size_t num_bytes) {
    if (num_bytes > num_bytes_) {
      data_.reset();  // before there is another
      num_bytes_ = 0;
      data_.reset(new std::byte[num_bytes]);
      num_bytes_ = num_bytes;
    }
    return data_.get();
  }

 private:
  std::unique_ptr<std::byte[]> data_;
  std::size_t num_bytes_ = 0;
};

/// Kept, and used again from call to call.
class HostWorkspace {
 public:
  /// Of so many bytes, aligned; until the next call.
  kernels::Workspace reserve(std::int64_t num_bytes) {
    constexpr std::size_t kAlignment = kernels::Workspace::kAlignment;
    const auto bytes = static_cast<std::size_t>(num_bytes);
    std::size_t left = bytes + kAlignment;
    void* data = buffer_.reserve(left);
    return {std::align(kAlignment, bytes, data, left), num_bytes};
  }

 private:
  HostBuffer buffer_;
};

}  // namespace sightline::host
