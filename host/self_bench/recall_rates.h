// Rates of recall: the best by meaning, ranks and lists under many mixes.
#pragma once

#include <vector>

#include "host/self_bench/runs.h"

namespace sightline::host::self_bench {

constexpr int kNumRecallMeasured = 6;  ///< rates, those of peers included
void measure_recall(Device& device, const Runs& runs, std::vector<CapabilityRate>* rates);

}  // namespace sightline::host::self_bench
