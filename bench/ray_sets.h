// The rays that benchmarks ask about, in every form an engine takes.
#pragma once

#include <cstdint>
#include <vector>

#include "bench/ray_ends.h"
#include "bench/worlds.h"
#include "kernels/kernels.h"

namespace sightline::bench {

struct RaySet {
  std::vector<FloatRay> rays;
  std::vector<kernels::LatticePoint> lattice_from, lattice_to;  ///< 8 lattice bits
  std::vector<kernels::Vec3> from, to;

  std::int64_t size() const { return static_cast<std::int64_t>(rays.size()); }
};

constexpr int kLatticeBits = 8;
constexpr int kNumRaySets = 5;
/// Targets of one observer in set 4.
constexpr std::int64_t kTargetsPerObserver = 4096;

/// Both ends of each ray lie in free voxels; the same for the same seed.
///   1  pairs from the whole world
///   2  the target within 64 voxels of the observer
///   3  set 2, sorted by the 8^3 cell of the observer
///   4  kTargetsPerObserver targets within 128 voxels of each observer
///   5  set 2 from voxel centre to voxel centre: half of the rays meet an edge or a corner
RaySet make_ray_set(const BenchWorld& world, int set, std::int64_t num_rays, std::uint64_t seed);

}  // namespace sightline::bench
