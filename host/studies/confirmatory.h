// The confirmatory design: seven types of question to memories of walks through generated worlds.
//
//   study:
//     confirmatory:
//       type: occlusion                # as those of the battery
//       world: village_1               # one of:
//       worlds: {village_1: {scene: {name: village, seed: 1, size_m: [38, 8, 38]}}, ...}
//       trajectory: 1                  # which walk; things stay where they are
//       trials: 15
//       voxel_m: 0.5                   # of the grid that arms look through and cells that bind;
//                                      # of where one can walk it is 0.25
//       truth: things                  # or memories: broken, what F4 must tell
//       stops: 48                      # where the walker looks around
//       range_m: 12                    # how far it sees
//       walk: {floor_m: 0, step_m: 0.5}  # host/world/walk.h; of a world, its own: worlds.NAME.walk
//   arms: ...                          # as those of the battery (battery.h)
//
// World, walk and what was seen on it are made first (host/truth), and the questions with what is
// right, by a geometry of solids that knows no voxel and no memory. Then each sighting becomes a
// memory, bound to the cell of the thing and not to where its observer stood, and arms that store
// more or less of it are asked. What Spatial Memory Must Store (2026), section 10
// (SPMEM-ZERO-REAL-PREREG-v1).
#pragma once

#include <memory>

#include "host/studies/study.h"

namespace sightline::host {

/// Throws InputError.
std::unique_ptr<Study> make_confirmatory(const StudySettings& settings);

}  // namespace sightline::host
