// Ranks of targets by vectors: counts of memories before the target, no lists and no sorting.
// Compiled once per instruction set.

// NOLINTNEXTLINE: Highway includes this file once per target.
#if defined(SIGHTLINE_KERNELS_RANK_WAVE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SIGHTLINE_KERNELS_RANK_WAVE_INL_H_
#undef SIGHTLINE_KERNELS_RANK_WAVE_INL_H_
#else
#define SIGHTLINE_KERNELS_RANK_WAVE_INL_H_
#endif

#include <algorithm>

#include "kernels/blend_wave-inl.h"

#if HWY_MAX_BYTES >= 32
HWY_BEFORE_NAMESPACE();
namespace sightline::kernels::HWY_NAMESPACE {

template <class Number, int kFeatures>
class RankWave {
  using Vec = VecOf<Number>;
  static constexpr int kLanes = lanes_of<Number>();
  /// Vectors of mixes whose weights the registers hold, or nearly.
  static constexpr int kVectors =
      HWY_MAX_BYTES >= 64 ? (kFeatures <= 5 ? 4 : 2) : (kFeatures <= 5 ? 2 : 1);

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

  /// For vectors of memories: scores are whole, so with 1 more a memory of a lower index exceeds
  /// what it only equals; and what fills up the last vector exceeds nothing.
  void give_ties(std::int64_t target) {
    const std::int32_t* const memories = block_.memory;
    num_below_ =
        static_cast<int>(std::lower_bound(memories, memories + block_.num, target) - memories);
    std::fill(tie_, tie_ + num_below_, Number{1});
    std::fill(tie_ + num_below_, tie_ + block_.num, Number{0});
    for (int i = block_.num; i % kLanes != 0; ++i) tie_[i] = kNever;
  }

  /// Adds the memories of the block that come before the target. Vectors of mixes as long as there
  /// are enough of these: what is known of a mix then stays in registers for the whole block.
  void count(std::int32_t* ranks) const {
    int c = 0;
    for (; c + kVectors * kLanes <= mixes_.num; c += kVectors * kLanes) {
      count_vectors<kVectors>(c, ranks + c);
    }
    for (; c + kLanes <= mixes_.num; c += kLanes) count_vectors<1>(c, ranks + c);
    for (; c + kMixesTogether <= mixes_.num; c += kMixesTogether) {
      count_mixes<kMixesTogether>(c, ranks + c);
    }
    for (; c < mixes_.num; ++c) count_mixes<1>(c, ranks + c);
  }

  /// A lane is a mix.
  template <int kNum>
  HWY_INLINE void count_vectors(int mix, std::int32_t* ranks) const {
    const NumbersOf<Number> d;
    using Counts = hn::RebindToSigned<NumbersOf<Number>>;
    const Counts counts;
    Vec weight[kNum][kFeatures], mark[kNum];
    hn::Vec<Counts> num[kNum];
    for (int v = 0; v < kNum; ++v) {
      const int at = mix + v * kLanes;
      for (int f = 0; f < kFeatures; ++f) {
        weight[v][f] = hn::Load(d, mixes_.weight[f] + at);
      }
      // 1 less is exceeded by what equals the target.
      mark[v] = hn::Sub(hn::Load(d, marks_ + at), hn::Set(d, Number{1}));
      num[v] = hn::Zero(counts);
    }
    const auto add = [&](int begin, int end) HWY_ATTR {
      for (int i = begin; i < end; ++i) {
        Vec score[kNum];
        for (int f = 0; f < kFeatures; ++f) {
          const Vec feature = hn::Set(d, block_.features[f][i]);
          for (int v = 0; v < kNum; ++v) {
            score[v] = f == 0 ? hn::Mul(weight[v][f], feature)
                              : hn::MulAdd(weight[v][f], feature, score[v]);
          }
        }
        for (int v = 0; v < kNum; ++v) {
          num[v] = count_lanes(num[v], hn::Gt(score[v], mark[v]));
        }
      }
    };
    add(0, num_below_);
    for (int v = 0; v < kNum; ++v) mark[v] = hn::Load(d, marks_ + mix + v * kLanes);
    add(num_below_, block_.num);
    alignas(64) hn::TFromD<Counts> found[kLanes];
    for (int v = 0; v < kNum; ++v) {
      hn::Store(num[v], counts, found);
      for (int c = 0; c < kLanes; ++c) {
        ranks[v * kLanes + c] += static_cast<std::int32_t>(found[c]);
      }
    }
  }

  /// num + 1 in the lanes of the mask.
  template <class CountVec>
  static HWY_INLINE CountVec count_lanes(CountVec num, hn::Mask<NumbersOf<Number>> mask) {
    const hn::RebindToSigned<NumbersOf<Number>> d;
    using Count = hn::TFromD<decltype(d)>;
#if HWY_TARGET <= HWY_AVX3
    return hn::IfThenElse(hn::RebindMask(d, mask), hn::Add(num, hn::Set(d, Count{1})), num);
#else
    return hn::Sub(num, hn::VecFromMask(d, hn::RebindMask(d, mask)));
#endif
  }

  /// A lane is a memory.
  template <int kMixes>
  HWY_INLINE void count_mixes(int mix, std::int32_t* ranks) const {
    const NumbersOf<Number> d;
    Vec weight[kMixes][kFeatures], mark[kMixes];
    std::size_t num[kMixes] = {};
    for (int c = 0; c < kMixes; ++c) {
      for (int f = 0; f < kFeatures; ++f) weight[c][f] = hn::Set(d, mixes_.weight[f][mix + c]);
      mark[c] = hn::Set(d, marks_[mix + c]);
    }
    for (int at = 0; at < block_.num; at += kLanes) {
      Vec score[kMixes];
      for (int c = 0; c < kMixes; ++c) score[c] = hn::Load(d, tie_ + at);
      for (int f = 0; f < kFeatures; ++f) {
        const Vec feature = hn::Load(d, block_.features[f] + at);
        for (int c = 0; c < kMixes; ++c) score[c] = hn::MulAdd(weight[c][f], feature, score[c]);
      }
      for (int c = 0; c < kMixes; ++c) num[c] += hn::CountTrue(d, hn::Gt(score[c], mark[c]));
    }
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
