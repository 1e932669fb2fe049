// OctoMap: the occupied voxels in an OcTree of resolution 1, asked by castRay.
#include <octomap/octomap.h>

#include <cmath>
#include <cstdlib>
#include <memory>

#include "bench/engine.h"

namespace sightline::bench {
namespace {

constexpr octomap::key_type kOrigin = 32768;  // the key of coordinate 0

std::shared_ptr<octomap::OcTree> tree_of(const host::OccupancyGrid& grid) {
  constexpr float kOccupied = 2.0f;  // log odds
  auto tree = std::make_shared<octomap::OcTree>(1.0);
  for_each_occupied(grid, [&](std::int32_t x, std::int32_t y, std::int32_t z) {
    const auto key = [](std::int32_t v) { return static_cast<octomap::key_type>(kOrigin + v); };
    tree->setNodeValue(octomap::OcTreeKey(key(x), key(y), key(z)), kOccupied, true);
  });
  tree->updateInnerOccupancy();
  tree->prune();
  return tree;
}

/// Voxel faces between the voxels of two points: it grows with every step of a walk.
int steps_between(const float* from, const float* to) {
  int steps = 0;
  for (int a = 0; a < 3; ++a) {
    steps += std::abs(static_cast<int>(std::floor(to[a])) - static_cast<int>(std::floor(from[a])));
  }
  return steps;
}

bool sees(const octomap::OcTree& tree, const FloatRay& ray) {
  constexpr double kVoxelDiagonal = 1.8;  // castRay measures its range to voxel centres
  const octomap::point3d from(ray.from[0], ray.from[1], ray.from[2]);
  const octomap::point3d direction = octomap::point3d(ray.to[0], ray.to[1], ray.to[2]) - from;
  const double length = direction.norm();
  octomap::point3d hit;
  if (length == 0 || !tree.castRay(from, direction, hit, true, length + kVoxelDiagonal))
    return true;
  const float at[3] = {hit.x(), hit.y(), hit.z()};
  return steps_between(ray.from, at) >= steps_between(ray.from, ray.to);
}

}  // namespace

Engine make_octomap(const host::OccupancyGrid& grid) {
  const auto tree = tree_of(grid);
  Engine engine;
  engine.bits_per_voxel = bits_per_voxel(tree->memoryUsage(), grid);
  engine.max_wrong = kRoundingMaxWrong;
  engine.run = [tree](const RaySet& set, std::int64_t begin, std::int64_t end,
                      std::uint8_t* visible) {
    for (std::int64_t i = begin; i < end; ++i) visible[i - begin] = sees(*tree, set.rays[i]);
  };
  return engine;
}

}  // namespace sightline::bench
