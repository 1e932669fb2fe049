// A loop over rows on several threads.
#pragma once

#include <algorithm>
#include <cstdint>

#include "index/parallel.h"
#include "kernels/kernels.h"

namespace sightline::host {

/// Calls make(row) for every row of [0, count), on num_threads threads (0: as many as an Executor
/// takes), `rows_at_once` of them handed out at a time. make writes row's own slots alone. What the
/// first row that fails throws is thrown; rows after it may be left out. Where the system gives
/// fewer threads, fewer do the work.
template <typename Make>
void for_each_row(std::int64_t count, int num_threads, const Make& make,
                  std::int64_t rows_at_once = 64) {
  kernels::Executor executor;
  executor.num_threads = num_threads;
  index::for_each_task((count + rows_at_once - 1) / rows_at_once,
                       kernels::resolved_threads(executor), [&](std::int64_t piece) {
                         const std::int64_t begin = piece * rows_at_once;
                         const std::int64_t end = std::min(count, begin + rows_at_once);
                         for (std::int64_t row = begin; row < end; ++row) make(row);
                       });
}

}  // namespace sightline::host
