// What this machine does in a second: one measured rate per capability, checked before it is timed.
//
// For users who want to know what to expect here, and what peers would give on the same work;
// bench/ has the measurements that claims rest on.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "host/device.h"

namespace sightline::host {

/// Another library, or our own plain code, on the same work.
struct PeerRate {
  std::string name;    ///< "OctoMap 1.9.8 castRay"
  double rate = 0;     ///< in the unit of the capability
  double differs = 0;  ///< share of its answers that are not ours
};

struct CapabilityRate {
  std::string name;   ///< "exact line of sight"
  std::string work;   ///< "rays between free points of the village at 0.1 m"
  std::string unit;   ///< "rays": the rate is of so many per second
  double rate = 0;    ///< median of the runs, by the clock, all of the device's threads
  double spread = 0;  ///< half the range of the runs, as a share of the rate
  std::int64_t num_runs = 0;
  std::vector<PeerRate> peers;  ///< those that this build has, on as many CPU threads
};

struct SelfBenchOptions {
  double seconds = 180;  ///< for everything, roughly: half of it is what follows each first run
  std::function<void(const std::string&)> on_start;  ///< told the name of what is measured next
  std::function<bool()> stop_requested;              ///< asked between runs: throws Interrupted
};

/// Measures every capability in turn. Throws RunError if an answer is not what the plain method
/// says: then nothing is worth timing.
std::vector<CapabilityRate> run_self_bench(Device& device, const SelfBenchOptions& options);

}  // namespace sightline::host
