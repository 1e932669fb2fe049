// The k best by vectors: a scan against the score of the last in the list, under each mix, which
// few memories pass once the list is good. Compiled once per instruction set.

// NOLINTNEXTLINE: Highway includes this file once per target.
#if defined(SIGHTLINE_KERNELS_TOP_WAVE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SIGHTLINE_KERNELS_TOP_WAVE_INL_H_
#undef SIGHTLINE_KERNELS_TOP_WAVE_INL_H_
#else
#define SIGHTLINE_KERNELS_TOP_WAVE_INL_H_
#endif

#include <limits>

#include "kernels/blend_wave-inl.h"
#include "kernels/top_pool-inl.h"

#if HWY_MAX_BYTES >= 32
HWY_BEFORE_NAMESPACE();
namespace sightline::kernels::HWY_NAMESPACE {

template <class Number, int kFeatures>
class TopWave {
  using Vec = VecOf<Number>;
  using Mask = hn::Mask<NumbersOf<Number>>;
  using Pool = TopPool<Number>;
  static constexpr int kLanes = lanes_of<Number>();

 public:
  TopWave(const TopMemories& op, const MixTile<Number>& mixes, std::int64_t first_mix)
      : op_(op), mixes_(mixes), first_mix_(first_mix) {}

  void run(std::int64_t query) {
    const QueryMemories of(op_.memories, query);
    lists_ = op_.out + (query * op_.num_mixes + first_mix_) * op_.k;
    for (std::int64_t i = 0; i < std::int64_t{mixes_.num} * op_.k; ++i) lists_[i] = Scored();
    for (int c = 0; c < mixes_.num; ++c) worst_[c] = static_cast<Number>(kNoScore);
    const std::int64_t end = op_.memories.num_memories;
    bool is_first = true;
    for (std::int64_t next = 0; block_.load(of, kFeatures, next, end); is_first = false) {
      int c = 0;
      for (; c + kMixesTogether <= mixes_.num; c += kMixesTogether) {
        look_at_block<kMixesTogether>(c, is_first);
      }
      for (; c < mixes_.num; ++c) look_at_block<1>(c, is_first);
    }
  }

 private:
  Scored* list_of(int mix) const { return lists_ + std::int64_t{mix} * op_.k; }

  template <int kMixes>
  HWY_INLINE void look_at_block(int mix, bool is_first) {
    if (is_first && op_.k <= Pool::kMaxTop) bound<kMixes>(mix);
    scan<kMixes>(mix, is_first);
  }

  /// A bound from the first block: each lane's best is a memory of its own, and the k-th of those
  /// is no better than the k-th of all.
  template <int kMixes>
  HWY_INLINE void bound(int mix) {
    const NumbersOf<Number> d;
    const Vec lowest = hn::Set(d, -std::numeric_limits<Number>::infinity());
    Vec weight[kMixes][kFeatures], best[kMixes];
    for (int c = 0; c < kMixes; ++c) {
      for (int f = 0; f < kFeatures; ++f) weight[c][f] = hn::Set(d, mixes_.weight[f][mix + c]);
      best[c] = lowest;
    }
    int at = 0;
    for (; at + kLanes <= block_.num; at += kLanes) {
      for (int c = 0; c < kMixes; ++c) {
        best[c] = hn::Max(best[c], scores_at<kFeatures>(block_.features, at, weight[c]));
      }
    }
    const Mask live = first_lanes<Number>(block_.num - at);
    for (int c = 0; c < kMixes && at < block_.num; ++c) {
      const Vec score = scores_at<kFeatures>(block_.features, at, weight[c]);
      best[c] = hn::Max(best[c], hn::IfThenElse(live, score, lowest));
    }
    // One less: those k are to pass the scan themselves.
    for (int c = 0; c < kMixes; ++c) worst_[mix + c] = kth_of(best[c]) - 1;
  }

  /// The k-th greatest lane, k <= kLanes.
  HWY_INLINE Number kth_of(Vec values) const {
    const NumbersOf<Number> d;
    alignas(64) Number value[kLanes];
    hn::Store(values, d, value);
    Vec num_above = hn::Zero(d);  // or level
    for (int lane = 0; lane < kLanes; ++lane) {
      const Mask above = hn::Ge(hn::Set(d, value[lane]), values);
      num_above = hn::Add(num_above, hn::IfThenElseZero(above, hn::Set(d, 1)));
    }
    const Mask enough = hn::Ge(num_above, hn::Set(d, static_cast<Number>(op_.k)));
    const Vec lowest = hn::Set(d, -std::numeric_limits<Number>::infinity());
    return hn::GetLane(hn::MaxOfLanes(d, hn::IfThenElse(enough, values, lowest)));
  }

  template <int kMixes>
  HWY_INLINE void scan(int mix, bool is_first) {
    const NumbersOf<Number> d;
    Vec weight[kMixes][kFeatures], worst[kMixes];
    for (int c = 0; c < kMixes; ++c) {
      for (int f = 0; f < kFeatures; ++f) weight[c][f] = hn::Set(d, mixes_.weight[f][mix + c]);
      worst[c] = hn::Set(d, worst_[mix + c]);
      pools_[c].clear();
    }
    bool is_loaded = is_first;
    for (int at = 0; at < block_.num; at += kLanes) {
      Vec score[kMixes];
      Mask passes[kMixes];
      for (int c = 0; c < kMixes; ++c) {
        score[c] = scores_at<kFeatures>(block_.features, at, weight[c]);
        passes[c] = hn::Gt(score[c], worst[c]);
      }
      Mask any = passes[0];
      for (int c = 1; c < kMixes; ++c) any = hn::Or(any, passes[c]);
      if (HWY_LIKELY(hn::AllFalse(d, any))) continue;
      if (block_.num - at < kLanes) {
        const Mask live = first_lanes<Number>(block_.num - at);
        for (int c = 0; c < kMixes; ++c) passes[c] = hn::And(passes[c], live);
      }
      for (int c = 0; c < kMixes; ++c) {
        if (op_.k > Pool::kMaxTop) {
          take(mix + c, at, score[c], lanes_in<Number>(passes[c]));
          worst[c] = hn::Set(d, worst_[mix + c]);
          continue;
        }
        if (!is_loaded) pools_[c].load(list_of(mix + c), op_.k);
        pools_[c].add(score[c], block_.memory + at, passes[c]);
        if (pools_[c].is_full()) {
          worst_[mix + c] = pools_[c].select(op_.k, worst_[mix + c]);
          worst[c] = hn::Set(d, worst_[mix + c]);
        }
      }
      is_loaded = true;
    }
    if (op_.k > Pool::kMaxTop || !is_loaded) return;
    for (int c = 0; c < kMixes; ++c) {
      if (pools_[c].has_new()) worst_[mix + c] = pools_[c].select(op_.k, worst_[mix + c]);
      pools_[c].store(list_of(mix + c));
    }
  }

  /// Puts memories in a list that is too long for a pool, in ascending order.
  HWY_INLINE void take(int mix, int at, Vec score, std::uint32_t lanes) {
    alignas(64) Number scores[kLanes];
    hn::Store(score, NumbersOf<Number>(), scores);
    Scored* list = list_of(mix);
    for (; lanes != 0; lanes &= lanes - 1) {
      const int lane = static_cast<int>(hwy::Num0BitsBelowLS1Bit_Nonzero32(lanes));
      if (!(scores[lane] > worst_[mix])) continue;
      insert_scored(list, op_.k, static_cast<std::int64_t>(scores[lane]), block_.memory[at + lane]);
      const auto last = static_cast<Number>(list[op_.k - 1].score);
      if (last > worst_[mix]) worst_[mix] = last;
    }
  }

  const TopMemories& op_;
  const MixTile<Number>& mixes_;
  const std::int64_t first_mix_;
  Scored* lists_ = nullptr;
  alignas(64) Number worst_[kMaxPieceMixes];  ///< a memory must score more
  Pool pools_[kMixesTogether];
  MemoryBlock<Number> block_;
};

}  // namespace sightline::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // HWY_MAX_BYTES

#endif  // the toggle
