// The lanes of a mask, put one after the other. Compiled once per instruction set.

// NOLINTNEXTLINE: Highway includes this file once per target.
#if defined(SIGHTLINE_KERNELS_COMPRESS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SIGHTLINE_KERNELS_COMPRESS_INL_H_
#undef SIGHTLINE_KERNELS_COMPRESS_INL_H_
#else
#define SIGHTLINE_KERNELS_COMPRESS_INL_H_
#endif

#include <hwy/highway.h>

#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace sightline::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_AVX2

/// Which lane comes to each place: below the last lane of a mask, the set ones in order.
class LaneOrders {
 public:
  constexpr LaneOrders() : lane_{} {
    for (int lanes = 0; lanes < 256; ++lanes) {
      int num = 0;
      for (int i = 0; i < 8; ++i) {
        if ((lanes >> i) & 1) lane_[lanes][num++] = static_cast<std::uint8_t>(i);
      }
    }
  }
  const std::uint8_t* of(std::uint32_t lanes) const { return lane_[lanes]; }

 private:
  alignas(8) std::uint8_t lane_[256][8];
};
constexpr LaneOrders kLaneOrders;

/// Of vectors of 32-bit lanes, those of a mask (bit i: lane i), one after the other; above them
/// stands anything. What Highway 1.0 does for AVX2, g++ makes copy a table of 1 KiB to the stack
/// each time, which took a fifth of a walk.
class Compressor {
  using Ints = hn::ScalableTag<std::int32_t>;
  using Bytes = hn::Rebind<std::uint8_t, Ints>;

 public:
  explicit HWY_INLINE Compressor(std::uint32_t lanes)
      : order_(hn::PromoteTo(Ints(), hn::LoadU(Bytes(), kLaneOrders.of(lanes)))) {}

  template <class Vec>
  HWY_INLINE Vec operator()(Vec v) const {
    return hn::TableLookupLanes(v, hn::IndicesFromVec(hn::DFromV<Vec>(), order_));
  }

 private:
  hn::Vec<Ints> order_;
};

#else

class Compressor {
  using Ints = hn::ScalableTag<std::int32_t>;

 public:
  explicit HWY_INLINE Compressor(std::uint32_t lanes) {
#if HWY_TARGET <= HWY_AVX3
    mask_.raw = static_cast<decltype(mask_.raw)>(lanes);
#else
    const std::uint8_t bytes[8] = {static_cast<std::uint8_t>(lanes),
                                   static_cast<std::uint8_t>(lanes >> 8)};
    mask_ = hn::LoadMaskBits(Ints(), bytes);
#endif
  }

  template <class Vec>
  HWY_INLINE Vec operator()(Vec v) const {
    return hn::Compress(v, hn::RebindMask(hn::DFromV<Vec>(), mask_));
  }

 private:
  hn::Mask<Ints> mask_;
};

#endif

}  // namespace sightline::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard per target
