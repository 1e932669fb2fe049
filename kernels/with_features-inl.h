// A number of features as a constant. Compiled once per instruction set.

// NOLINTNEXTLINE: Highway includes this file once per target.
#if defined(SIGHTLINE_KERNELS_WITH_FEATURES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SIGHTLINE_KERNELS_WITH_FEATURES_INL_H_
#undef SIGHTLINE_KERNELS_WITH_FEATURES_INL_H_
#else
#define SIGHTLINE_KERNELS_WITH_FEATURES_INL_H_
#endif

#include <hwy/highway.h>

#include <type_traits>

#include "kernels/recall.h"

HWY_BEFORE_NAMESPACE();
namespace sightline::kernels::HWY_NAMESPACE {

/// Calls job(number of features as a constant).
template <class Job>
HWY_INLINE void with_features(int num_features, const Job& job) {
  static_assert(kMaxFeatures == 8, "a case each");
  switch (num_features) {
    case 1:
      return job(std::integral_constant<int, 1>());
    case 2:
      return job(std::integral_constant<int, 2>());
    case 3:
      return job(std::integral_constant<int, 3>());
    case 4:
      return job(std::integral_constant<int, 4>());
    case 5:
      return job(std::integral_constant<int, 5>());
    case 6:
      return job(std::integral_constant<int, 6>());
    case 7:
      return job(std::integral_constant<int, 7>());
    default:
      return job(std::integral_constant<int, 8>());
  }
}

}  // namespace sightline::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // the toggle
