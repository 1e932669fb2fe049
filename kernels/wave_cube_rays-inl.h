// Rays of a wave over empty cubes (wave_cubes-inl.h): set up by vectors, waiting, and under way.

// NOLINTNEXTLINE: Highway includes this file once per target.
#if defined(SIGHTLINE_KERNELS_WAVE_CUBE_RAYS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SIGHTLINE_KERNELS_WAVE_CUBE_RAYS_INL_H_
#undef SIGHTLINE_KERNELS_WAVE_CUBE_RAYS_INL_H_
#else
#define SIGHTLINE_KERNELS_WAVE_CUBE_RAYS_INL_H_
#endif

#include <hwy/highway.h>

#include <cmath>
#include <cstdint>

#include "kernels/brick_table.h"
#include "kernels/compress-inl.h"
#include "kernels/empty_box.h"
#include "kernels/lattice_ray.h"
#include "kernels/wave_leaving-inl.h"

#if HWY_MAX_BYTES >= 32  // shorter vectors do not pay
HWY_BEFORE_NAMESPACE();
namespace sightline::kernels::HWY_NAMESPACE {

/// Rays under way.
struct CubeLanes {
  using N = Narrow;

  N::FloatVec start[3], extent[3], inverse[3], near_face;
  N::IntVec cell[3], target[3], flip[3], ray;
  N::IntMask live, fresh;  ///< fresh: still in the voxel of the observer, which never counts
  N::IntMask sure;         ///< near a face is on it: CubeQueue::sure
  int num_live;

  void clear() {
    const N::Floats f;
    const N::Ints d;
    for (int a = 0; a < 3; ++a) {
      start[a] = extent[a] = inverse[a] = hn::Zero(f);
      cell[a] = target[a] = flip[a] = hn::Zero(d);  // a voxel of the grid: it is looked up
    }
    near_face = hn::Zero(f);
    ray = hn::Zero(d);
    live = fresh = sure = hn::FirstN(d, 0);
    num_live = 0;
  }
};

/// Waiting rays on their way into idle lanes.
class CubeIntake {
  using N = Narrow;

 public:
  HWY_INLINE CubeIntake(const CubeRays& waiting, const CubeLanes& lanes) : first_(waiting.taken) {
    const int num_waiting = waiting.num - waiting.taken;
    const auto idle = hn::Not(lanes.live);
    rank_ = kLaneRanks(N::bits_of(idle));
    into_ = hn::And(idle, hn::Lt(rank_, hn::Set(N::Ints(), num_waiting)));
    const int num_idle = N::lanes() - lanes.num_live;
    num_ = num_idle < num_waiting ? num_idle : num_waiting;
  }

  /// The lanes that take a ray.
  N::IntMask into() const { return into_; }

  template <class Vec, class T>
  HWY_INLINE void take(Vec& lanes, const T* waiting) const {
    const hn::DFromV<Vec> d;
    const auto index = hn::IndicesFromVec(d, rank_);
    const auto rays = hn::TableLookupLanes(hn::LoadU(d, waiting + first_), index);
    lanes = hn::IfThenElse(hn::RebindMask(d, into_), rays, lanes);
  }

  /// What every walk needs, after whatever else was taken.
  HWY_INLINE void finish(CubeRays& waiting, CubeLanes& lanes) const {
    for (int a = 0; a < 3; ++a) {
      take(lanes.start[a], waiting.start[a]);
      take(lanes.extent[a], waiting.extent[a]);
      take(lanes.inverse[a], waiting.inverse[a]);
      take(lanes.cell[a], waiting.cell[a]);
      take(lanes.flip[a], waiting.flip[a]);
    }
    take(lanes.near_face, waiting.near_face);
    take(lanes.ray, waiting.ray);
    lanes.live = hn::Or(lanes.live, into_);
    lanes.num_live += num_;
    waiting.taken += num_;
  }

 private:
  N::IntVec rank_;  ///< of the waiting ray that a lane takes
  N::IntMask into_;
  int first_, num_;
};

/// What became of the rays that a wave did not answer.
struct CubeOutcome {
  std::int64_t* doubtful;  ///< rays to ask again, with room for all
  std::int64_t num_doubtful = 0, num_left_to_op = 0;
};

/// Takes rays from a source, sets them up, and gives them to idle lanes. Of a job it asks
/// kMayLeave, start, ends, in_order and leave_to_op: see CubeWave.
template <class Job>
class CubeQueue {
  using N = Narrow;

 public:
  CubeQueue(const GridView& grid, const BrickRecord* bricks, int lattice_bits, const Job& job)
      : job_(job),
        layout_(grid.layout),
        lattice_bits_(lattice_bits),
        unit_(std::ldexp(1.0f, -lattice_bits)),
        box_(grid, bricks) {
    for (int a = 0; a < 3; ++a) {
      flip_[a] = (1 << (layout_.root_bits[a] + kNodeBits)) - 1;
      if (flip_[a] > most_) most_ = flip_[a];
    }
  }

  /// Does a ray leave the grid, padded to powers of two?
  HWY_INLINE N::IntMask outside(const Leaving& leaving) const {
    const N::Ints d;
    auto outside = hn::FirstN(d, 0);
    for (int a = 0; a < 3; ++a) {
      outside = hn::Or(outside, hn::Gt(leaving.next[a], hn::Set(d, flip_[a])));
    }
    return outside;
  }

  void begin() {
    next_ = 0;
    waiting_.num = waiting_.taken = 0;
  }

  HWY_NOINLINE void refill(const RaySource& source, CubeOutcome& outcome, CubeLanes& lanes) {
    const N::Ints d;
    while (lanes.num_live < N::lanes()) {
      if (waiting_.taken == waiting_.num) {
        if (next_ == source.num) return;
        stage(source, outcome);
        continue;
      }
      const CubeIntake intake(waiting_, lanes);
      for (int a = 0; a < 3; ++a) intake.take(lanes.target[a], waiting_.target[a]);
      auto kind = hn::Zero(d);
      intake.take(kind, waiting_.kind);
      const auto is_sure = hn::TestBit(kind, hn::Set(d, CubeRays::kSure));
      lanes.sure = hn::Or(hn::AndNot(intake.into(), lanes.sure), is_sure);
      lanes.fresh = hn::Or(lanes.fresh, hn::TestBit(kind, hn::Set(d, CubeRays::kFresh)));
      intake.finish(waiting_, lanes);
    }
  }

 private:
  HWY_INLINE N::IntMask inside(int a, N::IntVec cell) const {
    const auto dim = hn::Set(N::Bits(), static_cast<std::uint32_t>(layout_.dims[a]));
    return hn::RebindMask(N::Ints(), hn::Lt(hn::BitCast(N::Bits(), cell), dim));
  }
  static HWY_INLINE N::IntMask is_exact(N::IntVec span) {
    const auto most = hn::Set(N::Bits(), std::uint32_t{kExactFloat});
    return hn::RebindMask(N::Ints(), hn::Lt(hn::BitCast(N::Bits(), span), most));
  }

  struct StagedAxis {
    N::FloatVec start, extent, inverse;
    N::IntVec cell, target, flip;
    N::IntVec start_bits, extent_bits;  ///< on the lattice
    N::IntMask ends_above;              ///< mirrored, on the face above the voxel of its end
  };

  HWY_INLINE StagedAxis staged_axis(int a, int k, N::IntMask& ours, N::IntMask& apart) const {
    const N::Floats f;
    const N::Ints d;
    const auto from = hn::Load(d, from_[a] + k), to = hn::Load(d, to_[a] + k);
    const auto from_cell = hn::ShiftRightSame(from, lattice_bits_);
    const auto to_cell = hn::ShiftRightSame(to, lattice_bits_);
    const auto span = hn::Abs(hn::Sub(to, from));
    ours = hn::And(ours, inside(a, from_cell));
    // A span beyond 31 bits wraps, and is no exact float either.
    ours = hn::And(ours, Job::kMayLeave ? is_exact(span) : inside(a, to_cell));
    apart = hn::Or(apart, hn::Ne(from_cell, to_cell));
    const auto down = hn::Lt(to, from);
    const auto flip = hn::Set(d, flip_[a]);
    StagedAxis axis;
    axis.flip = hn::IfThenElseZero(down, flip);
    axis.cell = hn::Xor(from_cell, axis.flip);
    axis.target = hn::IfThenElse(down, hn::Sub(flip, to_cell), to_cell);
    const auto unit = hn::Set(f, unit_);
    axis.extent = hn::Mul(hn::ConvertTo(f, span), unit);
    axis.inverse = hn::Div(hn::Set(f, 1.0f), axis.extent);
    // Down, index v becomes flip - v and the place p becomes flip + 1 - p.
    const auto top = hn::Set(d, (flip_[a] + 1) << lattice_bits_);
    const auto lattice = hn::IfThenElse(down, hn::Sub(top, from), from);
    const auto middle = hn::Add(hn::ConvertTo(f, axis.cell), hn::Set(f, 0.5f));
    // An axis without motion stays within its voxel, on a face or not: in its middle it is near no
    // face.
    const auto stays = hn::Eq(from, to);
    axis.start =
        hn::IfThenElse(hn::RebindMask(f, stays), middle, hn::Mul(hn::ConvertTo(f, lattice), unit));
    axis.start_bits = hn::IfThenZeroElse(stays, from);
    axis.extent_bits = span;
    axis.ends_above = hn::And(down, N::none_of(to, hn::Set(d, one_voxel() - 1)));
    return axis;
  }

  std::int32_t one_voxel() const { return std::int32_t{1} << lattice_bits_; }

  /// The largest power of two, a voxel at most, that divides three lengths.
  HWY_INLINE N::FloatVec common_unit(N::IntVec a, N::IntVec b, N::IntVec c) const {
    const N::Ints d;
    const auto bits = hn::Or(hn::Or3(a, b, c), hn::Set(d, one_voxel()));
    const auto lowest = hn::And(bits, hn::Neg(bits));
    return hn::Mul(hn::ConvertTo(N::Floats(), lowest), hn::Set(N::Floats(), unit_));
  }

  /// Rays that floats cannot mistake: whose places on faces and next to them lie further apart than
  /// they are off. Moments of two axes, too: their difference is that of places over an extent. A
  /// ray that a tie takes beyond the voxel of its end is none of them.
  HWY_INLINE N::IntMask sure(const StagedAxis* axes, N::FloatVec longest, N::FloatVec error) const {
    const N::Floats f;
    const auto unit =
        hn::Mul(common_unit(axes[0].start_bits, axes[1].start_bits, axes[2].start_bits),
                common_unit(axes[0].extent_bits, axes[1].extent_bits, axes[2].extent_bits));
    // Twice the error would do, but for the rounding of these.
    const auto is_coarse = hn::Lt(hn::Mul(hn::Mul(hn::Set(f, 2.5f), error), longest), unit);
    const auto above = hn::Or(axes[0].ends_above, hn::Or(axes[1].ends_above, axes[2].ends_above));
    return hn::AndNot(above, hn::RebindMask(N::Ints(), is_coarse));
  }

  /// Stores the lanes that walk, one after the other. Where all do, which is the rule, faster.
  template <class Vec, class T>
  static HWY_INLINE void put(Vec v, const Compressor& walk, bool all, T* to) {
    hn::StoreU(all ? v : walk(v), hn::DFromV<Vec>(), to);
  }

  /// Sets up rays k .. k + lanes - 1 of the batch loaded last; `first` is the index of ray k.
  HWY_INLINE void stage_lanes(const RaySource& source, CubeOutcome& outcome, int k, int num,
                              std::int64_t first) {
    const N::Floats f;
    const N::Ints d;
    auto ours = hn::FirstN(d, static_cast<std::size_t>(num - k)), apart = hn::FirstN(d, 0);
    const std::uint32_t all = N::bits_of(ours);
    StagedAxis axes[3];
    for (int a = 0; a < 3; ++a) axes[a] = staged_axis(a, k, ours, apart);
    const auto walk = hn::And(ours, apart);
    const std::uint32_t walk_bits = N::bits_of(walk);
    for (std::uint32_t rest = all & ~walk_bits; rest != 0; rest &= rest - 1) {
      job_.leave_to_op(source[first + static_cast<int>(hwy::Num0BitsBelowLS1Bit_Nonzero32(rest))]);
      ++outcome.num_left_to_op;
    }
    const auto size = hn::Set(f, static_cast<float>(most_ + 1));
    const auto longest = hn::Max(axes[0].extent, hn::Max(axes[1].extent, axes[2].extent));
    const auto way = Job::kMayLeave ? hn::Min(longest, size) : longest;
    constexpr float kRounding = 0x1.02p-24f;  // a little more than 2^-24: it is rounded too
    const auto near_face = hn::Mul(hn::MulAdd(hn::Set(f, 2.0f), way, size), hn::Set(f, kRounding));
    CubeRays& to = waiting_;
    const bool all_walk = hn::AllTrue(d, walk);
    const Compressor walking(walk_bits);
    for (int a = 0; a < 3; ++a) {
      put(axes[a].start, walking, all_walk, to.start[a] + to.num);
      put(axes[a].extent, walking, all_walk, to.extent[a] + to.num);
      put(axes[a].inverse, walking, all_walk, to.inverse[a] + to.num);
      put(axes[a].cell, walking, all_walk, to.cell[a] + to.num);
      put(axes[a].target, walking, all_walk, to.target[a] + to.num);
      put(axes[a].flip, walking, all_walk, to.flip[a] + to.num);
    }
    put(near_face, walking, all_walk, to.near_face + to.num);
    const auto sure_bit = hn::IfThenElseZero(sure(axes, longest, near_face), hn::Set(d, to.kSure));
    const auto kind = hn::Or(sure_bit, hn::Set(d, CubeRays::kFresh));
    put(kind, walking, all_walk, to.kind + to.num);
    put(hn::Iota(d, static_cast<std::int32_t>(first)), walking, all_walk, to.ray + to.num);
    to.num += static_cast<int>(hwy::PopCount(walk_bits));
  }

  /// Lets waiting rays that start in the box leave it, unless floats cannot tell how.
  HWY_NOINLINE void leave_box() {
    const N::Ints d;
    CubeRays& to = waiting_;
    for (int k = 0; k < to.num; k += N::lanes()) {
      const WaitingRays rays(to, k);
      const auto kind = hn::Load(d, to.kind + k);
      N::IntVec last[3];
      auto leaves = start_in_box(box_.box(), rays, last);
      const Leaving leaving(rays, Leaving::moment_of(rays, last));
      const auto ends = leaving.ends_before();
      const auto is_sure = hn::TestBit(kind, hn::Set(d, CubeRays::kSure));
      // Of one that ends before, there is no place that could be near an edge.
      leaves = hn::AndNot(hn::AndNot(hn::Or(is_sure, ends), leaving.by_an_edge), leaves);
      if (Job::kEndCounts) leaves = hn::AndNot(hn::AndNot(ends, leaving.at_end()), leaves);
      if (Job::kMayLeave) leaves = hn::AndNot(hn::AndNot(ends, outside(leaving)), leaves);
      for (int a = 0; a < 3; ++a) {
        const auto beyond = hn::IfThenElse(ends, rays.target[a], leaving.next[a]);
        hn::Store(hn::IfThenElse(leaves, beyond, rays.cell[a]), d, to.cell[a] + k);
      }
      const auto not_fresh = hn::AndNot(hn::Set(d, CubeRays::kFresh), kind);
      hn::Store(hn::IfThenElse(leaves, not_fresh, kind), d, to.kind + k);
    }
  }

  static HWY_INLINE void load_points(const LatticePoint* points, int k,
                                     std::int32_t (*axes)[CubeRays::kMost]) {
    const N::Ints d;
    N::IntVec x, y, z;
    hn::LoadInterleaved3(d, &points[k].x, x, y, z);
    hn::Store(x, d, axes[0] + k);
    hn::Store(y, d, axes[1] + k);
    hn::Store(z, d, axes[2] + k);
  }

  /// Loads the ends of the next rays.
  HWY_INLINE void load(const RaySource& source, int num) {
    int k = 0;
    const LatticePoint *from = nullptr, *to = nullptr;
    if (!source.listed && job_.in_order(source.first + next_, &from, &to)) {
      for (; k + N::lanes() <= num; k += N::lanes()) {
        load_points(from, k, from_);
        load_points(to, k, to_);
      }
    }
    for (; k < num; ++k) {
      const LatticeSegment ends = job_.ends(source[next_ + k]);
      const LatticePoint &p = ends.from, &t = ends.to;
      from_[0][k] = p.x, from_[1][k] = p.y, from_[2][k] = p.z;
      to_[0][k] = t.x, to_[1][k] = t.y, to_[2][k] = t.z;
    }
  }

  /// Is there a box for the rays loaded last?
  bool have_box(const RaySource& source, int num) {
    const auto loaded = [&](int k) {
      return cell_of({from_[0][k], from_[1][k], from_[2][k]}, lattice_bits_);
    };
    return box_.serves(loaded(0), loaded(num - 1), num, [&] {
      const std::int64_t k = next_ + SharedBox::kRaysWorthABox;
      return k < source.num ? cell_of(job_.start(source[k]), lattice_bits_) : SharedBox::kNowhere;
    });
  }

  /// Sets up the next rays of the source.
  HWY_NOINLINE void stage(const RaySource& source, CubeOutcome& outcome) {
    const std::int64_t left = source.num - next_;
    const int num = static_cast<int>(left < CubeRays::kMost ? left : CubeRays::kMost);
    load(source, num);
    waiting_.num = waiting_.taken = 0;
    for (int k = 0; k < num; k += N::lanes()) stage_lanes(source, outcome, k, num, next_ + k);
    if (waiting_.num != 0 && have_box(source, num)) leave_box();
    next_ += num;
  }

  const Job& job_;
  const GridLayout layout_;
  const int lattice_bits_;
  const float unit_;  ///< of the lattice, in voxels
  std::int32_t flip_[3], most_ = 0;
  alignas(64) std::int32_t from_[3][CubeRays::kMost] = {}, to_[3][CubeRays::kMost] = {};
  CubeRays waiting_ = {};
  SharedBox box_;
  std::int64_t next_ = 0;  ///< of the source
};

}  // namespace sightline::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // HWY_MAX_BYTES >= 32

#endif  // include guard per target
