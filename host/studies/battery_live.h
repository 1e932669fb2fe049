// The E4 set of the battery: can a thing be seen from here, in eight worlds with one occluder each?
//
// What Spatial Memory Must Store (2026), section 6.9 (SPMEM-OCC-LIVE-v1): in each world twelve
// things behind the occluder and twelve in the open. configs/occlusion_live.yaml replays the
// paper's own arms on it; here every arm of the battery is asked.
#pragma once

#include <cstdint>
#include <vector>

#include "host/studies/battery_trials.h"
#include "host/world/world.h"

namespace sightline::host {

constexpr std::int64_t kLiveWorlds = 8, kLiveTrialsPerWorld = 24;

struct LiveWorld {
  World world;                       ///< the solid, and voxels of 0.5 m
  std::vector<BatteryTrial> trials;  ///< of QuestionType::kOcclusion; the first half is hidden
};

/// Occluders are on the grid and jittered from world to world. A thing is behind if the line to it
/// has at least 0.4 m in the occluder, the step of the paper's march, and in the open if it has
/// none. World w depends on (seed, w) alone.
std::vector<LiveWorld> make_live_worlds(std::uint64_t seed);

}  // namespace sightline::host
