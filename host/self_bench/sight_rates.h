// Rates of visibility: lines of sight, first hits, marches, views.
#pragma once

#include <vector>

#include "host/self_bench/runs.h"

namespace sightline::host::self_bench {

constexpr int kNumSightMeasured = 7;  ///< rates, those of peers included
void measure_sight(Device& device, const Runs& runs, std::vector<CapabilityRate>* rates);

constexpr int kNumSweepMeasured = 1;
void measure_sweep(Device& device, const Runs& runs, std::vector<CapabilityRate>* rates);

}  // namespace sightline::host::self_bench
