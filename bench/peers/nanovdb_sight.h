// NanoVDB's hierarchical DDA over a grid of value masks, in float, one loop for host and device.
//
// The loop is written here: NanoVDB's own firstActive looks up the voxel a whole 1.0001 past each
// crossing, and so misses walls of one voxel.
#pragma once

#include <nanovdb/NanoVDB.h>
#include <nanovdb/util/HDDA.h>
#include <nanovdb/util/Ray.h>

#include <cstdint>

#include "bench/ray_ends.h"

namespace sightline::bench {

using NanoMask = nanovdb::NanoGrid<nanovdb::ValueMask>;

/// Answers ray i of a list: visible[i] = 1 or 0. Views; the grid, rays and answers lie where it
/// runs.
struct NanoVdbSight {
  const NanoMask* grid = nullptr;
  const FloatRay* rays = nullptr;
  std::uint8_t* visible = nullptr;

  __hostdev__ void operator()(std::int64_t i) const {
    const NanoMask::AccessorType accessor = grid->getAccessor();
    visible[i] = sees(accessor, rays[i]) ? 1 : 0;
  }

  __hostdev__ static int distance(int a, int b) { return a < b ? b - a : a - b; }

  __hostdev__ static int steps_between(const nanovdb::Coord& a, const nanovdb::Coord& b) {
    return distance(a[0], b[0]) + distance(a[1], b[1]) + distance(a[2], b[2]);
  }

  /// Does no active voxel stand between those of the ends? `accessor` keeps the nodes it came by.
  __hostdev__ static bool sees(const NanoMask::AccessorType& accessor, const FloatRay& ends) {
    using Ray = nanovdb::Ray<float>;
    constexpr float kPastFace = 1e-3f;  // voxels; a point on a face belongs to either side in float
    const nanovdb::Vec3f from(ends.from[0], ends.from[1], ends.from[2]);
    const nanovdb::Vec3f to(ends.to[0], ends.to[1], ends.to[2]);
    const auto first = nanovdb::RoundDown<nanovdb::Coord>(from);
    const auto last = nanovdb::RoundDown<nanovdb::Coord>(to);
    const nanovdb::Vec3f direction = to - from;
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
};

/// Runs the op for 0 <= i < count on a cudaStream_t; returns once it is queued.
void nanovdb_sight_cuda(void* stream, std::int64_t count, const NanoVdbSight& op);

}  // namespace sightline::bench
