// What of a packed grid a GPU has already, so that a later version sends only what it appended.
// Plain arithmetic, without a GPU: device_impl.h follows the plans.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "host/device.h"

namespace sightline::host {

/// How a grid gets to the GPU: words [first, first + count) of its block, then its roots.
struct UploadPlan {
  std::size_t first = 0, count = 0;
  std::size_t capacity = 0;     ///< words the buffer must have room for
  bool keep_contents = false;   ///< a larger buffer takes over the words before `first`
  std::size_t count_roots = 0;  ///< words of the root table; 0: it is there, or lies in the block

  std::size_t bytes() const { return (count + count_roots) * sizeof(std::uint64_t); }
};

/// The block and the root table that one GPU holds.
class GridOnGpu {
 public:
  UploadPlan plan(const HostGrid& grid) const {
    UploadPlan plan;
    const bool same_block = id_ == grid.id && id_ != 0;
    plan.first = same_block ? std::min(num_words_, grid.num_words) : 0;
    plan.count = grid.num_words - plan.first;
    plan.keep_contents = same_block;
    plan.capacity = capacity_;
    if (grid.num_words > capacity_) {
      // A block that grows will grow again; one that is new may never.
      plan.capacity = grid.num_words + (same_block ? grid.num_words / 8 : 0);
    }
    const bool same_roots = roots_id_ == grid.id && roots_version_ == grid.version;
    plan.count_roots = same_roots ? 0 : grid.num_root_words;
    return plan;
  }

  /// Before the first byte moves: if the upload fails, what is there is nobody's. The buffer stays.
  void begin(const UploadPlan& plan) {
    if (plan.count > 0) id_ = 0, capacity_ = 0;
    if (plan.count_roots > 0) roots_id_ = 0;
  }
  void finish(const HostGrid& grid, const UploadPlan& plan) {
    num_words_ = id_ == grid.id ? std::max(num_words_, grid.num_words) : grid.num_words;
    id_ = grid.id;
    capacity_ = plan.capacity;
    if (plan.count_roots > 0) {
      roots_id_ = grid.id;
      roots_version_ = grid.version;
    }
    bytes_sent_ += static_cast<std::int64_t>(plan.bytes());
  }

  std::int64_t bytes_sent() const { return bytes_sent_; }

 private:
  std::uint64_t id_ = 0;       ///< 0: no block
  std::size_t num_words_ = 0;  ///< of the block
  std::size_t capacity_ = 0;   ///< words
  std::uint64_t roots_id_ = 0, roots_version_ = 0;
  std::int64_t bytes_sent_ = 0;
};

}  // namespace sightline::host
