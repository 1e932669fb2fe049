// PLY files (`.ply`): surfaces and point clouds, in text or binary of either byte order.
//
// Turk (1994), The PLY polygon file format, Stanford. Of the element `vertex` the properties x, y,
// z are read, of `face` the list `vertex_indices` (or `vertex_index`); a polygon becomes a fan of
// triangles from its first corner. Everything else is passed over. A file without faces is a point
// cloud; in one with faces, vertices of no face are passed over.
#pragma once

#include <string>

#include "host/world/surface.h"

namespace sightline::host {

/// Throws InputError naming the file, the line or the byte, what is wrong and the fix.
Surface read_ply(InputFile& file);

/// The surface as voxels (surface.h).
OccupancyGrid read_ply_world(const std::string& path, const Placement& placement);

}  // namespace sightline::host
