// Rays between points of a lattice, as the exact walks take them.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/empty_box.h"
#include "kernels/kernels.h"
#include "support/rays.h"

namespace sightline::tests {

struct LatticeRays {
  std::vector<kernels::LatticePoint> from, to;
  std::int64_t num() const { return static_cast<std::int64_t>(from.size()); }
};

inline LatticeRays lattice_rays(const host::RayBatch& batch, const oracle::Frame& frame, int bits) {
  LatticeRays rays;
  for (std::size_t i = 0; i < batch.observers.size(); ++i) {
    const oracle::Segment s = to_segment(batch, i, frame, bits);
    rays.from.push_back({int(s.from[0]), int(s.from[1]), int(s.from[2])});
    rays.to.push_back({int(s.to[0]), int(s.to[1]), int(s.to[2])});
  }
  return rays;
}

/// The same in a grid of unit voxels, in metres: exact.
inline host::RayBatch in_unit_voxels(const LatticeRays& rays, int bits) {
  const double unit = std::ldexp(1.0, -bits);
  const auto point = [&](const kernels::LatticePoint& p) {
    return kernels::Vec3{p.x * unit, p.y * unit, p.z * unit};
  };
  host::RayBatch batch;
  for (const kernels::LatticePoint& p : rays.from) batch.observers.push_back(point(p));
  for (const kernels::LatticePoint& p : rays.to) batch.targets.push_back(point(p));
  return batch;
}

inline std::string describe(const LatticeRays& rays, std::size_t i) {
  const auto text = [](const kernels::LatticePoint& p) {
    return "(" + std::to_string(p.x) + ", " + std::to_string(p.y) + ", " + std::to_string(p.z) +
           ")";
  };
  return "ray " + std::to_string(i) + " from " + text(rays.from[i]) + " to " + text(rays.to[i]);
}

/// Rays between points of a lattice of `bits`, of which only every 2^(bits - coarse_bits)th is
/// taken, and every second ray, if the lattice has such points, with both ends moved by half of
/// that: with coarse_bits 0, voxel corners and voxel centres. They reach as far as `reach` times
/// the grid.
inline LatticeRays coarse_rays(const oracle::Index3& dims, int bits, int coarse_bits, double reach,
                               int num_rays, Random& random) {
  const std::int64_t step = std::int64_t{1} << (bits - coarse_bits);
  LatticeRays rays;
  for (int i = 0; i < num_rays; ++i) {
    std::int32_t p[3], t[3];
    for (std::size_t a = 0; a < 3; ++a) {
      const std::int64_t num = dims[a] << coarse_bits, shift = i % 2 == 0 ? 0 : step / 2;
      const auto most = static_cast<std::int64_t>(reach * static_cast<double>(num));
      const std::int64_t from = random.integer(0, num - 1);
      const std::int64_t to = from + random.integer(-most, most);
      p[a] = static_cast<std::int32_t>(from * step + shift);
      t[a] = static_cast<std::int32_t>((to < 0 ? 0 : to < num ? to : num - 1) * step + shift);
    }
    rays.from.push_back({p[0], p[1], p[2]});
    rays.to.push_back({t[0], t[1], t[2]});
  }
  return rays;
}

/// From points of voxels that are not set, 1000 rays each, through faces, edges and corners of the
/// box around the voxel, or past them by two units of the lattice on an axis; or to such places.
inline LatticeRays rays_by_edges_of_boxes(const kernels::EmptyBoxes& boxes,
                                          const kernels::PlaneView& plane, int bits,
                                          int num_observers, Random& random) {
  const std::int64_t unit = std::int64_t{1} << bits;
  LatticeRays rays;
  for (int n = 0; n < num_observers; ++n) {
    std::int32_t voxel[3];
    do {  // where scattered_voxels stand
      voxel[0] = static_cast<std::int32_t>(random.integer(60, 140));
      voxel[1] = static_cast<std::int32_t>(random.integer(60, 90));
      voxel[2] = static_cast<std::int32_t>(random.integer(60, 70));
    } while (plane.get(voxel[0], voxel[1], voxel[2]));
    const kernels::VoxelBox box = boxes.around(voxel);
    const std::int64_t middle = unit / 2;
    const bool from_centre = random.chance(0.5);
    std::int64_t from[3];
    for (int a = 0; a < 3; ++a) {
      from[a] = voxel[a] * unit + (from_centre ? middle : random.integer(0, unit - 1));
    }
    for (int i = 0; i < 1000; ++i) {
      const std::int64_t times = random.integer(1, 4);
      std::int32_t to[3];
      for (int a = 0; a < 3; ++a) {
        const std::int64_t low = box.low[a] * unit, high = (box.high[a] + 1) * unit;
        std::int64_t by = random.chance(0.5) ? low : high;
        if (random.chance(0.3)) by = random.integer(low, high);
        const std::int64_t way = by + random.integer(-2, 2) - from[a];
        to[a] = static_cast<std::int32_t>(from[a] + times * way);
      }
      rays.from.push_back({int(from[0]), int(from[1]), int(from[2])});
      rays.to.push_back({to[0], to[1], to[2]});
    }
  }
  return rays;
}

}  // namespace sightline::tests
