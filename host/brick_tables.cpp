#include "host/brick_tables.h"

#include <algorithm>

#include "host/error.h"

namespace sightline::host {

using namespace kernels;

namespace {

/// Do waves or warps of the executor walk such a grid by tables?
bool serve(const HostGrid& grid, const ExactRules& rules, const Executor& executor) {
  const bool walks_together =
      executor.backend == Backend::kCuda || executor.instructions != InstructionSet::kPortable;
  return walks_together && rules.skip_empty_space && rules.tie_rule == TieRule::kDiagonal &&
         brick_table_serves(grid.view.layout, rules.lattice_bits) &&
         static_cast<std::int64_t>(grid.num_words) < kMostBlockWords;
}

/// A record takes some ten nanoseconds to make where the tree is out of the caches; a ray is
/// quicker by a hundred. A grid that is nearly empty is small, and its table is not.
bool are_worth(std::int64_t num_records, const HostGrid& grid, std::int64_t num_rays) {
  constexpr std::int64_t kRecordsPerRay = 4;
  constexpr std::int64_t kAlwaysAllowed_bytes = std::int64_t{64} << 20;
  const auto block_bytes = static_cast<std::int64_t>(grid.num_words * sizeof(std::uint64_t));
  const auto bytes = num_records * static_cast<std::int64_t>(sizeof(BrickRecord));
  return num_records / kRecordsPerRay <= num_rays &&
         bytes <= std::max(block_bytes, kAlwaysAllowed_bytes);
}

}  // namespace

void BrickTables::Table::make(const PlaneView& plane, const Executor& executor) {
  const std::int64_t num_records = brick_table_size(plane.layout);
  size = 0;  // of what cannot be had
  if (executor.backend == Backend::kCuda) {
    const std::size_t bytes = static_cast<std::size_t>(num_records) * sizeof(BrickRecord);
    records = static_cast<BrickRecord*>(on_gpu.reserve(bytes));
  } else {
    on_host.resize(static_cast<std::size_t>(num_records));
    records = on_host.data();
  }
  size = num_records;
  fill_brick_table(executor, plane, records);
  // Of a table that was not filled nobody may be told, nor take its refusal for one of his own.
  if (executor.backend == Backend::kCuda) gpu::check_launches();
}

// What else a batch has on the GPU it must have; it is slower without tables.
bool BrickTables::has_room_for(std::int64_t num_records) const {
  gpu::check_launches();  // a refusal below is caught
  const std::size_t wanted = static_cast<std::size_t>(num_records) * sizeof(BrickRecord);
  return wanted <= bytes() || wanted - bytes() <= gpu::free_memory_bytes() / 2;
}

// What is asked piece by piece pays for tables as one large batch does: at worst they come when
// the walks without them have taken as long as the making.
std::int64_t BrickTables::count_without(const HostGrid& grid, std::int64_t num_rays) {
  if (grid.id == 0) return num_rays;
  if (grid.id != without_id_ || grid.version != without_version_) rays_without_ = 0;
  without_id_ = grid.id;
  without_version_ = grid.version;
  return rays_without_ += num_rays;
}

void BrickTables::add_to(GridView* view, const HostGrid& grid, const ExactRules& rules,
                         std::int64_t num_rays, const Executor& executor) {
  if (!serve(grid, rules, executor)) return;
  const bool is_kept = grid.id != 0 && grid.id == id_ && grid.version == version_;
  if (!is_kept) {
    const std::int64_t num_records = brick_table_size(view->layout);
    const std::int64_t rays = count_without(grid, num_rays);
    const std::int64_t num_all = view->has_unknown() ? 2 * num_records : num_records;
    if (!are_worth(num_all, grid, rays)) return;
    if (executor.backend == Backend::kCuda && !has_room_for(num_all)) return;
    id_ = 0;
    try {
      occupied_.make(view->occupied(), executor);
      not_free_.size = 0;
      if (view->has_unknown()) not_free_.make(view->not_free(), executor);
    } catch (const GpuOutOfMemory&) {
      return;  // slower without
    }
    id_ = grid.id;
    version_ = grid.version;
  }
  view->occupied_bricks = occupied_.records;
  view->not_free_bricks = view->has_unknown() ? not_free_.records : occupied_.records;
}

}  // namespace sightline::host
