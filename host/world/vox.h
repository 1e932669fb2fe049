// MagicaVoxel files (`.vox`): models of up to 256^3 voxels and the scene they are placed in.
//
// ephtracy (2016 to 2020), MagicaVoxel .vox file format, and its extension for scene graphs
// (github.com/ephtracy/voxel-model). Chunks: SIZE and XYZI make a model, nTRN (translation,
// rotation), nGRP and nSHP the scene. Colours, materials, layers and cameras are passed over;
// models that the editor hides count. Of an animation, the first frame is read.
//
// z is up and the axes are right-handed: Frame::kMapZUp. A voxel is as large as the placement says
// (1 m if it does not). Voxel p of a model of size s that is turned by R and moved by t lies at
// R (p - floor(s / 2)) + t; models of a file without a scene lie with their low corner at 0.
#pragma once

#include <string>
#include <vector>

#include "host/world/formats.h"

namespace sightline::host {

/// Reads the models of the scene into one grid of free and occupied voxels that spans them. Voxel
/// (0, 0, 0) of the file's space has its low corner at 0, unless the placement gives the origin of
/// the grid. Throws InputError naming the file, the byte or the node, what is wrong and the fix.
OccupancyGrid read_vox(const std::string& path, const Placement& placement);

/// Writes models of 256^3 voxels, placed where the grid is, in whole voxels. A world whose y axis
/// is up is turned (reframe.h). Throws InputError for a grid of more than 2^16 models.
void write_vox(const OccupancyGrid& grid, const std::string& path);

/// Voxel (0, 0, 0) of a grid in the file's space: its origin in voxels, rounded.
std::array<std::int64_t, 3> vox_corner(const GridGeometry& geometry);

}  // namespace sightline::host
