// Rays between points of a lattice, as the exact walks take them.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

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

}  // namespace sightline::tests
