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

#include "kernels/brick_table.h"
#include "kernels/lattice_ray.h"
#include "kernels/wave-inl.h"

#if HWY_MAX_BYTES >= 32  // shorter vectors do not pay
HWY_BEFORE_NAMESPACE();
namespace sightline::kernels::HWY_NAMESPACE {

/// 32-bit lanes: a ray in each.
struct Narrow {
  using Floats = hn::ScalableTag<float>;
  using Ints = hn::RebindToSigned<Floats>;
  using Bits = hn::RebindToUnsigned<Floats>;
  using FloatVec = hn::Vec<Floats>;
  using IntVec = hn::Vec<Ints>;
  using BitVec = hn::Vec<Bits>;
  using IntMask = hn::Mask<Ints>;

  static constexpr int kMaxLanes = 16;
  static int lanes() { return static_cast<int>(hn::Lanes(Floats())); }

  static HWY_INLINE std::uint32_t bits_of(IntMask mask) {
    std::uint8_t bytes[8] = {};
    hn::StoreMaskBits(Ints(), mask, bytes);
    return bytes[0] | static_cast<std::uint32_t>(bytes[1]) << 8;
  }

  struct Pair {
    IntVec first, second;
  };
  /// Of pairs of 32-bit numbers, in order.
  static HWY_INLINE Pair parts_of(IntVec low, IntVec high) {
    return {hn::ConcatEven(Ints(), high, low), hn::ConcatOdd(Ints(), high, low)};
  }

// See wave-inl.h on the empty destination. Conversions by Highway also mend overflow, which the
// lanes that count never have.
#if HWY_TARGET <= HWY_AVX3
  static HWY_INLINE IntVec gather(const std::int32_t* from, IntVec index) {
    __mmask16 all = 0xffff;
    asm("" : "+Yk"(all));
    const __m512i zero = _mm512_setzero_si512();
    return IntVec{_mm512_mask_i32gather_epi32(zero, all, index.raw, from, 4)};
  }
  static HWY_INLINE Pair gather_pairs(const void* from, IntVec index) {
    __mmask8 all = 0xff;
    asm("" : "+Yk"(all));
    const __m512i zero = _mm512_setzero_si512();
    const __m256i low = _mm512_castsi512_si256(index.raw);
    const __m256i high = _mm512_extracti64x4_epi64(index.raw, 1);
    return parts_of(IntVec{_mm512_mask_i32gather_epi64(zero, all, low, from, 8)},
                    IntVec{_mm512_mask_i32gather_epi64(zero, all, high, from, 8)});
  }
  static HWY_INLINE IntVec truncate(FloatVec v) { return IntVec{_mm512_cvttps_epi32(v.raw)}; }
#elif HWY_TARGET <= HWY_AVX2
  static HWY_INLINE IntVec gather(const std::int32_t* from, IntVec index) {
    __m256i all = _mm256_set1_epi64x(-1);
    asm("" : "+x"(all));
    const __m256i zero = _mm256_setzero_si256();
    return IntVec{_mm256_mask_i32gather_epi32(zero, from, index.raw, all, 4)};
  }
  static HWY_INLINE Pair gather_pairs(const void* from, IntVec index) {
    __m256i all = _mm256_set1_epi64x(-1);
    asm("" : "+x"(all));
    const __m256i zero = _mm256_setzero_si256();
    const auto* list = static_cast<const long long*>(from);  // NOLINT: the intrinsic's type
    const __m128i low = _mm256_castsi256_si128(index.raw);
    const __m128i high = _mm256_extracti128_si256(index.raw, 1);
    return parts_of(IntVec{_mm256_mask_i32gather_epi64(zero, list, low, all, 8)},
                    IntVec{_mm256_mask_i32gather_epi64(zero, list, high, all, 8)});
  }
  static HWY_INLINE IntVec truncate(FloatVec v) { return IntVec{_mm256_cvttps_epi32(v.raw)}; }
#endif
};

/// Rays that are set up and wait for a lane.
struct CubeRays {
  static constexpr int kMost = 64;
  static constexpr int kRoom = kMost + Narrow::kMaxLanes;  // vectors read beyond the last
  alignas(64) float start[3][kRoom], extent[3][kRoom], inverse[3][kRoom];
  alignas(64) float near_face[kRoom];  ///< how near is in doubt
  alignas(64) std::int32_t cell[3][kRoom], target[3][kRoom];
  alignas(64) std::int32_t flip[3][kRoom];  ///< mirrors a voxel index
  alignas(64) std::int32_t ray[kRoom];      ///< of the source
  int num = 0, taken = 0;
};

/// Which lanes the rays of a list go to: lane i takes the one of rank [i].
class LaneRanks {
 public:
  constexpr LaneRanks() : rank_{} {
    for (int lanes = 0; lanes < 256; ++lanes) {
      std::uint8_t next = 0;
      for (int i = 0; i < 8; ++i) {
        rank_[lanes][i] = next;
        next = static_cast<std::uint8_t>(next + ((lanes >> i) & 1));
      }
    }
  }
  /// The number of lanes of `lanes` before each lane.
  HWY_INLINE Narrow::IntVec operator()(std::uint32_t lanes) const {
    const Narrow::Ints d;
    alignas(16) std::uint64_t bytes[2];
    hwy::CopyBytes<8>(rank_[lanes & 255], bytes);
    hwy::CopyBytes<8>(rank_[lanes >> 8], bytes + 1);
    bytes[1] += 0x0101010101010101u * hwy::PopCount(lanes & 255);
    const hn::Rebind<std::uint8_t, Narrow::Ints> b;
    return hn::PromoteTo(d, hn::Load(b, reinterpret_cast<const std::uint8_t*>(bytes)));
  }

 private:
  alignas(8) std::uint8_t rank_[256][8];
};
constexpr LaneRanks kLaneRanks;

/// What became of the rays that a wave did not answer.
struct CubeOutcome {
  std::int64_t* doubtful;  ///< rays to ask again, with room for all
  std::int64_t num_doubtful = 0, num_left_to_op = 0;
};

/// Walks rays that start in a grid through one plane of it. A job has
///     kEndCounts           does the voxel that holds the end count, if the ray has a length in it?
///     kMayLeave            may rays leave the grid? Then they meet nothing more; else they are
///                          the op's
///     ends(ray)            where it starts and ends
///     leave_to_op(ray)     lets the op answer
///     meet(ray, x, y, z)   answers a ray that stops at a voxel
///     pass(ray)            answers one that does not
template <class Job>
class CubeWave {
 public:
  CubeWave(const GridView& grid, const BrickRecord* bricks, int lattice_bits, Job& job)
      : job_(job),
        layout_(grid.layout),
        bricks_(bricks),
        words_(reinterpret_cast<const std::int32_t*>(grid.words)),
        y_bits_(brick_table_bits(grid.layout, 0)),
        z_bits_(y_bits_ + brick_table_bits(grid.layout, 1)),
        lattice_bits_(lattice_bits),
        unit_(std::ldexp(1.0f, -lattice_bits)) {
    for (int a = 0; a < 3; ++a) {
      flip_[a] = (1 << (grid.layout.root_bits[a] + kNodeBits)) - 1;
      if (flip_[a] > most_) most_ = flip_[a];
    }
  }

  HWY_INLINE void run(const RaySource& source, CubeOutcome& outcome) {
    Lanes sets[kSets];
    next_ = 0;
    waiting_.num = waiting_.taken = 0;
    for (Lanes& lanes : sets) {
      lanes.clear();
      refill(source, outcome, lanes);
    }
    for (bool under_way = true; under_way;) {
      under_way = false;
      for (Lanes& lanes : sets) {
        if (lanes.num_live == 0) continue;
        step(source, outcome, lanes);
        under_way = true;
      }
    }
  }

 private:
  using N = Narrow;

  static constexpr int kSets = 3;       ///< gathers of one set are hidden behind the others' sums
  static constexpr int kIdleLanes = 3;  ///< refilled once so many are

  /// Rays under way.
  struct Lanes {
    N::FloatVec start[3], extent[3], inverse[3], near_face;
    N::IntVec cell[3], target[3], flip[3], ray;
    N::IntMask live, fresh;  ///< fresh: still in the voxel of the observer, which never counts
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
      live = fresh = hn::FirstN(d, 0);
      num_live = 0;
    }
  };

  // ---- setting rays up -------------------------------------------------------------------------

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
    axis.start = hn::IfThenElse(hn::RebindMask(f, hn::Eq(from, to)), middle,
                                hn::Mul(hn::ConvertTo(f, lattice), unit));
    return axis;
  }

  /// Stores the lanes that walk, one after the other. Where all do, which is the rule, faster.
  template <class Vec, class T>
  static HWY_INLINE void put(Vec v, N::IntMask walk, bool all, T* to) {
    const hn::DFromV<Vec> d;
    if (all) {
      hn::StoreU(v, d, to);
    } else {
      hn::CompressStore(v, hn::RebindMask(d, walk), d, to);
    }
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
    for (int a = 0; a < 3; ++a) {
      put(axes[a].start, walk, all_walk, to.start[a] + to.num);
      put(axes[a].extent, walk, all_walk, to.extent[a] + to.num);
      put(axes[a].inverse, walk, all_walk, to.inverse[a] + to.num);
      put(axes[a].cell, walk, all_walk, to.cell[a] + to.num);
      put(axes[a].target, walk, all_walk, to.target[a] + to.num);
      put(axes[a].flip, walk, all_walk, to.flip[a] + to.num);
    }
    put(near_face, walk, all_walk, to.near_face + to.num);
    put(hn::Iota(d, static_cast<std::int32_t>(first)), walk, all_walk, to.ray + to.num);
    to.num += static_cast<int>(hwy::PopCount(walk_bits));
  }

  /// Sets up the next rays of the source.
  HWY_NOINLINE void stage(const RaySource& source, CubeOutcome& outcome) {
    const std::int64_t left = source.num - next_;
    const int num = static_cast<int>(left < CubeRays::kMost ? left : CubeRays::kMost);
    for (int k = 0; k < num; ++k) {
      const LatticeSegment ends = job_.ends(source[next_ + k]);
      const LatticePoint &p = ends.from, &t = ends.to;
      from_[0][k] = p.x, from_[1][k] = p.y, from_[2][k] = p.z;
      to_[0][k] = t.x, to_[1][k] = t.y, to_[2][k] = t.z;
    }
    waiting_.num = waiting_.taken = 0;
    for (int k = 0; k < num; k += N::lanes()) stage_lanes(source, outcome, k, num, next_ + k);
    next_ += num;
  }

  template <class Vec, class T>
  HWY_INLINE void take(Vec& lanes, N::IntMask into, N::IntVec rank, const T* from) const {
    const hn::DFromV<Vec> d;
    const auto index = hn::IndicesFromVec(d, rank);
    const auto rays = hn::TableLookupLanes(hn::LoadU(d, from + waiting_.taken), index);
    lanes = hn::IfThenElse(hn::RebindMask(d, into), rays, lanes);
  }

  /// Gives idle lanes rays that wait.
  HWY_NOINLINE void refill(const RaySource& source, CubeOutcome& outcome, Lanes& lanes) {
    const N::Ints d;
    while (lanes.num_live < N::lanes()) {
      if (waiting_.taken == waiting_.num) {
        if (next_ == source.num) return;
        stage(source, outcome);
        continue;
      }
      const int num_waiting = waiting_.num - waiting_.taken;
      const auto idle = hn::Not(lanes.live);
      const auto rank = kLaneRanks(N::bits_of(idle));
      const auto into = hn::And(idle, hn::Lt(rank, hn::Set(d, num_waiting)));
      for (int a = 0; a < 3; ++a) {
        take(lanes.start[a], into, rank, waiting_.start[a]);
        take(lanes.extent[a], into, rank, waiting_.extent[a]);
        take(lanes.inverse[a], into, rank, waiting_.inverse[a]);
        take(lanes.cell[a], into, rank, waiting_.cell[a]);
        take(lanes.target[a], into, rank, waiting_.target[a]);
        take(lanes.flip[a], into, rank, waiting_.flip[a]);
      }
      take(lanes.near_face, into, rank, waiting_.near_face);
      take(lanes.ray, into, rank, waiting_.ray);
      const int num_idle = N::lanes() - lanes.num_live;
      const int num_taken = num_idle < num_waiting ? num_idle : num_waiting;
      waiting_.taken += num_taken;
      lanes.num_live += num_taken;
      lanes.live = hn::Or(lanes.live, into);
      lanes.fresh = hn::Or(lanes.fresh, into);
    }
  }

  // ---- walking ---------------------------------------------------------------------------------

  static HWY_INLINE N::IntVec pick(N::IntVec halves, N::IntVec index) {
    const N::Bits b;
    const auto shift = hn::And(hn::BitCast(b, index), hn::Set(b, 31));
    return hn::BitCast(N::Ints(), hn::Shr(hn::BitCast(b, halves), shift));
  }
  static HWY_INLINE N::IntMask is_set(N::IntVec halves, N::IntVec index) {
    return hn::TestBit(pick(halves, index), hn::Set(N::Ints(), 1));
  }
  /// Is the aligned 2x2x2 block around child `index` of a word empty? It lies in one half.
  static HWY_INLINE N::IntMask half_block_is_empty(N::IntVec halves, N::IntVec index) {
    const N::Ints d;
    const auto corner = hn::And(index, hn::Set(d, kHalfCorner & 31));
    const auto block = hn::And(pick(halves, corner), hn::Set(d, std::int32_t{kHalfBlock}));
    return hn::Eq(block, hn::Zero(d));
  }

  /// child_index, of voxels or of what lies kBits above them.
  template <int kBits>
  static HWY_INLINE N::IntVec child(N::IntVec x, N::IntVec y, N::IntVec z) {
    const auto low = hn::Set(N::Ints(), 3);
    return hn::Or3(hn::And(hn::ShiftRight<kBits>(x), low),
                   hn::ShiftLeft<2>(hn::And(hn::ShiftRight<kBits>(y), low)),
                   hn::ShiftLeft<4>(hn::And(hn::ShiftRight<kBits>(z), low)));
  }

  struct Seen {
    N::IntMask set;        ///< the voxel is
    N::IntVec empty_bits;  ///< else, the cube around it
  };

  /// What is known of the voxels where rays are.
  HWY_INLINE Seen look(const Lanes& lanes) const {
    const N::Ints d;
    const auto x = hn::Xor(lanes.cell[0], lanes.flip[0]), y = hn::Xor(lanes.cell[1], lanes.flip[1]),
               z = hn::Xor(lanes.cell[2], lanes.flip[2]);
    const auto region = hn::Or3(hn::ShiftRight<kBrickBits>(x),
                                hn::ShiftLeftSame(hn::ShiftRight<kBrickBits>(y), y_bits_),
                                hn::ShiftLeftSame(hn::ShiftRight<kBrickBits>(z), z_bits_));
    const auto word = child<kWordBits>(x, y, z), voxel = child<0>(x, y, z);
    const auto half = hn::Add(hn::Add(region, region), hn::ShiftRight<5>(word));
    const auto [brick, filled] = N::gather_pairs(bricks_, half);
    const auto in_word = is_set(filled, word);
    // Behind the brick's own mask. Where it is empty, at 0, lies the empty brick.
    const auto voxels_at = hn::Add(brick, hn::Add(hn::Add(word, word), hn::ShiftRight<5>(voxel)));
    const auto voxels = N::gather(words_ + 2, hn::IfThenElse(in_word, voxels_at, hn::Set(d, -2)));
    const auto of_word = hn::IfThenElseZero(half_block_is_empty(voxels, voxel), hn::Set(d, 1));
    const auto of_brick = hn::IfThenElse(half_block_is_empty(filled, word),
                                         hn::Set(d, kWordBits + 1), hn::Set(d, kWordBits));
    const auto of_region = hn::And(brick, hn::Set(d, 15));
    const auto is_empty_region = hn::Lt(brick, hn::Zero(d));
    return {is_set(voxels, voxel),
            hn::IfThenElse(in_word, of_word, hn::IfThenElse(is_empty_region, of_region, of_brick))};
  }

  HWY_INLINE void step(const RaySource& source, CubeOutcome& outcome, Lanes& lanes) {
    const N::Floats f;
    const N::Ints d;
    const Seen seen = look(lanes);
    N::IntVec bound[3];
    N::FloatVec moment[3];
    N::IntMask ends[3];  // here on this axis
    for (int a = 0; a < 3; ++a) {
      const auto cube = hn::Add(hn::Shr(lanes.cell[a], seen.empty_bits), hn::Set(d, 1));
      bound[a] = hn::Shl(cube, seen.empty_bits);
      ends[a] = hn::Lt(lanes.target[a], bound[a]);
      const auto ahead = hn::Sub(hn::ConvertTo(f, bound[a]), lanes.start[a]);
      moment[a] = hn::IfThenElse(hn::RebindMask(f, ends[a]), hn::Set(f, INFINITY),
                                 hn::Mul(ahead, lanes.inverse[a]));
    }
    const auto left = hn::Min(moment[0], hn::Min(moment[1], moment[2]));
    N::IntVec next[3];
    N::IntMask near_face[3], outside = hn::FirstN(d, 0);
    for (int a = 0; a < 3; ++a) {
      const auto place = hn::MulAdd(lanes.extent[a], left, lanes.start[a]);
      const auto apart = hn::Abs(hn::Sub(place, hn::Round(place)));
      near_face[a] = hn::RebindMask(d, hn::Lt(apart, lanes.near_face));
      const auto leaves = hn::RebindMask(d, hn::Eq(moment[a], left));
      next[a] = hn::IfThenElse(leaves, bound[a], N::truncate(place));
      if (Job::kMayLeave) {
        outside = hn::Or(outside, hn::And(leaves, hn::Gt(bound[a], hn::Set(d, flip_[a]))));
      }
    }
    auto doubt = hn::Or(hn::And(near_face[0], hn::Or(near_face[1], near_face[2])),
                        hn::And(near_face[1], near_face[2]));
    auto never_counts = lanes.fresh;
    if (Job::kEndCounts) {
      // Does the ray enter the next voxel, or end on its face?
      const auto at_end = hn::Gt(left, hn::Set(f, 1 - 0x1p-20f));
      doubt = hn::Or(doubt, hn::RebindMask(d, at_end));
    } else {
      const auto at_target = hn::And(
          hn::Eq(lanes.cell[0], lanes.target[0]),
          hn::And(hn::Eq(lanes.cell[1], lanes.target[1]), hn::Eq(lanes.cell[2], lanes.target[2])));
      never_counts = hn::Or(never_counts, at_target);
    }
    const auto met = hn::AndNot(never_counts, seen.set);
    auto clear = hn::And(ends[0], hn::And(ends[1], ends[2]));
    if (Job::kMayLeave) clear = hn::Or(clear, hn::AndNot(doubt, outside));
    const auto done = hn::And(lanes.live, hn::Or(met, hn::Or(clear, doubt)));
    lanes.fresh = hn::FirstN(d, 0);
    const auto goes_on = hn::AndNot(done, lanes.live);
    for (int a = 0; a < 3; ++a) lanes.cell[a] = hn::IfThenElse(goes_on, next[a], lanes.cell[a]);
    const std::uint32_t done_bits = N::bits_of(done);
    if (done_bits == 0) return;
    answer(source, outcome, lanes, done_bits, N::bits_of(met), N::bits_of(clear));
    lanes.live = goes_on;
    lanes.num_live -= static_cast<int>(hwy::PopCount(done_bits));
    if (N::lanes() - lanes.num_live >= kIdleLanes || lanes.num_live == 0) {
      refill(source, outcome, lanes);
    }
  }

  HWY_INLINE void answer(const RaySource& source, CubeOutcome& outcome, const Lanes& lanes,
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
  const GridLayout layout_;
  const BrickRecord* bricks_;
  const std::int32_t* words_;  ///< of the block, by halves
  const int y_bits_, z_bits_, lattice_bits_;
  const float unit_;  ///< of the lattice, in voxels
  std::int32_t flip_[3], most_ = 0;
  alignas(64) std::int32_t from_[3][CubeRays::kMost] = {}, to_[3][CubeRays::kMost] = {};
  CubeRays waiting_;
  std::int64_t next_ = 0;  ///< of the source
};

}  // namespace sightline::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // HWY_MAX_BYTES >= 32

#endif  // include guard per target
