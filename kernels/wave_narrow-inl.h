// 32-bit lanes, for waves of rays in floats, and what Highway lacks for them.

// NOLINTNEXTLINE: Highway includes this file once per target.
#if defined(SIGHTLINE_KERNELS_WAVE_NARROW_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SIGHTLINE_KERNELS_WAVE_NARROW_INL_H_
#undef SIGHTLINE_KERNELS_WAVE_NARROW_INL_H_
#else
#define SIGHTLINE_KERNELS_WAVE_NARROW_INL_H_
#endif

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

  // joined: the low bits of `low`, as many as `mask` has, and above them the bits of `high`.
  // gather_or_zero: 0 where `which` is not set, and nothing is read there.
  // bits_from: the bits of `bits` from bit `index` (modulo 32) on; above the last stands anything.
  // Gathers: see wave-inl.h on the empty destination. Conversions by Highway also mend overflow,
  // which the lanes that count never have.
#if HWY_TARGET <= HWY_AVX3
  static HWY_INLINE IntVec joined(std::int32_t mask, IntVec low, IntVec high) {
    constexpr int kChoose = 0xCA;  // bits of the second where the first has them, else of the third
    return IntVec{_mm512_ternarylogic_epi32(_mm512_set1_epi32(mask), low.raw, high.raw, kChoose)};
  }
  static HWY_INLINE IntVec gather_or_zero(const std::int32_t* from, IntVec index, IntMask which) {
    return IntVec{
        _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), which.raw, index.raw, from, 4)};
  }
  static HWY_INLINE Pair gather_pairs(const void* from, IntVec index) {
    __mmask8 all = 0xff;
    asm("" : "+Yk"(all));
    const __m512i zero = _mm512_setzero_si512();
    const __m256i low = _mm512_castsi512_si256(index.raw);
    const __m256i high = _mm512_extracti64x4_epi64(index.raw, 1);
    return parts_of(IntVec{_mm512_mask_i32gather_epi64(zero, all, low, from, 8)},
                    IntVec{_mm512_mask_i32gather_epi64(zero, all, high, from, 8)});
  }
  static HWY_INLINE IntVec bits_from(IntVec bits, IntVec index) {
    return IntVec{_mm512_rorv_epi32(bits.raw, index.raw)};
  }
  static HWY_INLINE IntVec truncate(FloatVec v) { return IntVec{_mm512_cvttps_epi32(v.raw)}; }
  static HWY_INLINE FloatVec from_nearest(FloatVec v) {
    return FloatVec{_mm512_reduce_ps(v.raw, _MM_FROUND_TO_NEAREST_INT)};
  }
  static HWY_INLINE FloatVec min_abs(FloatVec a, FloatVec b) {
    return FloatVec{_mm512_range_ps(a.raw, b.raw, 0b1010)};  // the smaller magnitude, sign cleared
  }
  static HWY_INLINE FloatVec max_abs(FloatVec a, FloatVec b) {
    return FloatVec{_mm512_range_ps(a.raw, b.raw, 0b1011)};
  }
#elif HWY_TARGET <= HWY_AVX2
  static HWY_INLINE IntVec joined(std::int32_t mask, IntVec low, IntVec high) {
    const auto bits = hn::Set(Ints(), mask);
    return hn::Or(hn::And(bits, low), hn::AndNot(bits, high));
  }
  static HWY_INLINE IntVec gather_or_zero(const std::int32_t* from, IntVec index, IntMask which) {
    return IntVec{
        _mm256_mask_i32gather_epi32(_mm256_setzero_si256(), from, index.raw, which.raw, 4)};
  }
  static HWY_INLINE Pair gather_pairs(const void* from, IntVec index) {
    __m256i all = _mm256_set1_epi64x(-1);
    asm("" : "+x"(all));
    const __m256i zero = _mm256_setzero_si256();
    const auto* list = static_cast<const long long*>(from);  // NOLINT: the intrinsic's type
    const __m128i low = _mm256_castsi256_si128(index.raw);
    const __m128i high = _mm256_extracti128_si256(index.raw, 1);
    return parts_of(IntVec{_mm256_mask_i32gather_epi64(zero, list, low, all, 8)},
                    IntVec{_mm256_mask_i32gather_epi64(zero, list, high, all, 8)});
  }
  static HWY_INLINE IntVec bits_from(IntVec bits, IntVec index) {
    const auto shift = hn::And(hn::BitCast(Bits(), index), hn::Set(Bits(), 31));
    return hn::BitCast(Ints(), hn::Shr(hn::BitCast(Bits(), bits), shift));
  }
  static HWY_INLINE IntVec truncate(FloatVec v) { return IntVec{_mm256_cvttps_epi32(v.raw)}; }
  static HWY_INLINE FloatVec from_nearest(FloatVec v) { return hn::Sub(v, hn::Round(v)); }
  static HWY_INLINE FloatVec min_abs(FloatVec a, FloatVec b) {
    return hn::Min(hn::Abs(a), hn::Abs(b));
  }
  static HWY_INLINE FloatVec max_abs(FloatVec a, FloatVec b) {
    return hn::Max(hn::Abs(a), hn::Abs(b));
  }
#endif
  /// The second least of three magnitudes.
  static HWY_INLINE FloatVec middle_abs(FloatVec a, FloatVec b, FloatVec c) {
    return max_abs(min_abs(a, b), min_abs(max_abs(a, b), c));
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
