// The k best of many mixes through the k-skyband: memories that can be in no list are found once
// per query, and the mixes are run over the others. The lists are those of the full scan.
// kernels/skyband.h says why. On the CPU.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "kernels/kernels.h"
#include "kernels/skyband.h"

namespace sightline::host {

/// Mixes whose weights of each feature are all >= 0 or all <= 0, and how memories are compared
/// under them.
struct SignGroup {
  kernels::DominanceRule rule;      ///< compares nothing where all weights are 0
  std::vector<std::int64_t> mixes;  ///< ascending
};

/// Each mix in one group, the first that it fits into.
std::vector<SignGroup> group_by_sign(const std::int32_t* weights, std::int64_t num_mixes,
                                     int num_features);

/// Is a band likely to be worth its making? kept: memories that take part, of each query on
/// average.
bool band_pays(std::int64_t num_memories, std::int64_t num_kept, std::int64_t num_mixes, int k);

/// As kernels::top_memories(), through bands where they pay. Calls check_stop() from time to time.
void fast_top_memories(const kernels::Executor& executor, const kernels::BlendView& memories,
                       std::int64_t num_queries, const std::int32_t* weights,
                       std::int64_t num_mixes, int k, const std::function<void()>& check_stop,
                       kernels::Scored* out);

/// The same through bands in any case, with weights that `rule` is for.
void banded_top_memories(const kernels::Executor& executor, const kernels::BlendView& memories,
                         const kernels::DominanceRule& rule, std::int64_t num_queries,
                         const std::int32_t* weights, std::int64_t num_mixes, int k,
                         const std::function<void()>& check_stop, kernels::Scored* out);

}  // namespace sightline::host
