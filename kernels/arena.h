// Parts of a workspace.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/executor.h"

namespace sightline::kernels {

/// Hands out parts of a workspace; with null, only counts what they take.
class Arena {
 public:
  explicit Arena(std::byte* data) : data_(data) {}

  template <class T>
  T* take(std::int64_t count) {
    constexpr auto kAlignment = static_cast<std::int64_t>(Workspace::kAlignment);
    T* const part = data_ == nullptr ? nullptr : reinterpret_cast<T*>(data_ + used_);
    const std::int64_t bytes = count * static_cast<std::int64_t>(sizeof(T));
    used_ += (bytes + kAlignment - 1) / kAlignment * kAlignment;
    return part;
  }

  std::int64_t used() const { return used_; }

 private:
  std::byte* data_;
  std::int64_t used_ = 0;
};

}  // namespace sightline::kernels
