#include "kernels/wave.h"

// Vectors shorter than AVX2's do not pay; those without a fixed length cannot be struct members.
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_SSE4 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/wave.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "kernels/wave_exact-inl.h"
#include "kernels/wave_march-inl.h"

#if HWY_ONCE
#include "kernels/wave_dispatch.h"
#endif

HWY_BEFORE_NAMESPACE();
namespace sightline::kernels::HWY_NAMESPACE {

template <class Op>
std::int64_t one_by_one(const Op& op, std::int64_t begin, std::int64_t end) {
  for (std::int64_t i = begin; i < end; ++i) op(i);
  return 0;
}

#if HWY_MAX_BYTES >= 32
template <class Wave, class Op>
std::int64_t run(const Op& op, std::int64_t begin, std::int64_t end) {
  Wave wave(op);
  run_wave(wave, op.grid.opaque(op.rules.unknown), begin, end);
  return end - begin - wave.num_left_to_op();
}
#endif

std::int64_t exact(const ExactLineOfSight& op, std::int64_t begin, std::int64_t end) {
#if HWY_MAX_BYTES >= 32
  const ExactRules& rules = op.rules;
  if (rules.skip_empty_space && rules.tie_rule == TieRule::kDiagonal) {
    return rules.unknown == SpacePolicy::kUnknown ? run<ExactWave<true>>(op, begin, end)
                                                  : run<ExactWave<false>>(op, begin, end);
  }
#endif
  return one_by_one(op, begin, end);
}

std::int64_t march(const MarchGrid& op, std::int64_t begin, std::int64_t end) {
#if HWY_MAX_BYTES >= 32
  if (op.rules.unknown == SpacePolicy::kUnknown) {
    return op.rules.uniform ? run<MarchWave<true, true>>(op, begin, end)
                            : run<MarchWave<false, true>>(op, begin, end);
  }
  return op.rules.uniform ? run<MarchWave<true, false>>(op, begin, end)
                          : run<MarchWave<false, false>>(op, begin, end);
#else
  return one_by_one(op, begin, end);
#endif
}

const char* target() { return HWY_MAX_BYTES >= 32 ? hwy::TargetName(HWY_TARGET) : ""; }

}  // namespace sightline::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sightline::kernels {

HWY_EXPORT(exact);
HWY_EXPORT(march);
HWY_EXPORT(target);

std::int64_t exact_wave(const ExactLineOfSight& op, std::int64_t begin, std::int64_t end,
                        InstructionSet set) {
  return SL_WAVE_CALL(set, exact)(op, begin, end);
}

std::int64_t march_wave(const MarchGrid& op, std::int64_t begin, std::int64_t end,
                        InstructionSet set) {
  return SL_WAVE_CALL(set, march)(op, begin, end);
}

const char* wave_target(InstructionSet set) { return SL_WAVE_CALL(set, target)(); }

bool has_wave_target(InstructionSet set) {
  const std::int64_t wanted = wave_targets_of(set) & HWY_TARGETS;
  return (hwy::SupportedTargets() & wanted) != 0;
}

}  // namespace sightline::kernels
#endif
