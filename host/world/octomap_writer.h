// OctoMap maps out: binary trees (`.bt`), built and written by OctoMap's own library.
#pragma once

#include <string>

#include "host/world/occupancy_grid.h"

namespace sightline::host {

/// Writes occupied and free voxels as leaves, pruned to the largest cubes; unknown space is where
/// there is no leaf. Reading the file again gives the same voxels, on a grid that spans the known
/// ones. A world whose y axis is up is turned (reframe.h): OctoMap's z is.
///
/// Throws InputError where an octree cannot hold the grid: voxels that are no cubes, an origin off
/// OctoMap's lattice (multiples of the voxel size), voxels more than 2^15 from 0, nothing known.
void write_octomap(const OccupancyGrid& grid, const std::string& path);

}  // namespace sightline::host
