// OctoMap's castRay as a line of sight, for comparison.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "host/world/visibility.h"

namespace sightline::host::self_bench {

/// The occupied voxels of a grid in an OcTree whose leaves are voxels.
class OctoMapPeer {
 public:
  explicit OctoMapPeer(const OccupancyGrid& grid);
  ~OctoMapPeer();

  static std::string name();
  /// 1 where castRay meets no occupied voxel before that of the target, by so many threads.
  std::vector<std::uint8_t> visible(const RayBatch& rays, int num_threads) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sightline::host::self_bench
