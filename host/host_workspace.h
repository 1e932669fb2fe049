// Memory of the host as kernels take it for a workspace. Not installed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/executor.h"

namespace sightline::host {

/// Kept, and used again from call to call.
class HostWorkspace {
 public:
  /// Of so many bytes, aligned; until the next call.
  kernels::Workspace reserve(std::int64_t num_bytes) {
    constexpr std::size_t kAlignment = kernels::Workspace::kAlignment;
    const auto bytes = static_cast<std::size_t>(num_bytes);
    if (room_.size() < bytes + kAlignment) room_.resize(bytes + kAlignment);
    void* data = room_.data();
    std::size_t left = room_.size();
    return {std::align(kAlignment, bytes, data, left), num_bytes};
  }

 private:
  std::vector<std::byte> room_;
};

}  // namespace sightline::host
