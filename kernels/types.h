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

/// The ends of a ray.
struct LatticeSegment {
  LatticePoint from, to;
};

/// Maps metres to voxels: voxel coordinate = (p - origin_m) / voxel_m, per axis.
struct VoxelFrame {
  double origin_m[3] = {0, 0, 0};
  double voxel_m[3] = {1, 1, 1};
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

/// A face of a voxel, by its outward normal.
enum class Face : std::uint8_t { kNone, kMinusX, kPlusX, kMinusY, kPlusY, kMinusZ, kPlusZ };

/// What a ray of limited length meets first, after the voxel it starts in.
struct FirstHit {
  double distance_m = 0;  ///< from the start to where the voxel is entered; infinity without a hit
  std::int32_t voxel[3] = {-1, -1, -1};  ///< outside the grid if that is what stops the ray
  Face face = Face::kNone;               ///< the one it enters through
  /// kHidden: a hit. kVisible: nothing to the end. kUnknown: nothing but unknown space.
  Visibility sight = Visibility::kVisible;
  /// SpacePolicy::kUnknown only: such space lies before the hit. Under TieRule::kSupercover, where
  /// cells are touched at one moment, such a cell counts if it is looked at first.
  bool through_unknown = false;
  std::uint8_t unused = 0;  ///< a batch that is copied has no byte without a value
};
static_assert(sizeof(FirstHit) == 8 + 12 + 4);

/// Where a point is in a camera's picture. Rows count from the top; pixel (i, j) covers [i, i + 1)
/// x [j, j + 1), its middle is at + 0.5.
struct Projection {
  double column = 0, row = 0;  ///< 0 where ahead_m is not above 0
  double ahead_m = 0;          ///< along the camera's axis
  bool is_inside = false;      ///< in front of the camera and in the picture, whatever its range
  std::uint8_t unused[7] = {};
};
static_assert(sizeof(Projection) == 24 + 8);

/// How many rays to an area or a box see it, and how many unknown space stands before.
struct SampleCounts {
  std::uint32_t visible = 0, unknown = 0;
};

/// How ray i of a batch names its observer and its target.
enum class RayShape : std::uint8_t {
  kElementwise,  ///< observer i, target i
  kPairs,        ///< pairs[2 i], pairs[2 i + 1]; or the same of short_pairs
  kCross         ///< observer i / num_targets, target i % num_targets
};

/// A batch of rays as indices into a point list of observers and one of targets. Views only.
///
/// With num_samples = K > 1 a target is an area of K points, its points K k .. K k + K - 1 of the
/// target list, and each observer sends K rays to it: rays K i .. K i + K - 1 of the batch.
struct RayIndexing {
  RayShape shape = RayShape::kElementwise;
  const std::int64_t* pairs = nullptr;  ///< [num_rays / num_samples, 2], only for kPairs
  std::int64_t num_targets = 0;         ///< only for kCross
  std::int64_t first_ray = 0;  ///< ray index of slot 0: a batch may be a part of a larger one
  std::int64_t num_samples = 1;
  /// In place of pairs, if not null: half as much to send to a GPU.
  const std::int32_t* short_pairs = nullptr;
};

}  // namespace sightline::kernels
