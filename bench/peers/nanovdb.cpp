// NanoVDB: its hierarchical DDA over a grid of value masks, in float.
//
// The loop is written here: NanoVDB's own firstActive looks up the voxel a whole 1.0001 past each
// crossing, and so misses walls of one voxel.
#include <nanovdb/util/HDDA.h>
#include <nanovdb/util/OpenToNanoVDB.h>
#include <nanovdb/util/Ray.h>

#include <cstdlib>
#include <memory>
#include <utility>

#include "bench/engine.h"
#include "bench/peers/openvdb_mask.h"

namespace sightline::bench {
namespace {

using Mask = nanovdb::NanoGrid<nanovdb::ValueMask>;
using MaskAccessor = Mask::AccessorType;
using Ray = nanovdb::Ray<float>;

int steps_between(const nanovdb::Coord& a, const nanovdb::Coord& b) {
  return std::abs(a[0] - b[0]) + std::abs(a[1] - b[1]) + std::abs(a[2] - b[2]);
}

bool sees(const MaskAccessor& accessor, const FloatRay& ends) {
  constexpr float kPastFace = 1e-3f;  // voxels; a point on a face belongs to either side in float
  const nanovdb::Vec3f from(ends.from[0], ends.from[1], ends.from[2]);
  const nanovdb::Vec3f to(ends.to[0], ends.to[1], ends.to[2]);
  const auto first = nanovdb::RoundDown<nanovdb::Coord>(from);
  const auto last = nanovdb::RoundDown<nanovdb::Coord>(to);
  nanovdb::Vec3f direction = to - from;
  const float length = direction.length();
  if (first == last) return true;
  Ray ray(from, direction * (1 / length), 0.0f, length);
  if (!ray.clip(accessor.root().bbox())) return true;

  auto voxel = nanovdb::RoundDown<nanovdb::Coord>(ray(ray.t0() + kPastFace));
  nanovdb::HDDA<Ray> walk(ray, accessor.getDim(voxel, ray));
  while (!accessor.isActive(voxel)) {
    if (!walk.step()) return true;
    voxel = nanovdb::RoundDown<nanovdb::Coord>(ray(walk.time() + kPastFace));
    walk.update(ray, accessor.getDim(voxel, ray));
  }
  const int steps = steps_between(first, voxel);
  return steps == 0 || steps >= steps_between(first, last);
}

}  // namespace

Engine make_nanovdb(const host::OccupancyGrid& grid) {
  using Handle = nanovdb::GridHandle<nanovdb::HostBuffer>;
  const auto handle = std::make_shared<Handle>(nanovdb::openToNanoVDB(*mask_of(grid)));
  Engine engine;
  engine.bits_per_voxel = bits_per_voxel(handle->size(), grid);
  engine.max_wrong = kRoundingMaxWrong;
  engine.run = [handle](const RaySet& set, std::int64_t begin, std::int64_t end,
                        std::uint8_t* visible) {
    const MaskAccessor accessor = handle->grid<nanovdb::ValueMask>()->getAccessor();
    for (std::int64_t i = begin; i < end; ++i) visible[i - begin] = sees(accessor, set.rays[i]);
  };
  return engine;
}

}  // namespace sightline::bench
