// Ranks under products of mixes by vectors. A lane is a tail; heads are numbers that it is compared
// with. Compiled once per instruction set.

// NOLINTNEXTLINE: Highway includes this file once per target.
#if defined(SIGHTLINE_KERNELS_PRODUCT_RANKS_WAVE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SIGHTLINE_KERNELS_PRODUCT_RANKS_WAVE_INL_H_
#undef SIGHTLINE_KERNELS_PRODUCT_RANKS_WAVE_INL_H_
#else
#define SIGHTLINE_KERNELS_PRODUCT_RANKS_WAVE_INL_H_
#endif

#include "kernels/blend_wave-inl.h"
#include "kernels/product_ranks.h"

#if HWY_MAX_BYTES >= 32
HWY_BEFORE_NAMESPACE();
namespace sightline::kernels::HWY_NAMESPACE {

template <class Number, int kTail>
class ProductRankWave {
  using Vec = VecOf<Number>;
  using Counts = hn::RebindToSigned<NumbersOf<Number>>;
  using Count = hn::TFromD<Counts>;
  using CountVec = hn::Vec<Counts>;
  static constexpr int kLanes = lanes_of<Number>();
  static constexpr int kRoom = MemoryBlock<Number>::kRoom;
  static constexpr int kVectorsTogether = HWY_MAX_BYTES >= 64 ? 2 : 1;  ///< what registers hold

 public:
  ProductRankWave(const ProductRanks& op, const ProductPiece& piece)
      : op_(op),
        piece_(piece),
        num_head_features_(op.mixes.num_features - kTail),
        num_vectors_((piece.num_tails + kLanes - 1) / kLanes) {
    const MixProduct& product = op.mixes.products[piece.product];
    const std::int32_t* from = op.mixes.tails + (product.first_tail + piece.first_tail) * kTail;
    for (int t = 0; t < piece.num_tails; ++t) {
      for (int f = 0; f < kTail; ++f) weight_[f][t] = static_cast<Number>(*from++);
    }
    heads_ = op.mixes.heads + (product.first_head + piece.first_head) * num_head_features_;
    slots_ = op.mixes.slots + product.first_slot + piece.first_head * product.num_tails +
             piece.first_tail;
    slots_per_head_ = product.num_tails;
    for (int h = 0; h < piece.num_heads; ++h) {
      const std::int32_t* slots = slots_of(h);
      is_run_[h] = true;
      for (int t = 1; t < piece.num_tails; ++t) is_run_[h] &= slots[t] == slots[0] + t;
    }
    for (int f = 0; f < kTail; ++f) tail_columns_[f] = block_.features[num_head_features_ + f];
  }

  void run(std::int64_t query) {
    const QueryMemories of(op_.memories, query);
    const std::int64_t target = op_.targets[query];
    std::int32_t* ranks = op_.out + query * op_.mixes.num_mixes;
    if (!of.keeps(target)) return store(ranks, true);
    mark(of, target);
    const std::int64_t end = op_.memories.num_memories;
    for (std::int64_t next = 0; block_.load(of, op_.mixes.num_features, next, end);) {
      compare_heads(of, target);
      switch (piece_.num_heads) {
        case 1:
          count_heads<1>();
          break;
        case 2:
          count_heads<2>();
          break;
        case 3:
          count_heads<3>();
          break;
        case 4:
          count_heads<4>();
          break;
        case 5:
          count_heads<5>();
          break;
        case 6:
          count_heads<6>();
          break;
        case 7:
          count_heads<7>();
          break;
        default:
          count_heads<8>();
      }
    }
    store(ranks, false);
  }

 private:
  static_assert(kHeadsTogether == 8, "a case each");

  /// num + 1 in the lanes of the mask.
  static HWY_INLINE CountVec count_lanes(CountVec num, hn::Mask<NumbersOf<Number>> mask) {
    const Counts di;
#if HWY_TARGET <= HWY_AVX3
    return hn::IfThenElse(hn::RebindMask(di, mask), hn::Add(num, hn::Set(di, Count{1})), num);
#else
    return hn::Sub(num, hn::VecFromMask(di, hn::RebindMask(di, mask)));
#endif
  }

  /// What each tail makes of the target, below 0; and nothing counted yet.
  void mark(const QueryMemories& of, std::int64_t target) {
    const NumbersOf<Number> d;
    for (int v = 0; v < num_vectors_; ++v) {
      Vec sum = hn::Zero(d);
      for (int f = 0; f < kTail; ++f) {
        const auto value = static_cast<Number>(of.features[num_head_features_ + f][target]);
        sum = hn::NegMulAdd(hn::Load(d, weight_[f] + v * kLanes), hn::Set(d, value), sum);
      }
      hn::Store(sum, d, start_ + v * kLanes);
    }
    for (int h = 0; h < piece_.num_heads; ++h) {
      for (int v = 0; v < num_vectors_; ++v) {
        hn::Store(hn::Zero(Counts()), Counts(), num_[h] + v * kLanes);
      }
    }
  }

  /// What a memory's tail has to exceed: by how much its head falls short of the target's, and 1
  /// less where it wins ties.
  void compare_heads(const QueryMemories& of, std::int64_t target) {
    const NumbersOf<Number> d;
    int num_below = 0;  // memories of lower indices come first
    while (num_below < block_.num && block_.memory[num_below] < target) ++num_below;
    for (int h = 0; h < piece_.num_heads; ++h) {
      const std::int32_t* head = heads_ + h * num_head_features_;
      Number of_target = 0;
      for (int f = 0; f < num_head_features_; ++f) {
        of_target += static_cast<Number>(head[f]) * static_cast<Number>(of.features[f][target]);
      }
      for (int at = 0; at < block_.num; at += kLanes) {
        Vec gap = hn::Set(d, of_target);
        for (int f = 0; f < num_head_features_; ++f) {
          gap = hn::NegMulAdd(hn::Set(d, static_cast<Number>(head[f])),
                              hn::Load(d, block_.features[f] + at), gap);
        }
        if (at < num_below) {
          const auto wins_ties = first_lanes<Number>(num_below - at);
          gap = hn::Sub(gap, hn::IfThenElseZero(wins_ties, hn::Set(d, Number{1})));
        }
        hn::Store(gap, d, gap_[h] + at);
      }
    }
  }

  template <int kHeads>
  void count_heads() {
    int v = 0;
    for (; v + kVectorsTogether <= num_vectors_; v += kVectorsTogether) {
      count<kHeads, kVectorsTogether>(v);
    }
    for (; v < num_vectors_; ++v) count<kHeads, 1>(v);
  }

  template <int kHeads, int kVectors>
  HWY_INLINE void count(int vector) {
    const NumbersOf<Number> d;
    const Counts di;
    Vec weight[kVectors][kTail], start[kVectors];
    CountVec num[kVectors][kHeads];
    for (int v = 0; v < kVectors; ++v) {
      const int at = (vector + v) * kLanes;
      for (int f = 0; f < kTail; ++f) weight[v][f] = hn::Load(d, weight_[f] + at);
      start[v] = hn::Load(d, start_ + at);
      for (int h = 0; h < kHeads; ++h) num[v][h] = hn::Load(di, num_[h] + at);
    }
    for (int i = 0; i < block_.num; ++i) {
      Vec tail[kVectors];
      for (int v = 0; v < kVectors; ++v) tail[v] = start[v];
      for (int f = 0; f < kTail; ++f) {
        const Vec feature = hn::Set(d, tail_columns_[f][i]);
        for (int v = 0; v < kVectors; ++v) tail[v] = hn::MulAdd(weight[v][f], feature, tail[v]);
      }
      for (int h = 0; h < kHeads; ++h) {
        const Vec gap = hn::Set(d, gap_[h][i]);
        for (int v = 0; v < kVectors; ++v) num[v][h] = count_lanes(num[v][h], hn::Gt(tail[v], gap));
      }
    }
    for (int v = 0; v < kVectors; ++v) {
      for (int h = 0; h < kHeads; ++h) {
        hn::Store(num[v][h], di, num_[h] + (vector + v) * kLanes);
      }
    }
  }

  void store(std::int32_t* ranks, bool is_left_out) const {
    for (int h = 0; h < piece_.num_heads; ++h) {
      const std::int32_t* slots = slots_of(h);
      const auto rank_at = [&](int t) {
        return is_left_out ? kNoRank : static_cast<std::int32_t>(num_[h][t]);
      };
      if (is_run_[h]) {
        for (int t = 0; t < piece_.num_tails; ++t) ranks[slots[0] + t] = rank_at(t);
      } else {
        for (int t = 0; t < piece_.num_tails; ++t) ranks[slots[t]] = rank_at(t);
      }
    }
  }

  /// Which mixes a head of the piece makes with its tails.
  const std::int32_t* slots_of(int head) const {
    return slots_ + std::int64_t{head} * slots_per_head_;
  }

  const ProductRanks& op_;
  const ProductPiece& piece_;
  const int num_head_features_, num_vectors_;
  const std::int32_t *heads_, *slots_;
  std::int32_t slots_per_head_;
  bool is_run_[kHeadsTogether];  ///< the slots of a head, one after the other
  MemoryBlock<Number> block_;
  alignas(64) Number weight_[kTail][kTailsTogether] = {};
  alignas(64) Number start_[kTailsTogether];
  alignas(64) Number gap_[kHeadsTogether][kRoom];
  alignas(64) Count num_[kHeadsTogether][kTailsTogether];
  const Number* tail_columns_[kTail];
};

}  // namespace sightline::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // HWY_MAX_BYTES

#endif  // the toggle
