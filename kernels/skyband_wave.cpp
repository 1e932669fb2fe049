#include "kernels/skyband_wave.h"
// As in wave.cpp; and what AVX3_DL adds to AVX3 is of no use here.
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/skyband_wave.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "kernels/skyband_wave-inl.h"

#if HWY_ONCE
#include "kernels/wave_dispatch.h"
#endif

HWY_BEFORE_NAMESPACE();
namespace sightline::kernels::HWY_NAMESPACE {

void drop_words(const DropDominated& op, std::int64_t query, std::int64_t begin, std::int64_t end) {
#if HWY_MAX_BYTES >= 32
  const ComparedFeatures compared(op.memories, op.rule, query);
  with_features(compared.num, [&](auto num) {
    DropWave<decltype(num)::value> wave(op, compared, query);
    wave.run(begin, end);
  });
#else
  const std::int64_t words = words_of_bits(op.memories.num_memories);
  for (std::int64_t word = begin; word < end; ++word) op(query * words + word);
#endif
}

void thin_band(const ThinBands& op, std::int64_t query) {
#if HWY_MAX_BYTES >= 32
  const ComparedFeatures compared(op.memories, op.rule, query);
  with_features(compared.num, [&](auto num) {
    ThinWave<decltype(num)::value> wave(op, compared, query);
    wave.run();
  });
#else
  op(query);
#endif
}

}  // namespace sightline::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sightline::kernels {

HWY_EXPORT(drop_words);
HWY_EXPORT(thin_band);

void drop_dominated_wave(const DropDominated& op, std::int64_t query, std::int64_t begin,
                         std::int64_t end, InstructionSet set) {
  SL_WAVE_CALL(set, drop_words)(op, query, begin, end);
}

void thin_band_wave(const ThinBands& op, std::int64_t query, InstructionSet set) {
  SL_WAVE_CALL(set, thin_band)(op, query);
}

}  // namespace sightline::kernels
#endif
