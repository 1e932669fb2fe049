// What the answers must be: slow, plain, and sharing no header with the engine.
//
// Exact line of sight asks of every voxel near the segment, in exact fractions, whether the segment
// has positive length in it (or touches it). The sampled oracle walks the samples of a march one by
// one, as the definition reads, and says when a sample lies too near a surface for floating point
// to decide. Coordinates are (x, y, z); a lattice coordinate counts 2^-bits of a voxel.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace sightline::oracle {

using Index3 = std::array<std::int64_t, 3>;
using Point3 = std::array<double, 3>;

enum class State : std::uint8_t { kFree, kOccupied, kUnknown };
enum class Answer : std::uint8_t { kHidden, kVisible, kUnknown };
enum class Policy : std::uint8_t { kFree, kBlocks, kUnknown };
enum class Ties : std::uint8_t { kDiagonal, kSupercover };

/// A grid as a function of the voxel index, which is asked only inside dims.
struct VoxelWorld {
  Index3 dims{0, 0, 0};
  std::function<State(const Index3&)> state_at;

  bool contains(const Index3& voxel) const;
};

struct Rules {
  Policy unknown = Policy::kFree;
  Policy outside = Policy::kFree;
  Ties ties = Ties::kDiagonal;
};

/// Rounds a point in voxels to the lattice, half to even.
Index3 round_to_lattice(const Point3& p_vox, int bits);

/// The half-open voxel that holds a lattice point.
Index3 voxel_of(const Index3& point, int bits);

/// A segment between two points of one integer lattice, and an axis-aligned box on it.
struct Segment {
  Index3 from, to;
};
struct LatticeBox {
  Index3 low, high;
};

/// Has the segment positive length in the half-open box [low, high)?
bool has_length_in(const Segment& segment, const LatticeBox& box);

/// Does the segment touch the closed box [low, high]?
bool touches(const Segment& segment, const LatticeBox& box);

/// Voxels a segment visits under a tie rule, its ends' voxels included. Enumerates by halving the
/// bounding box of the segment and dropping the halves that it does not touch.
std::vector<Index3> visited_voxels(const Segment& segment, int bits, Ties ties);

/// The same by asking every voxel of the bounding box.
std::vector<Index3> visited_voxels_one_by_one(const Segment& segment, int bits, Ties ties);

/// Exact line of sight between two lattice points.
Answer line_of_sight(const VoxelWorld& world, const Segment& segment, int bits, const Rules& rules);

/// What a ray meets first. Voxels of a supercover may be touched at the same moment: each of those
/// that block may be named.
struct FirstHit {
  std::vector<Index3> voxels;    ///< empty: no hit
  double fraction = 0;           ///< of the segment, where they are entered
  bool through_unknown = false;  ///< unknown space (or such space outside) is visited before
  Answer sight = Answer::kVisible;
};

/// The segment's first voxel that blocks, after the voxel of its start; its end's voxel counts. A
/// segment without length meets nothing.
FirstHit first_hit(const VoxelWorld& world, const Segment& segment, int bits, const Rules& rules);

/// The outward normal of the face through which the segment enters a voxel that it visits and does
/// not start in: of several at one moment, that of the first axis.
Index3 entered_face(const Segment& segment, const Index3& voxel, int bits);

/// What one sample of a march meets.
enum class Sample : std::uint8_t { kNothing, kBlocker, kUnknownSpace };
using Sampler = std::function<Sample(const Point3& p_m)>;

/// Origin and voxel size of a grid, metres.
struct Frame {
  Point3 origin_m{0, 0, 0};
  Point3 voxel_m{1, 1, 1};

  Point3 to_voxels(const Point3& p_m) const;
};

/// Samples a grid for a ray between two points: the voxels of the ends do not count.
Sampler grid_sampler(const VoxelWorld& world, const Frame& frame, const Point3& from_m,
                     const Point3& to_m, const Rules& rules);

/// How far the samples k s of a ray of length d go: k s < d, k s < d - s, or k s <= d - s / 2.
enum class EndRule : std::uint8_t { kBeforeTarget, kStepBefore, kHalfStepBefore };

/// A sampled answer. Doubtful: some sample lies within kDoubt_m of a change of what it meets, or a
/// count of samples hangs on the last bits of the length.
struct Sampled {
  Answer answer = Answer::kVisible;
  bool doubtful = false;
};

/// Rounding moves a sample by about 1e-15 of its coordinate; this is far more and still rare.
constexpr double kDoubt_m = 1e-9;

/// Samples at k s metres from `from`, k = 1, 2, ...
Sampled march(const Sampler& sampler, const Point3& from_m, const Point3& to_m, double step_m,
              EndRule end_rule = EndRule::kBeforeTarget);

/// Samples at i / ceil(d / s) of the way, i = 1 .. ceil(d / s) - 1.
Sampled march_uniform(const Sampler& sampler, const Point3& from_m, const Point3& to_m,
                      double step_m);

}  // namespace sightline::oracle
