// Tables of the bricks of a grid (kernels/brick_table.h), made where a batch makes up for it.
#pragma once

#include <cstdint>

#include "host/device.h"
#include "host/gpu.h"
#include "host/huge_pages.h"
#include "kernels/brick_table.h"

namespace sightline::host {

/// Those of the grid that was asked last, kept from batch to batch.
class BrickTables {
 public:
  /// Points the view of a grid in the executor's memory to tables of its bricks, where walks by
  /// these rules make use of them: those that are kept, or new ones if num_rays, and those of
  /// the same grid that went without just before, are worth them and they are not too large beside
  /// the grid or the GPU. Else the view is left as it is.
  void add_to(kernels::GridView* view, const HostGrid& grid, const kernels::ExactRules& rules,
              std::int64_t num_rays, const kernels::Executor& executor);

  std::size_t bytes() const {
    return static_cast<std::size_t>(occupied_.size + not_free_.size) * sizeof(kernels::BrickRecord);
  }

 private:
  /// In host memory, or on the GPU.
  struct Table {
    HugeVector<kernels::BrickRecord> on_host;
    gpu::Buffer on_gpu;
    std::int64_t size = 0;
    kernels::BrickRecord* records = nullptr;

    void make(const kernels::PlaneView& plane, const kernels::Executor& executor);
  };

  /// Do so many leave half of what the GPU has free?
  bool has_room_for(std::int64_t num_records) const;
  /// Rays of a grid, these included, since another one was asked.
  std::int64_t count_without(const HostGrid& grid, std::int64_t num_rays);

  std::uint64_t id_ = 0, version_ = 0;                  ///< of the grid; no grid has id 0
  std::uint64_t without_id_ = 0, without_version_ = 0;  ///< of the grid that has no tables yet
  std::int64_t rays_without_ = 0;
  Table occupied_, not_free_;  ///< the latter empty where they are equal
};

}  // namespace sightline::host
