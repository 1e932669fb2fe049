// Ground that views look at, and sets of voxels as views have them.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "host/meta_memory/view_overlap.h"
#include "support/random.h"
#include "support/worlds.h"

namespace sightline::tests {

/// 40 m x 40 m x 2 m of free voxels of 0.5 m.
inline DenseWorld open_ground() { return DenseWorld({80, 80, 4}); }

inline host::World world_of(const DenseWorld& dense) {
  oracle::Frame frame;
  frame.voxel_m = {0.5, 0.5, 0.5};
  host::World world = to_engine(dense, frame);
  world.frame = host::Frame::kMapZUp;
  return world;
}

inline std::vector<host::VoxelSet> seen(const host::World& world,
                                        const std::vector<host::View>& views,
                                        const host::ViewRules& rules = {}, int num_threads = 1) {
  host::Device device(host::DeviceChoice::kCpu, num_threads);
  return visible_voxels(world, views, rules, device);
}

/// Sets of voxels around places on a line of 60 m, of which many are alike.
struct RandomViews {
  std::vector<kernels::Vec3> places;
  std::vector<host::VoxelSet> sets;

  explicit RandomViews(int count, std::uint64_t seed) {
    Random random(seed);
    for (int i = 0; i < count; ++i) {
      const std::int64_t at = random.integer(0, 60), width = random.integer(1, 5);
      places.push_back({static_cast<double>(at), 0, 0});
      std::set<std::int64_t> voxels;
      for (std::int64_t v = at - width; v <= at + width; ++v) {
        if (random.chance(0.8)) voxels.insert(v);
      }
      sets.emplace_back(voxels.begin(), voxels.end());
    }
  }
};

}  // namespace sightline::tests
