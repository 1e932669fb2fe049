// Wavefront files (`.obj`): surfaces of polygons.
//
// Wavefront Technologies (1993), Advanced Visualizer manual, appendix B1. Read are `v` (x y z) and
// `f` (vertex, vertex/texture, vertex//normal or all three; negative numbers count from the last
// vertex); a polygon becomes a fan of triangles from its first corner. Everything else, materials,
// groups, curves and free-form surfaces among it, is passed over.
#pragma once

#include <string>

#include "host/world/surface.h"

namespace sightline::host {

/// Throws InputError naming the file, the line, what is wrong and the fix.
Surface read_obj(InputFile& file);

/// The surface as voxels (surface.h).
OccupancyGrid read_obj_world(const std::string& path, const Placement& placement);

}  // namespace sightline::host
