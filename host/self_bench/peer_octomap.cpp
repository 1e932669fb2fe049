#include "host/self_bench/peer_octomap.h"

#include <octomap/octomap.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <thread>

namespace sightline::host::self_bench {
namespace {

constexpr octomap::key_type kOrigin = 32768;  // the key of coordinate 0

using Point = std::array<double, 3>;  // in voxels from the grid's low corner

/// Voxel faces between the voxels of two points: it grows with every step of a walk.
int steps_between(const Point& from, const Point& to) {
  int steps = 0;
  for (int a = 0; a < 3; ++a) {
    steps += std::abs(static_cast<int>(std::floor(to[a])) - static_cast<int>(std::floor(from[a])));
  }
  return steps;
}

}  // namespace

struct OctoMapPeer::Impl {
  octomap::OcTree tree{1.0};
  GridGeometry geometry;

  Point in_voxels(const kernels::Vec3& p) const {
    const GridGeometry& g = geometry;
    return {(p.x - g.origin_m[0]) / g.voxel_m[0], (p.y - g.origin_m[1]) / g.voxel_m[1],
            (p.z - g.origin_m[2]) / g.voxel_m[2]};
  }

  bool sees(const kernels::Vec3& from_m, const kernels::Vec3& to_m) const {
    constexpr double kVoxelDiagonal = 1.8;  // castRay measures its range to voxel centres
    const Point from = in_voxels(from_m), to = in_voxels(to_m);
    const auto point = [](const Point& p) {
      return octomap::point3d(static_cast<float>(p[0]), static_cast<float>(p[1]),
                              static_cast<float>(p[2]));
    };
    const octomap::point3d start = point(from), direction = point(to) - start;
    const double length = direction.norm();
    octomap::point3d hit;
    if (length == 0 || !tree.castRay(start, direction, hit, true, length + kVoxelDiagonal)) {
      return true;
    }
    return steps_between(from, {hit.x(), hit.y(), hit.z()}) >= steps_between(from, to);
  }
};

OctoMapPeer::OctoMapPeer(const OccupancyGrid& grid) : impl_(new Impl) {
  constexpr float kOccupied = 2.0f;  // log odds
  impl_->geometry = grid.geometry();
  const auto& dims = impl_->geometry.dims;
  const auto key = [](std::int64_t v) { return static_cast<octomap::key_type>(kOrigin + v); };
  for (std::int64_t z = 0; z < dims[2]; ++z) {
    for (std::int64_t y = 0; y < dims[1]; ++y) {
      for (std::int64_t x = 0; x < dims[0]; ++x) {
        if (grid.at(x, y, z) != VoxelState::kOccupied) continue;
        impl_->tree.setNodeValue(octomap::OcTreeKey(key(x), key(y), key(z)), kOccupied, true);
      }
    }
  }
  impl_->tree.updateInnerOccupancy();
  impl_->tree.prune();
}

OctoMapPeer::~OctoMapPeer() = default;

std::string OctoMapPeer::name() { return "OctoMap castRay"; }

std::vector<std::uint8_t> OctoMapPeer::visible(const RayBatch& rays, int num_threads) const {
  const auto count = static_cast<std::size_t>(rays.num_rays());
  const auto threads = static_cast<std::size_t>(num_threads);
  std::vector<std::uint8_t> answers(count);
  std::vector<std::thread> pool;
  for (std::size_t t = 0; t < threads; ++t) {
    pool.emplace_back([&, t] {
      for (std::size_t i = t * count / threads; i < (t + 1) * count / threads; ++i) {
        answers[i] = impl_->sees(rays.observers[i], rays.targets[i]);
      }
    });
  }
  for (std::thread& thread : pool) thread.join();
  return answers;
}

}  // namespace sightline::host::self_bench
