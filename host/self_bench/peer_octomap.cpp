#include "host/self_bench/peer_octomap.h"

#include <octomap/octomap.h>

#include <array>
#include <cmath>
#include <cstdlib>

#include "host/self_bench/on_threads.h"

namespace sightline::host::self_bench {
namespace {

constexpr octomap::key_type kOrigin = 32768;  // the key of coordinate 0

using Point = std::array<double, 3>;  // in voxels from the grid's low corner

octomap::OcTreeKey key_of(const std::array<std::int32_t, 3>& voxel) {
  const auto key = [](std::int32_t v) { return static_cast<octomap::key_type>(kOrigin + v); };
  return {key(voxel[0]), key(voxel[1]), key(voxel[2])};
}

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

  /// Where castRay stops, in voxels; `to` if it meets nothing on the way there and a little beyond.
  Point stop_of(const Point& from, const Point& to) const {
    constexpr double kVoxelDiagonal = 1.8;  // castRay measures its range to voxel centres
    const auto point = [](const Point& p) {
      return octomap::point3d(static_cast<float>(p[0]), static_cast<float>(p[1]),
                              static_cast<float>(p[2]));
    };
    const octomap::point3d start = point(from), direction = point(to) - start;
    const double length = direction.norm();
    octomap::point3d hit;
    if (length == 0 || !tree.castRay(start, direction, hit, true, length + kVoxelDiagonal)) {
      return to;
    }
    return {hit.x(), hit.y(), hit.z()};
  }

  bool sees(const kernels::Vec3& from_m, const kernels::Vec3& to_m) const {
    const Point from = in_voxels(from_m), to = in_voxels(to_m);
    return steps_between(from, stop_of(from, to)) >= steps_between(from, to);
  }

  std::array<std::int32_t, 3> first_hit(const kernels::Vec3& from_m,
                                        const kernels::Vec3& to_m) const {
    const Point from = in_voxels(from_m), to = in_voxels(to_m), stop = stop_of(from, to);
    std::array<std::int32_t, 3> voxel;
    for (std::size_t a = 0; a < 3; ++a) voxel[a] = static_cast<std::int32_t>(std::floor(stop[a]));
    const octomap::OcTreeNode* const node = tree.search(key_of(voxel));
    const bool is_met = node != nullptr && tree.isNodeOccupied(node);
    if (!is_met || steps_between(from, stop) > steps_between(from, to)) return {-1, -1, -1};
    return voxel;
  }
};

OctoMapPeer::OctoMapPeer(const OccupancyGrid& grid) : impl_(new Impl) {
  constexpr float kOccupied = 2.0f;  // log odds
  impl_->geometry = grid.geometry();
  const auto& dims = impl_->geometry.dims;
  for (std::int64_t z = 0; z < dims[2]; ++z) {
    for (std::int64_t y = 0; y < dims[1]; ++y) {
      for (std::int64_t x = 0; x < dims[0]; ++x) {
        if (grid.at(x, y, z) != VoxelState::kOccupied) continue;
        impl_->tree.setNodeValue(key_of({std::int32_t(x), std::int32_t(y), std::int32_t(z)}),
                                 kOccupied, true);
      }
    }
  }
  impl_->tree.updateInnerOccupancy();
  impl_->tree.prune();
}

OctoMapPeer::~OctoMapPeer() = default;

std::string OctoMapPeer::name() { return "OctoMap castRay"; }

std::vector<std::uint8_t> OctoMapPeer::visible(const RayBatch& rays, int num_threads) const {
  std::vector<std::uint8_t> answers(static_cast<std::size_t>(rays.num_rays()));
  for_each_of(answers.size(), num_threads,
              [&](std::size_t i) { answers[i] = impl_->sees(rays.observers[i], rays.targets[i]); });
  return answers;
}

std::vector<std::array<std::int32_t, 3>> OctoMapPeer::first_hits(const RayBatch& rays,
                                                                 int num_threads) const {
  std::vector<std::array<std::int32_t, 3>> voxels(static_cast<std::size_t>(rays.num_rays()));
  for_each_of(voxels.size(), num_threads, [&](std::size_t i) {
    voxels[i] = impl_->first_hit(rays.observers[i], rays.targets[i]);
  });
  return voxels;
}

}  // namespace sightline::host::self_bench
