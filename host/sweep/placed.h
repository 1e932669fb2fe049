// Memories of things at given points, seen from one place: behind walls too, which nothing that was
// captured (capture.h) is.
#pragma once

#include <cstdint>
#include <string>

#include "host/config/value.h"
#include "host/memory/memory_table.h"
#include "host/sweep/points.h"
#include "host/world/world.h"

namespace sightline::host {

struct PlacedSettings {
  PointSpec at;          ///< one point for each memory, in order
  kernels::Vec3 from_m;  ///< the observer; what `solid_m` of the points is measured from
  std::string place;     ///< in the sweep file, for messages
};

/// Reads {at: POINTS, from: [x, y, z]}. Throws InputError; points of files are none of them.
PlacedSettings parse_placed(const ConfigValue& placed);

/// Gives memory i the anchor at[i] and the observer. With equal seeds the points are those that
/// `targets` of a sweep over rays would be. Throws InputError, at the place of the setting, if
/// there are more or fewer points than memories.
void place(const PlacedSettings& settings, const World& world, std::uint64_t seed,
           MemoryTable* memories);

}  // namespace sightline::host
