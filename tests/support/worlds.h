// Voxel worlds for tests: a dense byte per voxel, which the oracle reads as it is and the engine
// reads packed.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "host/world/world.h"
#include "support/oracle.h"
#include "support/random.h"

namespace sightline::tests {

/// One state per voxel, x fastest.
class DenseWorld {
 public:
  explicit DenseWorld(const oracle::Index3& dims, oracle::State fill = oracle::State::kFree);

  const oracle::Index3& dims() const { return dims_; }
  oracle::State at(const oracle::Index3& voxel) const { return states_[index(voxel)]; }
  void set(const oracle::Index3& voxel, oracle::State state) { states_[index(voxel)] = state; }
  /// Sets [low, high), clipped to the world.
  void set_box(const oracle::Index3& low, const oracle::Index3& high, oracle::State state);

  /// Are all voxels of [low, high) alike?
  bool is_uniform(const oracle::Index3& low, const oracle::Index3& high) const;

  /// For the oracle; refers to this object.
  oracle::VoxelWorld view() const;

 private:
  std::size_t index(const oracle::Index3& voxel) const {
    return static_cast<std::size_t>((voxel[2] * dims_[1] + voxel[1]) * dims_[0] + voxel[0]);
  }

  oracle::Index3 dims_;
  std::vector<oracle::State> states_;
};

enum class WorldKind {
  kEmpty,
  kFull,
  kSparse,     ///< 0.2 % occupied
  kScattered,  ///< 5 %
  kDense,      ///< 40 %
  kRooms,      ///< walls with doors, one voxel thick
  kBlocks4,    ///< cubes aligned to 4: whole voxel words
  kBlocks16,   ///< whole bricks
  kBlocks64,   ///< whole nodes
  kOneVoxel    ///< a single occupied voxel in the middle
};
constexpr WorldKind kAllWorldKinds[] = {
    WorldKind::kEmpty,    WorldKind::kFull,    WorldKind::kSparse,  WorldKind::kScattered,
    WorldKind::kDense,    WorldKind::kRooms,   WorldKind::kBlocks4, WorldKind::kBlocks16,
    WorldKind::kBlocks64, WorldKind::kOneVoxel};
const char* name_of(WorldKind kind);

/// With unknown: a third of the free voxels become unknown, in clumps.
DenseWorld make_world(WorldKind kind, const oracle::Index3& dims, bool with_unknown,
                      Random& random);

/// An axis of the new world: which old axis it is, and whether it runs backwards.
struct AxisMap {
  std::array<int, 3> from{0, 1, 2};
  std::array<bool, 3> mirrored{false, false, false};

  /// A point of a world whose extent along the old axes is `extent`, in any unit.
  oracle::Index3 apply(const oracle::Index3& point, const oracle::Index3& extent) const;
};
/// The 6 permutations of the axes.
std::vector<AxisMap> axis_permutations();
/// The 48 symmetries of the cube.
std::vector<AxisMap> axis_symmetries();
DenseWorld transformed(const DenseWorld& world, const AxisMap& map);

/// Packs a dense world into the engine's grid.
host::OccupancyGrid to_grid(const DenseWorld& world, const oracle::Frame& frame = {});
host::World to_engine(const DenseWorld& world, const oracle::Frame& frame = {});

/// Conversions between the oracle's vocabulary and the engine's.
inline kernels::Visibility to_engine(oracle::Answer answer) {
  return static_cast<kernels::Visibility>(answer);
}
inline kernels::SpacePolicy to_engine(oracle::Policy policy) {
  return static_cast<kernels::SpacePolicy>(policy);
}
inline kernels::TieRule to_engine(oracle::Ties ties) { return static_cast<kernels::TieRule>(ties); }
inline kernels::EndRule to_engine(oracle::EndRule rule) {
  return static_cast<kernels::EndRule>(rule);
}
inline kernels::Vec3 to_engine(const oracle::Point3& p) { return {p[0], p[1], p[2]}; }

}  // namespace sightline::tests
