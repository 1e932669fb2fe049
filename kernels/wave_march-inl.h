// The march over a voxel grid as a wave: the walk of march_grid.h, several rays at once.

// NOLINTNEXTLINE: Highway includes this file once per target.
#if defined(SIGHTLINE_KERNELS_WAVE_MARCH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SIGHTLINE_KERNELS_WAVE_MARCH_INL_H_
#undef SIGHTLINE_KERNELS_WAVE_MARCH_INL_H_
#else
#define SIGHTLINE_KERNELS_WAVE_MARCH_INL_H_
#endif

#include "kernels/wave_samples-inl.h"

#if HWY_MAX_BYTES >= 32  // shorter vectors do not pay
HWY_BEFORE_NAMESPACE();
namespace sightline::kernels::HWY_NAMESPACE {

/// kTellUnknown: SpacePolicy::kUnknown.
template <bool kUniform, bool kTellUnknown>
class MarchWave : public WaveJob<MarchGrid, double> {
 public:
  using WaveJob::WaveJob;

  WaveSlots& slots() { return slots_; }
  HWY_INLINE void take(int slot, int from) {
    slots_.copy(slot, staged_, from, op_.steps.num_steps);
  }
  HWY_INLINE void move(int to, int from) { slots_.copy(to, slots_, from, op_.steps.num_steps); }

  HWY_INLINE void load(int k, std::int64_t ray) {
    const RayEnds ends = ray_ends(op_.rays, ray);
    const Vec3 &p = op_.observers[ends.observer], &t = op_.targets[ends.target];
    const bool from_target = kUniform && !before(p, t);  // sampled_ray
    put_ends(k, from_target ? t : p, from_target ? p : t);
    staged_.ray[k] = ray;
  }
  HWY_INLINE void load_nothing(int k) { put_ends(k, Vec3{}, Vec3{}); }

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
      const DoubleVec inverse = hn::Div(voxel, d[a]);
      const auto moves = hn::Lt(hn::Abs(inverse), hn::Set(f, GridMarch::kStandsStill));
      rays.inverse[a] = hn::IfThenElse(moves, inverse, hn::Set(f, INFINITY));
      end[a] = hn::Div(hn::Sub(to, corner), voxel);
    }
    rays.length =
        hn::Sqrt(hn::Add(hn::Add(hn::Mul(d[0], d[0]), hn::Mul(d[1], d[1])), hn::Mul(d[2], d[2])));
    auto inside = hn::Gt(rays.length, hn::Zero(f)), apart = hn::FirstN(f, 0);
    WordVec from_end = hn::Zero(w), to_end = hn::Zero(w);
    for (int a = 0; a < 3; ++a) {
      const DoubleVec from = hn::Floor(rays.origin[a]), to = hn::Floor(end[a]);
      // A sample before an end next to the grid's face may be rounded across it.
      const bool outside_is_free = op_.rules.outside == SpacePolicy::kFree;
      const DoubleVec margin = hn::Set(f, outside_is_free ? 0 : GridMarch::kMargin_vox);
      const DoubleVec size = hn::Set(f, layout_.dims[a]);
      inside = hn::And(inside, hn::Ge(hn::Min(from, to), hn::Zero(f)));
      inside = hn::And(inside, hn::Ge(hn::Min(rays.origin[a], end[a]), margin));
      inside = hn::And(inside, hn::Le(hn::Max(rays.origin[a], end[a]), hn::Sub(size, margin)));
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
      DoubleVec last_t;
      if (kUniform) {
        const DoubleVec intervals = hn::Ceil(hn::Div(length, hn::Set(f, step_m)));
        hn::Store(intervals, f, staged_.intervals[n] + k);
        last_t = hn::Div(hn::Sub(intervals, hn::Set(f, 1.0)), intervals);
      } else {
        last_t = last_of_fixed(step_m, length);
      }
      hn::Store(last_t, f, staged_.last_t[n] + k);
      const auto any = hn::RebindMask(w, hn::Gt(last_t, hn::Zero(f)));
      open = hn::Or(open, hn::IfThenElseZero(any, hn::Set(w, std::uint64_t{1} << n)));
    }
    hn::Store(open, w, staged_.open + k);
    return hn::RebindMask(f, hn::Ne(open, hn::Zero(w)));
  }

  static constexpr double kBelowRounding = SampleSeries<kUniform>::kBelowRounding;

  /// The parameter of the last sample at a fixed step; 0 without one.
  HWY_INLINE DoubleVec last_of_fixed(double step_m, DoubleVec length) const {
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
      if (hn::AllFalse(f, beyond)) return t;
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
      const auto moves = hn::Lt(per_voxel, hn::Set(f, GridMarch::kStandsStill));
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
      hn::Store(minus_step(a, hn::RebindMask(w, up)), w, staged_.minus_step[a] + k);
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

  WordVec cell_[3];  ///< of the observers being set up
  MarchSlots<kUniform, kSlots> slots_;
  MarchSlots<kUniform, kStaged> staged_;
};

}  // namespace sightline::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // HWY_MAX_BYTES >= 32

#endif  // include guard per target
