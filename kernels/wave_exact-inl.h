// Exact line of sight as a wave: the walk of exact_sight.h (walk_words), several rays at once.

// NOLINTNEXTLINE: Highway includes this file once per target.
#if defined(SIGHTLINE_KERNELS_WAVE_EXACT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SIGHTLINE_KERNELS_WAVE_EXACT_INL_H_
#undef SIGHTLINE_KERNELS_WAVE_EXACT_INL_H_
#else
#define SIGHTLINE_KERNELS_WAVE_EXACT_INL_H_
#endif

#include "kernels/line_of_sight.h"
#include "kernels/wave-inl.h"

#if HWY_MAX_BYTES >= 32  // shorter vectors do not pay
HWY_BEFORE_NAMESPACE();
namespace sightline::kernels::HWY_NAMESPACE {

/// One axis of several rays by voxels; see GaitAxis.
struct VoxelAxis {
  WordVec place, minus_step;
  IntVec at, tick;
  std::uint64_t mask;

  /// Counts the crossings in the word back from the one that leaves it (GaitAxis::by_voxels).
  HWY_INLINE VoxelAxis(IntVec leaves_at, IntVec word_tick, hn::Mask<Words> up, IntVec entered,
                       int axis)
      : at(leaves_at), tick(hn::ShiftRight<kWordBits>(word_tick)), mask(3u << 2 * axis) {
    const Words w;
    const Ints d;
    IntVec ahead = hn::Zero(d);
    for (int k = 0; k < 3; ++k) {
      const IntVec earlier = hn::Sub(at, tick);
      const auto later = hn::Gt(earlier, entered);
      at = hn::IfThenElse(later, earlier, at);
      ahead = hn::Sub(ahead, hn::VecFromMask(d, later));
    }
    const WordVec voxels = hn::BitCast(w, ahead);
    const WordVec index = hn::IfThenElse(up, hn::Sub(hn::Set(w, 3), voxels), voxels);
    place = hn::ShiftLeftSame(index, 2 * axis);
    minus_step = hn::IfThenElse(up, hn::Set(w, mask), hn::Set(w, std::uint64_t{1} << 2 * axis));
  }

  HWY_INLINE void cross_at(IntVec moment) {
    const Words w;
    const Ints d;
    const auto crosses = hn::Eq(at, moment);
    at = hn::Add(at, hn::IfThenElseZero(crosses, tick));
    const WordVec step = hn::And(minus_step, hn::BitCast(w, hn::VecFromMask(d, crosses)));
    place = hn::And(hn::Sub(place, step), hn::Set(w, mask));
  }
};

/// kTellUnknown: SpacePolicy::kUnknown.
template <bool kTellUnknown>
class ExactWave : public WaveJob<ExactLineOfSight, std::int64_t> {
 public:
  using WaveJob::WaveJob;

  WaveSlots& slots() { return slots_; }
  HWY_INLINE void take(int slot, int from) { slots_.copy(slot, staged_, from); }
  HWY_INLINE void move(int to, int from) { slots_.copy(to, slots_, from); }

  HWY_INLINE void load(int k, std::int64_t ray) {
    const RayEnds ends = ray_ends(op_.rays, ray);
    put_ends(k, op_.observers[ends.observer], op_.targets[ends.target]);
    staged_.ray[k] = ray;
  }
  HWY_INLINE void load_nothing(int k) { put_ends(k, LatticePoint{}, LatticePoint{}); }

  HWY_INLINE std::uint32_t set_up(int k) {
    const Ints d;
    const Words w;
    const Doubles f;
    const Axis axes[3] = {axis_of(k, 0), axis_of(k, 1), axis_of(k, 2)};
    auto apart = hn::FirstN(d, 0), ours = hn::Not(apart);
    DoubleVec product = hn::Set(f, 1.0);
    const double margin = static_cast<double>(std::int64_t{4} << op_.rules.lattice_bits);
    WordVec place = hn::Zero(w), from_end = hn::Zero(w), to_end = hn::Zero(w);
    IntVec moving[3];  // an axis without motion scales nothing
    for (int a = 0; a < 3; ++a) {
      const Axis& axis = axes[a];
      apart = hn::Or(apart, hn::Ne(axis.cell, axis.to_cell));
      ours = hn::And(ours, hn::And(inside(axis.cell, a), inside(axis.to_cell, a)));
      product = hn::Mul(product, hn::Add(hn::ConvertTo(f, axis.span), hn::Set(f, margin)));
      moving[a] = hn::IfThenElse(axis.still, hn::Set(d, 1), axis.span);
      from_end = hn::Or(from_end, places_of(layout_, a, hn::BitCast(w, axis.cell)));
      to_end = hn::Or(to_end, places_of(layout_, a, hn::BitCast(w, axis.to_cell)));
    }
    const auto fits = hn::Lt(product, hn::Set(f, static_cast<double>(FaceClock::kNever)));
    ours = hn::And(hn::And(ours, apart), hn::RebindMask(d, fits));
    for (int a = 0; a < 3; ++a) {
      const IntVec scale = mul_small(moving[(a + 1) % 3], moving[(a + 2) % 3]);
      place = hn::Or(place, set_up_axis(k, a, axes[a], scale));
      if (a == 0) hn::Store(mul_small(scale, moving[0]), d, staged_.until + k);
    }
    hn::Store(hn::ShiftRight<6>(place), w, staged_.place + k);
    hn::Store(from_end, w, staged_.from_end + k);
    hn::Store(to_end, w, staged_.to_end + k);
    hn::Store(hn::Zero(d), d, staged_.entered + k);
    hn::Store(hn::Set(d, -1), d, staged_.brief + k);
    hn::Store(hn::Zero(w), w, staged_.unknown + k);
    return bits_of(d, ours);
  }
  HWY_INLINE void judge(const SlotList& filled) {
    for (int k = 0; k < filled.num; k += static_cast<int>(hn::Lanes(Ints()))) {
      const Met met = walk_in_words(hn::Load(Ints(), filled.slot + k));
      const std::int64_t* slots = filled.slot + k;
      std::uint32_t occupied = met.occupied & live_lanes(k, filled.num);
      for (; occupied != 0; occupied &= occupied - 1) {
        slots_.until[slots[hwy::Num0BitsBelowLS1Bit_Nonzero32(occupied)]] = kHit;
      }
      std::uint32_t unknown = met.unknown & live_lanes(k, filled.num);
      for (; unknown != 0; unknown &= unknown - 1) {
        slots_.unknown[slots[hwy::Num0BitsBelowLS1Bit_Nonzero32(unknown)]] = 1;
      }
    }
  }

  HWY_INLINE void judge_brief(const SlotList&) {}  // exact moments leave no doubt

  HWY_INLINE void finish(int slot) {
    Visibility answer = slots_.unknown[slot] != 0 ? Visibility::kUnknown : Visibility::kVisible;
    if (slots_.until[slot] == kHit) answer = Visibility::kHidden;
    op_.out[slots_.ray[slot]] = answer;
  }

 private:
  static constexpr std::int64_t kHit = -1;  ///< of WaveSlots::until: the ray has met something

  /// What one axis adds to the set-up of rays: LatticeRay and FaceClock.
  struct Axis {
    IntVec start, span, cell, to_cell;
    hn::Mask<Ints> down, still;
  };

  HWY_INLINE Axis axis_of(int k, int a) const {
    const Ints d;
    const int bits = op_.rules.lattice_bits;
    Axis axis;
    axis.start = hn::Load(d, from_[a] + k);
    const IntVec end = hn::Load(d, to_[a] + k);
    axis.down = hn::Lt(end, axis.start);
    axis.still = hn::Eq(end, axis.start);
    axis.span = hn::Abs(hn::Sub(end, axis.start));
    axis.cell = hn::ShiftRightSame(axis.start, bits);
    axis.to_cell = hn::ShiftRightSame(end, bits);
    return axis;
  }

  /// Neither below 0 nor beyond the grid.
  HWY_INLINE hn::Mask<Ints> inside(IntVec cell, int a) const {
    const Ints d;
    return hn::And(hn::Gt(cell, hn::Set(d, -1)), hn::Lt(cell, hn::Set(d, layout_.dims[a])));
  }

  /// gait_axis, by words. Returns the place of the ray's cell.
  HWY_INLINE WordVec set_up_axis(int k, int a, const Axis& axis, IntVec scale) {
    const Ints d;
    const Words w;
    const int bits = op_.rules.lattice_bits;
    const IntVec offset = hn::Sub(axis.start, hn::ShiftLeftSame(axis.cell, bits));
    const auto back = hn::And(axis.down, hn::Eq(offset, hn::Zero(d)));
    const IntVec cell = hn::Add(axis.cell, hn::VecFromMask(d, back));
    const IntVec low = hn::And(cell, hn::Set(d, -4));
    const IntVec face = hn::Add(low, hn::IfThenElseZero(hn::Not(axis.down), hn::Set(d, 4)));
    const IntVec distance = hn::Abs(hn::Sub(hn::ShiftLeftSame(face, bits), axis.start));
    const IntVec words_ahead = hn::Sub(hn::Add(low, hn::Set(d, 4)), cell);
    const IntVec never = hn::Sub(hn::ShiftLeft<60>(words_ahead), hn::Set(d, 1));
    static_assert(FaceClock::kNever == std::int64_t{1} << 60);
    hn::Store(hn::IfThenElse(axis.still, never, mul_small(scale, distance)), d, staged_.at[a] + k);
    const IntVec tick = hn::ShiftLeftSame(scale, bits + kWordBits);
    const IntVec no_tick = hn::Set(d, FaceClock::kNever << kWordBits);
    hn::Store(hn::IfThenElse(axis.still, no_tick, tick), d, staged_.tick[a] + k);
    const auto up = hn::Not(hn::RebindMask(w, axis.down));
    hn::Store(minus_step(a, up), w, staged_.minus_step[a] + k);
    return places_of(layout_, a, hn::BitCast(w, cell));
  }

  /// Bit n: the ray in lane n meets such a voxel.
  struct Met {
    std::uint32_t occupied, unknown;
  };

  static HWY_INLINE hn::Mask<Ints> has(WordVec voxels, WordVec place) {
    const WordVec bit = hn::And(hn::Shr(voxels, place), hn::Set(Words(), 1));
    return hn::RebindMask(Ints(), hn::Ne(bit, hn::Zero(Words())));
  }

  /// What rays meet in their words, up to the first voxel that hides (walk_in_word).
  HWY_INLINE Met walk_in_words(IntVec slot) const {
    const Ints d;
    FilledWords words(slots_, slot);
    if (kTellUnknown) words.tell_unknown(occupied_);
    const IntVec entered = gather(slots_.entered, slot);
    const IntVec at_x = gather(slots_.at[0], slot), at_y = gather(slots_.at[1], slot),
                 at_z = gather(slots_.at[2], slot);
    VoxelAxis x = axis(0, slot, at_x, entered), y = axis(1, slot, at_y, entered),
              z = axis(2, slot, at_z, entered);
    const IntVec until = hn::Min(least(at_x, at_y, at_z), gather(slots_.until, slot));
    auto occupied = hn::FirstN(d, 0), unknown = occupied, walking = hn::Not(occupied);
    for (;;) {
      const WordVec place = hn::Or(hn::Or(x.place, y.place), z.place);
      occupied = hn::Or(occupied, hn::And(walking, has(words.voxels, place)));
      if (kTellUnknown) {
        unknown = hn::Or(unknown, hn::And(walking, has(words.unknown, place)));
      }
      const IntVec left = least(x.at, y.at, z.at);
      walking = hn::AndNot(occupied, hn::And(walking, hn::Lt(left, until)));
      if (hn::AllFalse(d, walking)) return {bits_of(d, occupied), bits_of(d, unknown)};
      x.cross_at(left);
      y.cross_at(left);
      z.cross_at(left);
    }
  }

  HWY_INLINE VoxelAxis axis(int a, IntVec slot, IntVec at, IntVec entered) const {
    const auto up = hn::Eq(gather(slots_.minus_step[a], slot), hn::Set(Words(), mask_[a]));
    return {at, gather(slots_.tick[a], slot), up, entered, a};
  }

  WaveSlots slots_;
  Slots<kStaged> staged_;
};

}  // namespace sightline::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // HWY_MAX_BYTES >= 32

#endif  // include guard per target
