// OpenVDB: a MaskGrid, walked voxel by voxel with OpenVDB's own DDA and a value accessor.
#include <openvdb/math/DDA.h>
#include <openvdb/math/Ray.h>

#include <cstdlib>

#include "bench/engine.h"
#include "bench/peers/openvdb_mask.h"

namespace sightline::bench {
namespace {

using MaskAccessor = openvdb::MaskGrid::ConstUnsafeAccessor;
using Ray = openvdb::math::Ray<double>;

bool sees(const MaskAccessor& accessor, const FloatRay& ray) {
  const openvdb::Vec3d from(ray.from[0], ray.from[1], ray.from[2]);
  const openvdb::Vec3d to(ray.to[0], ray.to[1], ray.to[2]);
  const openvdb::Coord way = openvdb::Coord::floor(to) - openvdb::Coord::floor(from);
  int steps = std::abs(way.x()) + std::abs(way.y()) + std::abs(way.z());
  if (steps < 2) return true;
  openvdb::math::DDA<Ray, 0> walk(Ray(from, to - from, 0.0, 1.0));
  for (; steps > 1 && walk.step(); --steps) {
    if (accessor.isValueOn(walk.voxel())) return false;
  }
  return true;
}

}  // namespace

Engine make_openvdb(const host::OccupancyGrid& grid) {
  const openvdb::MaskGrid::ConstPtr mask = mask_of(grid);
  Engine engine;
  engine.bits_per_voxel = bits_per_voxel(mask->memUsage(), grid);
  engine.max_wrong = kRoundingMaxWrong;
  engine.run = [mask](const RaySet& set, std::int64_t begin, std::int64_t end,
                      std::uint8_t* visible) {
    const MaskAccessor accessor(mask->constTree());
    for (std::int64_t i = begin; i < end; ++i) visible[i - begin] = sees(accessor, set.rays[i]);
  };
  return engine;
}

}  // namespace sightline::bench
