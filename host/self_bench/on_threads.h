// Runs a peer on as many threads as Sightline has.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "host/memory/parallel_rows.h"

namespace sightline::host::self_bench {

/// Calls ask(i) for each i < count, neighbours on one thread.
template <class Ask>
void for_each_of(std::size_t count, int num_threads, const Ask& ask) {
  const auto num_rows = static_cast<std::int64_t>(count);
  for_each_row(
      num_rows, num_threads, [&](std::int64_t i) { ask(static_cast<std::size_t>(i)); },
      std::max<std::int64_t>(1, (num_rows + num_threads - 1) / num_threads));
}

}  // namespace sightline::host::self_bench
