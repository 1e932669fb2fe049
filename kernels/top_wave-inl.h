// The k best by vectors: of the first memories by a network that sorts, and then by a scan against
// the score of the last in the list, under each mix, which few pass. A lane is a mix. Compiled once
// per instruction set.

// NOLINTNEXTLINE: Highway includes this file once per target.
#if defined(SIGHTLINE_KERNELS_TOP_WAVE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SIGHTLINE_KERNELS_TOP_WAVE_INL_H_
#undef SIGHTLINE_KERNELS_TOP_WAVE_INL_H_
#else
#define SIGHTLINE_KERNELS_TOP_WAVE_INL_H_
#endif

#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>

#include "kernels/top_network-inl.h"

#if HWY_MAX_BYTES >= 32
HWY_BEFORE_NAMESPACE();
namespace sightline::kernels::HWY_NAMESPACE {

template <class Number, int kFeatures>
class TopWave {
  using Vec = VecOf<Number>;
  using Mask = hn::Mask<NumbersOf<Number>>;
  using Index = hwy::MakeSigned<Number>;  ///< of a memory, as wide as a score
  using Indexes = hn::Rebind<Index, NumbersOf<Number>>;
  using Wide = hn::ScalableTag<std::int64_t>;
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
    const std::int64_t end = op_.memories.num_memories;
    bool is_first = true;
    for (std::int64_t next = 0; block_.load(of, kFeatures, next, end); is_first = false) {
      const int begin = is_first ? begin_lists(num_vectors) : 0;
      if (begin == block_.num) continue;
      int v = 0;
      for (; v + kVectorsTogether <= num_vectors; v += kVectorsTogether) {
        scan<kVectorsTogether, kFromWorst>(v, begin);
      }
      for (; v < num_vectors; ++v) scan<1, kFromWorst>(v, begin);
    }
    if (is_first) clear(num_vectors);
    store(op_.out + (query * op_.num_mixes + first_mix_) * op_.k);
  }

  /// Makes the lists of the first memories of the first block, and returns of how many: some, or
  /// none. For a list of k, some 64 k are worth it: of those that come later, few pass.
  HWY_INLINE int begin_lists(int num_vectors) {
    if constexpr (std::is_same_v<Number, float>) {
      const FeatureBounds<kFeatures> bounds(block_);
      const std::int64_t weights = mixes_.largest_score >> op_.memories.feature_bits;
      if (weights * bounds.widest() <= kLargestKeySpread) {
        const int num = std::min({block_.num, 64 * op_.k, kMaxKeyMemories});
        if (op_.k <= 5) return sort_first<5>(num, num_vectors, bounds);
        if (op_.k <= 10) return sort_first<10>(num, num_vectors, bounds);
      }
    }
    clear(num_vectors);
    return 0;
  }

  template <int kPlaces>
  HWY_NOINLINE int sort_first(int num, int num_vectors, const FeatureBounds<kFeatures>& bounds) {
    Vec weight[kFeatures];
    for (int v = 0; v < num_vectors; ++v) {
      for (int f = 0; f < kFeatures; ++f) {
        weight[f] = hn::Load(NumbersOf<Number>(), mixes_.weight[f] + v * kLanes);
      }
      TopNetwork<kFeatures, kPlaces> network(weight, bounds);
      network.take(block_, num);
      for (int place = 0; place < op_.k; ++place) take_key(network, place, v);
    }
    return num;
  }

  template <class Network>
  HWY_INLINE void take_key(const Network& network, int place, int vector) {
    const NumbersOf<Number> d;
    const Indexes di;
    const auto none = network.is_none(place);
    const Vec no_score = hn::Set(d, static_cast<Number>(-mixes_.largest_score - 1));
    hn::Store(hn::IfThenElse(hn::RebindMask(d, none), no_score, network.score(place)), d,
              score_ + at(vector, place));
    Index* const memory = memory_ + at(vector, place);
    const auto no_memory = hn::Set(di, Index{kNoMemory});
    const Index first = block_.memory[0];
    if (block_.memory[block_.num - 1] - first == block_.num - 1) {  // all, from the first on
      const auto found = hn::Add(network.index(place), hn::Set(di, first));
      hn::Store(hn::IfThenElse(none, no_memory, found), di, memory);
      return;
    }
    hn::Store(hn::IfThenElse(none, no_memory, network.index(place)), di, memory);
    for (int lane = 0; lane < kLanes; ++lane) {
      if (memory[lane] != kNoMemory) memory[lane] = block_.memory[memory[lane]];
    }
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
  HWY_INLINE void scan(int vector, int begin) {
    const NumbersOf<Number> d;
    Vec weight[kVectors][kFeatures], worst[kVectors];
    for (int v = 0; v < kVectors; ++v) {
      for (int f = 0; f < kFeatures; ++f) {
        weight[v][f] = hn::Load(d, mixes_.weight[f] + (vector + v) * kLanes);
      }
      worst[v] = hn::Load(d, score_ + at(vector + v, op_.k - 1));
    }
    for (int i = begin; i < block_.num; ++i) {
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
      insert_passing<kFromWorst>(vector, i, weight, less, worst);
    }
  }

  /// No loop: vectors that are found by a number live in memory, and would be put there each time.
  template <bool kFromWorst, int v = 0, int kVectors>
  HWY_INLINE void insert_passing(int vector, int i, const Vec (&weight)[kVectors][kFeatures],
                                 const Vec (&less)[kVectors], Vec (&worst)[kVectors]) {
    const NumbersOf<Number> d;
    const Mask passes = hn::Lt(less[v], hn::Zero(d));
    if (!hn::AllFalse(d, passes)) {
      const Vec score = kFromWorst ? hn::Sub(worst[v], less[v]) : score_of(weight[v], i);
      insert(vector + v, score, passes, block_.memory[i]);
      worst[v] = hn::Load(d, score_ + at(vector + v, op_.k - 1));
    }
    if constexpr (v + 1 < kVectors) {
      insert_passing<kFromWorst, v + 1>(vector, i, weight, less, worst);
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

  void store(Scored* lists) {
    const Indexes di;
    const auto none = hn::Set(di, Index{kNoMemory});
    for (int c = 0; c < mixes_.num; c += kLanes, lists += kLanes * op_.k) {
      const int num = std::min(kLanes, mixes_.num - c);
      // Memories enter a list from its last place on.
      if (hn::AllFalse(di, hn::Eq(hn::Load(di, memory_ + at(c / kLanes, op_.k - 1)), none))) {
        store_full(c / kLanes, num, lists);
      } else {
        store_any(c / kLanes, num, lists);
      }
    }
  }

  HWY_INLINE void store_full(int vector, int num, Scored* lists) {
    static_assert(sizeof(Scored) == 2 * sizeof(std::int64_t), "a memory, and 0 above it");
    for (int place = 0; place < op_.k; ++place) {
      const int i = at(vector, place);
      pair(hn::Load(NumbersOf<Number>(), score_ + i), hn::Load(Indexes(), memory_ + i),
           pairs_ + 2 * place * kLanes);
    }
    for (int lane = 0; lane < num; ++lane) {
      for (int place = 0; place < op_.k; ++place, ++lists) {
        std::memcpy(lists, pairs_ + 2 * (place * kLanes + lane), sizeof(Scored));
      }
    }
  }

  void store_any(int vector, int num, Scored* lists) const {
    for (int lane = 0; lane < num; ++lane) {
      for (int place = 0; place < op_.k; ++place, ++lists) {
        const int i = at(vector, place) + lane;
        const auto memory = static_cast<std::int32_t>(memory_[i]);
        *lists = memory == kNoMemory ? Scored()
                                     : Scored{static_cast<std::int64_t>(score_[i]), memory, 0};
      }
    }
  }

  /// Scores and their memories, one after the other, as 64-bit numbers.
  static HWY_INLINE void pair(VecOf<double> score, hn::Vec<Wide> memory, std::int64_t* out) {
    hn::StoreInterleaved2(hn::ConvertTo(Wide(), score), memory, Wide(), out);
  }
  static HWY_INLINE void pair(VecOf<float> score, IntVecOf<float> memory, std::int64_t* out) {
    const hn::Half<IntsOf<float>> half;
    const Wide wide;
    const auto whole = hn::ConvertTo(IntsOf<float>(), score);
    hn::StoreInterleaved2(hn::PromoteTo(wide, hn::LowerHalf(half, whole)),
                          hn::PromoteTo(wide, hn::LowerHalf(half, memory)), wide, out);
    hn::StoreInterleaved2(hn::PromoteTo(wide, hn::UpperHalf(half, whole)),
                          hn::PromoteTo(wide, hn::UpperHalf(half, memory)), wide, out + kLanes);
  }

  const TopMemories& op_;
  const MixTile<Number>& mixes_;
  const std::int64_t first_mix_;
  alignas(64) Number score_[kMaxPieceMixes * kMaxTop];  ///< best first, by vector, place, lane
  alignas(64) Index memory_[kMaxPieceMixes * kMaxTop];
  alignas(64) std::int64_t pairs_[2 * kMaxTop * kLanes];  ///< of a vector's lists, by place
  MemoryBlock<Number> block_;
};

}  // namespace sightline::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // HWY_MAX_BYTES

#endif  // the toggle
