// What a DenseIndex holds. Not for users of the folder.
#pragma once

#include <memory>
#include <string>

#include "index/dense_engine.h"

namespace sightline::index {

struct DenseIndex::Impl {
  EngineShape shape;
  std::uint64_t seed = 0;
  double max_norm = 0;                  ///< of the stored vectors: bounds rounding
  std::unique_ptr<DenseEngine> engine;  ///< null if there are no rows
  bool on_gpu = false;
};

/// One call of DenseIndex::search. Throws as that does.
Neighbors search_dense(const DenseIndex::Impl& index, const float* queries,
                       std::int64_t num_queries, const DenseSearch& options,
                       const IdFilters& filters);

}  // namespace sightline::index
