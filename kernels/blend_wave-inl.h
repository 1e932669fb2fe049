// What ranks and top-k by vectors share: compiled once per instruction set.
//
// Memories that take part are brought, a block at a time, into columns of the numbers that the sums
// are taken in (float or double, both exact here), and the mixes are run over the block a few at
// once.

// NOLINTNEXTLINE: Highway includes this file once per target.
#if defined(SIGHTLINE_KERNELS_BLEND_WAVE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SIGHTLINE_KERNELS_BLEND_WAVE_INL_H_
#undef SIGHTLINE_KERNELS_BLEND_WAVE_INL_H_
#else
#define SIGHTLINE_KERNELS_BLEND_WAVE_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

#include "kernels/blend.h"
#include "kernels/recall_wave.h"
#include "kernels/with_features-inl.h"

#if HWY_MAX_BYTES >= 32
HWY_BEFORE_NAMESPACE();
namespace sightline::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class Number>
using NumbersOf = hn::ScalableTag<Number>;
template <class Number>
using VecOf = hn::Vec<NumbersOf<Number>>;
template <class Number>
using IntsOf = hn::Rebind<std::int32_t, NumbersOf<Number>>;  ///< as many lanes
template <class Number>
using IntVecOf = hn::Vec<IntsOf<Number>>;

constexpr int kMixesTogether = 4;

template <class Number>
constexpr int lanes_of() {
  return HWY_MAX_BYTES / static_cast<int>(sizeof(Number));
}

HWY_INLINE VecOf<float> to_numbers(IntVecOf<float> v) {
  return hn::ConvertTo(NumbersOf<float>(), v);
}
HWY_INLINE VecOf<double> to_numbers(IntVecOf<double> v) {
  return hn::PromoteTo(NumbersOf<double>(), v);
}

template <class Number>
HWY_INLINE hn::Mask<NumbersOf<Number>> first_lanes(int num) {
  return hn::FirstN(NumbersOf<Number>(), static_cast<std::size_t>(num));
}

/// The weights of a piece's mixes, by feature.
template <class Number>
struct MixTile {
  alignas(64) Number weight[kMaxFeatures][kMaxPieceMixes] = {};
  int num;
  std::int64_t largest_score;  ///< no sum on the way to a score exceeds it

  MixTile(const std::int32_t* weights, int num_features, const BlendPiece& piece,
          std::int64_t largest)
      : num(static_cast<int>(piece.num_mixes)), largest_score(largest) {
    const std::int32_t* from = weights + piece.first_mix * num_features;
    for (int c = 0; c < num; ++c) {
      for (int f = 0; f < num_features; ++f) weight[f][c] = static_cast<Number>(*from++);
    }
  }
};

/// The scores of a vector of memories, whose features are columns[f][at] and on.
template <int kFeatures, class Number, int kRoom>
HWY_INLINE VecOf<Number> scores_at(const Number (&columns)[kMaxFeatures][kRoom], int at,
                                   const VecOf<Number>* weight) {
  const NumbersOf<Number> d;
  VecOf<Number> sum = hn::Mul(weight[0], hn::Load(d, columns[0] + at));
  for (int f = 1; f < kFeatures; ++f) {
    sum = hn::MulAdd(weight[f], hn::Load(d, columns[f] + at), sum);
  }
  return sum;
}

/// Memories side by side.
template <class Number>
struct MemoryBlock {
  static constexpr int kRoom = 512;  ///< with its features, in the L1 cache
  alignas(64) Number features[kMaxFeatures][kRoom];
  alignas(64) std::int32_t memory[kRoom];  ///< ascending
  int num = 0;

  /// Takes memories that are kept from [next, end), as many as there is room for, and moves next
  /// past them. False if there are none.
  bool load(const QueryMemories& of, int num_features, std::int64_t& next, std::int64_t end) {
    if (of.kept == nullptr) {
      num = static_cast<int>(end - next < kRoom ? end - next : kRoom);
      for (int f = 0; f < num_features; ++f) copy(of.features[f] + next, features[f]);
      for (int i = 0; i < num; ++i) memory[i] = static_cast<std::int32_t>(next + i);
      next += num;
      return num > 0;
    }
    list_kept(of.kept, next, end);
    for (int f = 0; f < num_features; ++f) gather(of.features[f], features[f]);
    return num > 0;
  }

 private:
  static constexpr int kLanes = lanes_of<Number>();

  void copy(const std::int32_t* from, Number* to) const {
    const NumbersOf<Number> d;
    const IntsOf<Number> di;
    int i = 0;
    for (; i + kLanes <= num; i += kLanes)
      hn::Store(to_numbers(hn::LoadU(di, from + i)), d, to + i);
    if (i == num) return;
    alignas(64) std::int32_t rest[kLanes] = {};
    for (int k = i; k < num; ++k) rest[k - i] = from[k];
    hn::Store(to_numbers(hn::Load(di, rest)), d, to + i);
  }

  void list_kept(const std::uint64_t* kept, std::int64_t& next, std::int64_t end) {
    num = 0;
    while (next < end && num < kRoom) {
      std::uint64_t word = kept[next / 64] >> (next % 64);
      const std::int64_t word_end = (next / 64 + 1) * 64;
      for (; word != 0 && num < kRoom; word &= word - 1) {
        const std::int64_t found =
            next + static_cast<std::int64_t>(hwy::Num0BitsBelowLS1Bit_Nonzero64(word));
        if (found >= end) break;
        memory[num++] = static_cast<std::int32_t>(found);
      }
      next = word != 0 && num == kRoom ? std::int64_t{memory[num - 1]} + 1 : word_end;
    }
    for (int i = num; num > 0 && i % kLanes != 0; ++i) memory[i] = memory[num - 1];
  }

  void gather(const std::int32_t* from, Number* to) const {
    const NumbersOf<Number> d;
    const IntsOf<Number> di;
    for (int i = 0; i < num; i += kLanes) {
      hn::Store(to_numbers(hn::GatherIndex(di, from, hn::Load(di, memory + i))), d, to + i);
    }
  }
};

/// Runs the piece in float, in double, or by the op, as its weights allow. Wave<Number, features>
/// answers one query: Wave(op, mixes, piece).run(query).
template <template <class, int> class Wave, class Op>
void run_blend(const Op& op, const BlendPiece& piece) {
  const std::int64_t largest =
      largest_score(op.weights, op.memories, piece.first_mix, piece.num_mixes);
  const std::int64_t end_query = piece.first_query + piece.num_queries;
  const auto in_numbers = [&](auto zero) {
    using Number = decltype(zero);
    const MixTile<Number> mixes(op.weights, op.memories.num_features, piece, largest);
    with_features(op.memories.num_features, [&](auto num_features) {
      Wave<Number, decltype(num_features)::value> wave(op, mixes, piece.first_mix);
      for (std::int64_t q = piece.first_query; q < end_query; ++q) wave.run(q);
    });
  };
  if (largest < kFloatHolds) return in_numbers(float{});
  if (largest < kDoubleHolds) return in_numbers(double{});
  for (std::int64_t q = piece.first_query; q < end_query; ++q) {
    for (std::int64_t c = 0; c < piece.num_mixes; ++c) op(q * op.num_mixes + piece.first_mix + c);
  }
}

}  // namespace sightline::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // HWY_MAX_BYTES

#endif  // the toggle
