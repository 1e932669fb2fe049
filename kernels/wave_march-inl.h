// The march over a voxel grid as a wave: the walk of march_grid.h, several rays at once.

// NOLINTNEXTLINE: Highway includes this file once per target.
#if defined(SIGHTLINE_KERNELS_WAVE_MARCH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SIGHTLINE_KERNELS_WAVE_MARCH_INL_H_
#undef SIGHTLINE_KERNELS_WAVE_MARCH_INL_H_
#else
#define SIGHTLINE_KERNELS_WAVE_MARCH_INL_H_
#endif

#include <utility>

#include "kernels/march.h"
#include "kernels/wave-inl.h"

#if HWY_MAX_BYTES >= 32  // shorter vectors do not pay
HWY_BEFORE_NAMESPACE();
namespace sightline::kernels::HWY_NAMESPACE {

/// The lowest voxel of words, per axis; see corner_of_word.
HWY_INLINE void corners_of_words(const GridLayout& layout, WordVec place, DoubleVec corner[3]) {
  const Words w;
  const WordVec root = hn::ShiftRight<kPlaceRootShift - 6>(place);
  int below = 0;
  for (int a = 0; a < 3; ++a) {
    const WordVec axis = hn::ShiftRightSame(place, 2 * a);
    const WordVec in_brick = hn::ShiftLeft<2>(hn::And(axis, hn::Set(w, 3)));
    const WordVec in_node = hn::And(hn::ShiftRight<2>(axis), hn::Set(w, 48));
    const WordVec entry = hn::And(hn::ShiftRightSame(root, below),
                                  hn::Set(w, (std::uint64_t{1} << layout.root_bits[a]) - 1));
    const WordVec voxel = hn::Or(hn::Or(in_brick, in_node), hn::ShiftLeft<kNodeBits>(entry));
    corner[a] = hn::ConvertTo(Doubles(), hn::BitCast(Ints(), voxel));
    below += layout.root_bits[a];
  }
}

/// What a march needs per ray beside its walk: the ray in voxels, its clock's slack, the parameter
/// at its far end, its samples, and which series are open or hidden (SeriesSet).
template <bool kUniform, int kNum>
struct MarchSlots : Slots<kNum> {
  alignas(64) double origin[3][kNum], direction[3][kNum], slack[kNum], unit[kNum];
  alignas(64) double last_t[kMaxSteps][kNum], intervals[kMaxSteps][kNum];
  alignas(64) std::uint64_t open[kNum], hidden[kNum];

  template <int kOther>
  HWY_INLINE void copy(int to, const MarchSlots<kUniform, kOther>& other, int from, int num_steps) {
    Slots<kNum>::copy(to, other, from);
    for (int a = 0; a < 3; ++a) {
      origin[a][to] = other.origin[a][from];
      direction[a][to] = other.direction[a][from];
    }
    slack[to] = other.slack[from];
    unit[to] = other.unit[from];
    open[to] = other.open[from];
    hidden[to] = other.hidden[from];
    for (int k = 0; k < num_steps; ++k) {
      if (kUniform) intervals[k][to] = other.intervals[k][from];
      last_t[k][to] = other.last_t[k][from];
    }
  }
};

/// Samples of several rays, each in a word of its own.
struct SampledWords {
  DoubleVec origin[3], direction[3], corner[3];
  FilledWords words;

  template <bool kUniform>
  HWY_INLINE SampledWords(const MarchSlots<kUniform, kSlots>& slots, const GridLayout& layout,
                          IntVec slot)
      : words(slots, slot) {
    corners_of_words(layout, words.place, corner);
    for (int a = 0; a < 3; ++a) {
      origin[a] = gather(slots.origin[a], slot);
      direction[a] = gather(slots.direction[a], slot);
    }
  }

  /// The voxels in which samples at t lie, as the index in the word; 64 outside it.
  HWY_INLINE WordVec voxels_at(DoubleVec t) const {
    const Doubles f;
    const Words w;
    auto in_word = hn::Not(hn::FirstN(f, 0));
    DoubleVec voxel[3];
    for (int a = 0; a < 3; ++a) {
      // The corner is a whole number: near it the difference is exact, and its sign always is.
      const DoubleVec offset = hn::Sub(hn::Add(origin[a], hn::Mul(direction[a], t)), corner[a]);
      const auto in = hn::And(hn::Ge(offset, hn::Zero(f)), hn::Lt(offset, hn::Set(f, 4.0)));
      in_word = hn::And(in_word, in);
      voxel[a] = hn::Floor(offset);
    }
    const DoubleVec layer = hn::Add(voxel[1], hn::Mul(voxel[2], hn::Set(f, 4.0)));
    const DoubleVec index = hn::Add(voxel[0], hn::Mul(layer, hn::Set(f, 4.0)));
    // Beyond 2^52 a double's lowest bits are a whole number.
    const WordVec number = hn::BitCast(w, hn::Add(index, hn::Set(f, 0x1p52)));
    return hn::IfThenElse(hn::RebindMask(w, in_word), hn::And(number, hn::Set(w, 63)),
                          hn::Set(w, 64));
  }

  static HWY_INLINE hn::Mask<Doubles> has(WordVec voxels, WordVec index) {
    const Words w;
    const WordVec bit = hn::And(hn::Shr(voxels, hn::And(index, hn::Set(w, 63))), hn::Set(w, 1));
    const auto in_word = hn::Ne(index, hn::Set(w, 64));
    return hn::RebindMask(Doubles(), hn::And(in_word, hn::Ne(bit, hn::Zero(w))));
  }
};

/// kTellUnknown: SpacePolicy::kUnknown.
template <bool kUniform, bool kTellUnknown>
class MarchWave {
 public:
  explicit MarchWave(const MarchGrid& op)
      : op_(op), layout_(op.grid.layout), occupied_(op.grid.occupied()) {
    for (int a = 0; a < 3; ++a) mask_[a] = place_mask(layout_, a) >> 6;
  }

  WaveSlots& slots() { return slots_; }
  std::int64_t num_left_to_op() const { return num_left_to_op_; }
  HWY_INLINE void take(int slot, int from) {
    slots_.copy(slot, staged_, from, op_.steps.num_steps);
  }
  HWY_INLINE void move(int to, int from) { slots_.copy(to, slots_, from, op_.steps.num_steps); }

  HWY_INLINE void stage(std::int64_t first_ray, int num, SlotList& staged) {
    for (int k = 0; k < num; ++k) {
      const RayEnds ends = ray_ends(op_.rays, first_ray + k);
      const Vec3 *p = &op_.observers[ends.observer], *t = &op_.targets[ends.target];
      if (kUniform && !before(*p, *t)) std::swap(p, t);
      from_[0][k] = p->x, from_[1][k] = p->y, from_[2][k] = p->z;
      to_[0][k] = t->x, to_[1][k] = t->y, to_[2][k] = t->z;
      staged_.ray[k] = first_ray + k;
    }
    for (int k = num; k % kMaxLanes != 0; ++k) {  // idle lanes: rays of no length, without samples
      for (int a = 0; a < 3; ++a) from_[a][k] = to_[a][k] = 0;
    }
    for (int k = 0; k < num; k += static_cast<int>(hn::Lanes(Doubles()))) {
      const std::uint32_t live = live_lanes(k, num), walk = set_up(k) & live;
      staged.add(k, walk);
      for (std::uint32_t rest = live & ~walk; rest != 0; rest &= rest - 1) {
        leave_to_op(first_ray + k + hwy::Num0BitsBelowLS1Bit_Nonzero32(rest));
      }
    }
  }

  HWY_INLINE void judge(const SlotList& filled) {
    for (int k = 0; k < filled.num; k += static_cast<int>(hn::Lanes(Doubles()))) {
      look_in_words(filled, k);
    }
  }

  /// A sample taken while a ray was briefly in a word may lie in a word that it never was in
  /// (kernels/word_walk.h): such rays are left to the op. That there is one is rare.
  HWY_INLINE void judge_brief(const SlotList& brief) {
    for (int k = 0; k < brief.num; ++k) {
      const std::int64_t slot = brief.slot[k];
      if (slots_.until[slot] != kClosed && sampled_briefly(slot)) slots_.until[slot] = kDoubtful;
    }
  }

  HWY_INLINE void finish(int slot) {
    const std::int64_t i = slots_.ray[slot];
    if (slots_.until[slot] == kDoubtful) return leave_to_op(i);
    const std::uint64_t hidden = slots_.hidden[slot], unknown = slots_.unknown[slot] & ~hidden;
    op_.out[i] = {static_cast<std::uint32_t>(hidden), static_cast<std::uint32_t>(unknown)};
  }

 private:
  void leave_to_op(std::int64_t i) {
    op_(i);
    ++num_left_to_op_;
  }

  // Of WaveSlots::until:
  static constexpr std::int64_t kClosed = -1;    ///< every series has its answer
  static constexpr std::int64_t kDoubtful = -2;  ///< the op shall answer

  /// Is there a sample about the time at which the ray left the word it was briefly in?
  HWY_INLINE bool sampled_briefly(std::int64_t slot) const {
    const auto left = static_cast<std::uint64_t>(slots_.entered[slot]);  // the next word
    const double slack = slots_.slack[slot];
    const double from =
        to_fraction(left) - to_fraction(static_cast<std::uint64_t>(slots_.brief[slot])) - slack;
    const double to = (to_fraction(left) + slack) * slots_.unit[slot];
    for (int k = 0; k < op_.steps.num_steps; ++k) {
      const double step = kUniform ? slots_.intervals[k][slot] : op_.steps.step_m[k];
      const double steps = kUniform ? step : slots_.unit[slot] * (1.0 / step);
      const SampleSeries<kUniform> series{step, steps * kBelowRounding, 0, slots_.last_t[k][slot],
                                          1};
      const double first = series.first_from(from);
      const double t = series.at(first > 1 ? first : 1);
      if (t <= to && t <= series.last_t) return true;
    }
    return false;
  }

  /// Rays on their way into the slots: GridMarch.
  struct Rays {
    DoubleVec origin[3], inverse[3], length;
    hn::Mask<Doubles> ours;
  };

  /// Sets up the rays from k on. Bit n: ray k + n is to walk; others are none of ours.
  HWY_INLINE std::uint32_t set_up(int k) {
    const Doubles f;
    Rays rays = rays_from(k);
    rays.ours = hn::And(rays.ours, set_up_series(k, rays.length));
    set_up_walk(k, rays);
    const DoubleVec unit = kUniform ? hn::Set(f, 1.0) : rays.length;
    hn::Store(unit, f, staged_.unit + k);
    hn::Store(hn::Zero(Words()), Words(), staged_.hidden + k);
    hn::Store(hn::Zero(Words()), Words(), staged_.unknown + k);
    return bits_of(f, rays.ours);
  }

  /// The constructor of GridMarch, with its operations in its order.
  HWY_INLINE Rays rays_from(int k) {
    const Doubles f;
    const Words w;
    DoubleVec d[3], end[3];
    Rays rays;
    for (int a = 0; a < 3; ++a) {
      const DoubleVec from = hn::Load(f, from_[a] + k), to = hn::Load(f, to_[a] + k);
      const DoubleVec corner = hn::Set(f, op_.frame.origin_m[a]);
      const DoubleVec voxel = hn::Set(f, op_.frame.voxel_m[a]);
      d[a] = hn::Sub(to, from);
      rays.origin[a] = hn::Div(hn::Sub(from, corner), voxel);
      rays.inverse[a] = hn::Div(voxel, d[a]);
      end[a] = hn::Div(hn::Sub(to, corner), voxel);
    }
    rays.length =
        hn::Sqrt(hn::Add(hn::Add(hn::Mul(d[0], d[0]), hn::Mul(d[1], d[1])), hn::Mul(d[2], d[2])));
    auto inside = hn::Gt(rays.length, hn::Zero(f)), apart = hn::FirstN(f, 0);
    WordVec from_end = hn::Zero(w), to_end = hn::Zero(w);
    for (int a = 0; a < 3; ++a) {
      const DoubleVec from = hn::Floor(rays.origin[a]), to = hn::Floor(end[a]);
      const DoubleVec size = hn::Set(f, layout_.dims[a]);
      inside = hn::And(inside, hn::Ge(hn::Min(from, to), hn::Zero(f)));
      inside = hn::And(inside, hn::Lt(hn::Max(from, to), size));
      apart = hn::Or(apart, hn::Ne(from, to));
      cell_[a] = hn::BitCast(w, hn::ConvertTo(Ints(), from));
      from_end = hn::Or(from_end, places_of(layout_, a, cell_[a]));
      to_end = hn::Or(to_end, places_of(layout_, a, hn::BitCast(w, hn::ConvertTo(Ints(), to))));
      const DoubleVec direction = kUniform ? d[a] : hn::Div(d[a], rays.length);
      hn::Store(hn::Div(direction, hn::Set(f, op_.frame.voxel_m[a])), f, staged_.direction[a] + k);
      hn::Store(rays.origin[a], f, staged_.origin[a] + k);
    }
    hn::Store(from_end, w, staged_.from_end + k);
    hn::Store(to_end, w, staged_.to_end + k);
    rays.ours = hn::And(inside, apart);
    return rays;
  }

  /// SampleSeries::of. Which rays have a sample at all.
  HWY_INLINE hn::Mask<Doubles> set_up_series(int k, DoubleVec length) {
    const Doubles f;
    const Words w;
    WordVec open = hn::Zero(w);
    for (int n = 0; n < op_.steps.num_steps; ++n) {
      const double step_m = op_.steps.step_m[n];
      const Series series =
          kUniform ? uniform_series(step_m, length) : fixed_series(step_m, length);
      if (kUniform) hn::Store(series.intervals, f, staged_.intervals[n] + k);
      hn::Store(series.last_t, f, staged_.last_t[n] + k);
      const auto any = hn::RebindMask(w, hn::Gt(series.last_t, hn::Zero(f)));
      open = hn::Or(open, hn::IfThenElseZero(any, hn::Set(w, std::uint64_t{1} << n)));
    }
    hn::Store(open, w, staged_.open + k);
    return hn::RebindMask(f, hn::Ne(open, hn::Zero(w)));
  }

  struct Series {
    DoubleVec intervals, last_t;  ///< intervals: of the uniform march
  };
  static constexpr double kBelowRounding = SampleSeries<kUniform>::kBelowRounding;

  static HWY_INLINE Series uniform_series(double step_m, DoubleVec length) {
    const Doubles f;
    const DoubleVec intervals = hn::Ceil(hn::Div(length, hn::Set(f, step_m)));
    return {intervals, hn::Div(hn::Sub(intervals, hn::Set(f, 1.0)), intervals)};
  }

  HWY_INLINE Series fixed_series(double step_m, DoubleVec length) const {
    const Doubles f;
    const DoubleVec step = hn::Set(f, step_m), per_m = hn::Set(f, 1.0 / step_m);
    const EndRule rule = op_.rules.end_rule;
    DoubleVec limit = length;
    if (rule == EndRule::kStepBefore) limit = hn::Sub(length, step);
    if (rule == EndRule::kHalfStepBefore) limit = hn::Sub(length, hn::Set(f, 0.5 * step_m));
    const auto some = hn::Gt(limit, hn::Zero(f));
    DoubleVec last = hn::Add(hn::Trunc(hn::Mul(limit, per_m)), hn::Set(f, 1.0));
    last = hn::IfThenElseZero(some, last);
    for (;;) {
      const DoubleVec t = hn::Mul(last, step);
      const auto in = rule == EndRule::kHalfStepBefore ? hn::Le(t, limit) : hn::Lt(t, limit);
      const auto beyond = hn::AndNot(in, hn::Gt(last, hn::Zero(f)));
      if (hn::AllFalse(f, beyond)) return {length, t};
      last = hn::Sub(last, hn::IfThenElseZero(beyond, hn::Set(f, 1.0)));
    }
  }

  /// GridMarch::clock_slack and WordWalk.
  HWY_INLINE void set_up_walk(int k, Rays& rays) {
    const Doubles f;
    const Ints d;
    const Words w;
    DoubleVec slowest = hn::Zero(f);
    for (const DoubleVec& inverse : rays.inverse) {
      const DoubleVec per_voxel = hn::Abs(inverse);
      const auto moves = hn::Lt(per_voxel, hn::Set(f, 1e300));
      slowest = hn::Max(slowest, hn::IfThenElseZero(moves, per_voxel));
    }
    const DoubleVec slack = hn::Add(hn::Mul(hn::Set(f, GridMarch::kMargin_vox), slowest),
                                    hn::Set(f, GridMarch::kClockError));
    hn::Store(slack, f, staged_.slack + k);
    rays.ours = hn::And(rays.ours, hn::Le(slack, hn::Set(f, GridMarch::kMaxSlack)));
    const DoubleVec end = hn::Add(hn::Set(f, 1.0), hn::Mul(hn::Set(f, 4.0), slack));
    const IntVec whole = hn::Set(d, -4);
    WordVec place = hn::Zero(w);
    for (int a = 0; a < 3; ++a) {
      const auto up = hn::Gt(rays.inverse[a], hn::Zero(f));
      const WordVec corner = hn::And(cell_[a], hn::Set(w, ~std::uint64_t{3}));
      const WordVec size = hn::IfThenElseZero(hn::RebindMask(w, up), hn::Set(w, 4));
      const DoubleVec face = hn::ConvertTo(f, hn::BitCast(d, hn::Add(corner, size)));
      const DoubleVec first = hn::Mul(hn::Sub(face, rays.origin[a]), rays.inverse[a]);
      const DoubleVec soon = hn::IfThenElseZero(hn::Gt(first, hn::Zero(f)), first);
      const DoubleVec word = hn::Mul(hn::Set(f, 4.0), hn::Abs(rays.inverse[a]));
      const IntVec at = hn::And(ticks(hn::IfThenElse(hn::Lt(soon, end), soon, end)), whole);
      const IntVec tick = hn::And(ticks(hn::IfThenElse(hn::Lt(word, end), word, end)), whole);
      hn::Store(hn::Add(at, hn::Set(d, a)), d, staged_.at[a] + k);
      hn::Store(tick, d, staged_.tick[a] + k);
      const WordVec one_up = hn::Set(w, mask_[a]);
      const WordVec one_down = hn::Set(w, mask_[a] & (~mask_[a] + 1));
      hn::Store(hn::IfThenElse(hn::RebindMask(w, up), one_up, one_down), w,
                staged_.minus_step[a] + k);
      place = hn::Or(place, places_of(layout_, a, cell_[a]));
    }
    hn::Store(hn::ShiftRight<6>(place), w, staged_.place + k);
    hn::Store(hn::Zero(d), d, staged_.entered + k);
    hn::Store(hn::And(ticks(end), whole), d, staged_.until + k);
    hn::Store(ticks(hn::Mul(hn::Set(f, 2.0), slack)), d, staged_.brief + k);
  }

  /// GridMarch::look for the slots from `first` in the list.
  HWY_INLINE void look_in_words(const SlotList& filled, int first) {
    const Doubles f;
    const Words w;
    const IntVec slot = hn::Load(Ints(), filled.slot + first);
    SampledWords sampled(slots_, layout_, slot);
    if (kTellUnknown) sampled.words.tell_unknown(occupied_);
    const DoubleVec slack = gather(slots_.slack, slot), unit = gather(slots_.unit, slot);
    const DoubleVec from = hn::Sub(fraction(gather(slots_.entered, slot)), slack);
    const IntVec left =
        least(gather(slots_.at[0], slot), gather(slots_.at[1], slot), gather(slots_.at[2], slot));
    const DoubleVec to = hn::Mul(hn::Add(fraction(left), slack), unit);
    const WordVec open = gather(slots_.open, slot);
    for (int k = 0; k < op_.steps.num_steps; ++k) {
      const WordVec bit = hn::And(open, hn::Set(w, std::uint64_t{1} << k));
      auto looking = hn::RebindMask(f, hn::Ne(bit, hn::Zero(w)));
      const DoubleVec step =
          kUniform ? gather(slots_.intervals[k], slot) : hn::Set(f, op_.steps.step_m[k]);
      const DoubleVec stop = hn::Min(to, gather(slots_.last_t[k], slot));
      const DoubleVec steps =
          kUniform ? step : hn::Mul(unit, hn::Set(f, 1.0 / op_.steps.step_m[k]));
      const DoubleVec steps_before = hn::Mul(from, hn::Mul(steps, hn::Set(f, kBelowRounding)));
      const DoubleVec one = hn::Set(f, 1.0);
      DoubleVec i = hn::Max(hn::Add(hn::Trunc(steps_before), one), one);
      auto met = hn::FirstN(f, 0), met_unknown = met;
      for (;;) {
        const DoubleVec t = kUniform ? hn::Div(i, step) : hn::Mul(i, step);
        looking = hn::And(looking, hn::Le(t, stop));
        if (hn::AllFalse(f, looking)) break;
        const WordVec voxel = sampled.voxels_at(t);
        if (kTellUnknown) {
          const auto unknown = SampledWords::has(sampled.words.unknown, voxel);
          met_unknown = hn::Or(met_unknown, hn::And(looking, unknown));
        }
        met = hn::Or(met, hn::And(looking, SampledWords::has(sampled.words.voxels, voxel)));
        looking = hn::AndNot(met, looking);
        i = hn::Add(i, one);
      }
      const std::uint32_t live = live_lanes(first, filled.num);
      std::uint32_t unknown = bits_of(f, met_unknown) & live;
      for (; unknown != 0; unknown &= unknown - 1) {
        slots_.unknown[filled.slot[first + hwy::Num0BitsBelowLS1Bit_Nonzero32(unknown)]] |=
            std::uint64_t{1} << k;
      }
      std::uint32_t hidden = bits_of(f, met) & live;
      for (; hidden != 0; hidden &= hidden - 1) {
        close(filled.slot[first + hwy::Num0BitsBelowLS1Bit_Nonzero32(hidden)], k);
      }
    }
  }

  /// Series k is hidden.
  HWY_INLINE void close(std::int64_t slot, int k) {
    slots_.hidden[slot] |= std::uint64_t{1} << k;
    slots_.open[slot] &= ~(std::uint64_t{1} << k);
    if (slots_.open[slot] == 0) slots_.until[slot] = kClosed;
  }

  /// to_fraction, to_ticks
  static HWY_INLINE DoubleVec fraction(IntVec ticks) {
    return hn::Mul(hn::ConvertTo(Doubles(), ticks), hn::Set(Doubles(), 0x1p-60));
  }
  static HWY_INLINE IntVec ticks(DoubleVec fraction) {
    return hn::ConvertTo(Ints(), hn::Mul(fraction, hn::Set(Doubles(), 0x1p60)));
  }

  const MarchGrid& op_;
  const GridLayout layout_;
  std::int64_t num_left_to_op_ = 0;
  const WordLookup occupied_;
  std::uint64_t mask_[3];
  WordVec cell_[3];  ///< of the observers being set up
  MarchSlots<kUniform, kSlots> slots_;
  MarchSlots<kUniform, kStaged> staged_;
  alignas(64) double from_[3][kStaged], to_[3][kStaged];
};

}  // namespace sightline::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // HWY_MAX_BYTES >= 32

#endif  // include guard per target
