// Memories made where they could have been: an observer stands in free space, looks somewhere, and
// remembers a thing between itself and the first wall, which it therefore sees.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/memory/memory_table.h"
#include "host/sweep/points.h"
#include "host/world/world.h"

namespace sightline::host {

struct CaptureSettings {
  PointSpec observers;  ///< random_free
  double range_m = 10;  ///< how far an observer looks
  Range pitch_deg{-20, 10};
  std::string place;  ///< in the sweep file, for messages
};

/// {random_free: ...} without a count of its own, as parse_point_spec reads it.
ConfigValue with_count(const ConfigValue& random_free);

/// Reads {random_free: {...}, range_m, pitch_deg: [low, high]}. Throws InputError.
CaptureSettings parse_capture(const ConfigValue& capture);

/// Gives every memory an observer, its heading, and an anchor in its line of sight: uniform along
/// the gaze, from a third of the way to just before what the gaze meets. The world needs a grid.
/// Throws InputError, at the place of the setting, if there is no free space.
void capture(const CaptureSettings& settings, const World& world, std::uint64_t seed,
             Device& device, MemoryTable* memories);

}  // namespace sightline::host
