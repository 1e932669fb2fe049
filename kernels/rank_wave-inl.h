// Ranks of targets by vectors: counts of memories before the target, no lists and no sorting.
// Compiled once per instruction set.

// NOLINTNEXTLINE: Highway includes this file once per target.
#if defined(SIGHTLINE_KERNELS_RANK_WAVE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SIGHTLINE_KERNELS_RANK_WAVE_INL_H_
#undef SIGHTLINE_KERNELS_RANK_WAVE_INL_H_
#else
#define SIGHTLINE_KERNELS_RANK_WAVE_INL_H_
#endif

#include "kernels/blend_wave-inl.h"

#if HWY_MAX_BYTES >= 32
HWY_BEFORE_NAMESPACE();
namespace sightline::kernels::HWY_NAMESPACE {

template <class Number, int kFeatures>
class RankWave {
  using Vec = VecOf<Number>;
  static constexpr int kLanes = lanes_of<Number>();

 public:
  RankWave(const TargetRanks& op, const MixTile<Number>& mixes, std::int64_t first_mix)
      : op_(op), mixes_(mixes), first_mix_(first_mix) {}

  void run(std::int64_t query) {
    const QueryMemories of(op_.memories, query);
    const std::int64_t target = op_.targets[query];
    std::int32_t* ranks = op_.out + query * op_.num_mixes + first_mix_;
    const bool counts = of.keeps(target);
    for (int c = 0; c < mixes_.num; ++c) ranks[c] = counts ? 0 : kNoRank;
    if (!counts) return;
    mark(of, target);
    const std::int64_t end = op_.memories.num_memories;
    for (std::int64_t next = 0; block_.load(of, kFeatures, next, end);) {
      give_ties(target);
      count(ranks);
    }
  }

 private:
  /// The target's score under each mix.
  void mark(const QueryMemories& of, std::int64_t target) {
    const NumbersOf<Number> d;
    Vec feature[kFeatures];
    for (int f = 0; f < kFeatures; ++f) {
      feature[f] = hn::Set(d, static_cast<Number>(of.features[f][target]));
    }
    for (int c = 0; c < mixes_.num; c += kLanes) {
      hn::Store(scores_at<kFeatures>(mixes_.weight, c, feature), d, marks_ + c);
    }
  }

  /// For vectors of which only some are below the target, or there at all: scores are whole, so
  /// with 1 more a memory of a lower index exceeds what it only equals; and what fills up the last
  /// vector exceeds nothing.
  void give_ties(std::int64_t target) {
    num_below_ = 0;
    for (; num_below_ < block_.num && block_.memory[num_below_] < target; ++num_below_) {
      tie_[num_below_] = 1;
    }
    int i = num_below_;
    for (; i < block_.num; ++i) tie_[i] = 0;
    for (; i % kLanes != 0; ++i) tie_[i] = kNever;
  }

  /// Adds the memories of the block that come before the target.
  void count(std::int32_t* ranks) const {
    int c = 0;
    for (; c + kMixesTogether <= mixes_.num; c += kMixesTogether) {
      count_mixes<kMixesTogether>(c, ranks + c);
    }
    for (; c < mixes_.num; ++c) count_mixes<1>(c, ranks + c);
  }

  template <int kMixes>
  HWY_INLINE void count_mixes(int mix, std::int32_t* ranks) const {
    const NumbersOf<Number> d;
    Vec weight[kMixes][kFeatures], mark[kMixes];
    std::size_t num[kMixes] = {};
    for (int c = 0; c < kMixes; ++c) {
      for (int f = 0; f < kFeatures; ++f) weight[c][f] = hn::Set(d, mixes_.weight[f][mix + c]);
      mark[c] = hn::Set(d, marks_[mix + c]);
    }
    const auto add = [&](int at, auto exceeds) HWY_ATTR {
      for (int c = 0; c < kMixes; ++c) {
        const Vec score = scores_at<kFeatures>(block_.features, at, weight[c]);
        num[c] += hn::CountTrue(d, exceeds(score, mark[c]));
      }
    };
    const auto add_with_ties = [&](int at) HWY_ATTR {
      const Vec tie = hn::Load(d, tie_ + at);
      add(at, [&](Vec score, Vec of_target)
                  HWY_ATTR { return hn::Gt(hn::Add(score, tie), of_target); });
    };
    int at = 0;
    for (; at + kLanes <= num_below_; at += kLanes) {
      add(at, [](Vec score, Vec of_target) HWY_ATTR { return hn::Ge(score, of_target); });
    }
    if (at < num_below_) {
      add_with_ties(at);
      at += kLanes;
    }
    for (; at + kLanes <= block_.num; at += kLanes) {
      add(at, [](Vec score, Vec of_target) HWY_ATTR { return hn::Gt(score, of_target); });
    }
    if (at < block_.num) add_with_ties(at);
    for (int c = 0; c < kMixes; ++c) ranks[c] += static_cast<std::int32_t>(num[c]);
  }

  static constexpr auto kNever = static_cast<Number>(-4 * kDoubleHolds);
  const TargetRanks& op_;
  const MixTile<Number>& mixes_;
  const std::int64_t first_mix_;
  alignas(64) Number marks_[kMaxPieceMixes];
  MemoryBlock<Number> block_;
  int num_below_ = 0;  ///< of the block, below the target
  alignas(64) Number tie_[MemoryBlock<Number>::kRoom];
};

}  // namespace sightline::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // HWY_MAX_BYTES

#endif  // the toggle
