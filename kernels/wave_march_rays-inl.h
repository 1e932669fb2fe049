// Marches of a wave over empty cubes (wave_march_cubes-inl.h): set up by vectors as
// kernels/march_ray.h does, waiting, and under way.

// NOLINTNEXTLINE: Highway includes this file once per target.
#if defined(SIGHTLINE_KERNELS_WAVE_MARCH_RAYS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SIGHTLINE_KERNELS_WAVE_MARCH_RAYS_INL_H_
#undef SIGHTLINE_KERNELS_WAVE_MARCH_RAYS_INL_H_
#else
#define SIGHTLINE_KERNELS_WAVE_MARCH_RAYS_INL_H_
#endif

#include <hwy/highway.h>

#include <cmath>
#include <cstdint>

#include "kernels/compress-inl.h"
#include "kernels/march.h"
#include "kernels/march_ray.h"
#include "kernels/wave_cube_rays-inl.h"

#if HWY_MAX_BYTES >= 32  // shorter vectors do not pay
HWY_BEFORE_NAMESPACE();
namespace sightline::kernels::HWY_NAMESPACE {

/// Marches that wait for a lane, or are set up. near_face is the reach.
struct MarchRays : CubeRays {
  alignas(64) float rest[3][kRoom], last[kRoom], length_m[kRoom];
  alignas(64) float entered[kRoom];  ///< the moment at which the ray enters its cell; 0: it starts
                                     ///< there
};

/// Marches under way, with no target.
struct MarchLanes : CubeLanes {
  N::FloatVec rest[3], last, length_m, entered;
  N::IntVec open, hidden;  ///< bit k: samples of size k may yet hide; one did

  void clear() {
    CubeLanes::clear();
    for (auto& each : rest) each = hn::Zero(N::Floats());
    last = length_m = entered = hn::Zero(N::Floats());
    open = hidden = hn::Zero(N::Ints());
  }
};

/// MarchRay::moment.
template <class Rays>
HWY_INLINE Narrow::FloatVec moment_of(const Rays& rays, int a, Narrow::FloatVec face) {
  return hn::Mul(hn::Sub(hn::Sub(face, rays.start[a]), rays.rest[a]), rays.inverse[a]);
}

/// How marches leave what is known to be empty around them.
struct MarchLeaving {
  using N = Narrow;

  N::FloatVec moment;    ///< of the whole ray
  N::FloatVec place[3];  ///< then
  N::IntVec next[3];     ///< the voxel beyond
  N::FloatVec off;       ///< from the second nearest face; the ray leaves by the nearest

  MarchLeaving() = default;
  /// last: the voxels on the way out that are empty still.
  template <class Rays>
  HWY_INLINE MarchLeaving(const Rays& rays, const N::IntVec (&last)[3]) {
    const N::Floats f;
    const N::Ints d;
    N::IntVec beyond[3];
    N::FloatVec to_face[3];
    for (int a = 0; a < 3; ++a) {
      beyond[a] = hn::Add(last[a], hn::Set(d, 1));
      to_face[a] = moment_of(rays, a, hn::ConvertTo(f, beyond[a]));
    }
    moment = hn::Min(to_face[0], hn::Min(to_face[1], to_face[2]));
    N::FloatVec to_nearest[3];
    for (int a = 0; a < 3; ++a) {
      place[a] = hn::Add(hn::MulAdd(rays.extent[a], moment, rays.start[a]), rays.rest[a]);
      to_nearest[a] = N::from_nearest(place[a]);
      const auto leaves = hn::RebindMask(d, hn::Eq(to_face[a], moment));
      next[a] = hn::IfThenElse(leaves, beyond[a], N::truncate(place[a]));
    }
    off = N::middle_abs(to_nearest[0], to_nearest[1], to_nearest[2]);
  }

  /// Those that end before.
  template <class Rays>
  HWY_INLINE N::IntMask ends(const Rays& rays) const {
    return hn::RebindMask(N::Ints(), hn::Gt(moment, rays.last));
  }
  /// Those that pass close to an edge, unless they end.
  template <class Rays>
  HWY_INLINE N::IntMask by_an_edge(const Rays& rays) const {
    return hn::RebindMask(N::Ints(), hn::Lt(off, rays.near_face));
  }
};

/// Waiting marches from the k-th on, as far as leaving something asks for them.
struct WaitingMarches : WaitingRays {
  N::FloatVec rest[3], last;

  HWY_INLINE WaitingMarches(const MarchRays& rays, int k) : WaitingRays(rays, k) {
    for (int a = 0; a < 3; ++a) rest[a] = hn::Load(N::Floats(), rays.rest[a] + k);
    last = hn::Load(N::Floats(), rays.last + k);
  }
};

/// Takes marches from a source, sets them up, and gives them to idle lanes.
class MarchQueue {
  using N = Narrow;

 public:
  MarchQueue(const MarchGrid& op, const BrickRecord* bricks, std::uint32_t all_sizes)
      : op_(op), all_sizes_(static_cast<std::int32_t>(all_sizes)), box_(op.grid, bricks) {
    for (int a = 0; a < 3; ++a) {
      flip_[a] = (1 << (op.grid.layout.root_bits[a] + kNodeBits)) - 1;
      if (flip_[a] > most_) most_ = flip_[a];
    }
  }

  /// Rays that are not for this walk are answered by the op.
  HWY_NOINLINE void refill(const RaySource& source, CubeOutcome& outcome, MarchLanes& lanes) {
    const N::Floats f;
    const N::Ints d;
    while (lanes.num_live < N::lanes()) {
      if (waiting_.taken == waiting_.num) {
        if (next_ == source.num) return;
        stage(source, outcome);
        continue;
      }
      const CubeIntake intake(waiting_, lanes);
      for (int a = 0; a < 3; ++a) intake.take(lanes.rest[a], waiting_.rest[a]);
      intake.take(lanes.last, waiting_.last);
      intake.take(lanes.length_m, waiting_.length_m);
      const auto into = intake.into();
      intake.take(lanes.entered, waiting_.entered);
      lanes.open = hn::IfThenElse(into, hn::Set(d, all_sizes_), lanes.open);
      lanes.hidden = hn::IfThenZeroElse(into, lanes.hidden);
      const auto at_start = hn::RebindMask(d, hn::Eq(lanes.entered, hn::Zero(f)));
      lanes.fresh = hn::Or(lanes.fresh, hn::And(into, at_start));
      intake.finish(waiting_, lanes);
    }
  }

 private:
  using HalfFloats = hn::Rebind<float, Doubles>;
  using HalfInts = hn::Rebind<std::int32_t, Doubles>;

  HWY_INLINE void load(const RaySource& source, int num) {
    for (int k = 0; k < num; ++k) {
      const RayEnds ends = ray_ends(op_.rays, source[next_ + k]);
      const Vec3 &p = op_.observers[ends.observer], &t = op_.targets[ends.target];
      const bool from_target = op_.rules.uniform && !before(p, t);  // sampled_ray
      const Vec3 &from = from_target ? t : p, &to = from_target ? p : t;
      from_[0][k] = from.x, from_[1][k] = from.y, from_[2][k] = from.z;
      to_[0][k] = to.x, to_[1][k] = to.y, to_[2][k] = to.z;
    }
  }

  struct Seen {
    hn::Mask<Doubles> ours, apart;
    DoubleVec square_m2;
  };

  /// MarchRay::begin_axis, in doubles, for rays k and after.
  HWY_INLINE void set_up_axis(int a, int k, Seen& seen) {
    const Doubles f;
    const DoubleVec from = hn::Load(f, from_[a] + k), to = hn::Load(f, to_[a] + k);
    const DoubleVec corner = hn::Set(f, op_.frame.origin_m[a]);
    const DoubleVec voxel = hn::Set(f, op_.frame.voxel_m[a]);
    const DoubleVec start = hn::Div(hn::Sub(from, corner), voxel);
    const DoubleVec end = hn::Div(hn::Sub(to, corner), voxel);
    const DoubleVec start_floor = hn::Floor(start), end_floor = hn::Floor(end);
    const DoubleVec size = hn::Set(f, op_.grid.layout.dims[a]);
    const auto inside = hn::And(hn::Ge(hn::Min(start_floor, end_floor), hn::Zero(f)),
                                hn::Lt(hn::Max(start_floor, end_floor), size));
    const auto one_cell = hn::Eq(start_floor, end_floor);
    const DoubleVec way = hn::Sub(end, start), span = hn::Abs(way);
    const DoubleVec low = hn::Sub(hn::Min(start, end), start_floor);
    const DoubleVec high = hn::Sub(hn::Max(start, end), start_floor);
    const auto clear_of_faces = hn::And(hn::Gt(low, hn::Set(f, MarchRay::kClearOfFaces_vox)),
                                        hn::Lt(high, hn::Set(f, 1 - MarchRay::kClearOfFaces_vox)));
    const auto stays = hn::Or(hn::Eq(from, to), hn::And(one_cell, clear_of_faces));
    const auto moves = hn::Ge(span, hn::Set(f, MarchRay::kLeastExtent_vox));
    seen.ours = hn::And(seen.ours, hn::And(inside, hn::Or(stays, moves)));
    seen.apart = hn::Or(seen.apart, hn::Not(one_cell));
    const DoubleVec way_m = hn::Sub(to, from);
    seen.square_m2 = hn::Add(seen.square_m2, hn::Mul(way_m, way_m));

    const auto down = hn::AndNot(stays, hn::Lt(way, hn::Zero(f)));
    const DoubleVec flip = hn::Set(f, flip_[a]), top = hn::Set(f, flip_[a] + 1);
    const DoubleVec cell = hn::IfThenElse(down, hn::Sub(flip, start_floor), start_floor);
    const DoubleVec target = hn::IfThenElse(down, hn::Sub(flip, end_floor), end_floor);
    const DoubleVec place = hn::IfThenElse(down, hn::Sub(top, start), start);
    const DoubleVec coarse = hn::Mul(hn::Round(hn::Mul(place, hn::Set(f, MarchRay::kPerLattice))),
                                     hn::Set(f, 1 / MarchRay::kPerLattice));
    const DoubleVec middle = hn::Add(cell, hn::Set(f, 0.5));
    put(hn::IfThenElse(stays, middle, coarse), set_up_.start[a] + k);
    put(hn::IfThenZeroElse(stays, hn::Sub(place, coarse)), set_up_.rest[a] + k);
    put(hn::IfThenZeroElse(stays, span), set_up_.extent[a] + k);
    // Beyond the grid, of rays that are not for this walk, they may be anything.
    const DoubleVec most = hn::Set(f, most_);
    put_whole(hn::Min(hn::Max(cell, hn::Zero(f)), most), set_up_.cell[a] + k);
    put_whole(hn::Min(hn::Max(target, hn::Zero(f)), most), set_up_.target[a] + k);
    put_whole(hn::IfThenElseZero(down, flip), set_up_.flip[a] + k);
  }
  static HWY_INLINE void put(DoubleVec v, float* to) {
    hn::StoreU(hn::DemoteTo(HalfFloats(), v), HalfFloats(), to);
  }
  static HWY_INLINE void put_whole(DoubleVec v, std::int32_t* to) {
    hn::StoreU(hn::DemoteTo(HalfInts(), v), HalfInts(), to);
  }

  static_assert(MarchRays::kMost <= 64, "a bit for each that is set up");
  static std::uint64_t first_bits(int num) { return ~std::uint64_t{0} >> (64 - num); }  // num > 0

  /// Sets up the rays loaded last, `num` of them; which, as bits, are for this walk.
  HWY_INLINE std::uint64_t set_up(int num) {
    const Doubles f;
    const int lanes = static_cast<int>(hn::Lanes(f));
    std::uint64_t walk = 0;
    for (int k = 0; k < num; k += lanes) {
      const auto all = hn::FirstN(f, static_cast<std::size_t>(lanes)), none = hn::FirstN(f, 0);
      Seen seen{all, none, hn::Zero(f)};
      for (int a = 0; a < 3; ++a) set_up_axis(a, k, seen);
      const auto in_range =
          hn::And(hn::Gt(seen.square_m2, hn::Set(f, double{MarchRay::kLeastSquare_m2})),
                  hn::Lt(seen.square_m2, hn::Set(f, double{MarchRay::kMostSquare_m2})));
      put(hn::Sqrt(seen.square_m2), set_up_.length_m + k);
      const std::uint64_t ours = bits_of(f, hn::And(hn::And(seen.ours, seen.apart), in_range));
      walk |= ours << k;
    }
    return walk & first_bits(num);
  }

  /// Stores the lanes that walk, one after the other.
  template <class T>
  HWY_INLINE void keep(const T* from, int k, const Compressor& walking, T* to) const {
    const hn::Rebind<T, N::Floats> d;
    hn::StoreU(walking(hn::Load(d, from + k)), d, to + waiting_.num);
  }

  /// The voxel of a ray's observer, if that is in the grid.
  Cell observer_voxel(std::int64_t ray) const {
    const Vec3& p = op_.observers[ray_ends(op_.rays, ray).observer];
    const double at[3] = {p.x, p.y, p.z};
    Cell voxel;
    for (int a = 0; a < 3; ++a) {
      const double place = std::floor((at[a] - op_.frame.origin_m[a]) / op_.frame.voxel_m[a]);
      if (!(place >= 0 && place < op_.grid.layout.dims[a])) return SharedBox::kNowhere;
      voxel.v[a] = static_cast<std::int32_t>(place);
    }
    return voxel;
  }
  /// Is there a box for the rays loaded last?
  bool have_box(const RaySource& source, int num) {
    return box_.serves(observer_voxel(source[next_]), observer_voxel(source[next_ + num - 1]), num,
                       [&] {
                         const std::int64_t k = next_ + SharedBox::kRaysWorthABox;
                         return k < source.num ? observer_voxel(source[k]) : SharedBox::kNowhere;
                       });
  }

  /// Sets up the next rays of the source.
  HWY_NOINLINE void stage(const RaySource& source, CubeOutcome& outcome) {
    const std::int64_t left = source.num - next_;
    const int num = static_cast<int>(left < MarchRays::kMost ? left : MarchRays::kMost);
    load(source, num);
    const std::uint64_t walk = set_up(num);
    for (std::uint64_t rest = first_bits(num) & ~walk; rest != 0; rest &= rest - 1) {
      op_(source[next_ + static_cast<int>(hwy::Num0BitsBelowLS1Bit_Nonzero64(rest))]);
      ++outcome.num_left_to_op;
    }
    waiting_.num = waiting_.taken = 0;
    for (int k = 0; k < num; k += N::lanes()) {
      const auto of_lanes = static_cast<std::uint32_t>(walk >> k & first_bits(N::lanes()));
      if (of_lanes != 0) put_in_line(k, of_lanes);
    }
    if (waiting_.num != 0 && have_box(source, num)) leave_box();
    next_ += num;
  }

  /// Lets those of rays k and after that walk wait for a lane.
  HWY_INLINE void put_in_line(int k, std::uint32_t of_lanes) {
    const N::Floats f;
    const N::Ints d;
    const Compressor walking(of_lanes);
    auto longest = hn::Zero(f), last = hn::Set(f, -INFINITY);
    for (int a = 0; a < 3; ++a) {
      const auto extent = hn::Load(f, set_up_.extent[a] + k);
      const auto inverse = hn::Div(hn::Set(f, 1.0f), extent);
      const auto target = hn::ConvertTo(f, hn::Load(d, set_up_.target[a] + k));
      const auto way = hn::Sub(hn::Sub(target, hn::Load(f, set_up_.start[a] + k)),
                               hn::Load(f, set_up_.rest[a] + k));
      longest = hn::Max(longest, extent);
      last = hn::Max(last, hn::Mul(way, inverse));  // an axis that stays: infinite, below zero
      hn::StoreU(walking(inverse), f, waiting_.inverse[a] + waiting_.num);
      keep(set_up_.start[a], k, walking, waiting_.start[a]);
      keep(set_up_.rest[a], k, walking, waiting_.rest[a]);
      keep(set_up_.extent[a], k, walking, waiting_.extent[a]);
      keep(set_up_.cell[a], k, walking, waiting_.cell[a]);
      keep(set_up_.flip[a], k, walking, waiting_.flip[a]);
    }
    const float of_grid = static_cast<float>(most_ + 1) * MarchRay::kReachOfGrid;
    const auto reach = hn::MulAdd(longest, hn::Set(f, MarchRay::kReachOfWay), hn::Set(f, of_grid));
    hn::StoreU(walking(reach), f, waiting_.near_face + waiting_.num);
    hn::StoreU(walking(last), f, waiting_.last + waiting_.num);
    hn::StoreU(hn::Zero(f), f, waiting_.entered + waiting_.num);
    keep(set_up_.length_m, k, walking, waiting_.length_m);
    const auto rays = hn::Iota(d, static_cast<std::int32_t>(next_ + k));
    hn::StoreU(walking(rays), d, waiting_.ray + waiting_.num);
    waiting_.num += static_cast<int>(hwy::PopCount(of_lanes));
  }

  /// Lets waiting marches that start in the box leave it, if they do so on one axis and before they
  /// end.
  HWY_NOINLINE void leave_box() {
    const N::Floats f;
    const N::Ints d;
    MarchRays& to = waiting_;
    for (int k = 0; k < to.num; k += N::lanes()) {
      const WaitingMarches rays(to, k);
      N::IntVec last[3];
      const auto inside = start_in_box(box_.box(), rays, last);
      const MarchLeaving leaving(rays, last);
      const auto later = hn::RebindMask(d, hn::Gt(leaving.moment, hn::Zero(f)));
      const auto leaves =
          hn::AndNot(hn::Or(leaving.by_an_edge(rays), leaving.ends(rays)), hn::And(inside, later));
      for (int a = 0; a < 3; ++a) {
        hn::Store(hn::IfThenElse(leaves, leaving.next[a], rays.cell[a]), d, to.cell[a] + k);
      }
      const auto entered = hn::IfThenElseZero(hn::RebindMask(f, leaves), leaving.moment);
      hn::Store(entered, f, to.entered + k);
    }
  }

  const MarchGrid& op_;
  const std::int32_t all_sizes_;
  std::int32_t flip_[3], most_ = 0;
  alignas(64) double from_[3][MarchRays::kMost] = {}, to_[3][MarchRays::kMost] = {};
  MarchRays set_up_ = {}, waiting_ = {};
  SharedBox box_;
  std::int64_t next_ = 0;  ///< of the source
};

}  // namespace sightline::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // HWY_MAX_BYTES >= 32

#endif  // include guard per target
