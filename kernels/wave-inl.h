// The slots of a wave and their walk by words: compiled once per instruction set (Highway).
//
// A slot holds the gait of one ray (kernels/gait.h, or the clock of kernels/word_walk.h, which
// steps alike): the place of its word, and per axis the moment of the next crossing, the time per
// word and the dilated step. A round looks up the word of every slot, lets the job judge those that
// are not empty, and then crosses into the next word.

// NOLINTNEXTLINE: Highway includes this file once per target.
#if defined(SIGHTLINE_KERNELS_WAVE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SIGHTLINE_KERNELS_WAVE_INL_H_
#undef SIGHTLINE_KERNELS_WAVE_INL_H_
#else
#define SIGHTLINE_KERNELS_WAVE_INL_H_
#endif

#include <hwy/highway.h>

#include <cstdint>

#include "kernels/gait.h"

#if HWY_MAX_BYTES >= 32  // shorter vectors do not pay
HWY_BEFORE_NAMESPACE();
namespace sightline::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Ints = hn::ScalableTag<std::int64_t>;
using Words = hn::RebindToUnsigned<Ints>;
using Doubles = hn::RebindToFloat<Ints>;
using IntVec = hn::Vec<Ints>;
using WordVec = hn::Vec<Words>;
using DoubleVec = hn::Vec<Doubles>;

/// Rays under way: enough to fill vectors with words to judge, few enough for the L1 cache.
constexpr int kSlots = 96;
constexpr int kStaged = 32;                     ///< rays set up at a time
constexpr int kMaxLanes = 8;                    ///< 64-bit lanes of the longest vectors
constexpr int kListSlots = kSlots + kMaxLanes;  ///< vectors read beyond the end of a list

/// Bit k: lane k.
template <class Tag>
HWY_INLINE std::uint32_t bits_of(Tag d, hn::Mask<Tag> mask) {
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(d, mask, bytes);
  return bytes[0];
}

HWY_INLINE IntVec least(IntVec a, IntVec b, IntVec c) { return hn::Min(hn::Min(a, b), c); }

/// 64-bit product with a factor below 2^32.
HWY_INLINE IntVec mul_small(IntVec a, IntVec small) {
  const hn::Repartition<std::uint32_t, Words> halves;
  const Words w;
  const auto factor = hn::BitCast(halves, small);
  const WordVec low = hn::MulEven(hn::BitCast(halves, a), factor);
  const WordVec high =
      hn::MulEven(hn::BitCast(halves, hn::ShiftRight<32>(hn::BitCast(w, a))), factor);
  return hn::BitCast(Ints(), hn::Add(low, hn::ShiftLeft<32>(high)));
}

/// place_of, for voxel indices that are not negative.
HWY_INLINE WordVec places_of(const GridLayout& layout, int axis, WordVec v) {
  const Words w;
  int below = 0;
  for (int a = 0; a < axis; ++a) below += layout.root_bits[a];
  const WordVec in_word = hn::And(v, hn::Set(w, 3));
  const WordVec in_brick = hn::ShiftLeft<4>(hn::And(v, hn::Set(w, 12)));
  const WordVec in_node = hn::ShiftLeft<8>(hn::And(v, hn::Set(w, 48)));
  const WordVec root = hn::ShiftLeftSame(hn::ShiftRight<kNodeBits>(v), kPlaceRootShift + below);
  const WordVec dilated = hn::Or(in_word, hn::Or(in_brick, in_node));
  return hn::Or(hn::ShiftLeftSame(dilated, 2 * axis), root);
}

/// Without the voxel at a place, if it lies in the word: the cells of the ends never count.
HWY_INLINE WordVec without(WordVec voxels, WordVec word, WordVec place) {
  const Words w;
  const WordVec bit = hn::Shl(hn::Set(w, 1), hn::And(place, hn::Set(w, 63)));
  return hn::AndNot(hn::IfThenElseZero(hn::Eq(hn::ShiftRight<6>(place), word), bit), voxels);
}

/// The lanes of a vector that starts at `first`, as far as they lie before `num`.
HWY_INLINE std::uint32_t live_lanes(int first, int num) {
  const int lanes = static_cast<int>(hn::Lanes(Ints()));
  return (1u << (num - first < lanes ? num - first : lanes)) - 1;
}

template <int kNum>
struct Slots {
  /// Of the word. Never undefined: vectors look up the places of idle slots with the others'.
  alignas(64) std::uint64_t place[kNum] = {};
  alignas(64) std::uint64_t voxels[kNum];         ///< the word itself
  alignas(64) std::uint64_t minus_step[3][kNum];  ///< dilated
  alignas(64) std::int64_t at[3][kNum];           ///< moment of the next crossing
  alignas(64) std::int64_t tick[3][kNum];         ///< one word
  alignas(64) std::int64_t entered[kNum];         ///< moment at which the ray entered the word
  alignas(64) std::int64_t until[kNum];           ///< the ray is done if it leaves no sooner
  alignas(64) std::int64_t brief[kNum];           ///< a word passed in no more time is named
  alignas(64) std::int64_t ray[kNum];
  alignas(64) std::uint64_t unknown[kNum];   ///< answers that are "unknown" so far, one bit each
  alignas(64) std::uint64_t from_end[kNum];  ///< places of the cells of the ray's ends
  alignas(64) std::uint64_t to_end[kNum];

  template <int kOther>
  HWY_INLINE void copy(int to, const Slots<kOther>& other, int from) {
    place[to] = other.place[from];
    for (int a = 0; a < 3; ++a) {
      minus_step[a][to] = other.minus_step[a][from];
      at[a][to] = other.at[a][from];
      tick[a][to] = other.tick[a][from];
    }
    entered[to] = other.entered[from];
    until[to] = other.until[from];
    brief[to] = other.brief[from];
    ray[to] = other.ray[from];
    unknown[to] = other.unknown[from];
    from_end[to] = other.from_end[from];
    to_end[to] = other.to_end[from];
  }
};

using WaveSlots = Slots<kSlots>;

/// Slots named one by one, for gathers.
struct SlotList {
  alignas(64) std::int64_t slot[kListSlots] = {};
  int num = 0;

  HWY_INLINE void add(int first, std::uint32_t lanes) {
    for (; lanes != 0; lanes &= lanes - 1) {
      slot[num++] = first + static_cast<int>(hwy::Num0BitsBelowLS1Bit_Nonzero32(lanes));
    }
  }
};

// A load for each lane: the processor's own gathers are slower on an EPYC (Zen 3), where those of
// AVX2 are microcode, and on a Xeon (Cascade Lake), likely by what mends its leak of sampled data
// (INTEL-SA-00828). On an EPYC with AVX-512 (Zen 4) they gain some percent where words are near and
// lose as many where they are far. Newer Xeons have not been measured (bench/README.md).
#if HWY_TARGET <= HWY_AVX3
HWY_INLINE __m512i joined_quarters(const __m128i* quarters) {
  const __m256i low = _mm256_inserti128_si256(_mm256_castsi128_si256(quarters[0]), quarters[1], 1);
  const __m256i high = _mm256_inserti128_si256(_mm256_castsi128_si256(quarters[2]), quarters[3], 1);
  return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}
/// Two words side by side.
HWY_INLINE __m128i pair_of(const void* words, std::uint64_t first, std::uint64_t second) {
  const auto* list = static_cast<const double*>(words);  // which load into the half of a vector
  return _mm_castpd_si128(_mm_loadh_pd(_mm_load_sd(list + first), list + second));
}
HWY_INLINE WordVec gather(const std::uint64_t* from, IntVec index) {
  alignas(64) std::uint64_t places[8];
  _mm512_store_si512(places, index.raw);
  __m128i pairs[4];
  for (int i = 0; i < 4; ++i) pairs[i] = pair_of(from, places[2 * i], places[2 * i + 1]);
  return WordVec{joined_quarters(pairs)};
}
#elif HWY_TARGET <= HWY_AVX2
HWY_INLINE WordVec gather(const std::uint64_t* from, IntVec index) {
  const auto* list = reinterpret_cast<const long long*>(from);  // NOLINT: the intrinsic's type
  const __m128i low = _mm256_castsi256_si128(index.raw);
  const __m128i high = _mm256_extracti128_si256(index.raw, 1);
  return WordVec{_mm256_setr_epi64x(list[_mm_cvtsi128_si64(low)], list[_mm_extract_epi64(low, 1)],
                                    list[_mm_cvtsi128_si64(high)],
                                    list[_mm_extract_epi64(high, 1)])};
}
#else
HWY_INLINE WordVec gather(const std::uint64_t* from, IntVec index) {
  return hn::GatherIndex(Words(), from, index);
}
#endif
HWY_INLINE IntVec gather(const std::int64_t* from, IntVec index) {
  return hn::BitCast(Ints(), gather(reinterpret_cast<const std::uint64_t*>(from), index));
}
HWY_INLINE DoubleVec gather(const double* from, IntVec index) {
  return hn::BitCast(Doubles(), gather(reinterpret_cast<const std::uint64_t*>(from), index));
}

/// The words of a plane, looked up by their places.
class WordLookup {
 public:
  WordLookup(const PlaneView& plane)
      : words_(plane.words), root_(reinterpret_cast<const std::uint64_t*>(plane.root)) {}

  HWY_INLINE WordVec operator()(WordVec place) const {
    const WordVec node = half(root_, hn::ShiftRight<kPlaceRootShift - 6>(place));
    const WordVec low_bits = hn::Set(Words(), 63);
    const WordVec child = hn::And(hn::ShiftRight<6>(place), low_bits);
    const WordVec first_child = hn::Add(hn::ShiftLeft<1>(node), hn::Set(Words(), 2));
    const WordVec brick = half(words_, hn::Add(first_child, child));
    const WordVec word = hn::Add(hn::And(place, low_bits), hn::Set(Words(), 1));
    return gather(words_, hn::BitCast(Ints(), hn::Add(brick, word)));
  }

 private:
  /// Entry `index` of a list of 32-bit numbers, read with the 64-bit word it lies in.
  static HWY_INLINE WordVec half(const std::uint64_t* list, WordVec index) {
    const WordVec both = gather(list, hn::BitCast(Ints(), hn::ShiftRight<1>(index)));
    const WordVec shift = hn::ShiftLeft<5>(hn::And(index, hn::Set(Words(), 1)));
    return hn::And(hn::Shr(both, shift), hn::Set(Words(), 0xffffffffu));
  }

  const std::uint64_t* words_;
  const std::uint64_t* root_;
};

/// The words that are looked into: those of some slots, without the cells of the rays' ends.
struct FilledWords {
  WordVec place, voxels;
  WordVec unknown;  ///< of the voxels, after tell_unknown

  HWY_INLINE FilledWords(const WaveSlots& slots, IntVec slot)
      : place(gather(slots.place, slot)),
        voxels(gather(slots.voxels, slot)),
        unknown(hn::Zero(Words())) {
    voxels = without(voxels, place, gather(slots.from_end, slot));
    voxels = without(voxels, place, gather(slots.to_end, slot));
  }

  /// Leaves in `voxels` only those that are occupied.
  HWY_INLINE void tell_unknown(const WordLookup& occupied) {
    const WordVec solid = occupied(place);
    unknown = hn::AndNot(solid, voxels);
    voxels = hn::And(solid, voxels);
  }
};

/// Looks up the word of each slot and names those that are not empty.
HWY_INLINE void look_up(const WordLookup& words, WaveSlots& slots, int num, SlotList& filled) {
  const Words d;
  filled.num = 0;
  for (int first = 0; first < num; first += static_cast<int>(hn::Lanes(d))) {
    const WordVec voxels = words(hn::Load(d, slots.place + first));
    hn::Store(voxels, d, slots.voxels + first);
    filled.add(first, bits_of(d, hn::Ne(voxels, hn::Zero(d))) & live_lanes(first, num));
  }
}

/// Crosses every slot into its next word and names those that were in the last one briefly, and
/// those that are done. mask: the bits of each axis in the place of a word.
HWY_INLINE void cross(WaveSlots& slots, int num, const std::uint64_t mask[3], SlotList& brief,
                      SlotList& done) {
  const Ints d;
  const Words w;
  brief.num = done.num = 0;
  for (int first = 0; first < num; first += static_cast<int>(hn::Lanes(d))) {
    const IntVec at[3] = {hn::Load(d, slots.at[0] + first), hn::Load(d, slots.at[1] + first),
                          hn::Load(d, slots.at[2] + first)};
    const IntVec left = least(at[0], at[1], at[2]);
    const WordVec place = hn::Load(w, slots.place + first);
    WordVec next = hn::Zero(w);
    for (int a = 0; a < 3; ++a) {
      const auto crosses = hn::Eq(at[a], left);
      const IntVec tick = hn::Load(d, slots.tick[a] + first);
      hn::Store(hn::Add(at[a], hn::IfThenElseZero(crosses, tick)), d, slots.at[a] + first);
      const WordVec axis = hn::Set(w, mask[a]);
      const WordVec minus_step = hn::Load(w, slots.minus_step[a] + first);
      const WordVec step = hn::And(minus_step, hn::BitCast(w, hn::VecFromMask(d, crosses)));
      next = hn::Or(next, hn::And(hn::Sub(hn::And(place, axis), step), axis));
    }
    hn::Store(next, w, slots.place + first);
    const IntVec spent = hn::Sub(left, hn::Load(d, slots.entered + first));
    hn::Store(left, d, slots.entered + first);
    const std::uint32_t live = live_lanes(first, num);
    const auto not_brief = hn::Gt(spent, hn::Load(d, slots.brief + first));
    brief.add(first, ~bits_of(d, not_brief) & live);
    const auto goes_on = hn::Lt(left, hn::Load(d, slots.until + first));
    done.add(first, ~bits_of(d, goes_on) & live);
  }
}

/// What every job has: the op, the coordinates of the rays being set up, and the way back to the
/// op.
template <class Op, class Coordinate>
class WaveJob {
 public:
  explicit WaveJob(const Op& op) : op_(op), layout_(op.grid.layout), occupied_(op.grid.occupied()) {
    for (int a = 0; a < 3; ++a) mask_[a] = place_mask(layout_, a) >> 6;
  }

  std::int64_t num_left_to_op() const { return num_left_to_op_; }

  void leave_to_op(std::int64_t ray) {
    op_(ray);
    ++num_left_to_op_;
  }

 protected:
  /// p, t: the ends, in the order in which the ray is walked.
  template <class Point>
  HWY_INLINE void put_ends(int k, const Point& p, const Point& t) {
    from_[0][k] = p.x, from_[1][k] = p.y, from_[2][k] = p.z;
    to_[0][k] = t.x, to_[1][k] = t.y, to_[2][k] = t.z;
  }

  /// Dilated -1 for rays that go up, +1 for the others.
  HWY_INLINE WordVec minus_step(int a, hn::Mask<Words> up) const {
    const Words w;
    return hn::IfThenElse(up, hn::Set(w, mask_[a]), hn::Set(w, mask_[a] & (~mask_[a] + 1)));
  }

  const Op& op_;
  const GridLayout layout_;
  const WordLookup occupied_;
  std::uint64_t mask_[3];  ///< the bits of each axis in the place of a word
  alignas(64) Coordinate from_[3][kStaged], to_[3][kStaged];

 private:
  std::int64_t num_left_to_op_ = 0;
};

/// Which rays of an op: some of its own, or those of a list.
struct RaySource {
  std::int64_t first = 0, num = 0;
  const std::int64_t* listed = nullptr;

  std::int64_t operator[](std::int64_t k) const { return listed ? listed[k] : first + k; }
};

/// Sets up rays first .. first + num - 1 of a source in the job's staging slots and names those to
/// walk; the op answers the others.
template <class Job>
HWY_INLINE void stage(Job& job, const RaySource& rays, std::int64_t first, int num,
                      SlotList& staged) {
  for (int k = 0; k < num; ++k) job.load(k, rays[first + k]);
  for (int k = num; k % kMaxLanes != 0; ++k) job.load_nothing(k);
  for (int k = 0; k < num; k += static_cast<int>(hn::Lanes(Ints()))) {
    const std::uint32_t live = live_lanes(k, num), walk = job.set_up(k) & live;
    staged.add(k, walk);
    for (std::uint32_t rest = live & ~walk; rest != 0; rest &= rest - 1) {
      job.leave_to_op(rays[first + k + static_cast<int>(hwy::Num0BitsBelowLS1Bit_Nonzero32(rest))]);
    }
  }
}

/// Runs a job over rays. A job keeps rays in slots (Job::Slots, a WaveSlots and what else it
/// needs) and has
///     slots()                     the rays under way
///     load(k, ray)                puts the ends of a ray where it is staged
///     load_nothing(k)             a ray of no length, in an idle lane
///     set_up(k)                   makes the loaded rays from k on ready for a slot; bit n: ray
///                                 k + n is to walk, else it is the op's
///     leave_to_op(ray)            lets the op answer
///     take(slot, from)            moves a ray from where it was staged to a slot
///     move(to, from)              moves a ray from slot to slot
///     judge(filled)               looks into words that are not empty
///     judge_brief(brief)          looks at rays that have just left a word after a brief time
///     finish(slot)                writes the answer
template <class Job>
HWY_INLINE void run_wave(Job& job, const PlaneView& plane, const RaySource& rays) {
  std::uint64_t mask[3];
  for (int a = 0; a < 3; ++a) mask[a] = place_mask(plane.layout, a) >> 6;
  const WordLookup words(plane);
  WaveSlots& slots = job.slots();
  SlotList staged, filled, brief, done;
  int taken = 0;
  std::int64_t next = 0;
  const auto fill = [&](int slot) {
    while (taken == staged.num) {
      if (next == rays.num) return false;
      const int num = static_cast<int>(rays.num - next < kStaged ? rays.num - next : kStaged);
      staged.num = taken = 0;
      stage(job, rays, next, num, staged);
      next += num;
    }
    job.take(slot, static_cast<int>(staged.slot[taken++]));
    return true;
  };
  int num = 0;
  while (num < kSlots && fill(num)) ++num;
  while (num > 0) {
    look_up(words, slots, num, filled);
    job.judge(filled);
    cross(slots, num, mask, brief, done);
    job.judge_brief(brief);
    for (int k = done.num - 1; k >= 0; --k) {  // from the last: what moves below is not done
      const int slot = static_cast<int>(done.slot[k]);
      job.finish(slot);
      if (!fill(slot)) job.move(slot, --num);
    }
  }
}

/// Runs a wave over rays of an op. Returns how many it answered.
template <class Wave, class Op>
std::int64_t run_words(const Op& op, const RaySource& rays) {
  Wave wave(op);
  run_wave(wave, op.grid.opaque(op.rules.unknown), rays);
  return rays.num - wave.num_left_to_op();
}

}  // namespace sightline::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // HWY_MAX_BYTES >= 32

#endif  // include guard per target
