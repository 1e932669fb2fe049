// Plain data shared by the ops, the backends and the host: points, rays, answers, rules.
#pragma once

#include <cstdint>

namespace sightline::kernels {

/// A point or direction in metres, in the frame of the world it belongs to.
struct Vec3 {
  double x = 0, y = 0, z = 0;
};

/// A point rounded (half to even) to 2^-lattice_bits of a voxel, per axis, from the grid's origin.
/// Coordinates lie in [-2^30, 2^30]; exact traversal is exact on this lattice.
struct LatticePoint {
  std::int32_t x = 0, y = 0, z = 0;
};

/// The answer for one ray, as stored: one byte.
enum class Visibility : std::uint8_t { kHidden = 0, kVisible = 1, kUnknown = 2 };

/// What a ray makes of space that is unknown, or outside the grid.
enum class SpacePolicy : std::uint8_t {
  kFree,    ///< see through it
  kBlocks,  ///< it hides what is behind it
  kUnknown  ///< the answer is "unknown" if only such space stands between
};

/// Which voxels an exact ray visits when it meets an edge or a corner.
enum class TieRule : std::uint8_t {
  kDiagonal,   ///< the half-open cells in which the ray has positive length
  kSupercover  ///< every cell whose closed box the ray touches
};

/// Up to which distance a fixed-step march samples a ray of length d with step s.
enum class EndRule : std::uint8_t {
  kBeforeTarget,   ///< k·s < d
  kStepBefore,     ///< k·s < d - s
  kHalfStepBefore  ///< k·s <= d - s/2
};

/// How ray i of a batch names its observer and its target.
enum class RayShape : std::uint8_t {
  kElementwise,  ///< observer i, target i
  kPairs,        ///< pairs[2 i], pairs[2 i + 1]
  kCross         ///< observer i / num_targets, target i % num_targets
};

/// A batch of rays as indices into a point list of observers and one of targets. Views only.
struct RayIndexing {
  RayShape shape = RayShape::kElementwise;
  const std::int64_t* pairs = nullptr;  ///< [num_rays, 2], only for kPairs
  std::int64_t num_targets = 0;         ///< only for kCross
  std::int64_t first_ray = 0;  ///< ray index of slot 0: a batch may be a part of a larger one
};

}  // namespace sightline::kernels
