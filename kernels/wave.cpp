#include "kernels/wave.h"

// Vectors shorter than AVX2's do not pay; those without a fixed length cannot be struct members.
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_SSE4 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/wave.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "kernels/wave_march_cubes-inl.h"
#include "kernels/wave_sight-inl.h"

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

std::int64_t exact(const ExactLineOfSight& op, std::int64_t begin, std::int64_t end) {
#if HWY_MAX_BYTES >= 32
  if (rules_skip_cubes(op.rules)) {
    return cubes_serve(op) ? sight_by_cubes(op, begin, end)
                           : sight_by_words(op, {begin, end - begin});
  }
#endif
  return one_by_one(op, begin, end);
}

template <class Op>
std::int64_t first_hits(const Op& op, std::int64_t begin, std::int64_t end) {
#if HWY_MAX_BYTES >= 32
  if (cubes_serve(op)) return hits_by_cubes(op, begin, end);
#endif
  return one_by_one(op, begin, end);
}
std::int64_t gazes(const ExactFirstHit& op, std::int64_t begin, std::int64_t end) {
  return first_hits(op, begin, end);
}
std::int64_t views(const RenderViews& op, std::int64_t begin, std::int64_t end) {
  return first_hits(op, begin, end);
}

std::int64_t march(const MarchGrid& op, std::int64_t begin, std::int64_t end) {
#if HWY_MAX_BYTES >= 32
  return cubes_serve(op) ? march_by_cubes(op, begin, end)
                         : march_by_words(op, {begin, end - begin});
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
HWY_EXPORT(gazes);
HWY_EXPORT(views);
HWY_EXPORT(march);
HWY_EXPORT(target);

std::int64_t exact_wave(const ExactLineOfSight& op, std::int64_t begin, std::int64_t end,
                        InstructionSet set) {
  return SL_WAVE_CALL(set, exact)(op, begin, end);
}

std::int64_t first_hit_wave(const ExactFirstHit& op, std::int64_t begin, std::int64_t end,
                            InstructionSet set) {
  return SL_WAVE_CALL(set, gazes)(op, begin, end);
}

std::int64_t view_wave(const RenderViews& op, std::int64_t begin, std::int64_t end,
                       InstructionSet set) {
  return SL_WAVE_CALL(set, views)(op, begin, end);
}

namespace {

/// Lines of sight to the boxes of several slots, until there are enough for a wave.
struct WaitingLines {
  static constexpr int kMost = 2048;

  LatticePoint from[kMost], to[kMost];
  std::int64_t slots[kMost];
  Visibility answers[kMost];
  int num = 0;

  void ask(const CoveredPixels& op, InstructionSet set) {
    ExactLineOfSight sight = op.sight;
    sight.observers = from;
    sight.targets = to;
    sight.rays = {};
    sight.out = answers;
    exact_wave(sight, 0, num, set);
    for (int k = 0; k < num; ++k) CoveredPixels::count(answers[k], op.out[slots[k]]);
    num = 0;
  }
};

}  // namespace

void covered_wave(const CoveredPixels& op, std::int64_t begin, std::int64_t end,
                  InstructionSet set) {
  WaitingLines lines;
  for (std::int64_t i = begin; i < end; ++i) {
    op.out[i] = {};
    op.for_each_line(i, [&](const LatticeSegment& line) {
      lines.from[lines.num] = line.from;
      lines.to[lines.num] = line.to;
      lines.slots[lines.num] = i;
      if (++lines.num == WaitingLines::kMost) lines.ask(op, set);
    });
  }
  lines.ask(op, set);
}

std::int64_t march_wave(const MarchGrid& op, std::int64_t begin, std::int64_t end,
                        InstructionSet set) {
  return SL_WAVE_CALL(set, march)(op, begin, end);
}

const char* wave_target(InstructionSet set) { return SL_WAVE_CALL(set, target)(); }

bool has_wave_target(InstructionSet set) {
#if HWY_ARCH_X86
  const std::int64_t wanted = wave_targets_of(set) & HWY_TARGETS;
  return (hwy::SupportedTargets() & wanted) != 0;
#else  // and so, where there is one target, no need of Highway's library
  (void)set;
  return false;
#endif
}

}  // namespace sightline::kernels
#endif
