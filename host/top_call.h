// A call for the k best of many mixes, whole or in parts.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "kernels/kernels.h"

namespace sightline::host {

/// What kernels::top_memories() is asked, and what is called from time to time, which may throw.
struct TopCall {
  kernels::Executor executor;
  kernels::BlendView memories;
  std::int64_t num_queries = 0;
  const std::int32_t* weights = nullptr;  ///< [num_mixes, memories.num_features]
  std::int64_t num_mixes = 0;
  int k = 0;
  std::function<void()> check_stop;
  kernels::Scored* out = nullptr;  ///< [num_queries, num_mixes, k]
};

/// The view of the queries from first on.
kernels::BlendView from_query(kernels::BlendView memories, std::int64_t first);

/// Answers a call by one full scan.
void scan_top_memories(const TopCall& call);

/// Has some of a call's mixes, none of them twice, answered as a call of their own.
void answer_some(const TopCall& call, const std::vector<std::int64_t>& mixes,
                 const std::function<void(const TopCall&)>& answer);

}  // namespace sightline::host
