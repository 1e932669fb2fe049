// 32-bit lanes, for waves of rays in floats, and what Highway lacks for them.

// NOLINTNEXTLINE: Highway includes this file once per target.
#if defined(SIGHTLINE_KERNELS_WAVE_NARROW_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SIGHTLINE_KERNELS_WAVE_NARROW_INL_H_
#undef SIGHTLINE_KERNELS_WAVE_NARROW_INL_H_
#else
#define SIGHTLINE_KERNELS_WAVE_NARROW_INL_H_
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <cstdint>

#include "kernels/wave-inl.h"

#if HWY_MAX_BYTES >= 32  // shorter vectors do not pay
HWY_BEFORE_NAMESPACE();
namespace sightline::kernels::HWY_NAMESPACE {

/// 32-bit lanes: a ray in each.
struct Narrow {
  using Floats = hn::ScalableTag<float>;
  using Ints = hn::RebindToSigned<Floats>;
  using Bits = hn::RebindToUnsigned<Floats>;
  using FloatVec = hn::Vec<Floats>;
  using IntVec = hn::Vec<Ints>;
  using BitVec = hn::Vec<Bits>;
  using IntMask = hn::Mask<Ints>;

  static constexpr int kMaxLanes = 16;
  static int lanes() { return static_cast<int>(hn::Lanes(Floats())); }

  static HWY_INLINE std::uint32_t bits_of(IntMask mask) {
#if HWY_TARGET <= HWY_AVX3
    return static_cast<std::uint32_t>(mask.raw);
#else
    std::uint8_t bytes[8] = {};
    hn::StoreMaskBits(Ints(), mask, bytes);
    return bytes[0] | static_cast<std::uint32_t>(bytes[1]) << 8;
#endif
  }

  struct Pair {
    IntVec first, second;
  };
  /// Of pairs of 32-bit numbers, in order.
  static HWY_INLINE Pair parts_of(IntVec low, IntVec high) {
    return {hn::ConcatEven(Ints(), high, low), hn::ConcatOdd(Ints(), high, low)};
  }

  // joined: the bits of `low` where `mask` has them, else those of `high`.
  // none_of: no bit of `mask` is set.
  // gather_or_zero: 0 where `which` is not set, and at most from[0] is read there. By loads: see
  // wave-inl.h.
  // middle_abs: the second least of three magnitudes.
  // bits_from: the bits of `bits` from bit `index` (modulo 32) on; above the last stands anything.
  // Conversions by Highway also mend overflow, which the lanes that count never have.
#if HWY_TARGET <= HWY_AVX3
  static HWY_INLINE IntVec joined(IntVec mask, IntVec low, IntVec high) {
    constexpr int kChoose = 0xE4;  // bits of the first where the third has them, else of the second
    return IntVec{_mm512_ternarylogic_epi32(low.raw, high.raw, mask.raw, kChoose)};
  }
  static HWY_INLINE IntMask none_of(IntVec bits, IntVec mask) {
    return IntMask{_mm512_testn_epi32_mask(bits.raw, mask.raw)};
  }
  static HWY_INLINE IntVec gather_or_zero(const std::int32_t* from, IntVec index, IntMask which) {
    alignas(64) std::uint64_t places[8];  // two in each
    _mm512_store_si512(places, hn::IfThenElseZero(which, index).raw);
    __m128i four[4];
    for (int i = 0; i < 4; ++i) {
      four[i] = _mm_cvtsi32_si128(from[static_cast<std::uint32_t>(places[2 * i])]);
      four[i] = _mm_insert_epi32(four[i], from[places[2 * i] >> 32], 1);
      four[i] = _mm_insert_epi32(four[i], from[static_cast<std::uint32_t>(places[2 * i + 1])], 2);
      four[i] = _mm_insert_epi32(four[i], from[places[2 * i + 1] >> 32], 3);
    }
    return hn::IfThenElseZero(which, IntVec{joined_quarters(four)});
  }
  static HWY_INLINE Pair gather_pairs(const void* from, IntVec index) {
    alignas(64) std::uint64_t places[8];  // two in each
    _mm512_store_si512(places, index.raw);
    __m128i pairs[8];
    for (int i = 0; i < 8; ++i) {
      pairs[i] = pair_of(from, static_cast<std::uint32_t>(places[i]), places[i] >> 32);
    }
    return parts_of(IntVec{joined_quarters(pairs)}, IntVec{joined_quarters(pairs + 4)});
  }
  static HWY_INLINE IntVec bits_from(IntVec bits, IntVec index) {
    return IntVec{_mm512_rorv_epi32(bits.raw, index.raw)};
  }
  static HWY_INLINE IntVec truncate(FloatVec v) { return IntVec{_mm512_cvttps_epi32(v.raw)}; }
  static HWY_INLINE FloatVec from_nearest(FloatVec v) {
    return FloatVec{_mm512_reduce_ps(v.raw, _MM_FROUND_TO_NEAREST_INT)};
  }
  static HWY_INLINE FloatVec middle_abs(FloatVec a, FloatVec b, FloatVec c) {
    constexpr int kLess = 0b1010, kMore = 0b1011;  // magnitude, sign cleared
    const __m512 less = _mm512_range_ps(a.raw, b.raw, kLess);
    const __m512 more = _mm512_range_ps(a.raw, b.raw, kMore);
    return FloatVec{_mm512_range_ps(less, _mm512_range_ps(more, c.raw, kLess), kMore)};
  }
#elif HWY_TARGET <= HWY_AVX2
  /// Lanes that are not negative, as indices.
  struct Places {
    std::uint64_t of[8];
    explicit HWY_INLINE Places(IntVec index) {
      const __m128i halves[2] = {_mm256_castsi256_si128(index.raw),
                                 _mm256_extracti128_si256(index.raw, 1)};
      for (int half = 0; half < 2; ++half) {
        const auto low = static_cast<std::uint64_t>(_mm_cvtsi128_si64(halves[half]));
        const auto high = static_cast<std::uint64_t>(_mm_extract_epi64(halves[half], 1));
        of[4 * half] = static_cast<std::uint32_t>(low);
        of[4 * half + 1] = low >> 32;
        of[4 * half + 2] = static_cast<std::uint32_t>(high);
        of[4 * half + 3] = high >> 32;
      }
    }
  };
  static HWY_INLINE IntVec joined(IntVec mask, IntVec low, IntVec high) {
    return hn::Or(hn::And(mask, low), hn::AndNot(mask, high));
  }
  static HWY_INLINE IntMask none_of(IntVec bits, IntVec mask) {
    return hn::Eq(hn::And(bits, mask), hn::Zero(Ints()));
  }
  static HWY_INLINE IntVec gather_or_zero(const std::int32_t* from, IntVec index, IntMask which) {
    const IntVec kept = hn::VecFromMask(Ints(), which);
    const Places at(hn::And(index, kept));
    const IntVec found{_mm256_setr_epi32(from[at.of[0]], from[at.of[1]], from[at.of[2]],
                                         from[at.of[3]], from[at.of[4]], from[at.of[5]],
                                         from[at.of[6]], from[at.of[7]])};
    return hn::And(found, kept);
  }
  static HWY_INLINE Pair gather_pairs(const void* from, IntVec index) {
    const Places at(index);
    const auto* list = static_cast<const long long*>(from);  // NOLINT: the intrinsic's type
    return parts_of(
        IntVec{_mm256_setr_epi64x(list[at.of[0]], list[at.of[1]], list[at.of[2]], list[at.of[3]])},
        IntVec{_mm256_setr_epi64x(list[at.of[4]], list[at.of[5]], list[at.of[6]], list[at.of[7]])});
  }
  static HWY_INLINE IntVec bits_from(IntVec bits, IntVec index) {
    const auto shift = hn::And(hn::BitCast(Bits(), index), hn::Set(Bits(), 31));
    return hn::BitCast(Ints(), hn::Shr(hn::BitCast(Bits(), bits), shift));
  }
  static HWY_INLINE IntVec truncate(FloatVec v) { return IntVec{_mm256_cvttps_epi32(v.raw)}; }
  static HWY_INLINE FloatVec from_nearest(FloatVec v) { return hn::Sub(v, hn::Round(v)); }
  static HWY_INLINE FloatVec middle_abs(FloatVec a, FloatVec b, FloatVec c) {
    a = hn::Abs(a), b = hn::Abs(b), c = hn::Abs(c);
    return hn::Max(hn::Min(a, b), hn::Min(hn::Max(a, b), c));
  }
#endif
  /// Begins to load what gather_or_zero will read.
  static HWY_INLINE void prefetch(const std::int32_t* from, IntVec index, IntMask which) {
    alignas(64) std::int32_t places[kMaxLanes];
    hn::Store(hn::IfThenElseZero(which, index), Ints(), places);
    for (int lane = 0; lane < lanes(); ++lane) hwy::Prefetch(from + places[lane]);
  }
  /// Begins to load what gather_pairs will read.
  static HWY_INLINE void prefetch_pairs(const void* from, IntVec index) {
    alignas(64) std::int32_t places[kMaxLanes];
    hn::Store(index, Ints(), places);
    for (int lane = 0; lane < lanes(); ++lane) {
      hwy::Prefetch(static_cast<const std::uint64_t*>(from) + places[lane]);
    }
  }
};

/// Which lanes the rays of a list go to: lane i takes the one of rank [i].
class LaneRanks {
 public:
  constexpr LaneRanks() : rank_{} {
    for (int lanes = 0; lanes < 256; ++lanes) {
      std::uint8_t next = 0;
      for (int i = 0; i < 8; ++i) {
        rank_[lanes][i] = next;
        next = static_cast<std::uint8_t>(next + ((lanes >> i) & 1));
      }
    }
  }
  /// The number of lanes of `lanes` before each lane.
  HWY_INLINE Narrow::IntVec operator()(std::uint32_t lanes) const {
    const Narrow::Ints d;
    alignas(16) std::uint64_t bytes[2];
    hwy::CopyBytes<8>(rank_[lanes & 255], bytes);
    hwy::CopyBytes<8>(rank_[lanes >> 8], bytes + 1);
    bytes[1] += 0x0101010101010101u * hwy::PopCount(lanes & 255);
    const hn::Rebind<std::uint8_t, Narrow::Ints> b;
    return hn::PromoteTo(d, hn::Load(b, reinterpret_cast<const std::uint8_t*>(bytes)));
  }

 private:
  alignas(8) std::uint8_t rank_[256][8];
};
constexpr LaneRanks kLaneRanks;

}  // namespace sightline::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // HWY_MAX_BYTES >= 32

#endif  // include guard per target
