#include "host/brick_tables.h"

#include <algorithm>

namespace sightline::host {

using namespace kernels;

namespace {

/// Do waves of the executor walk such a grid by tables?
bool serve(const HostGrid& grid, const ExactRules& rules, const Executor& executor) {
  return executor.backend == Backend::kCpu && executor.instructions != InstructionSet::kPortable &&
         rules.skip_empty_space && rules.tie_rule == TieRule::kDiagonal &&
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

void BrickTables::add_to(GridView* view, const HostGrid& grid, const ExactRules& rules,
                         std::int64_t num_rays, const Executor& executor) {
  if (!serve(grid, rules, executor)) return;
  const bool is_kept = grid.id != 0 && grid.id == id_ && grid.version == version_;
  if (!is_kept) {
    const std::int64_t num_records = brick_table_size(view->layout);
    if (!are_worth(view->has_unknown() ? 2 * num_records : num_records, grid, num_rays)) return;
    id_ = 0;
    occupied_.resize(static_cast<std::size_t>(num_records));
    fill_brick_table(executor, view->occupied(), occupied_.data());
    not_free_.resize(view->has_unknown() ? occupied_.size() : 0);
    if (view->has_unknown()) fill_brick_table(executor, view->not_free(), not_free_.data());
    id_ = grid.id;
    version_ = grid.version;
  }
  view->occupied_bricks = occupied_.data();
  view->not_free_bricks = view->has_unknown() ? not_free_.data() : occupied_.data();
}

}  // namespace sightline::host
