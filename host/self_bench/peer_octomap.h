// OctoMap's castRay as a line of sight and as a first hit, for comparison.
#pragma once

#include <array>
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
  /// The voxel that castRay meets first, that of the target included; -1 each where it meets none.
  std::vector<std::array<std::int32_t, 3>> first_hits(const RayBatch& rays, int num_threads) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sightline::host::self_bench
