// OctoMap maps: binary trees (`.bt`) and full trees (`.ot`) of type OcTree and ColorOcTree.
//
// Hornung, Wurm, Bennewitz, Stachniss and Burgard (2013), OctoMap.
#pragma once

#include <string>

#include "host/world/occupancy_grid.h"

namespace sightline::host {

/// Reads a map into a grid that spans the bounding box of its leaves, in OctoMap's own frame
/// (Frame::kMapZUp). Leaves are occupied or free by OctoMap's threshold, pruned leaves are expanded
/// into boxes, and what no leaf covers is unknown. Throws InputError naming the file and the fault;
/// nothing is printed.
OccupancyGrid read_octomap(const std::string& path);

}  // namespace sightline::host
