#include "host/self_bench/self_bench.h"

#include "host/self_bench/recall_rates.h"
#include "host/self_bench/sight_rates.h"

namespace sightline::host {

std::vector<CapabilityRate> run_self_bench(Device& device, const SelfBenchOptions& options) {
  using namespace self_bench;
  constexpr int kNumMeasured = kNumSightMeasured + kNumRecallMeasured + kNumSweepMeasured;
  const Runs runs(options, kNumMeasured);
  std::vector<CapabilityRate> rates;
  measure_sight(device, runs, &rates);
  measure_recall(device, runs, &rates);
  measure_sweep(device, runs, &rates);
  return rates;
}

}  // namespace sightline::host
