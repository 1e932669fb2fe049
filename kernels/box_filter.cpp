#include "kernels/box_filter.h"
// As in wave.cpp; and what AVX3_DL adds to AVX3 is of no use here.
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/box_filter.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "kernels/box_filter-inl.h"

#if HWY_ONCE
#include "kernels/wave_dispatch.h"
#endif

HWY_BEFORE_NAMESPACE();
namespace sightline::kernels::HWY_NAMESPACE {

bool leave_out(const BoxFilter& filter, const Candidates& from, float* scores, Candidates* left) {
  bool is_few = false;
  with_features(filter.num_features, [&](auto num) {
    BoxWave<decltype(num)::value> wave(filter, from, scores);
    is_few = wave.run(left);
  });
  return is_few;
}

}  // namespace sightline::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sightline::kernels {

HWY_EXPORT(leave_out);

bool leave_out_beaten(const BoxFilter& filter, const Candidates& from, float* scores,
                      Candidates* left, InstructionSet set) {
  return SL_WAVE_CALL(set, leave_out)(filter, from, scores, left);
}

}  // namespace sightline::kernels
#endif
