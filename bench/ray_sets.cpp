#include "bench/ray_sets.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "host/random.h"

namespace sightline::bench {
namespace {

using host::RandomItem;
using kernels::LatticePoint;
using Ends = std::pair<LatticePoint, LatticePoint>;

constexpr std::int64_t kPerVoxel = std::int64_t{1} << kLatticeBits;

class EndpointSampler {
 public:
  EndpointSampler(const host::OccupancyGrid& grid, bool centers) : grid_(grid), centers_(centers) {}

  /// A point in a free voxel, any of the world.
  LatticePoint anywhere(RandomItem& random) const {
    const auto& dims = grid_.geometry().dims;
    std::array<std::int64_t, 3> voxel;
    do {
      for (int a = 0; a < 3; ++a) voxel[a] = draw(random, dims[a]);
    } while (!is_free(voxel));
    return point_in(voxel, random);
  }

  /// A point in a free voxel not further than radius_vox from `center`.
  LatticePoint near(const LatticePoint& center, std::int64_t radius_vox, RandomItem& random) const {
    const std::array<std::int64_t, 3> voxel{center.x >> kLatticeBits, center.y >> kLatticeBits,
                                            center.z >> kLatticeBits};
    for (;;) {
      std::array<std::int64_t, 3> other;
      for (int a = 0; a < 3; ++a)
        other[a] = voxel[a] + draw(random, 2 * radius_vox + 1) - radius_vox;
      if (!is_free(other)) continue;
      const LatticePoint point = point_in(other, random);
      const std::int64_t dx = point.x - center.x, dy = point.y - center.y, dz = point.z - center.z;
      const std::int64_t radius = radius_vox * kPerVoxel;
      if (dx * dx + dy * dy + dz * dz <= radius * radius) return point;
    }
  }

 private:
  static std::int64_t draw(RandomItem& random, std::int64_t count) {
    return static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(count)));
  }
  bool is_free(const std::array<std::int64_t, 3>& v) const {
    const auto& dims = grid_.geometry().dims;
    for (int a = 0; a < 3; ++a) {
      if (v[a] < 0 || v[a] >= dims[a]) return false;
    }
    return grid_.at(v[0], v[1], v[2]) == host::VoxelState::kFree;
  }
  LatticePoint point_in(const std::array<std::int64_t, 3>& voxel, RandomItem& random) const {
    std::int32_t point[3];
    for (int a = 0; a < 3; ++a) {
      const std::int64_t within = centers_ ? kPerVoxel / 2 : draw(random, kPerVoxel);
      point[a] = static_cast<std::int32_t>(voxel[a] * kPerVoxel + within);
    }
    return {point[0], point[1], point[2]};
  }

  const host::OccupancyGrid& grid_;
  bool centers_;
};

/// The 8^3 cell of a ray's observer, as a sort key.
std::tuple<int, int, int> observer_cell(const Ends& ends) {
  constexpr int kCellBits = kLatticeBits + 3;
  const LatticePoint& p = ends.first;
  return {p.z >> kCellBits, p.y >> kCellBits, p.x >> kCellBits};
}

kernels::Vec3 in_voxels(const LatticePoint& p) {
  constexpr double kVoxels = 1.0 / kPerVoxel;
  return {p.x * kVoxels, p.y * kVoxels, p.z * kVoxels};
}

RaySet in_every_form(const std::vector<Ends>& all) {
  RaySet set;
  for (const auto& [p, t] : all) {
    const kernels::Vec3 from = in_voxels(p), to = in_voxels(t);
    set.lattice_from.push_back(p);
    set.lattice_to.push_back(t);
    set.from.push_back(from);
    set.to.push_back(to);
    set.rays.push_back(
        {{static_cast<float>(from.x), static_cast<float>(from.y), static_cast<float>(from.z)},
         {static_cast<float>(to.x), static_cast<float>(to.y), static_cast<float>(to.z)}});
  }
  return set;
}

}  // namespace

RaySet make_ray_set(const BenchWorld& world, int set, std::int64_t num_rays, std::uint64_t seed) {
  constexpr std::uint64_t kObservers = 0, kTargets = 1;
  constexpr std::int64_t kNear_vox = 64, kFar_vox = 128;
  const EndpointSampler sampler(world.grid, set == 5);
  std::vector<Ends> all(static_cast<std::size_t>(num_rays));
  for (std::int64_t i = 0; i < num_rays; ++i) {
    const std::int64_t observer = set == 4 ? i / kTargetsPerObserver : i;
    RandomItem observer_draws(seed, kObservers, static_cast<std::uint64_t>(observer));
    RandomItem target_draws(seed, kTargets, static_cast<std::uint64_t>(i));
    const LatticePoint p = sampler.anywhere(observer_draws);
    all[i].first = p;
    all[i].second = set == 1 ? sampler.anywhere(target_draws)
                             : sampler.near(p, set == 4 ? kFar_vox : kNear_vox, target_draws);
  }
  if (set == 3) {
    std::stable_sort(all.begin(), all.end(), [](const Ends& a, const Ends& b) {
      return observer_cell(a) < observer_cell(b);
    });
  }
  return in_every_form(all);
}

}  // namespace sightline::bench
