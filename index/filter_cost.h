// Which way to search a filtered set is faster. Not for users of the folder.
#pragma once

#include <cstdint>

#include "index/dense_index.h"
#include "index/dense_kind.h"

namespace sightline::index {

/// True if searching the kept rows alone takes less time than letting FAISS skip the others, for
/// num_queries that share the filter. A function of its arguments only: it never measures, so a run
/// takes the same path every time. Constants measured by bench/search_bench.cpp.
bool gather_is_faster(const DenseKind& kind, std::int64_t num_rows, std::int64_t dim,
                      std::int64_t num_kept, std::int64_t num_queries, const DenseSearch& options);

}  // namespace sightline::index
