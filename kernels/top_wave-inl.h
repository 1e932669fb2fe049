// The k best by vectors: a scan against the score of the last in the list, under each mix, which
// few memories pass once the list is good. A lane is a mix. Compiled once per instruction set.

// NOLINTNEXTLINE: Highway includes this file once per target.
#if defined(SIGHTLINE_KERNELS_TOP_WAVE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SIGHTLINE_KERNELS_TOP_WAVE_INL_H_
#undef SIGHTLINE_KERNELS_TOP_WAVE_INL_H_
#else
#define SIGHTLINE_KERNELS_TOP_WAVE_INL_H_
#endif

#include <limits>
#include <type_traits>

#include "kernels/blend_wave-inl.h"

#if HWY_MAX_BYTES >= 32
HWY_BEFORE_NAMESPACE();
namespace sightline::kernels::HWY_NAMESPACE {

template <class Number, int kFeatures>
class TopWave {
  using Vec = VecOf<Number>;
  using Mask = hn::Mask<NumbersOf<Number>>;
  using Index = hwy::MakeSigned<Number>;  ///< of a memory, as wide as a score
  using Indexes = hn::Rebind<Index, NumbersOf<Number>>;
  static constexpr int kLanes = lanes_of<Number>();
  static constexpr int kVectorsTogether = HWY_MAX_BYTES >= 64 ? 4 : 2;  ///< what registers hold

 public:
  TopWave(const TopMemories& op, const MixTile<Number>& mixes, std::int64_t first_mix)
      : op_(op), mixes_(mixes), first_mix_(first_mix) {}

  void run(std::int64_t query) {
    constexpr std::int64_t kHolds = std::is_same_v<Number, float> ? kFloatHolds : kDoubleHolds;
    if (2 * mixes_.largest_score + 1 < kHolds) {
      run<true>(query);
    } else {
      run<false>(query);
    }
  }

 private:
  /// kFromWorst: sums start at the score to pass and go down, which takes an operation less, but
  /// they go twice as far. Else the difference is rounded, and only its sign is used.
  template <bool kFromWorst>
  HWY_INLINE void run(std::int64_t query) {
    const QueryMemories of(op_.memories, query);
    const int num_vectors = (mixes_.num + kLanes - 1) / kLanes;
    clear(num_vectors);
    const std::int64_t end = op_.memories.num_memories;
    for (std::int64_t next = 0; block_.load(of, kFeatures, next, end);) {
      int v = 0;
      for (; v + kVectorsTogether <= num_vectors; v += kVectorsTogether) {
        scan<kVectorsTogether, kFromWorst>(v);
      }
      for (; v < num_vectors; ++v) scan<1, kFromWorst>(v);
    }
    store(op_.out + (query * op_.num_mixes + first_mix_) * op_.k);
  }

  /// The scores, or the memories, at one place of the lists of a vector of mixes.
  int at(int vector, int place) const { return (vector * op_.k + place) * kLanes; }

  void clear(int num_vectors) {
    for (int i = 0; i < at(num_vectors, 0); ++i) {
      score_[i] = static_cast<Number>(-mixes_.largest_score - 1);
      memory_[i] = kNoMemory;
    }
    // What passes nothing costs nothing: lanes without a mix.
    for (int c = mixes_.num; c % kLanes != 0; ++c) {
      for (int place = 0; place < op_.k; ++place) {
        score_[at(c / kLanes, place) + c % kLanes] = std::numeric_limits<Number>::max();
      }
    }
  }

  template <int kVectors, bool kFromWorst>
  HWY_INLINE void scan(int vector) {
    const NumbersOf<Number> d;
    Vec weight[kVectors][kFeatures], worst[kVectors];
    for (int v = 0; v < kVectors; ++v) {
      for (int f = 0; f < kFeatures; ++f) {
        weight[v][f] = hn::Load(d, mixes_.weight[f] + (vector + v) * kLanes);
      }
      worst[v] = hn::Load(d, score_ + at(vector + v, op_.k - 1));
    }
    for (int i = 0; i < block_.num; ++i) {
      Vec less[kVectors];  // the worst of the list less the memory's score
      const Vec first = hn::Set(d, block_.features[0][i]);
      for (int v = 0; v < kVectors; ++v) {
        less[v] = kFromWorst ? hn::NegMulAdd(weight[v][0], first, worst[v])
                             : hn::Mul(weight[v][0], first);
      }
      for (int f = 1; f < kFeatures; ++f) {
        const Vec feature = hn::Set(d, block_.features[f][i]);
        for (int v = 0; v < kVectors; ++v) {
          less[v] = kFromWorst ? hn::NegMulAdd(weight[v][f], feature, less[v])
                               : hn::MulAdd(weight[v][f], feature, less[v]);
        }
      }
      if constexpr (!kFromWorst) {
        for (int v = 0; v < kVectors; ++v) less[v] = hn::Sub(worst[v], less[v]);
      }
      if (HWY_LIKELY(!any_is_negative<kVectors>(less))) continue;
      for (int v = 0; v < kVectors; ++v) {
        const Mask passes = hn::Lt(less[v], hn::Zero(d));
        if (hn::AllFalse(d, passes)) continue;
        const Vec score = kFromWorst ? hn::Sub(worst[v], less[v]) : score_of(weight[v], i);
        insert(vector + v, score, passes, block_.memory[i]);
        worst[v] = hn::Load(d, score_ + at(vector + v, op_.k - 1));
      }
    }
  }

  Vec score_of(const Vec* weight, int i) const {
    const NumbersOf<Number> d;
    Vec score = hn::Mul(weight[0], hn::Set(d, block_.features[0][i]));
    for (int f = 1; f < kFeatures; ++f) {
      score = hn::MulAdd(weight[f], hn::Set(d, block_.features[f][i]), score);
    }
    return score;
  }

  /// By their signs, all of them at once; -0 counts, which costs a look and changes nothing.
  template <int kVectors>
  static HWY_INLINE bool any_is_negative(const Vec* numbers) {
    const Indexes di;
    auto signs = hn::BitCast(di, numbers[0]);
    for (int v = 1; v < kVectors; ++v) signs = hn::Or(signs, hn::BitCast(di, numbers[v]));
    return !hn::AllFalse(di, hn::Lt(signs, hn::Zero(di)));
  }

  /// Puts a memory into the lists of the mixes under which it passes: behind its equals, which
  /// were there first, and before all that score less, each of which moves a place down.
  HWY_INLINE void insert(int vector, Vec score, Mask passes, std::int32_t memory) {
    constexpr int kPlacesBetweenLooks = 8;
    const NumbersOf<Number> d;
    const Indexes di;
    const auto index = hn::Set(di, static_cast<Index>(memory));
    Mask is_above = passes;  // the score is, of this place
    Number* scores = score_ + at(vector, op_.k - 1);
    Index* memories = memory_ + at(vector, op_.k - 1);
    for (int place = op_.k - 1; place > 0; --place, scores -= kLanes, memories -= kLanes) {
      const Vec before = hn::Load(d, scores - kLanes);
      const Mask is_above_before = hn::Gt(score, before);
      hn::Store(hn::Max(hn::Load(d, scores), hn::Min(before, score)), d, scores);
      const auto moved = hn::IfThenElse(hn::RebindMask(di, is_above_before),
                                        hn::Load(di, memories - kLanes), index);
      hn::Store(hn::IfThenElse(hn::RebindMask(di, is_above), moved, hn::Load(di, memories)), di,
                memories);
      is_above = is_above_before;
      if (place % kPlacesBetweenLooks == 0 && hn::AllFalse(d, is_above)) return;
    }
    hn::Store(hn::Max(hn::Load(d, scores), score), d, scores);
    hn::Store(hn::IfThenElse(hn::RebindMask(di, is_above), index, hn::Load(di, memories)), di,
              memories);
  }

  void store(Scored* lists) const {
    for (int c = 0; c < mixes_.num; ++c) {
      for (int place = 0; place < op_.k; ++place, ++lists) {
        const int i = at(c / kLanes, place) + c % kLanes;
        const auto memory = static_cast<std::int32_t>(memory_[i]);
        *lists = memory == kNoMemory ? Scored()
                                     : Scored{static_cast<std::int64_t>(score_[i]), memory, 0};
      }
    }
  }

  const TopMemories& op_;
  const MixTile<Number>& mixes_;
  const std::int64_t first_mix_;
  alignas(64) Number score_[kMaxPieceMixes * kMaxTop];  ///< best first, by vector, place, lane
  alignas(64) Index memory_[kMaxPieceMixes * kMaxTop];
  MemoryBlock<Number> block_;
};

}  // namespace sightline::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // HWY_MAX_BYTES

#endif  // the toggle
