// Memories made where they could have been: an observer stands in free space, looks somewhere, and
// remembers a thing between itself and the first wall, which it therefore sees, or the cell of the
// world that its gaze meets.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/memory/memory_table.h"
#include "host/sweep/points.h"
#include "host/world/walk.h"
#include "host/world/world.h"

namespace sightline::host {

struct CaptureSettings {
  enum class At : std::uint8_t {
    kAlongGaze,  ///< uniform, from a third of the way to just before what the gaze meets
    kHitCell     ///< the centre of the voxel that the gaze meets
  };

  std::optional<PointSpec> observers;  ///< random_free; or
  std::optional<WalkSettings> walk;    ///< the stops of a walk, the memories strewn over it
  double range_m = 10;                 ///< how far an observer looks
  Range pitch_deg{-20, 10};
  At at = At::kAlongGaze;
  std::string place;  ///< in the sweep file, for messages
};

/// {random_free: ...} without a count of its own, as parse_point_spec reads it.
ConfigValue with_count(const ConfigValue& random_free);

/// Reads {random_free: {...} or walk: {...}, range_m, pitch_deg: [low, high], at: along_gaze or
/// hit_cell}. Throws InputError.
CaptureSettings parse_capture(const ConfigValue& capture);

/// Gives every memory an observer, its heading, and an anchor as `at` has it, in its line of sight.
/// The anchor of kHitCell is the world centre of the cell, as the looked_at_subject of What Spatial
/// Memory Must Store (2026), section 3, is; an observer whose gaze meets no voxel of the grid
/// within the range looks elsewhere. The world needs a grid. Throws InputError, at the place of the
/// setting, if there is no free space, or nothing to be seen from an observer.
void capture(const CaptureSettings& settings, const World& world, std::uint64_t seed,
             Device& device, MemoryTable* memories);

}  // namespace sightline::host
