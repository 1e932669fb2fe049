// The k best of many mixes of any signs through blocks of memories: the lists are those of the full
// scan. kernels/block_tops.h says why. On the CPU.
#pragma once

#include <cstdint>

#include "host/top_call.h"

namespace sightline::host {

/// Can blocks answer such a call? They need vectors, and sums below 2^53.
bool blocks_serve(const TopCall& call);

/// As kernels::top_memories(), for a call that they serve.
void blocked_top_memories(const TopCall& call);

}  // namespace sightline::host
