// The same world in the other frame.
#pragma once

#include "host/world/occupancy_grid.h"

namespace sightline::host {

/// Turns a grid so that up, and the way that yaw 0 looks, are those of `frame`; nothing is mirrored
/// in the room, although the two frames are handed differently:
///
///     z up, right-handed (forward, left, up) = y up, left-handed (z, -x, y)
///
/// A grid in that frame already is returned as it is.
OccupancyGrid in_frame(const OccupancyGrid& grid, Frame frame);

/// Where the turned grid lies.
GridGeometry in_frame(const GridGeometry& geometry, Frame frame);

}  // namespace sightline::host
