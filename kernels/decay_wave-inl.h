// Proximities and recencies by vectors: the arithmetic of feature_ops.h and portable_exp.h, step by
// step, a memory in each lane. Compiled once per instruction set.

// NOLINTNEXTLINE: Highway includes this file once per target.
#if defined(SIGHTLINE_KERNELS_DECAY_WAVE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SIGHTLINE_KERNELS_DECAY_WAVE_INL_H_
#undef SIGHTLINE_KERNELS_DECAY_WAVE_INL_H_
#else
#define SIGHTLINE_KERNELS_DECAY_WAVE_INL_H_
#endif

#include <hwy/highway.h>

#include "kernels/feature_ops.h"

#if HWY_MAX_BYTES >= 32
HWY_BEFORE_NAMESPACE();
namespace sightline::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

class DecayWave {
  using D = hn::ScalableTag<double>;
  using Vec = hn::Vec<D>;

 public:
  static constexpr std::int64_t kLanes = HWY_MAX_BYTES / sizeof(double);

  DecayWave(const Decay& decay, int feature_bits)
      : form_(decay.form),
        scale_(hn::Set(D(), decay.scale)),
        unit_(hn::Set(D(), static_cast<double>(1ll << feature_bits))) {}

  static HWY_INLINE Vec squared_distances(const Vec3* from, const Vec3& to) {
    static_assert(sizeof(Vec3) == 3 * sizeof(double), "x, y and z, and so on");
    const D d;
    Vec x, y, z;
    hn::LoadInterleaved3(d, &from->x, x, y, z);
    const Vec dx = hn::Sub(x, hn::Set(d, to.x)), dy = hn::Sub(y, hn::Set(d, to.y)),
              dz = hn::Sub(z, hn::Set(d, to.z));
    return hn::Add(hn::Add(hn::Mul(dx, dx), hn::Mul(dy, dy)), hn::Mul(dz, dz));
  }

  static HWY_INLINE Vec ages(double now_s, const double* time_s) {
    const D d;
    const Vec age_s = hn::Sub(hn::Set(d, now_s), hn::LoadU(d, time_s));
    return hn::IfThenElseZero(hn::Gt(age_s, hn::Zero(d)), age_s);
  }

  /// The decays at x, quantised.
  HWY_INLINE void store(Vec x, std::int32_t* out) const {
    const hn::Rebind<std::int32_t, D> ints;
    hn::StoreU(hn::DemoteTo(ints, rounded(hn::Mul(decayed(x), unit_))), ints, out);
  }

 private:
  static HWY_INLINE Vec rounded(Vec x) {
    const Vec shift = hn::Set(D(), 0x1.8p52);
    return hn::Sub(hn::Add(x, shift), shift);
  }

  /// 2^n of whole n, -1022 <= n <= 0.
  static HWY_INLINE Vec powers_of_two(Vec n) {
    const D d;
    const hn::RebindToUnsigned<D> bits;
    const auto last_bits = hn::BitCast(bits, hn::Add(n, hn::Set(d, 0x1.8p52)));
    return hn::BitCast(d, hn::ShiftLeft<52>(hn::Add(last_bits, hn::Set(bits, 1023))));
  }

  static HWY_INLINE Vec exp_near_zero(Vec r) {
    const D d;
    Vec sum = hn::Set(d, 1.0 / 6227020800);
    for (const double term :
         {1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040,
          1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5}) {
      sum = hn::Add(hn::Mul(sum, r), hn::Set(d, term));
    }
    return hn::Add(hn::Add(hn::Mul(sum, hn::Mul(r, r)), r), hn::Set(d, 1.0));
  }

  static HWY_INLINE Vec exp(Vec exponent) {
    const D d;
    const auto is_more = hn::Gt(exponent, hn::Set(d, -693.0));
    const Vec x = hn::IfThenElseZero(is_more, exponent);
    const Vec n = rounded(hn::Mul(x, hn::Set(d, 0x1.71547652b82fep0)));
    const Vec r = hn::Sub(hn::Sub(x, hn::Mul(n, hn::Set(d, 0x1.62e42feep-1))),
                          hn::Mul(n, hn::Set(d, 0x1.a39ef35793c76p-33)));
    return hn::IfThenElseZero(is_more, hn::Mul(exp_near_zero(r), powers_of_two(n)));
  }

  static HWY_INLINE Vec exp2(Vec exponent) {
    const D d;
    const auto is_more = hn::Gt(exponent, hn::Set(d, -1000.0));
    const Vec x = hn::IfThenElseZero(is_more, exponent);
    const Vec n = rounded(x);
    const Vec r = hn::Mul(hn::Sub(x, n), hn::Set(d, 0x1.62e42fefa39efp-1));
    return hn::IfThenElseZero(is_more, hn::Mul(exp_near_zero(r), powers_of_two(n)));
  }

  HWY_INLINE Vec decayed(Vec x) const {
    const D d;
    const Vec one = hn::Set(d, 1.0);
    switch (form_) {
      case DecayForm::kLinear: {
        const Vec left = hn::Sub(one, hn::Div(x, scale_));
        return hn::IfThenElseZero(hn::Gt(left, hn::Zero(d)), left);
      }
      case DecayForm::kExponential:
        return exp(hn::Div(hn::Neg(x), scale_));
      case DecayForm::kHyperbolic:
        return hn::Div(one, hn::Add(one, hn::Div(x, scale_)));
      case DecayForm::kGaussian: {
        const Vec ratio = hn::Div(x, scale_);
        return exp(hn::Mul(hn::Set(d, -0.5), hn::Mul(ratio, ratio)));
      }
      case DecayForm::kStep:
        return hn::IfThenElseZero(hn::Le(x, scale_), one);
      case DecayForm::kHalfLife:
        return exp2(hn::Div(hn::Neg(x), scale_));
    }
    return hn::Zero(d);
  }

  const DecayForm form_;
  const Vec scale_, unit_;
};

}  // namespace sightline::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // HWY_MAX_BYTES

#endif  // the toggle
