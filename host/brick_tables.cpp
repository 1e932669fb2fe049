#include "host/brick_tables.h"

namespace sightline::host {

using namespace kernels;

void BrickTables::add_to(GridView* view, const HostGrid& grid, std::int64_t num_rays,
                         const Executor& executor) {
  const bool is_kept = grid.id != 0 && grid.id == id_ && grid.version == version_;
  if (!is_kept) {
    // A record takes a few nanoseconds to make; a ray is quicker by a hundred.
    constexpr std::int64_t kRecordsPerRay = 16;
    const std::int64_t num_records = brick_table_size(view->layout);
    const bool fits = static_cast<std::int64_t>(grid.num_words) < kMostBlockWords;
    if (!fits || num_rays < num_records / kRecordsPerRay) return;
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
