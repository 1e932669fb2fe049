// What a system has of a world in place of the world: a map that lost voxels or gained some, and
// poses that are off. Not for users of the library: see render_as_recall.h.
#pragma once

#include <cstdint>

#include "host/config/value.h"
#include "host/studies/occlusion_queries.h"

namespace sightline::host {

enum class DamageKind : std::uint8_t {
  kNone,
  kLostPercent,     ///< of the occupied voxels, now free
  kAddedPer10000,   ///< of the free voxels, now occupied
  kPoseCentimetres  ///< sd of each coordinate of poses; of their headings 0.1 degree for each
};

struct DamageSettings {
  DamageKind kind = DamageKind::kNone;
  double amount = 0;
};
/// Reads {kind: none | lost_percent | added_per_10000 | pose_cm, amount: 10}. Throws InputError.
DamageSettings parse_damage(const ConfigValue& damage);

/// What arms are given: the map and the poses, as they are or damaged. Targets are where they are.
struct Reconstruction {
  World world;
  std::vector<Stand> poses, frames;
};

/// Which voxels are lost or added depends on the world and the seed alone; those of a lower amount
/// are among those of a higher one, and likewise poses are off in the same direction.
Reconstruction damaged(const World& world, const VoxelSight& sight, const OcclusionSet& set,
                       const DamageSettings& damage, std::uint64_t seed);

}  // namespace sightline::host
