// The OpenVDB grid that the OpenVDB and the NanoVDB engine are made of.
#pragma once

#include <openvdb/openvdb.h>

#include "bench/worlds.h"

namespace sightline::bench {

/// Occupied voxels are active; index space is voxel space.
inline openvdb::MaskGrid::Ptr mask_of(const host::OccupancyGrid& grid) {
  openvdb::initialize();
  openvdb::MaskGrid::Ptr mask = openvdb::MaskGrid::create();
  auto accessor = mask->getAccessor();
  for_each_occupied(grid, [&](std::int32_t x, std::int32_t y, std::int32_t z) {
    accessor.setValueOn(openvdb::Coord(x, y, z));
  });
  mask->pruneGrid();
  return mask;
}

}  // namespace sightline::bench
