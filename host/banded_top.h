// The k best of many mixes through the k-skyband: memories that can be in no list are found once
// per query, and the mixes are run over the others. The lists are those of the full scan.
// kernels/skyband.h says why. On the CPU.
#pragma once

#include <cstdint>
#include <vector>

#include "host/top_call.h"
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

/// Of those that take part, on average of the queries.
std::int64_t mean_kept(const kernels::BlendView& memories, std::int64_t num_queries);

/// As kernels::top_memories(), through bands where they pay.
void fast_top_memories(const TopCall& call);

/// The same through bands in any case, with weights that `rule` is for; it compares no keys.
void banded_top_memories(const TopCall& call, const kernels::DominanceRule& rule);

}  // namespace sightline::host
