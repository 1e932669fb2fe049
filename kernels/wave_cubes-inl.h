// Exact walks as a wave over empty cubes, in floats that know when they are in doubt.
//
// A ray leaves the largest cube that is known to be empty around it (2 to 64 voxels wide) in one
// step, by the closed form of Amanatides and Woo: the moment of leaving is the least of
// (bound - start) / extent over the axes, and the voxel beyond is the bound on that axis and
// floor(start + extent * moment) on the others. In floats the places are off by at most
//
//     u (2 L + N),    u = 2^-24, N the grid's longest extent, L the ray's in it, in voxels:
//
// bound - start and extent are exact (multiples of the lattice's unit below 2^24 of them); the
// inverse of the extent and the product each round once, so a moment is off by 2 u of itself; the
// fused sum rounds once more. If just one axis is that near to a face, the one through which the
// cube is left, then this is the face and all floors are right, and so is the walk so far. If two
// are, the ray passes close to an edge: whoever asked gets the ray back, and integers decide. Of
// rays between random points of a 512^3 grid that happens to 1 in 200.
//
// Rays between voxel centres meet edges all the time. But a place is a multiple of
//
//     unit of starts * unit of extents / extent on the axis of the face
//
// (s + e (n - s') / e', n an integer), and where all three leave more than the error between two
// such places, as centres do up to some 1,000 voxels apart, what is near a face is on it: a tie,
// and the ray is through both. Such rays are sure (CubeQueue::sure), and never in doubt.
//
// Nothing of that needs cubes to be aligned. Where many rays start close together, as an observer's
// do, they leave a box around it first, which was grown for all of them (empty_box.h); one that is
// in doubt there walks from its start.
//
// Every axis is mirrored so that its ray goes up. A grid is padded to powers of two, so mirroring
// flips the bits of a voxel's index and keeps aligned cubes.

// NOLINTNEXTLINE: Highway includes this file once per target.
#if defined(SIGHTLINE_KERNELS_WAVE_CUBES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SIGHTLINE_KERNELS_WAVE_CUBES_INL_H_
#undef SIGHTLINE_KERNELS_WAVE_CUBES_INL_H_
#else
#define SIGHTLINE_KERNELS_WAVE_CUBES_INL_H_
#endif

#include <hwy/highway.h>

#include <cmath>
#include <cstdint>

#include "kernels/compress-inl.h"
#include "kernels/wave_cube_rays-inl.h"
#include "kernels/wave_cube_tables-inl.h"

#if HWY_MAX_BYTES >= 32  // shorter vectors do not pay
HWY_BEFORE_NAMESPACE();
namespace sightline::kernels::HWY_NAMESPACE {

/// Walks rays that start in a grid through one plane of it. A job has
///     kEndCounts           does the voxel that holds the end count, if the ray has a length in it?
///     kMayLeave            may rays leave the grid? Then they meet nothing more; else they are
///                          the op's
///     kNeedsVoxel          is it asked where a ray stops?
///     start(ray)           where it starts
///     ends(ray)            where it starts and ends; once for each ray
///     in_order(ray, &from, &to)   true: those of `ray` and the rays after it lie one after another
///     leave_to_op(ray)     lets the op answer
///     meet(ray, x, y, z)   with kNeedsVoxel: answers a ray that stops at a voxel
///     pass(ray)            with kNeedsVoxel: answers one that does not
///     settle(ray, stopped) without: answers either; rays in doubt, too, for the time being
template <class Job>
class CubeWave {
  using N = Narrow;

 public:
  CubeWave(const GridView& grid, const BrickRecord* bricks, int lattice_bits, Job& job)
      : job_(job), tables_(grid, bricks), queue_(grid, bricks, lattice_bits, job) {}

  HWY_INLINE void run(const RaySource& source, CubeOutcome& outcome) {
    queue_.begin();
    walk_in_groups(tables_, *this, source, outcome);
    settle(source, outcome);
  }

  // For walk_in_groups:
  using Lanes = CubeLanes;
  HWY_INLINE void refill(const RaySource& source, CubeOutcome& outcome, CubeLanes& lanes) {
    queue_.refill(source, outcome, lanes);
  }
  HWY_INLINE void step(const RaySource& source, CubeOutcome& outcome, CubeLanes (&group)[kGroup],
                       const CubeProbe (&probes)[kGroup]) {
    CubeTables::Seen seen[kGroup];
    for (int k = 0; k < kGroup; ++k) seen[k] = tables_.look(probes[k]);
    N::FloatVec moment[kGroup];
    for (int k = 0; k < kGroup; ++k) {
      N::IntVec last[3];  // of the cube
      for (int a = 0; a < 3; ++a) last[a] = hn::Or(group[k].cell[a], seen[k].in_cube);
      moment[k] = Leaving::moment_of(group[k], last);
    }
    Moved moved[kGroup];
    for (int k = 0; k < kGroup; ++k) {
      moved[k] = move(Leaving(group[k], moment[k]), seen[k].set, group[k]);
    }
    for (int k = 0; k < kGroup; ++k) {
      if (N::bits_of(moved[k].done) != 0) end(source, outcome, moved[k], group[k]);
    }
  }

 private:
  struct Moved {
    N::IntMask done;        ///< these lanes are
    N::IntMask met, clear;  ///< of them: rays that stop at a voxel, and that meet none
  };

  /// Moves the rays of lanes that are not done.
  HWY_INLINE Moved move(const Leaving& leaving, N::IntMask is_set, CubeLanes& lanes) const {
    auto doubt = hn::AndNot(lanes.sure, leaving.by_an_edge);
    auto clear = leaving.ends_before();
    auto never_counts = lanes.fresh;
    if (Job::kEndCounts) {
      doubt = hn::Or(doubt, leaving.at_end());
    } else {
      // A voxel that is set is a cube of its own: if the ray ends in that, it is the target's.
      never_counts = hn::Or(never_counts, clear);
    }
    const auto met = hn::AndNot(never_counts, is_set);
    if (Job::kMayLeave) clear = hn::Or(clear, hn::AndNot(doubt, queue_.outside(leaving)));
    const auto done = hn::And(lanes.live, hn::Or(met, hn::Or(clear, doubt)));
    lanes.fresh = hn::FirstN(N::Ints(), 0);
    const auto goes_on = hn::AndNot(done, lanes.live);
    for (int a = 0; a < 3; ++a) {
      lanes.cell[a] = hn::IfThenElse(goes_on, leaving.next[a], lanes.cell[a]);
    }
    return {done, met, clear};
  }

  /// Answers lanes that are done, and gives them to other rays once enough of them are idle.
  HWY_INLINE void end(const RaySource& source, CubeOutcome& outcome, const Moved& moved,
                      CubeLanes& lanes) {
    const std::uint32_t done = N::bits_of(moved.done);
    if constexpr (Job::kNeedsVoxel) {
      answer(source, outcome, lanes, done, N::bits_of(moved.met), N::bits_of(moved.clear));
    } else {
      keep(source, outcome, lanes, done, moved.met, hn::Not(hn::Or(moved.met, moved.clear)));
    }
    lanes.live = hn::AndNot(moved.done, lanes.live);
    lanes.num_live -= static_cast<int>(hwy::PopCount(done));
    if (N::lanes() - lanes.num_live >= kIdleLanes || lanes.num_live == 0) {
      queue_.refill(source, outcome, lanes);
    }
  }

  /// Keeps the answers of lanes, to be given many at a time: which ray is done when is hard to
  /// foresee, for a processor too. A record is a ray of the source with what became of it.
  HWY_INLINE void keep(const RaySource& source, CubeOutcome& outcome, const CubeLanes& lanes,
                       std::uint32_t done, N::IntMask met, N::IntMask doubt) {
    const N::Ints d;
    if (num_kept_ > kMostKept - N::kMaxLanes) settle(source, outcome);
    const auto how = hn::Or(hn::IfThenElseZero(met, hn::Set(d, kMet)),
                            hn::IfThenElseZero(doubt, hn::Set(d, kInDoubt)));
    const auto records = hn::Or(hn::ShiftLeft<2>(lanes.ray), how);
    hn::StoreU(Compressor(done)(records), d, kept_ + num_kept_);
    num_kept_ += static_cast<int>(hwy::PopCount(done));
  }

  HWY_NOINLINE void settle(const RaySource& source, CubeOutcome& outcome) {
    if constexpr (!Job::kNeedsVoxel) {
      const RaySource rays = source;  // not read again after every answer
      const Job job = job_;
      std::int64_t* doubtful = outcome.doubtful + outcome.num_doubtful;
      for (int k = 0; k < num_kept_; ++k) {
        const std::int64_t ray = rays[kept_[k] >> 2];
        job.settle(ray, (kept_[k] & kMet) != 0);
        *doubtful = ray;
        doubtful += kept_[k] & kInDoubt;
      }
      outcome.num_doubtful = doubtful - outcome.doubtful;
      num_kept_ = 0;
    }
  }

  HWY_INLINE void answer(const RaySource& source, CubeOutcome& outcome, const CubeLanes& lanes,
                         std::uint32_t done, std::uint32_t met, std::uint32_t clear) const {
    alignas(64) std::int32_t rays[N::kMaxLanes], voxel[3][N::kMaxLanes];
    hn::Store(lanes.ray, N::Ints(), rays);
    for (int a = 0; a < 3; ++a) {
      hn::Store(hn::Xor(lanes.cell[a], lanes.flip[a]), N::Ints(), voxel[a]);
    }
    for (; done != 0; done &= done - 1) {
      const std::size_t lane = hwy::Num0BitsBelowLS1Bit_Nonzero32(done);
      const std::int64_t ray = source[rays[lane]];
      if ((met >> lane) & 1u) {
        job_.meet(ray, voxel[0][lane], voxel[1][lane], voxel[2][lane]);
      } else if ((clear >> lane) & 1u) {
        job_.pass(ray);
      } else {
        outcome.doubtful[outcome.num_doubtful++] = ray;
      }
    }
  }

  Job& job_;
  const CubeTables tables_;
  CubeQueue<Job> queue_;

  static constexpr int kMostKept = 256;
  static constexpr std::int32_t kInDoubt = 1, kMet = 2;
  alignas(64) std::int32_t kept_[kMostKept] = {};
  int num_kept_ = 0;
};

}  // namespace sightline::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // HWY_MAX_BYTES >= 32

#endif  // include guard per target
