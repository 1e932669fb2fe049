// Ranks under mixes on lines by vectors (mix_lines.h). A lane is a memory. Compiled once per
// instruction set.

// NOLINTNEXTLINE: Highway includes this file once per target.
#if defined(SIGHTLINE_KERNELS_LINE_RANKS_WAVE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SIGHTLINE_KERNELS_LINE_RANKS_WAVE_INL_H_
#undef SIGHTLINE_KERNELS_LINE_RANKS_WAVE_INL_H_
#else
#define SIGHTLINE_KERNELS_LINE_RANKS_WAVE_INL_H_
#endif

#include <algorithm>

#include "kernels/blend_wave-inl.h"
#include "kernels/line_ranks.h"

#if HWY_MAX_BYTES >= 32
HWY_BEFORE_NAMESPACE();
namespace sightline::kernels::HWY_NAMESPACE {

using Bytes = hn::ScalableTag<std::int8_t>;
using ByteVec = hn::Vec<Bytes>;
constexpr int kLanesOfBytes = HWY_MAX_BYTES;

/// Saturated, in an order of lanes that is the same for all.
HWY_INLINE ByteVec to_bytes(const VecOf<std::int32_t>* from) {
  const hn::ScalableTag<std::int16_t> half;
  const auto a = hn::ReorderDemote2To(half, from[0], from[1]);
  const auto b = hn::ReorderDemote2To(half, from[2], from[3]);
#if HWY_TARGET == HWY_AVX3
  return ByteVec{_mm512_packs_epi16(a.raw, b.raw)};
#elif HWY_TARGET == HWY_AVX2
  return ByteVec{_mm256_packs_epi16(a.raw, b.raw)};
#else
  const hn::Half<Bytes> part;
  return hn::Combine(Bytes(), hn::DemoteTo(part, b), hn::DemoteTo(part, a));
#endif
}

/// Turns where 31 bits hold their multiples of 2^-shift.
struct NarrowTurns {
  using Number = std::int32_t;
  using Vec = VecOf<Number>;
  static constexpr double kHolds = 1 << 30;  ///< and twice that, from one line to another

  static HWY_INLINE void store(VecOf<double> from, Number* to) {
    const IntsOf<double> di;
    hn::Store(hn::DemoteTo(di, from), di, to);
  }
  static HWY_INLINE ByteVec floor(const Vec* turns, const Number* shifts) {
    constexpr int kLanes = lanes_of<Number>();
    Vec whole[4];
    for (int v = 0; v < 4; ++v) {
      whole[v] = hn::Shr(turns[v], hn::Load(NumbersOf<Number>(), shifts + v * kLanes));
    }
    return to_bytes(whole);
  }
  /// Powers of 2 as shifts: the exponents of floats. Shr() takes those beyond 31 for 31.
  static HWY_INLINE void store_shifts(VecOf<double> powers, Number* to) {
    const IntsOf<double> di;
    const auto floats = hn::DemoteTo(hn::Rebind<float, NumbersOf<double>>(), powers);
    const auto biased = hn::ShiftRight<23>(hn::BitCast(di, floats));
    hn::Store(hn::Sub(biased, hn::Set(di, 127)), di, to);
  }
};

/// The same in double, where there are more.
struct WideTurns {
  using Number = double;
  using Vec = VecOf<Number>;

  static HWY_INLINE void store(Vec from, Number* to) { hn::Store(from, NumbersOf<Number>(), to); }
  static HWY_INLINE void store_shifts(Vec powers, Number* to) {
    store(hn::Div(hn::Set(NumbersOf<Number>(), 1.0), powers), to);
  }
  static HWY_INLINE ByteVec floor(const Vec* turns, const Number* shifts) {
    const NumbersOf<Number> d;
    const IntsOf<Number> di;
    constexpr int kLanes = lanes_of<Number>();
    const auto whole = [&](int v) HWY_ATTR {
      const Vec turn = hn::Floor(hn::Mul(turns[v], hn::Load(d, shifts + v * kLanes)));
      return hn::DemoteTo(di, hn::Clamp(turn, hn::Set(d, -1000.0), hn::Set(d, 1000.0)));
    };
    VecOf<std::int32_t> wholes[4];
    for (int v = 0; v < 4; ++v) {
      wholes[v] = hn::Combine(NumbersOf<std::int32_t>(), whole(2 * v + 1), whole(2 * v));
    }
    return to_bytes(wholes);
  }
};

class LineRankWave {
  using Double = NumbersOf<double>;
  using DoubleVec = VecOf<double>;
  static constexpr int kDoubles = lanes_of<double>();
  static constexpr int kTogether = 2 * kLanesOfBytes;  ///< memories
  template <class Number>
  using Lanes = Number[kTogether];

 public:
  LineRankWave(const LineRanks& op, const LinePiece& piece)
      : op_(op),
        mixes_(op.mixes),
        num_features_(op.mixes.num_features),
        first_line_(op.mixes.lines + piece.first_line),
        end_line_(first_line_ + piece.num_lines),
        first_slot_(first_line_->first_slot),
        end_slot_(end_line_[-1].first_slot + end_line_[-1].num_mixes) {
    for (const MixLine* line = first_line_; line != end_line_; ++line) {
      if (line->num_mixes > longest_) longest_ = line->num_mixes;
    }
  }

  void run(std::int64_t query) {
    const QueryMemories of(op_.memories, query);
    const std::int64_t target = op_.targets[query];
    std::int32_t* const ranks = op_.out + query * mixes_.num_mixes;
    if (!of.keeps(target)) return give_no_rank(ranks);
    for (int f = 0; f < num_features_; ++f) target_[f] = of.features[f][target];
    const std::int64_t end = op_.memories.num_memories;
    is_first_ = true;
    for (std::int64_t next = 0; block_.load(of, num_features_, next, end);) {
      const std::int32_t* const memories = block_.memory;  // those of lower indices win ties
      const auto num_below =
          static_cast<int>(std::lower_bound(memories, memories + block_.num, target) - memories);
      for (int at = 0; at < block_.num; at += kTogether) {
        num_ = block_.num - at < kTogether ? block_.num - at : kTogether;
        const double largest = divide(at, num_below - at);
        if (num_ <= kLanesOfBytes) {
          count_in<1>(largest, ranks);
        } else {
          count_in<2>(largest, ranks);
        }
        is_first_ = false;
      }
    }
  }

 private:
  template <class Number>
  struct Numbers {
    alignas(64) Lanes<Number> way[kMostWays];
    alignas(64) Lanes<Number> shift;
    alignas(64) Lanes<Number> start;
  };

  void give_no_rank(std::int32_t* ranks) const {
    for (std::int64_t s = first_slot_; s < end_slot_; ++s) ranks[mixes_.slots[s]] = kNoRank;
  }

  /// What the memories at `at` and on make of each weight, in multiples of 2^-shift; no sum of
  /// these exceeds what is returned. The first num_below win ties.
  double divide(int at, int num_below) {
    const Double d;
    const hn::RebindToUnsigned<Double> bits;
    const IntsOf<double> ints;
    const auto sum_limit = static_cast<double>(mixes_.largest_sum);
    DoubleVec largest = hn::Zero(d);
    for (int i = 0; i < kTogether; i += kDoubles) {
      const auto is_there = first_lanes<double>(clamped(num_ - i));
      const auto wins_ties = first_lanes<double>(clamped(num_below - i));
      DoubleVec over[kMaxFeatures], along = hn::Zero(d), furthest = hn::Zero(d);
      for (int f = 0; f < num_features_; ++f) {
        const DoubleVec feature = hn::Load(d, block_.features[f] + at + i);
        over[f] = hn::IfThenElseZero(is_there, hn::Sub(feature, hn::Set(d, target_[f])));
        along = hn::MulAdd(hn::Set(d, static_cast<double>(mixes_.step[f])), over[f], along);
        furthest = hn::Max(furthest, hn::Abs(over[f]));
      }
      const DoubleVec by = hn::Max(hn::Abs(along), hn::Set(d, 1.0));
      // 2^exponent is greater than by (largest_sum + 2), and at most twice that.
      const DoubleVec least = hn::Mul(by, hn::Set(d, sum_limit + 2));
      const auto biased =
          hn::Add(hn::ShiftRight<52>(hn::BitCast(bits, least)), hn::Set(bits, std::uint64_t{1}));
      const DoubleVec power = hn::BitCast(d, hn::ShiftLeft<52>(biased));
      const DoubleVec factor = hn::Div(power, by);
      for (int f = 0; f < num_features_; ++f) {
        hn::Store(hn::Round(hn::Mul(over[f], factor)), d, per_weight_[f] + i);
      }
      const DoubleVec tie = hn::IfThenElse(wins_ties, hn::Set(d, .5), hn::Set(d, -.5));
      // Who is not there never comes first: half of -factor is below 0.
      hn::Store(hn::Round(hn::Mul(tie, factor)), d, tie_ + i);
      hn::Store(power, d, power_ + i);
      hn::Store(hn::DemoteTo(ints, hn::IfThenElse(hn::Lt(along, hn::Zero(d)), hn::Set(d, -1.0),
                                                  hn::Min(along, hn::Set(d, 1.0)))),
                ints, sign_ + i);
      const DoubleVec reach = hn::MulAdd(hn::Set(d, sum_limit), furthest, hn::Set(d, 1.0));
      largest = hn::Max(largest, hn::Mul(reach, factor));
    }
    return hn::GetLane(hn::MaxOfLanes(d, largest)) + sum_limit + 2;
  }

  static int clamped(int num) { return num < 0 ? 0 : num < kDoubles ? num : kDoubles; }

  template <int kVectors>
  void count_in(double largest, std::int32_t* ranks) {
    if (largest < NarrowTurns::kHolds) {
      count_with<NarrowTurns, kVectors>(narrow_, ranks);
    } else {
      count_with<WideTurns, kVectors>(wide_, ranks);
    }
  }

  template <class Turns, int kVectors>
  void count_with(Numbers<typename Turns::Number>& numbers, std::int32_t* ranks) {
    set_out<Turns>(numbers);
    if (is_first_) {
      count<Turns, kVectors, true>(numbers, ranks);
    } else {
      count<Turns, kVectors, false>(numbers, ranks);
    }
  }

  /// The sum of weights times what the memories make of them.
  template <class Turns>
  HWY_INLINE void weigh(const std::int32_t* weights, bool with_tie,
                        typename Turns::Number* out) const {
    const Double d;
    const double* columns[kMaxFeatures];
    DoubleVec weight[kMaxFeatures];
    int num = 0;  // that are not 0: of a way they are few
    for (int f = 0; f < num_features_; ++f) {
      if (weights[f] == 0) continue;
      columns[num] = per_weight_[f];
      weight[num++] = hn::Set(d, static_cast<double>(weights[f]));
    }
    for (int i = 0; i < kTogether; i += kDoubles) {
      DoubleVec sum = with_tie ? hn::Load(d, tie_ + i) : hn::Zero(d);
      for (int k = 0; k < num; ++k) {
        sum = hn::MulAdd(weight[k], hn::Load(d, columns[k] + i), sum);
      }
      Turns::store(sum, out + i);
    }
  }

  template <class Turns, int kVectors, bool kIsFirst>
  HWY_NOINLINE void count(Numbers<typename Turns::Number>& numbers, std::int32_t* ranks) {
    using Number = typename Turns::Number;
    const NumbersOf<Number> d;
    const Bytes bytes;
    constexpr int kLanes = lanes_of<Number>();
    constexpr int kParts = kLanesOfBytes / kLanes;
    VecOf<Number> turns[kVectors * kParts];
    for (const MixLine* line = first_line_; line != end_line_; ++line) {
      if (line == first_line_ || line->way < 0) {
        weigh<Turns>(mixes_.firsts + (line - mixes_.lines) * num_features_, true, numbers.start);
        for (int v = 0; v < kVectors * kParts; ++v) {
          turns[v] = hn::Load(d, numbers.start + v * kLanes);
        }
      } else {
        const Number* const way = numbers.way[line->way];
        for (int v = 0; v < kVectors * kParts; ++v) {
          turns[v] = hn::Add(turns[v], hn::Load(d, way + v * kLanes));
        }
      }
      ByteVec turn[kVectors];
      for (int v = 0; v < kVectors; ++v) {
        turn[v] = Turns::floor(turns + v * kParts, numbers.shift + v * kLanesOfBytes);
      }
      const std::int32_t* const slots = mixes_.slots + line->first_slot;
      for (std::int32_t i = 0; i < line->num_mixes; ++i) {
        std::size_t num = 0;
        for (int v = 0; v < kVectors; ++v) {
          num += hn::CountTrue(bytes,
                               hn::Gt(turn[v], hn::Load(bytes, to_exceed_[i] + v * kLanesOfBytes)));
        }
        std::int32_t& rank = ranks[slots[i]];
        rank = (kIsFirst ? 0 : rank) + static_cast<std::int32_t>(num);
      }
    }
  }

  /// Ways, shifts, and what turns have to exceed under each mix of a line.
  template <class Turns>
  void set_out(Numbers<typename Turns::Number>& numbers) {
    const Double d;
    const Bytes bytes;
    for (std::int32_t way = 0; way < mixes_.num_ways; ++way) {
      weigh<Turns>(mixes_.ways + way * num_features_, false, numbers.way[way]);
    }
    for (int i = 0; i < kTogether; i += kDoubles) {
      Turns::store_shifts(hn::Load(d, power_ + i), numbers.shift + i);
    }
    constexpr int kLanes = lanes_of<std::int32_t>();
    for (int at = 0; at < kTogether; at += kLanesOfBytes) {
      VecOf<std::int32_t> signs[4];
      for (int v = 0; v < 4; ++v) {
        signs[v] = hn::Load(NumbersOf<std::int32_t>(), sign_ + at + v * kLanes);
      }
      const ByteVec sign = to_bytes(signs);
      ByteVec to_exceed = hn::Set(bytes, -1);
      for (std::int32_t i = 0; i < longest_; ++i) {
        hn::Store(to_exceed, bytes, to_exceed_[i] + at);
        to_exceed = hn::Sub(to_exceed, sign);
      }
    }
  }

  const LineRanks& op_;
  const MixLinesView& mixes_;
  const int num_features_;
  const MixLine *const first_line_, *const end_line_;
  const std::int64_t first_slot_, end_slot_;
  std::int32_t longest_ = 0;
  double target_[kMaxFeatures];
  MemoryBlock<double> block_;
  int num_ = 0;           ///< memories that are looked at together
  bool is_first_ = true;  ///< the first of these
  alignas(64) Lanes<double> per_weight_[kMaxFeatures];
  alignas(64) Lanes<double> tie_;
  alignas(64) Lanes<double> power_;
  alignas(64) Lanes<std::int32_t> sign_;
  alignas(64) Lanes<std::int8_t> to_exceed_[kMostOnLine];
  Numbers<std::int32_t> narrow_;
  Numbers<double> wide_;
};

}  // namespace sightline::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // HWY_MAX_BYTES

#endif  // the toggle
