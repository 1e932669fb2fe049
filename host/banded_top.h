// The k best of many mixes through the k-skyband: memories that can be in no list are found once
// per query, and the mixes are run over the others. The lists are those of the full scan.
// kernels/skyband.h says why. On the CPU.
#pragma once

#include "host/top_call.h"
#include "kernels/skyband.h"

namespace sightline::host {

/// As kernels::top_memories(), with weights that `rule` is for; it compares no keys.
void banded_top_memories(const TopCall& call, const kernels::DominanceRule& rule);

}  // namespace sightline::host
